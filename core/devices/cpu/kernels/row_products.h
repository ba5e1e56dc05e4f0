#pragma once

#include <cstdint>

namespace iosx::cpu {

// add_row_products() takes at most so many vectors at once.
constexpr std::int64_t kMostVectors = 4;

// Adds to out[v · out_stride + r] the inner product of row r of a matrix and vector v, each of `size` numbers, for up
// to kMostVectors vectors: where there are few vectors, the matrix is read once and nothing is packed.
void add_row_products(const float* matrix, std::int64_t matrix_stride, std::int64_t rows, const float* vectors,
                      std::int64_t vector_stride, std::int64_t count, std::int64_t size, float* out,
                      std::int64_t out_stride);

}  // namespace iosx::cpu
