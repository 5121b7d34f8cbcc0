#pragma once
#include "cuda_cpu/api.h"
