#pragma once
#include "cuda_cpu/vector_types.h"
