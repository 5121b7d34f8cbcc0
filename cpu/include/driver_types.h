#pragma once
#include "cuda_cpu/api_types.h"
