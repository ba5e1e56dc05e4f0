#pragma once

// For functions that both nvcc and a plain C++ compiler compile: the kernels' arithmetic runs on the GPU, and on the
// host without a GPU.
#ifdef __CUDACC__
#define IOS_HD __host__ __device__ __forceinline__
#else
#define IOS_HD inline
#endif

// For use before a loop. Arrays stay in registers only if the loops over them are unrolled.
#ifdef __CUDA_ARCH__
#define IOS_UNROLL _Pragma("unroll")
#define IOS_UNROLL_BY(count) IOS_PRAGMA(unroll count)
#define IOS_PRAGMA(text) _Pragma(#text)
#define IOS_NO_UNROLL _Pragma("unroll 1")
#else
#define IOS_UNROLL
#define IOS_UNROLL_BY(count)
#define IOS_NO_UNROLL
#endif
