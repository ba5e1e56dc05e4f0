#include "core/devices/cpu/kernels/rows.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

#include "core/base/check.h"
#include "core/devices/cpu/kernels/exp.h"
#include "core/devices/cpu/kernels/vectorised.h"

namespace iosx::cpu {
namespace {

using Half = std::uint16_t;  // a bfloat16: the upper half of a float

IOS_INLINE float from_half(Half half) { return std::bit_cast<float>(static_cast<std::uint32_t>(half) << 16U); }

// Rounds to nearest, ties to even; NaN stays NaN.
IOS_INLINE Half to_half(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t rounded = (bits + 0x7FFFU + ((bits >> 16U) & 1U)) >> 16U;
  const std::uint32_t nan = (bits >> 16U) | 0x40U;
  return static_cast<Half>((bits & 0x7FFFFFFFU) > 0x7F800000U ? nan : rounded);
}

// Return NaN if either is.
IOS_INLINE float larger(float so_far, float x) { return ((so_far < x) | (x != x)) ? x : so_far; }
IOS_INLINE float smaller(float so_far, float x) { return ((x < so_far) | (x != x)) ? x : so_far; }

IOS_INLINE float truth(bool holds) { return holds ? 1.0F : 0.0F; }

// Each computes apply() of core/model/graph/activation.h without branches.
constexpr auto kAdd = [](float a, float b) IOS_FLAT { return a + b; };
constexpr auto kSub = [](float a, float b) IOS_FLAT { return a - b; };
constexpr auto kMul = [](float a, float b) IOS_FLAT { return a * b; };
constexpr auto kDiv = [](float a, float b) IOS_FLAT { return a / b; };
constexpr auto kMin = [](float a, float b) IOS_FLAT { return a != a || a < b ? a : b; };
constexpr auto kMax = [](float a, float b) IOS_FLAT { return a != a || a > b ? a : b; };
constexpr auto kEqual = [](float a, float b) IOS_FLAT { return truth(a == b); };
constexpr auto kGreater = [](float a, float b) IOS_FLAT { return truth(a > b); };
constexpr auto kGreaterOrEqual = [](float a, float b) IOS_FLAT { return truth(a >= b); };
constexpr auto kLess = [](float a, float b) IOS_FLAT { return truth(a < b); };
constexpr auto kLessOrEqual = [](float a, float b) IOS_FLAT { return truth(a <= b); };
constexpr auto kAnd = [](float a, float b) IOS_FLAT { return truth(a != 0) * truth(b != 0); };
constexpr auto kOr = [](float a, float b) IOS_FLAT { return truth(truth(a != 0) + truth(b != 0) > 0); };
constexpr auto kXor = [](float a, float b) IOS_FLAT { return truth(truth(a != 0) != truth(b != 0)); };
constexpr auto kPRelu = [](float a, float b) IOS_FLAT {
  const float scaled = a * b;
  return a < 0 ? scaled : a;
};
// Computes functions without a loop of their own.
template <BinaryFunction function>
constexpr auto kSlow = [](float a, float b) IOS_FLAT { return apply(function, a, b); };

template <typename Op>
IOS_INLINE void binary_loop(const Op op, bool relu, const float* a, const float* b, float* out, std::int64_t size) {
  if (relu) {
    IOS_INDEPENDENT
    for (std::int64_t i = 0; i < size; ++i) {
      const float value = op(a[i], b[i]);
      out[i] = value < 0 ? 0.0F : value;
    }
  } else {
    IOS_INDEPENDENT
    for (std::int64_t i = 0; i < size; ++i) out[i] = op(a[i], b[i]);
  }
}

// Enough accumulators that no sum waits for its last addition.
constexpr std::int64_t kWide = 64;

// Sums in several chains, so that an addition does not wait for the previous one.
template <int kCount, int kChains>
IOS_INLINE void products(const float* matrix, std::int64_t matrix_stride, std::int64_t rows, const float* vectors,
                         std::int64_t vector_stride, std::int64_t size, float* out, std::int64_t out_stride) {
  for (std::int64_t row = 0; row < rows; ++row) {
    const float* const left = matrix + row * matrix_stride;
    Lanes sums[kCount][kChains] = {};
    std::int64_t i = 0;
    for (; i + kChains * kLanes <= size; i += kChains * kLanes) {
      for (int chain = 0; chain < kChains; ++chain) {
        Lanes a;
        std::memcpy(&a, left + i + chain * kLanes, sizeof a);
        for (int v = 0; v < kCount; ++v) {
          Lanes b;
          std::memcpy(&b, vectors + v * vector_stride + i + chain * kLanes, sizeof b);
          sums[v][chain] += a * b;
        }
      }
    }
    for (int v = 0; v < kCount; ++v) {
      float sum = 0;
      for (std::int64_t rest = i; rest < size; ++rest) sum += left[rest] * vectors[v * vector_stride + rest];
      for (int chain = 1; chain < kChains; ++chain) sums[v][0] += sums[v][chain];
      for (int lane = 0; lane < kLanes; ++lane) sum += sums[v][0][lane];
      out[v * out_stride + row] += sum;
    }
  }
}

}  // namespace

IOS_VECTORISED void load_row(const void* from, DataType type, std::int64_t stride, float* to, std::int64_t size) {
  if (type == DataType::kFloat32) {
    const auto* in = static_cast<const float*>(from);
    if (stride == 1) {
      std::copy_n(in, size, to);
    } else if (stride == 0) {
      std::fill_n(to, size, *in);
    } else {
      for (std::int64_t i = 0; i < size; ++i) to[i] = in[i * stride];
    }
    return;
  }
  const auto* in = static_cast<const Half*>(from);
  if (stride == 1) {
    IOS_INDEPENDENT
    for (std::int64_t i = 0; i < size; ++i) to[i] = from_half(in[i]);
  } else if (stride == 0) {
    std::fill_n(to, size, from_half(*in));
  } else {
    for (std::int64_t i = 0; i < size; ++i) to[i] = from_half(in[i * stride]);
  }
}

IOS_VECTORISED void store_row(const float* from, void* to, DataType type, std::int64_t stride, std::int64_t size) {
  if (type == DataType::kFloat32) {
    auto* out = static_cast<float*>(to);
    if (stride == 1) {
      std::copy_n(from, size, out);
    } else {
      for (std::int64_t i = 0; i < size; ++i) out[i * stride] = from[i];
    }
    return;
  }
  auto* out = static_cast<Half*>(to);
  if (stride == 1) {
    IOS_INDEPENDENT
    for (std::int64_t i = 0; i < size; ++i) out[i] = to_half(from[i]);
  } else {
    for (std::int64_t i = 0; i < size; ++i) out[i * stride] = to_half(from[i]);
  }
}

IOS_VECTORISED void binary_row(BinaryFunction op, bool relu, const float* a, const float* b, float* out,
                               std::int64_t size) {
  switch (op) {
    case BinaryFunction::kAdd: return binary_loop(kAdd, relu, a, b, out, size);
    case BinaryFunction::kMul: return binary_loop(kMul, relu, a, b, out, size);
    case BinaryFunction::kSub: return binary_loop(kSub, relu, a, b, out, size);
    case BinaryFunction::kDiv: return binary_loop(kDiv, relu, a, b, out, size);
    case BinaryFunction::kPow: return binary_loop(kSlow<BinaryFunction::kPow>, relu, a, b, out, size);
    case BinaryFunction::kMin: return binary_loop(kMin, relu, a, b, out, size);
    case BinaryFunction::kMax: return binary_loop(kMax, relu, a, b, out, size);
    case BinaryFunction::kMod: return binary_loop(kSlow<BinaryFunction::kMod>, relu, a, b, out, size);
    case BinaryFunction::kFmod: return binary_loop(kSlow<BinaryFunction::kFmod>, relu, a, b, out, size);
    case BinaryFunction::kEqual: return binary_loop(kEqual, relu, a, b, out, size);
    case BinaryFunction::kGreater: return binary_loop(kGreater, relu, a, b, out, size);
    case BinaryFunction::kGreaterOrEqual: return binary_loop(kGreaterOrEqual, relu, a, b, out, size);
    case BinaryFunction::kLess: return binary_loop(kLess, relu, a, b, out, size);
    case BinaryFunction::kLessOrEqual: return binary_loop(kLessOrEqual, relu, a, b, out, size);
    case BinaryFunction::kAnd: return binary_loop(kAnd, relu, a, b, out, size);
    case BinaryFunction::kOr: return binary_loop(kOr, relu, a, b, out, size);
    case BinaryFunction::kXor: return binary_loop(kXor, relu, a, b, out, size);
    case BinaryFunction::kPRelu: return binary_loop(kPRelu, relu, a, b, out, size);
  }
}

IOS_VECTORISED void select_row(const float* condition, const float* yes, const float* no, float* out,
                               std::int64_t size) {
  IOS_INDEPENDENT
  for (std::int64_t i = 0; i < size; ++i) {
    const float a = yes[i];
    const float b = no[i];
    out[i] = condition[i] != 0 ? a : b;
  }
}

IOS_VECTORISED void normalize_row(const float* in, float mean, float factor, const float* scale, const float* shift,
                                  float* out, std::int64_t size) {
  if (scale == nullptr) {
    IOS_INDEPENDENT
    for (std::int64_t i = 0; i < size; ++i) out[i] = (in[i] - mean) * factor;
    return;
  }
  IOS_INDEPENDENT
  for (std::int64_t i = 0; i < size; ++i) out[i] = (in[i] - mean) * factor * scale[i] + shift[i];
}

IOS_VECTORISED void normalize_rows(const float* in, const float* mean, const float* factor, float scale, float shift,
                                   float* out, std::int64_t size) {
  IOS_INDEPENDENT
  for (std::int64_t i = 0; i < size; ++i) out[i] = (in[i] - mean[i]) * factor[i] * scale + shift;
}

IOS_VECTORISED void add_squares_row(float* sum, const float* row, const float* mean, std::int64_t size) {
  IOS_INDEPENDENT
  for (std::int64_t i = 0; i < size; ++i) sum[i] += (row[i] - mean[i]) * (row[i] - mean[i]);
}

IOS_VECTORISED float squares_of_row(const float* row, float mean, std::int64_t size) {
  float sums[kWide] = {};
  std::int64_t i = 0;
  for (; i + kWide <= size; i += kWide) {
    for (std::int64_t j = 0; j < kWide; ++j) sums[j] += (row[i + j] - mean) * (row[i + j] - mean);
  }
  for (std::int64_t j = 0; i + j < size; ++j) sums[j] += (row[i + j] - mean) * (row[i + j] - mean);
  for (std::int64_t half = kWide / 2; half > 0; half /= 2) {
    for (std::int64_t j = 0; j < half; ++j) sums[j] += sums[j + half];
  }
  return sums[0];
}

IOS_VECTORISED void arg_row(const float* row, float sign, bool first, bool last, float at, float* best, float* place,
                            std::int64_t size) {
  IOS_INDEPENDENT
  for (std::int64_t i = 0; i < size; ++i) {
    const float value = sign * row[i];
    const float so_far = best[i];
    const bool equal = value == so_far || (value != value && so_far != so_far);
    const bool better = first || (last && equal) || value > so_far || (value != value && so_far == so_far);
    best[i] = better ? value : so_far;
    place[i] = better ? at : place[i];
  }
}

IOS_VECTORISED void affine_row(bool relu, const float* a, const float* scale, const float* shift, float* out,
                               std::int64_t size) {
  const float least = relu ? 0.0F : -std::numeric_limits<float>::infinity();
  IOS_INDEPENDENT
  for (std::int64_t i = 0; i < size; ++i) {
    const float value = a[i] * scale[i] + shift[i];
    out[i] = value < least ? least : value;
  }
}

IOS_VECTORISED void shifted_first_row(bool relu, const float* a, const float* scale, const float* shift, float* out,
                                      std::int64_t size) {
  const float least = relu ? 0.0F : -std::numeric_limits<float>::infinity();
  IOS_INDEPENDENT
  for (std::int64_t i = 0; i < size; ++i) {
    const float value = (a[i] + shift[i]) * scale[i];
    out[i] = value < least ? least : value;
  }
}

IOS_VECTORISED void add_row(float* sum, const float* row, std::int64_t size) {
  IOS_INDEPENDENT
  for (std::int64_t i = 0; i < size; ++i) sum[i] += row[i];
}

IOS_VECTORISED void add_scaled_row(float* sum, const float* row, float factor, std::int64_t size) {
  IOS_INDEPENDENT
  for (std::int64_t i = 0; i < size; ++i) sum[i] += factor * row[i];
}

IOS_VECTORISED void max_row(float* most, const float* row, std::int64_t size) {
  IOS_INDEPENDENT
  for (std::int64_t i = 0; i < size; ++i) most[i] = larger(most[i], row[i]);
}

IOS_VECTORISED void min_row(float* least, const float* row, std::int64_t size) {
  IOS_INDEPENDENT
  for (std::int64_t i = 0; i < size; ++i) least[i] = smaller(least[i], row[i]);
}

IOS_VECTORISED void scale_row(float* row, float factor, std::int64_t size) {
  for (std::int64_t i = 0; i < size; ++i) row[i] *= factor;
}

IOS_VECTORISED void multiply_row(float* row, const float* factors, std::int64_t size) {
  IOS_INDEPENDENT
  for (std::int64_t i = 0; i < size; ++i) row[i] *= factors[i];
}

IOS_VECTORISED void exp_row(const float* in, const float* subtracted, float* out, std::int64_t size) {
  IOS_INDEPENDENT
  for (std::int64_t i = 0; i < size; ++i) out[i] = fast_exp(in[i] - subtracted[i]);
}

IOS_VECTORISED void exp_row(const float* in, float subtracted, float* out, std::int64_t size) {
  IOS_INDEPENDENT
  for (std::int64_t i = 0; i < size; ++i) out[i] = fast_exp(in[i] - subtracted);
}

IOS_VECTORISED float sum_of_row(const float* row, std::int64_t size) {
  float sums[kWide] = {};
  std::int64_t i = 0;
  for (; i + kWide <= size; i += kWide) {
    for (std::int64_t j = 0; j < kWide; ++j) sums[j] += row[i + j];
  }
  for (std::int64_t j = 0; i + j < size; ++j) sums[j] += row[i + j];
  for (std::int64_t half = kWide / 2; half > 0; half /= 2) {
    for (std::int64_t j = 0; j < half; ++j) sums[j] += sums[j + half];
  }
  return sums[0];
}

IOS_VECTORISED float max_of_row(const float* row, std::int64_t size) {
  float most[kWide];
  std::fill_n(most, kWide, row[0]);
  std::int64_t i = 0;
  for (; i + kWide <= size; i += kWide) {
    for (std::int64_t j = 0; j < kWide; ++j) most[j] = larger(most[j], row[i + j]);
  }
  for (; i < size; ++i) most[0] = larger(most[0], row[i]);
  for (std::int64_t j = 1; j < kWide; ++j) most[0] = larger(most[0], most[j]);
  return most[0];
}

IOS_VECTORISED float min_of_row(const float* row, std::int64_t size) {
  float least[kWide];
  std::fill_n(least, kWide, row[0]);
  std::int64_t i = 0;
  for (; i + kWide <= size; i += kWide) {
    for (std::int64_t j = 0; j < kWide; ++j) least[j] = smaller(least[j], row[i + j]);
  }
  for (; i < size; ++i) least[0] = smaller(least[0], row[i]);
  for (std::int64_t j = 1; j < kWide; ++j) least[0] = smaller(least[0], least[j]);
  return least[0];
}

IOS_VECTORISED float product_of_row(const float* row, std::int64_t size) {
  float product = 1;
  for (std::int64_t i = 0; i < size; ++i) product *= row[i];
  return product;
}

IOS_VECTORISED void add_row_products(const float* matrix, std::int64_t matrix_stride, std::int64_t rows,
                                     const float* vectors, std::int64_t vector_stride, std::int64_t count,
                                     std::int64_t size, float* out, std::int64_t out_stride) {
  switch (count) {
    case 1: return products<1, 4>(matrix, matrix_stride, rows, vectors, vector_stride, size, out, out_stride);
    case 2: return products<2, 4>(matrix, matrix_stride, rows, vectors, vector_stride, size, out, out_stride);
    case 3: return products<3, 2>(matrix, matrix_stride, rows, vectors, vector_stride, size, out, out_stride);
    case 4: return products<4, 2>(matrix, matrix_stride, rows, vectors, vector_stride, size, out, out_stride);
    default: IOS_CHECK(false);
  }
}

}  // namespace iosx::cpu
