#pragma once
#include "cuda_cpu/builtins.h"
