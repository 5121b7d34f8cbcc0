// No launch at all: right if an earlier result is still in the buffer.
// caught: never written[\s\S]*of 1048576: every element
#include "twice.h"

void launch(float*, const float*, size_t, int) {}
