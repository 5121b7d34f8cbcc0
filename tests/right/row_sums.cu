// Right kernels that use what the four shipped files do not: p.sums, two outputs, shared memory and barriers, atomics.
#include "common.h"

template <class T>
void row_sums_cpu(T* sum, T* largest, const T* inp, size_t rows, size_t cols) {
    parallel_for(rows, [=](size_t r) {
        sum[r] = 0;
        largest[r] = inp[r * cols];
        for (size_t c = 0; c < cols; c++) {
            T x = inp[r * cols + c];
            sum[r] += x;
            if (!(largest[r] >= x)) { largest[r] = std::isnan(largest[r]) ? largest[r] : x; }
        }
    });
}

// sum of the terms' absolute values, for the bound
void magnitude_cpu(double* sum, double* largest, const double* inp, size_t rows, size_t cols) {
    parallel_for(rows, [=](size_t r) {
        sum[r] = 0;
        largest[r] = 0;
        for (size_t c = 0; c < cols; c++) { sum[r] += std::fabs(inp[r * cols + c]); }
    });
}

template <class F>
__device__ F larger(F a, F b) {
    return a >= b || isnan(a) ? a : b;
}

template <class T>
__global__ void row_sums_kernel1(T* sum, T* largest, const T* inp, size_t rows, size_t cols) {
    size_t r = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (r >= rows) { return; }
    compute_t<T> total = 0, most = (compute_t<T>)inp[r * cols];
    for (size_t c = 0; c < cols; c++) {
        compute_t<T> x = (compute_t<T>)inp[r * cols + c];
        total += x;
        most = larger(most, x);
    }
    sum[r] = (T)total;
    largest[r] = (T)most;
}

// a block a row, halves meet in shared memory
template <class T>
__global__ void row_sums_kernel2(T* sum, T* largest, const T* inp, size_t cols) {
    __shared__ compute_t<T> totals[1024], mosts[1024];
    compute_t<T> total = 0, most = (compute_t<T>)inp[blockIdx.x * cols];
    for (size_t c = threadIdx.x; c < cols; c += blockDim.x) {
        compute_t<T> x = (compute_t<T>)inp[blockIdx.x * cols + c];
        total += x;
        most = larger(most, x);
    }
    totals[threadIdx.x] = total;
    mosts[threadIdx.x] = most;
    __syncthreads();
    for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) {
            totals[threadIdx.x] += totals[threadIdx.x + half];
            mosts[threadIdx.x] = larger(mosts[threadIdx.x], mosts[threadIdx.x + half]);
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        sum[blockIdx.x] = (T)totals[0];
        largest[blockIdx.x] = (T)mosts[0];
    }
}

// every element is added to its row's scratch sum, in whatever order
template <class T>
__global__ void add_kernel3(compute_t<T>* scratch, const T* inp, size_t rows, size_t cols) {
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < rows * cols) { atomicAdd(&scratch[i / cols], (compute_t<T>)inp[i]); }
}
template <class T>
__global__ void finish_kernel3(T* sum, T* largest, const compute_t<T>* scratch, const T* inp, size_t rows, size_t cols) {
    size_t r = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (r >= rows) { return; }
    compute_t<T> most = (compute_t<T>)inp[r * cols];
    for (size_t c = 0; c < cols; c++) { most = larger(most, (compute_t<T>)inp[r * cols + c]); }
    sum[r] = (T)scratch[r];
    largest[r] = (T)most;
}

template <class T>
void row_sums1(T* sum, T* largest, const T* inp, size_t rows, size_t cols, int block_size) {
    row_sums_kernel1<<<ceil_div(rows, block_size), block_size>>>(sum, largest, inp, rows, cols);
    cudaCheck(cudaGetLastError());
}
template <class T>
void row_sums2(T* sum, T* largest, const T* inp, size_t rows, size_t cols, int block_size) {
    row_sums_kernel2<<<(unsigned)rows, block_size>>>(sum, largest, inp, cols);
    cudaCheck(cudaGetLastError());
}
template <class T>
void row_sums3(T* sum, T* largest, compute_t<T>* scratch, const T* inp, size_t rows, size_t cols, int block_size) {
    cudaCheck(cudaMemsetAsync(scratch, 0, rows * sizeof(compute_t<T>)));
    add_kernel3<<<ceil_div(rows * cols, block_size), block_size>>>(scratch, inp, rows, cols);
    cudaCheck(cudaGetLastError());
    finish_kernel3<<<ceil_div(rows, block_size), block_size>>>(sum, largest, scratch, inp, rows, cols);
    cudaCheck(cudaGetLastError());
}

template <class T>
void row_sums(Problem& p) {
    size_t rows = p.dim("rows", 1024), cols = p.dim("cols", 1024);
    auto inp = p.input<T>("inp", {rows, cols}, uniform(-10, 10).domain(-100, 100));  // sums must not overflow f16
    auto sum = p.output<T>("sum", rows);
    auto largest = p.output<T>("largest", rows);
    auto scratch = p.scratch<compute_t<T>>("scratch", rows);
    p.reference(row_sums_cpu<double>, sum, largest, inp, rows, cols);
    p.sums(cols, magnitude_cpu, sum, largest, inp, rows, cols);
    p.version(1, "one thread per row", row_sums1<T>, sum, largest, inp, rows, cols).kernel(row_sums_kernel1<T>);
    p.version(2, "one block per row", row_sums2<T>, sum, largest, inp, rows, cols).kernel(row_sums_kernel2<T>);
    p.version(3, "atomics", row_sums3<T>, sum, largest, scratch, inp, rows, cols).order_free();
}

void define_problem(Problem& p) {
    p.dtypes<float, double, half, bf16>([&](auto t) { row_sums<decltype(t)>(p); });
}
