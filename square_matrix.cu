/*
Kernels for the elementwise square of a rows x cols matrix, out[r][c] = inp[r][c]^2.

Compile example:
nvcc -O3 --use_fast_math square_matrix.cu -o square_matrix -lcublas

version 0 is the baseline, cuBLAS's product with a diagonal matrix: cublasSdgmm / cublasDdgmm
./square_matrix 0

version 1 is how one writes it first, the matrix cut into square tiles: one thread per element in 2-D blocks
./square_matrix 1

version 2 forgets the rows and columns, which nothing here depends on: one thread per element in 1-D blocks
./square_matrix 2

version 3 moves 128 bits per memory instruction, with the hint that no data is used twice: 16 bytes, streaming
./square_matrix 3

version 4 does without the hint, which costs more than it saves: one thread per 16 bytes
./square_matrix 4
*/
#include "common.h"
#include "harness/cublas.h"

// ----------------------------------------------------------------------------
// CPU code reference

template <class T>
void square_matrix_cpu(T* out, const T* inp, size_t rows, size_t cols) {
    parallel_for(rows * cols, [=](size_t i) { out[i] = inp[i] * inp[i]; });
}

// ----------------------------------------------------------------------------
// GPU kernels

// half and bf16 are multiplied in float: (T)(...) rounds once, at the end
template <class T>
__device__ inline T square(T x) {
    return (T)((compute_t<T>)x * (compute_t<T>)x);
}

// x runs along a row, so that the threads of a warp touch neighbouring elements (with 16x16 threads: two rows of 16)
template <class T>
__global__ void square_matrix_kernel1(T* out, const T* inp, size_t rows, size_t cols) {
    size_t r = blockIdx.y * (size_t)blockDim.y + threadIdx.y;
    size_t c = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (r < rows && c < cols) { out[r * cols + c] = square(inp[r * cols + c]); }
}

// A row-major matrix is one array. In 1-D a warp's 32 elements are always consecutive, whatever cols is: whole 128-byte
// lines, no idle threads at the ragged edges of each row of tiles, and no limit of 65535 blocks in y.
template <class T>
__global__ void square_matrix_kernel2(T* out, const T* inp, size_t N) {
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < N) { out[i] = square(inp[i]); }
}

// 16 bytes are the most that one instruction loads. Every element is touched once, so it seems right to tell the cache
// (cs: cache streaming, evict first).
template <class T>
__global__ void square_matrix_kernel3(T* out, const T* inp, size_t N) {
    constexpr int size = Packed128<T>::size;
    size_t i = (blockIdx.x * (size_t)blockDim.x + threadIdx.x) * size;
    if (i + size <= N) {
        Packed128<T> x = load128cs(inp + i);
        for (int k = 0; k < size; k++) { x[k] = square(x[k]); }
        store128cs(out + i, x);
    } else {  // the last N % size elements
        for (; i < N; i++) { out[i] = square(inp[i]); }
    }
}

// But on an H200 the hint on the loads costs 2 to 5 % and the one on the stores gains nothing. Measure hints.
template <class T>
__global__ void square_matrix_kernel4(T* out, const T* inp, size_t N) {
    constexpr int size = Packed128<T>::size;
    size_t i = (blockIdx.x * (size_t)blockDim.x + threadIdx.x) * size;
    if (i + size <= N) {
        Packed128<T> x = load128(inp + i);
        for (int k = 0; k < size; k++) { x[k] = square(x[k]); }
        store128(out + i, x);
    } else {
        for (; i < N; i++) { out[i] = square(inp[i]); }
    }
}

// ----------------------------------------------------------------------------
// kernel launchers

// dgmm multiplies a matrix with a diagonal one, diag(x) A: here both x and A (as one column) are inp
template <class T>
void square_matrix0(T* out, const T* inp, size_t rows, size_t cols) {
    constexpr size_t most = 1 << 30;  // the call's sizes are int
    for (size_t i = 0; i < rows * cols; i += most) {
        int n = (int)std::min(most, rows * cols - i);
        if constexpr (std::is_same_v<T, float>) {
            cublasCheck(cublasSdgmm(cublas_handle(), CUBLAS_SIDE_LEFT, n, 1, inp + i, n, inp + i, 1, out + i, n));
        } else if constexpr (std::is_same_v<T, double>) {
            cublasCheck(cublasDdgmm(cublas_handle(), CUBLAS_SIDE_LEFT, n, 1, inp + i, n, inp + i, 1, out + i, n));
        }
    }
}

template <class T>
void square_matrix1(T* out, const T* inp, size_t rows, size_t cols, int block_size) {
    int tile = (int)std::sqrt((double)block_size);
    dim3 block(tile, tile), grid(ceil_div(cols, tile), ceil_div(rows, tile));
    square_matrix_kernel1<<<grid, block>>>(out, inp, rows, cols);
    cudaCheck(cudaGetLastError());
}

template <class T>
void square_matrix2(T* out, const T* inp, size_t rows, size_t cols, int block_size) {
    size_t N = rows * cols;
    square_matrix_kernel2<<<ceil_div(N, block_size), block_size>>>(out, inp, N);
    cudaCheck(cudaGetLastError());
}

template <class T>
void square_matrix3(T* out, const T* inp, size_t rows, size_t cols, int block_size) {
    size_t N = rows * cols;
    square_matrix_kernel3<<<ceil_div(N, block_size * Packed128<T>::size), block_size>>>(out, inp, N);
    cudaCheck(cudaGetLastError());
}

template <class T>
void square_matrix4(T* out, const T* inp, size_t rows, size_t cols, int block_size) {
    size_t N = rows * cols;
    square_matrix_kernel4<<<ceil_div(N, block_size * Packed128<T>::size), block_size>>>(out, inp, N);
    cudaCheck(cudaGetLastError());
}

// ----------------------------------------------------------------------------
// the problem: main in common.h asks for it, then checks and times each version

template <class T>
void square_matrix(Problem& p) {
    size_t rows = p.dim("rows", 8192), cols = p.dim("cols", 8192);
    auto inp = p.input<T>("inp", {rows, cols}, uniform(-10, 10));
    auto out = p.output<T>("out", {rows, cols});
    p.reference(square_matrix_cpu<double>, out, inp, rows, cols);
    p.version(0, "cublasSdgmm / cublasDdgmm", square_matrix0<T>, out, inp, rows, cols)
        .needs(sizeof(T) >= 4, "f32 or f64: cuBLAS has no dgmm for 16-bit floats");
    p.version(1, "one thread per element in 2-D blocks", square_matrix1<T>, out, inp, rows, cols)
        .kernel(square_matrix_kernel1<T>)
        .only_block_sizes({64, 256, 1024})  // 8x8, 16x16, 32x32
        .needs(rows <= 65535 * 8, "at most 524280 rows: a grid has 65535 blocks in y");
    p.version(2, "one thread per element in 1-D blocks", square_matrix2<T>, out, inp, rows, cols)
        .kernel(square_matrix_kernel2<T>);
    p.version(3, "16 bytes, streaming", square_matrix3<T>, out, inp, rows, cols).kernel(square_matrix_kernel3<T>);
    p.version(4, "one thread per 16 bytes", square_matrix4<T>, out, inp, rows, cols).kernel(square_matrix_kernel4<T>);
}

void define_problem(Problem& p) {
    p.dtypes<float, double, half, bf16>([&](auto t) { square_matrix<decltype(t)>(p); });
}
