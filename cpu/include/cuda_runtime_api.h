#pragma once
#include "cuda_cpu/api.h"
#include "cuda_cpu/keywords.h"
#include "cuda_cpu/vector_types.h"
