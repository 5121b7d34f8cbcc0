/*
Kernels for the elementwise sum of two vectors, out = a + b.

Compile example:
nvcc -O3 --use_fast_math vec_add.cu -o vec_add -lcublas

version 0 is the baseline, cuBLAS's matrix sum: cublasSgeam / cublasDgeam
./vec_add 0

version 1 is the CPU code as a kernel: one thread per element
./vec_add 1

version 2 starts only as many threads as fit on the GPU, each in a loop: grid-stride loop
./vec_add 2

version 3 moves 128 bits per memory instruction: grid-stride loop over 16 bytes
./vec_add 3

version 4 leaves the loop to the GPU's block scheduler, which keeps memory busier: one thread per 16 bytes
./vec_add 4
*/
#include "common.h"
#include "harness/cublas.h"

// ----------------------------------------------------------------------------
// CPU code reference

template <class T>
void vec_add_cpu(T* out, const T* a, const T* b, size_t N) {
    parallel_for(N, [=](size_t i) { out[i] = a[i] + b[i]; });
}

// ----------------------------------------------------------------------------
// GPU kernels

// half and bf16 are added in float: (T)(...) rounds once, at the end
template <class T>
__device__ inline T add(T a, T b) {
    return (T)((compute_t<T>)a + (compute_t<T>)b);
}

template <class T>
__global__ void vec_add_kernel1(T* out, const T* a, const T* b, size_t N) {
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < N) { out[i] = add(a[i], b[i]); }
}

// A grid of as many threads as the GPU holds at once starts once and then only loops, instead of starting a block for
// every few elements, and it works for any N with any grid. The loop itself is not free.
template <class T>
__global__ void vec_add_kernel2(T* out, const T* a, const T* b, size_t N) {
    size_t stride = gridDim.x * (size_t)blockDim.x;
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < N; i += stride) { out[i] = add(a[i], b[i]); }
}

// 16 bytes are the most that one instruction loads: 4 to 8 times fewer instructions for the same bytes, and so more
// bytes in flight while each thread waits for its loads.
template <class T>
__device__ inline void add128(T* out, const T* a, const T* b, size_t i, size_t N) {
    constexpr int size = Packed128<T>::size;
    if (i + size <= N) {
        Packed128<T> x = load128(a + i), y = load128(b + i);
        for (int k = 0; k < size; k++) { x[k] = add(x[k], y[k]); }
        store128(out + i, x);
    } else {  // the last N % size elements
        for (; i < N; i++) { out[i] = add(a[i], b[i]); }
    }
}

template <class T>
__global__ void vec_add_kernel3(T* out, const T* a, const T* b, size_t N) {
    size_t stride = gridDim.x * (size_t)blockDim.x * Packed128<T>::size;
    size_t i = (blockIdx.x * (size_t)blockDim.x + threadIdx.x) * Packed128<T>::size;
    for (; i < N; i += stride) { add128(out, a, b, i, N); }
}

// Blocks that do one piece and end are handed out in order by the GPU's block scheduler, which is the better loop: on
// an H200 5 % faster than a resident grid, whose threads probably drift apart, until the pieces of memory in work lie
// far from each other. (More than one vector a thread, streaming hints and bulk copies are no faster; a block size of
// 32 is slower, because it needs more blocks than can be started in the time.)
template <class T>
__global__ void vec_add_kernel4(T* out, const T* a, const T* b, size_t N) {
    add128(out, a, b, (blockIdx.x * (size_t)blockDim.x + threadIdx.x) * Packed128<T>::size, N);
}

// ----------------------------------------------------------------------------
// kernel launchers

// geam adds matrices, alpha A + beta B: a vector of N elements is a matrix of 4096 rows, plus the rest as one column
template <class T>
void vec_add0(T* out, const T* a, const T* b, size_t N) {
    constexpr size_t rows = 4096;
    auto geam = [&](size_t start, int m, int n) {
        if (m == 0 || n == 0) { return; }
        const T one = 1;
        if constexpr (std::is_same_v<T, float>) {
            cublasCheck(cublasSgeam(cublas_handle(), CUBLAS_OP_N, CUBLAS_OP_N, m, n, &one, a + start, m, &one,
                                    b + start, m, out + start, m));
        } else if constexpr (std::is_same_v<T, double>) {
            cublasCheck(cublasDgeam(cublas_handle(), CUBLAS_OP_N, CUBLAS_OP_N, m, n, &one, a + start, m, &one,
                                    b + start, m, out + start, m));
        }
    };
    geam(0, (int)rows, (int)(N / rows));
    geam(N / rows * rows, (int)(N % rows), 1);
}

template <class T>
void vec_add1(T* out, const T* a, const T* b, size_t N, int block_size) {
    vec_add_kernel1<<<ceil_div(N, block_size), block_size>>>(out, a, b, N);
    cudaCheck(cudaGetLastError());
}

// as many blocks as the GPU holds at once, or fewer if that covers N
inline int resident_grid(size_t blocks_for_all, int block_size) {
    int device, multiprocessors, threads;
    cudaCheck(cudaGetDevice(&device));
    cudaCheck(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    cudaCheck(cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerMultiProcessor, device));
    return (int)std::min(blocks_for_all, (size_t)multiprocessors * (threads / block_size));
}

template <class T>
void vec_add2(T* out, const T* a, const T* b, size_t N, int block_size) {
    int grid_size = resident_grid(ceil_div(N, block_size), block_size);
    vec_add_kernel2<<<grid_size, block_size>>>(out, a, b, N);
    cudaCheck(cudaGetLastError());
}

template <class T>
void vec_add3(T* out, const T* a, const T* b, size_t N, int block_size) {
    int grid_size = resident_grid(ceil_div(N, block_size * Packed128<T>::size), block_size);
    vec_add_kernel3<<<grid_size, block_size>>>(out, a, b, N);
    cudaCheck(cudaGetLastError());
}

template <class T>
void vec_add4(T* out, const T* a, const T* b, size_t N, int block_size) {
    vec_add_kernel4<<<ceil_div(N, block_size * Packed128<T>::size), block_size>>>(out, a, b, N);
    cudaCheck(cudaGetLastError());
}

// ----------------------------------------------------------------------------
// the problem: main in common.h asks for it, then checks and times each version

template <class T>
void vec_add(Problem& p) {
    size_t N = p.dim("N", 1 << 26);
    auto a = p.input<T>("a", N, uniform(-10, 10));
    auto b = p.input<T>("b", N, uniform(-10, 10));
    auto out = p.output<T>("out", N);
    p.reference(vec_add_cpu<double>, out, a, b, N);
    p.version(0, "cublasSgeam / cublasDgeam", vec_add0<T>, out, a, b, N)
        .needs(sizeof(T) >= 4, "f32 or f64: cuBLAS has no geam for 16-bit floats");
    p.version(1, "one thread per element", vec_add1<T>, out, a, b, N).kernel(vec_add_kernel1<T>);
    p.version(2, "grid-stride loop", vec_add2<T>, out, a, b, N).kernel(vec_add_kernel2<T>);
    p.version(3, "grid-stride loop over 16 bytes", vec_add3<T>, out, a, b, N).kernel(vec_add_kernel3<T>);
    p.version(4, "one thread per 16 bytes", vec_add4<T>, out, a, b, N).kernel(vec_add_kernel4<T>);
}

void define_problem(Problem& p) {
    p.dtypes<float, double, half, bf16>([&](auto t) { vec_add<decltype(t)>(p); });
}
