#pragma once

#include <cstdint>

#include "core/devices/cpu/kernels/kernels.h"

// The innermost loops, over rows of floats. Arrays may be identical, but must not overlap otherwise.
namespace iosx::cpu {

// Elements that kernels with rows on the stack process at once: several rows stay in the first-level cache.
constexpr std::int64_t kRow = 512;

// Convert between any element type and stride, and contiguous floats.
void load_row(const void* from, DataType type, std::int64_t stride, float* to, std::int64_t size);
void store_row(const float* from, void* to, DataType type, std::int64_t stride, std::int64_t size);

inline bool plain(DataType type, std::int64_t stride) { return type == DataType::kFloat32 && stride == 1; }

// Returns the row itself where it is contiguous floats, else a copy in the buffer.
inline const float* row_at(const void* from, DataType type, std::int64_t stride, float* buffer, std::int64_t size) {
  if (plain(type, stride)) return static_cast<const float*>(from);
  load_row(from, type, stride, buffer, size);
  return buffer;
}

// Returns the memory in which to compute a row for `to`; finish_row() then stores it.
inline float* target_row(void* to, DataType type, std::int64_t stride, float* buffer) {
  return plain(type, stride) ? static_cast<float*>(to) : buffer;
}
inline void finish_row(const float* row, void* to, DataType type, std::int64_t stride, std::int64_t size) {
  if (!plain(type, stride)) store_row(row, to, type, stride, size);
}

// Computes out = a op b, with a lower bound of 0 if relu.
void binary_row(BinaryFunction op, bool relu, const float* a, const float* b, float* out, std::int64_t size);
// Computes out = a * scale + shift, with a lower bound of 0 if relu.
void affine_row(bool relu, const float* a, const float* scale, const float* shift, float* out, std::int64_t size);
void shifted_first_row(bool relu, const float* a, const float* scale, const float* shift, float* out,
                       std::int64_t size);
void activate_row(const Activation& function, const float* in, float* out, std::int64_t size);

// Copies elements of yes where the condition is not 0, else of no.
void select_row(const float* condition, const float* yes, const float* no, float* out, std::int64_t size);
// Computes (in - mean) * factor * scale + shift; without scale and shift where both are null.
void normalize_row(const float* in, float mean, float factor, const float* scale, const float* shift, float* out,
                   std::int64_t size);
// Does the same with a mean and a factor per element, and one scale and shift for all.
void normalize_rows(const float* in, const float* mean, const float* factor, float scale, float shift, float* out,
                    std::int64_t size);
void add_squares_row(float* sum, const float* row, const float* mean, std::int64_t size);  // sum += (row - mean)^2
float squares_of_row(const float* row, float mean, std::int64_t size);                     // the sum of (row - mean)^2
// Sets best = row and place = at where sign * row is larger than sign * best (or equal, if `last`), or best is not set
// yet. NaN is the largest.
void arg_row(const float* row, float sign, bool first, bool last, float at, float* best, float* place,
             std::int64_t size);

void add_row(float* sum, const float* row, std::int64_t size);                          // sum += row
void add_scaled_row(float* sum, const float* row, float factor, std::int64_t size);     // sum += factor * row
void max_row(float* most, const float* row, std::int64_t size);                         // most = max(most, row)
void min_row(float* least, const float* row, std::int64_t size);                        // least = min(least, row)
void scale_row(float* row, float factor, std::int64_t size);                            // row *= factor
void multiply_row(float* row, const float* factors, std::int64_t size);                 // row *= factors
void exp_row(const float* in, const float* subtracted, float* out, std::int64_t size);  // e^(in - subtracted)
void exp_row(const float* in, float subtracted, float* out, std::int64_t size);
float sum_of_row(const float* row, std::int64_t size);
float max_of_row(const float* row, std::int64_t size);  // size at least 1
float min_of_row(const float* row, std::int64_t size);
float product_of_row(const float* row, std::int64_t size);

// The most vectors that add_row_products() takes at once.
constexpr std::int64_t kMostVectors = 4;

// Adds to out[v · out_stride + r] the inner product of matrix row r and vector v, each of `size` numbers, for up to
// kMostVectors vectors. With few vectors this reads the matrix once and packs nothing.
void add_row_products(const float* matrix, std::int64_t matrix_stride, std::int64_t rows, const float* vectors,
                      std::int64_t vector_stride, std::int64_t count, std::int64_t size, float* out,
                      std::int64_t out_stride);

}  // namespace iosx::cpu
