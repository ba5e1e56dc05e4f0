#include "core/devices/cpu/kernels/row_products.h"

#include <cstring>

#include "core/base/check.h"
#include "core/devices/cpu/kernels/vectorised.h"

namespace iosx::cpu {
namespace {

constexpr std::int64_t kLanes = 8;
using Lanes = float __attribute__((vector_size(kLanes * sizeof(float))));

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
