#include "core/devices/cpu/kernels/transpose_tile.h"

#include <cstring>

#include "core/devices/cpu/kernels/vectorised.h"

namespace iosx::cpu {
namespace {

constexpr std::int64_t kSide = 8;
using Row __attribute__((vector_size(kSide * sizeof(float)))) = float;

// Transposes an 8 x 8 block: pairs of rows are interleaved by single elements, then by pairs, then by halves.
IOS_INLINE void transpose_block(const float* in, std::int64_t in_stride, float* out, std::int64_t out_stride) {
  Row a[kSide];
  Row b[kSide];
  for (std::int64_t i = 0; i < kSide; ++i) std::memcpy(&a[i], in + i * in_stride, sizeof(Row));
  for (std::int64_t i = 0; i < kSide; i += 2) {
    b[i] = __builtin_shufflevector(a[i], a[i + 1], 0, 8, 1, 9, 4, 12, 5, 13);
    b[i + 1] = __builtin_shufflevector(a[i], a[i + 1], 2, 10, 3, 11, 6, 14, 7, 15);
  }
  for (std::int64_t i = 0; i < kSide; i += 4) {
    a[i] = __builtin_shufflevector(b[i], b[i + 2], 0, 1, 8, 9, 4, 5, 12, 13);
    a[i + 1] = __builtin_shufflevector(b[i], b[i + 2], 2, 3, 10, 11, 6, 7, 14, 15);
    a[i + 2] = __builtin_shufflevector(b[i + 1], b[i + 3], 0, 1, 8, 9, 4, 5, 12, 13);
    a[i + 3] = __builtin_shufflevector(b[i + 1], b[i + 3], 2, 3, 10, 11, 6, 7, 14, 15);
  }
  for (std::int64_t i = 0; i < kSide / 2; ++i) {
    b[i] = __builtin_shufflevector(a[i], a[i + 4], 0, 1, 2, 3, 8, 9, 10, 11);
    b[i + 4] = __builtin_shufflevector(a[i], a[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
  }
  for (std::int64_t i = 0; i < kSide; ++i) std::memcpy(out + i * out_stride, &b[i], sizeof(Row));
}

IOS_INLINE void transpose_part(const float* in, std::int64_t in_stride, float* out, std::int64_t out_stride,
                               std::int64_t rows, std::int64_t columns) {
  for (std::int64_t y = 0; y < rows; ++y) {
    for (std::int64_t x = 0; x < columns; ++x) out[x * out_stride + y] = in[y * in_stride + x];
  }
}

}  // namespace

IOS_VECTORISED void transpose_tile(const float* in, std::int64_t in_stride, float* out, std::int64_t out_stride,
                                   std::int64_t rows, std::int64_t columns) {
  const std::int64_t whole_rows = rows - rows % kSide;
  const std::int64_t whole_columns = columns - columns % kSide;
  for (std::int64_t x = 0; x < whole_columns; x += kSide) {
    for (std::int64_t y = 0; y < whole_rows; y += kSide) {
      transpose_block(in + y * in_stride + x, in_stride, out + x * out_stride + y, out_stride);
    }
  }
  transpose_part(in + whole_columns, in_stride, out + whole_columns * out_stride, out_stride, whole_rows,
                 columns - whole_columns);
  transpose_part(in + whole_rows * in_stride, in_stride, out + whole_rows, out_stride, rows - whole_rows, columns);
}

}  // namespace iosx::cpu
