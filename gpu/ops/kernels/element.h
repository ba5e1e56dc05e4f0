#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>
#include <cstring>

#include "core/layout/tensor_ref.h"
#include "gpu/ops/kernels/host_device.h"

// Elements in memory, one or several side by side, and the floats that kernels compute with.
namespace iosx::gpu::kernels {

IOS_HD float to_float(float x) { return x; }
IOS_HD float to_float(__half x) { return __half2float(x); }
IOS_HD float to_float(__nv_bfloat16 x) { return __bfloat162float(x); }

// To the nearest number of the type, ties to even.
template <class T>
struct FromFloat;
template <>
struct FromFloat<float> {
  IOS_HD static float of(float x) { return x; }
};
template <>
struct FromFloat<__half> {
  IOS_HD static __half of(float x) { return __float2half_rn(x); }
};
template <>
struct FromFloat<__nv_bfloat16> {
  IOS_HD static __nv_bfloat16 of(float x) { return __float2bfloat16_rn(x); }
};

// What one instruction moves.
template <int kBytes>
struct WordOf;
template <>
struct WordOf<2> {
  using Type = std::uint16_t;
};
template <>
struct WordOf<4> {
  using Type = std::uint32_t;
};
template <>
struct WordOf<8> {
  using Type = uint2;
};
template <>
struct WordOf<16> {
  using Type = uint4;
};

constexpr int kWordBytes = 16;  // the longest

// kWidth neighbours in memory, a power of two, aligned to their bytes or to 16.
template <class T, int kWidth>
struct Vector {
  static constexpr int kBytes = kWidth * static_cast<int>(sizeof(T));
  static constexpr int kAlignment = kBytes < kWordBytes ? kBytes : kWordBytes;
  using Word = typename WordOf<kAlignment>::Type;
  alignas(kAlignment) T at[kWidth];

  IOS_HD static Vector load(const T* from) {
    Vector vector;
#ifdef __CUDA_ARCH__
    IOS_UNROLL
    for (int i = 0; i < kBytes / kAlignment; ++i) {
      reinterpret_cast<Word*>(vector.at)[i] = reinterpret_cast<const Word*>(from)[i];
    }
#else
    std::memcpy(static_cast<void*>(vector.at), from, kBytes);
#endif
    return vector;
  }
  IOS_HD void store(T* to) const {
#ifdef __CUDA_ARCH__
    IOS_UNROLL
    for (int i = 0; i < kBytes / kAlignment; ++i) {
      reinterpret_cast<Word*>(to)[i] = reinterpret_cast<const Word*>(at)[i];
    }
#else
    std::memcpy(static_cast<void*>(to), at, kBytes);
#endif
  }
};

// `stride` elements apart; 0 repeats. A stride of 1 means that a whole Vector may be loaded.
template <class T, int kWidth>
IOS_HD Vector<T, kWidth> gather(const T* from, std::int64_t stride) {
  if (kWidth > 1 && stride == 1) return Vector<T, kWidth>::load(from);
  Vector<T, kWidth> vector;
  IOS_UNROLL
  for (int i = 0; i < kWidth; ++i) vector.at[i] = from[i * stride];
  return vector;
}

template <class T, int kWidth>
IOS_HD void read(const T* from, std::int64_t stride, float (&to)[kWidth]) {
  const auto vector = gather<T, kWidth>(from, stride);
  IOS_UNROLL
  for (int i = 0; i < kWidth; ++i) to[i] = to_float(vector.at[i]);
}
template <class T, int kWidth>
IOS_HD void read(const T* from, float (&to)[kWidth]) {
  read<T, kWidth>(from, 1, to);
}
template <class T, int kWidth>
IOS_HD void write(const float (&from)[kWidth], T* to) {
  Vector<T, kWidth> vector;
  IOS_UNROLL
  for (int i = 0; i < kWidth; ++i) vector.at[i] = FromFloat<T>::of(from[i]);
  vector.store(to);
}

}  // namespace iosx::gpu::kernels
