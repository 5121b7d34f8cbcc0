// Loads and stores with a hint for a GPU's caches: plain ones here.
#pragma once

#define CUDA_CPU_LOAD(name)           \
    template <class T>                \
    inline T name(const T* address) { \
        return *address;              \
    }
CUDA_CPU_LOAD(__ldg)
CUDA_CPU_LOAD(__ldca)
CUDA_CPU_LOAD(__ldcg)
CUDA_CPU_LOAD(__ldcs)
CUDA_CPU_LOAD(__ldcv)
CUDA_CPU_LOAD(__ldlu)
#undef CUDA_CPU_LOAD

namespace cuda_cpu {
template <class T>
struct Same {
    using type = T;
};
}  // namespace cuda_cpu

#define CUDA_CPU_STORE(name)                                               \
    template <class T>                                                     \
    inline void name(T* address, typename cuda_cpu::Same<T>::type value) { \
        *address = value;                                                  \
    }
CUDA_CPU_STORE(__stwb)
CUDA_CPU_STORE(__stcg)
CUDA_CPU_STORE(__stcs)
CUDA_CPU_STORE(__stwt)
#undef CUDA_CPU_STORE
