#pragma once

#include <cstdint>
#include <type_traits>

#include "core/base/check.h"
#include "core/model/layout/tensor_ref.h"
#include "gpu/ops/kernels/vector.h"

// Choose the instance of a functor for a call: by element type, vector width, and index width.
namespace iosx::gpu::kernels {

// The preferred instance, if it fits. Tests choose less than the maximum.
struct Choice {
  int vector_bytes = kWordBytes;  // of the longest vectors
  bool large = false;             // 64-bit numbers even where unnecessary
  // From this many output vectors on, threads compute several, to load less: all threads that a large GPU runs at a
  // time, twice.
  std::int64_t many = 540'000;
};

template <class T>
struct TypeIs {
  using Type = T;
};
template <int kWidth>
using WidthIs = std::integral_constant<int, kWidth>;

// Calls with(TypeIs<T>) for the C++ type.
template <class With>
void choose_type(DataType type, const With& with) {
  switch (type) {
    case DataType::kFloat32: return with(TypeIs<float>{});
    case DataType::kFloat16: return with(TypeIs<__half>{});
    case DataType::kBfloat16: return with(TypeIs<__nv_bfloat16>{});
  }
  IOS_CHECK(false);
}

// Does the same where elements are only moved: the type is an unsigned integer of their size.
template <class With>
void choose_bits(DataType type, const With& with) {
  if (bytes_of(type) == 4) return with(TypeIs<std::uint32_t>{});
  return with(TypeIs<std::uint16_t>{});
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

// Calls with(TypeIs<Index>) for kernels of single elements.
template <class With>
void choose_index(std::int64_t steps, const Choice& choice, const With& with) {
  if (choice.large || steps >= kSmallNumbers) return with(TypeIs<std::uint64_t>{});
  with(TypeIs<std::uint32_t>{});
}

// Calls with(WidthIs<w>, TypeIs<Index>) for existing instances: full words, 4 bytes, or single elements; only the
// last with 64-bit numbers. `steps` counts single elements.
template <class T, class With>
void choose_width(int width, std::int64_t steps, const Choice& choice, const With& with) {
  constexpr int kFull = kWordBytes / static_cast<int>(sizeof(T));
  constexpr bool kHasPair = sizeof(T) == 2;
  const int usable = width >= kFull ? kFull : (kHasPair && width >= 2 ? 2 : 1);
  if (choice.large || steps / usable >= kSmallNumbers) return with(WidthIs<1>{}, TypeIs<std::uint64_t>{});
  if (usable == kFull) return with(WidthIs<kFull>{}, TypeIs<std::uint32_t>{});
  if constexpr (kHasPair) {
    if (usable == 2) return with(WidthIs<2>{}, TypeIs<std::uint32_t>{});
  }
  with(WidthIs<1>{}, TypeIs<std::uint32_t>{});
}

// Calls with(WidthIs<w>) for kernels that exist only for full words and single elements.
template <class T, class With>
void choose_full_width(int width, const With& with) {
  constexpr int kFull = kWordBytes / static_cast<int>(sizeof(T));
  if (width >= kFull) return with(WidthIs<kFull>{});
  with(WidthIs<1>{});
}

}  // namespace iosx::gpu::kernels
