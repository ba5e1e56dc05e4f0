#pragma once

// For functions that both nvcc and a plain C++ compiler compile: the kernels' arithmetic runs on the GPU, and on the
// host where no GPU is.
#ifdef __CUDACC__
#define IOS_HD __host__ __device__ __forceinline__
#define IOS_UNROLL _Pragma("unroll")
#define IOS_UNROLL_4 _Pragma("unroll 4")
#define IOS_NO_UNROLL _Pragma("unroll 1")
#else
#define IOS_HD inline
#define IOS_UNROLL
#define IOS_UNROLL_4
#define IOS_NO_UNROLL
#endif
