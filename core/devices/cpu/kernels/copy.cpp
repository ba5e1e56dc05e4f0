#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "core/base/check.h"
#include "core/devices/cpu/kernels/loops.h"
#include "core/devices/cpu/kernels/rows.h"
#include "core/devices/cpu/kernels/vectorised.h"

namespace iosx::cpu {
namespace {

constexpr std::int64_t kLongRow = 4096;  // elements: bytes enough that a call costs nothing

float* floats(std::byte* at) { return static_cast<float*>(static_cast<void*>(at)); }

void copy_row(const Nest& nest, const NestRow& row) {
  const DataType type = nest.types[kOut];
  const std::int64_t in_stride = nest.inner_stride(kIn);
  const std::int64_t out_stride = nest.inner_stride(kOut);
  if (type == nest.types[kIn] && in_stride == 1 && out_stride == 1) {
    std::memcpy(row.at[kOut], row.at[kIn], static_cast<std::size_t>(row.size * bytes_of(type)));
  } else if (plain(type, out_stride)) {
    load_row(row.at[kIn], nest.types[kIn], in_stride, floats(row.at[kOut]), row.size);
  } else if (plain(nest.types[kIn], in_stride)) {
    store_row(floats(row.at[kIn]), row.at[kOut], type, out_stride, row.size);
  } else {
    float buffer[kRow];
    for (std::int64_t from = 0; from < row.size; from += kRow) {
      const std::int64_t size = std::min(kRow, row.size - from);
      load_row(row.at[kIn] + from * in_stride * bytes_of(nest.types[kIn]), nest.types[kIn], in_stride, buffer, size);
      store_row(buffer, row.at[kOut] + from * out_stride * bytes_of(type), type, out_stride, size);
    }
  }
}

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

// Writes out[x * out_stride + y] = in[y * in_stride + x] for x < columns and y < rows; strides are in elements.
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

// One loop is contiguous in the input, another in the output.
struct Transposition {
  static constexpr std::int64_t kTile = 64;

  Nest outer;                // the other loops
  std::int64_t rows = 0;     // of the loop that is contiguous in the output
  std::int64_t columns = 0;  // of the loop that is contiguous in the input
  std::int64_t in_stride = 0;
  std::int64_t out_stride = 0;

  void tile(std::byte* in, std::byte* out, std::int64_t y, std::int64_t x) const {
    const std::int64_t height = std::min(kTile, rows - y);
    const std::int64_t width = std::min(kTile, columns - x);
    const auto in_type = outer.types[kIn];
    const auto out_type = outer.types[kOut];
    in += (y * in_stride + x) * bytes_of(in_type);
    out += (x * out_stride + y) * bytes_of(out_type);
    if (in_type == DataType::kFloat32 && out_type == DataType::kFloat32) {
      transpose_tile(floats(in), in_stride, floats(out), out_stride, height, width);
      return;
    }
    float from[kTile * kTile];
    float to[kTile * kTile];
    for (std::int64_t i = 0; i < height; ++i) {
      load_row(in + i * in_stride * bytes_of(in_type), in_type, 1, &from[i * kTile], width);
    }
    transpose_tile(from, kTile, to, kTile, height, width);
    for (std::int64_t i = 0; i < width; ++i) {
      store_row(&to[i * kTile], out + i * out_stride * bytes_of(out_type), out_type, 1, height);
    }
  }

  void run(std::int64_t work) const {
    const std::int64_t down = (rows + kTile - 1) / kTile;
    const std::int64_t across = (columns + kTile - 1) / kTile;
    split(outer.elements() * down * across, work, [&](std::int64_t begin, std::int64_t end) {
      NestCursor cursor(outer, outer.rank, begin / (down * across));
      for (std::int64_t i = begin; i < end; ++i) {
        const std::int64_t part = i % (down * across);
        // Tiles go down first: they are neighbours in the output.
        tile(cursor.at(kIn), cursor.at(kOut), part % down * kTile, part / down * kTile);
        if (part + 1 == down * across) cursor.next();
      }
    });
  }
};

// Returns the loop that is contiguous in the input, if it pays to go along it too, else the innermost one.
std::size_t input_loop(const Nest& nest) {
  const std::size_t last = nest.rank - 1;
  if (nest.inner_stride(kOut) != 1 || nest.inner_stride(kIn) == 1) return last;
  for (std::size_t loop = 0; loop < last; ++loop) {
    if (nest.strides[kIn][loop] == 1) return loop;
  }
  return last;
}

}  // namespace

void copy(const TensorRef& in, const TensorRef& out) {
  IOS_CHECK(in.rank == out.rank);
  const Nest nest = make_nest(std::array{out, in});
  const std::int64_t work = nest.elements();
  const std::size_t last = nest.rank - 1;
  const std::size_t loop = input_loop(nest);
  if (loop == last) {
    for_rows(nest, kLongRow, work, [&](const NestRow& row) { copy_row(nest, row); });
    return;
  }
  Transposition transposition{.outer = nest,
                              .rows = nest.dims[last],
                              .columns = nest.dims[loop],
                              .in_stride = nest.strides[kIn][last],
                              .out_stride = nest.strides[kOut][loop]};
  remove_loop(transposition.outer, last);
  remove_loop(transposition.outer, loop);
  transposition.run(work);
}

void fill(const TensorRef& out, float value) {
  const Nest nest = make_nest(std::array{out});
  for_rows(nest, kRow, nest.elements(), [&](const NestRow& row) {
    float buffer[kRow];
    float* const target = target_row(row.at[0], nest.types[0], nest.inner_stride(0), buffer);
    std::fill_n(target, row.size, value);
    finish_row(target, row.at[0], nest.types[0], nest.inner_stride(0), row.size);
  });
}

}  // namespace iosx::cpu
