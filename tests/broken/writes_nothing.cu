// No launch at all: right if an earlier result is still in the buffer.
// caught: never written[\s\S]*at N=1048576: 1048576 of 1048576, every element
// plain check: fails
#include "twice.h"

void launch(float*, const float*, size_t, int) {}
