#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <vector_functions.h>
#include <vector_types.h>

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "core/base/check.h"
#include "core/model/layout/tensor_ref.h"
#include "gpu/ops/kernels/host_device.h"

// Read and write elements in memory, one or several contiguous ones.
namespace iosx::gpu::kernels {

// These functions turn elements of tensors into the floats that kernels compute with and back, and into their bits.
IOS_HD float to_float(float x) { return x; }
IOS_HD float to_float(__half x) { return __half2float(x); }
IOS_HD float to_float(__nv_bfloat16 x) { return __bfloat162float(x); }

// Converts to the nearest number of the type, ties to even.
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

IOS_HD std::uint32_t bits_of(std::uint16_t x) { return x; }
IOS_HD std::uint32_t bits_of(std::uint32_t x) { return x; }
IOS_HD std::uint32_t bits_of(float x) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &x, sizeof(bits));
  return bits;
}
IOS_HD std::uint32_t bits_of(__half x) { return static_cast<__half_raw>(x).x; }
IOS_HD std::uint32_t bits_of(__nv_bfloat16 x) { return static_cast<__nv_bfloat16_raw>(x).x; }

// Names what one instruction moves.
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

// kWidth contiguous elements (a power of two), aligned to their bytes or to 16.
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
    IOS_CHECK(aligned(from));
    std::memcpy(static_cast<void*>(vector.at), from, kBytes);
#endif
    return vector;
  }
  IOS_HD void store(T* to) const {
#ifdef __CUDA_ARCH__
    store_words(to);
#else
    IOS_CHECK(aligned(to));
    std::memcpy(static_cast<void*>(to), at, kBytes);
#endif
  }

 private:
#ifdef __CUDA_ARCH__
  // Stores by intrinsics, because in some kernels the compiler would store one register after another.
  IOS_HD void store_words(T* to) const {
    if constexpr (kBytes == 2) {
      __stwb(reinterpret_cast<unsigned short*>(to), static_cast<unsigned short>(bits_of(at[0])));
    } else {
      constexpr int kPerWord = 4 / static_cast<int>(sizeof(T));
      std::uint32_t x[kWidth / kPerWord];
      IOS_UNROLL
      for (int i = 0; i < kWidth / kPerWord; ++i) {
        x[i] = bits_of(at[kPerWord * i]);
        if constexpr (kPerWord == 2) x[i] |= bits_of(at[2 * i + 1]) << 16U;
      }
      auto* const words = reinterpret_cast<Word*>(to);
      IOS_UNROLL
      for (int i = 0; i < kBytes / kAlignment; ++i) {
        if constexpr (kAlignment == 4) __stwb(words, x[0]);
        if constexpr (kAlignment == 8) __stwb(words, make_uint2(x[0], x[1]));
        if constexpr (kAlignment == 16)
          __stwb(words + i, make_uint4(x[4 * i], x[4 * i + 1], x[4 * i + 2], x[4 * i + 3]));
      }
    }
  }
#else
  // Where this is false, the GPU would fail.
  static bool aligned(const void* data) { return reinterpret_cast<std::uintptr_t>(data) % kAlignment == 0; }
#endif
};

// Loads elements at distance `stride`; 0 repeats one. With a stride of 1 a whole Vector may be loaded.
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

// Choose the instance of a functor for a call: by element type, vector width, and index width.

// The preferred instance, if it fits. Tests choose less than the maximum.
struct Choice {
  int vector_bytes = kWordBytes;  // of the longest vectors
  bool large = false;             // 64-bit numbers even where unnecessary
  // From this many output vectors on, threads compute several, to load less: all threads that a large GPU runs at a
  // time, twice.
  std::int64_t many = 540'000;
};

// Calls with.operator()<T>() for the C++ type.
template <class With>
void choose_type(DataType type, const With& with) {
  switch (type) {
    case DataType::kFloat32: return with.template operator()<float>();
    case DataType::kFloat16: return with.template operator()<__half>();
    case DataType::kBfloat16: return with.template operator()<__nv_bfloat16>();
  }
  IOS_CHECK(false);
}

// Does the same where elements are only moved: the type is an unsigned integer of their size.
template <class With>
void choose_bits(DataType type, const With& with) {
  if (bytes_of(type) == 4) return with.template operator()<std::uint32_t>();
  return with.template operator()<std::uint16_t>();
}

// Returns the elements of the widest vectors that fit(width) and the choice allow: 8, 4, 2 or 1.
template <class Fit>
int widest(int element_bytes, const Choice& choice, const Fit& fit) {
  for (int width = 8; width > 1; width /= 2) {
    if (width * element_bytes <= choice.vector_bytes && fit(width)) return width;
  }
  return 1;
}

constexpr std::int64_t kSmallNumbers = std::int64_t{1} << 31U;  // steps that 32 bits can number

// Calls with.operator()<Index>() for kernels of single elements.
template <class With>
void choose_index(std::int64_t steps, const Choice& choice, const With& with) {
  if (choice.large || steps >= kSmallNumbers) return with.template operator()<std::uint64_t>();
  with.template operator()<std::uint32_t>();
}

// Calls with.operator()<kWidth, Index>() for the widest existing instance that fits(width): full words, 4 bytes, or
// single elements; only the last with 64-bit numbers. `steps` counts single elements of the size of T.
template <class T, class Fit, class With>
void choose_width(std::int64_t steps, const Choice& choice, const Fit& fit, const With& with) {
  constexpr int kFull = kWordBytes / static_cast<int>(sizeof(T));
  constexpr bool kHasPair = sizeof(T) == 2;
  const int width = widest(sizeof(T), choice, fit);
  const int usable = width >= kFull ? kFull : (kHasPair && width >= 2 ? 2 : 1);
  if (choice.large || steps / usable >= kSmallNumbers) return with.template operator()<1, std::uint64_t>();
  if (usable == kFull) return with.template operator()<kFull, std::uint32_t>();
  if constexpr (kHasPair) {
    if (usable == 2) return with.template operator()<2, std::uint32_t>();
  }
  with.template operator()<1, std::uint32_t>();
}

// Calls with.operator()<T, kWidth, Index>(), by choose_type() and choose_width().
template <class Fit, class With>
void choose_vectors(DataType type, std::int64_t steps, const Choice& choice, const Fit& fit, const With& with) {
  choose_type(type, [&]<class T>() {
    choose_width<T>(steps, choice, fit,
                    [&]<int kWidth, class Index>() { with.template operator()<T, kWidth, Index>(); });
  });
}

// Calls with.operator()<T, kWidth>() for kernels that exist only for full words and single elements.
template <class Fit, class With>
void choose_full_vectors(DataType type, const Choice& choice, const Fit& fit, const With& with) {
  choose_type(type, [&]<class T>() {
    constexpr int kFull = kWordBytes / static_cast<int>(sizeof(T));
    if (widest(sizeof(T), choice, fit) >= kFull) return with.template operator()<T, kFull>();
    with.template operator()<T, 1>();
  });
}

}  // namespace iosx::gpu::kernels
