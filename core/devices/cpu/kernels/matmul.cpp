#include <algorithm>
#include <cstring>
#include <vector>

#include "core/base/check.h"
#include "core/devices/cpu/kernels/loops.h"
#include "core/devices/cpu/kernels/rows.h"
#include "core/devices/cpu/kernels/vectorised.h"

namespace iosx::cpu {
namespace {

// The tile of the output that a thread computes at a time, and how many products it adds between loads of a tile.
// The packed part of b (kDeep x kColumns floats) fits the first-level cache.
constexpr std::int64_t kTileRows = 63;
constexpr std::int64_t kColumns = 32;
constexpr std::int64_t kDeep = 128;
constexpr std::int64_t kTogether = 3;  // rows whose sums stay in registers; kTileRows is a multiple

// Computes sums[r][column] += a[r][k] * b[k][column] for kTogether rows; all are packed.
IOS_VECTORISED void multiply_packed(const float* a, const float* b, std::int64_t depth, float* sums) {
  Lanes total[kTogether][4];
  static_assert(4 * kLanes == kColumns);
  std::memcpy(total, sums, sizeof(total));
  for (std::int64_t k = 0; k < depth; ++k) {
    const float* const row = b + k * kColumns;
    Lanes first;
    Lanes second;
    Lanes third;
    Lanes fourth;
    std::memcpy(&first, row, sizeof(first));
    std::memcpy(&second, row + kLanes, sizeof(second));
    std::memcpy(&third, row + 2 * kLanes, sizeof(third));
    std::memcpy(&fourth, row + 3 * kLanes, sizeof(fourth));
    for (std::int64_t r = 0; r < kTogether; ++r) {
      total[r][0] += a[r * kDeep + k] * first;
      total[r][1] += a[r * kDeep + k] * second;
      total[r][2] += a[r * kDeep + k] * third;
      total[r][3] += a[r * kDeep + k] * fourth;
    }
  }
  std::memcpy(sums, total, sizeof(total));
}

struct Multiplication {
  TensorRef a;
  TensorRef b;
  TensorRef out;

  std::size_t row_axis() const { return out.rank - 2; }
  std::size_t column_axis() const { return out.rank - 1; }
  std::int64_t rows() const { return out.dims[row_axis()]; }
  std::int64_t columns() const { return out.dims[column_axis()]; }
  std::int64_t depth() const { return a.dims[column_axis()]; }

  static std::byte* at(const TensorRef& ref, std::byte* base, std::int64_t row, std::int64_t column) {
    return base + (row * ref.strides[ref.rank - 2] + column * ref.strides[ref.rank - 1]) * bytes_of(ref.type);
  }
  static std::byte* base(const TensorRef& ref, std::int64_t product) {
    std::int64_t offset = 0;
    for (std::size_t axis = ref.rank - 2; axis-- > 0;) {
      offset += product % ref.dims[axis] * ref.strides[axis];
      product /= ref.dims[axis];
    }
    return static_cast<std::byte*>(ref.data) + offset * bytes_of(ref.type);
  }

  // Packs `height` rows of b from `row` on, `width` of their columns; the rest are zeros.
  void pack_b(std::byte* from, std::int64_t row, std::int64_t height, std::int64_t column, std::int64_t width,
              float* packed) const {
    if (b.strides[column_axis()] == 1 || b.strides[row_axis()] != 1) {
      for (std::int64_t k = 0; k < height; ++k) {
        float* const to = packed + k * kColumns;
        load_row(at(b, from, row + k, column), b.type, b.strides[column_axis()], to, width);
        std::fill(to + width, to + kColumns, 0.0F);
      }
      return;
    }
    float line[kDeep];
    if (width < kColumns) std::fill_n(packed, height * kColumns, 0.0F);
    for (std::int64_t j = 0; j < width; ++j) {
      load_row(at(b, from, row, column + j), b.type, 1, line, height);
      store_row(line, packed + j, DataType::kFloat32, kColumns, height);
    }
  }

