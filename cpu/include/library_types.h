#pragma once
#include "cuda_cpu/data_types.h"
