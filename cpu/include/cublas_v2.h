#pragma once
#include "cuda_cpu/blas.h"