  void tile(std::int64_t product, std::int64_t row, std::int64_t column) const {
    const std::int64_t height = std::min(kTileRows, rows() - row);
    const std::int64_t width = std::min(kColumns, columns() - column);
    alignas(64) float sums[kTileRows * kColumns] = {};
    alignas(64) float packed_b[kDeep * kColumns];
    alignas(64) float packed_a[kTogether * kDeep];
    for (std::int64_t k = 0; k < depth(); k += kDeep) {
      const std::int64_t deep = std::min(kDeep, depth() - k);
      pack_b(base(b, product), k, deep, column, width, packed_b);
      for (std::int64_t i = 0; i < height; i += kTogether) {
        for (std::int64_t r = 0; r < kTogether; ++r) {
          float* const to = packed_a + r * kDeep;
          if (i + r < height) {
            load_row(at(a, base(a, product), row + i + r, k), a.type, a.strides[column_axis()], to, deep);
          } else {
            std::fill_n(to, deep, 0.0F);
          }
        }
        multiply_packed(packed_a, packed_b, deep, sums + i * kColumns);
      }
    }
    for (std::int64_t i = 0; i < height; ++i) {
      store_row(sums + i * kColumns, at(out, base(out, product), row + i, column), out.type, out.strides[column_axis()],
                width);
    }
  }

  void run_sparse() const {
    split(out.elements() / columns(), out.elements() * depth(), [&](std::int64_t begin, std::int64_t end) {
      std::vector<float> left(static_cast<std::size_t>(depth()));
      std::vector<float> right(static_cast<std::size_t>(columns()));
      std::vector<float> sums(right.size());
      for (std::int64_t i = begin; i < end; ++i) {
        const std::int64_t product = i / rows();
        const std::int64_t row = i % rows();
        load_row(at(a, base(a, product), row, 0), a.type, a.strides[column_axis()], left.data(), depth());
        sums.assign(sums.size(), 0.0F);
        for (std::int64_t k = 0; k < depth(); ++k) {
          const float factor = left[static_cast<std::size_t>(k)];
          if (factor == 0) continue;
          load_row(at(b, base(b, product), k, 0), b.type, b.strides[column_axis()], right.data(), columns());
          for (std::size_t j = 0; j < sums.size(); ++j) sums[j] += right[j] == 0 ? 0 : factor * right[j];
        }
        store_row(sums.data(), at(out, base(out, product), row, 0), out.type, out.strides[column_axis()], columns());
      }
    });
  }

  void run() const {
    const std::int64_t down = (rows() + kTileRows - 1) / kTileRows;
    const std::int64_t across = (columns() + kColumns - 1) / kColumns;
    const std::int64_t tiles = out.elements() / (rows() * columns()) * down * across;
    split(tiles, out.elements() * (depth() / 4 + 1), [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        tile(i / (down * across), i / across % down * kTileRows, i % across * kColumns);
      }
    });
  }
};

Multiplication multiplication(const TensorRef& a, const TensorRef& b, const TensorRef& out) {
  IOS_CHECK(out.rank >= 2 && a.rank == out.rank && b.rank == out.rank);
  for (std::size_t axis = 0; axis + 2 < out.rank; ++axis) {
    IOS_CHECK(a.dims[axis] == out.dims[axis] && b.dims[axis] == out.dims[axis]);
  }
  const Multiplication work{.a = a, .b = b, .out = out};
  IOS_CHECK(a.dims[work.row_axis()] == work.rows() && b.dims[work.column_axis()] == work.columns() &&
            b.dims[work.row_axis()] == work.depth());
  return work;
}

}  // namespace

void matmul(const TensorRef& a, const TensorRef& b, const TensorRef& out) { multiplication(a, b, out).run(); }

void sparse_matmul(const TensorRef& a, const TensorRef& b, const TensorRef& out) {
  multiplication(a, b, out).run_sparse();
}

}  // namespace iosx::cpu
