#pragma once

#include <cstdint>

namespace iosx::cpu {

// Writes out[x * out_stride + y] = in[y * in_stride + x] for x < columns and y < rows; strides are in elements.
void transpose_tile(const float* in, std::int64_t in_stride, float* out, std::int64_t out_stride, std::int64_t rows,
                    std::int64_t columns);

}  // namespace iosx::cpu
