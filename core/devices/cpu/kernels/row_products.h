#pragma once

#include <cstdint>

namespace iosx::cpu {

// The most vectors that add_row_products() takes at once.
constexpr std::int64_t kMostVectors = 4;

// Adds to out[v · out_stride + r] the inner product of matrix row r and vector v, each of `size` numbers, for up to
// kMostVectors vectors. With few vectors this reads the matrix once and packs nothing.
void add_row_products(const float* matrix, std::int64_t matrix_stride, std::int64_t rows, const float* vectors,
                      std::int64_t vector_stride, std::int64_t count, std::int64_t size, float* out,
                      std::int64_t out_stride);

}  // namespace iosx::cpu
