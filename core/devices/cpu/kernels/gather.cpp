#include <algorithm>
#include <array>

#include "core/devices/cpu/kernels/loops.h"
#include "core/devices/cpu/kernels/rows.h"
#include "core/model/layout/views.h"

namespace iosx::cpu {
namespace {

// Operands.
constexpr std::size_t kTo = 0;
constexpr std::size_t kData = 1;
constexpr std::size_t kIndices = 2;

// Returns the place from 0; it is never outside of the axis, and that of NaN is 0.
std::int64_t place(float index, std::int64_t size) {
  const auto most = static_cast<float>(size);
  if (!(index >= -most)) return 0;
  if (index >= most) return size - 1;
  const auto at = static_cast<std::int64_t>(index);
  return std::min(at < 0 ? at + size : at, size - 1);
}

}  // namespace

void gather(const TensorRef& data, const TensorRef& indices, const TensorRef& out, const Gather& gather) {
  const GatherViews views = gather_views(gather, data, indices, out);
  const Nest nest = make_nest(std::array{out, views.data, views.indices});
  const std::int64_t bytes = bytes_of(nest.types[kData]);
  const bool slices = nest.inner_stride(kIndices) == 0;
  for_rows(nest, kRow, nest.elements() * 2, [&](const NestRow& row) {
    float picked[kRow];
    float buffer[kRow];
    load_row(row.at[kIndices], nest.types[kIndices], nest.inner_stride(kIndices), picked, slices ? 1 : row.size);
    const std::int64_t stride = nest.inner_stride(kData);
    const auto from = [&](float index) { return row.at[kData] + place(index, views.size) * views.step * bytes; };
    const float* result = buffer;
    if (slices) {
      result = row_at(from(picked[0]), nest.types[kData], stride, buffer, row.size);
    } else {
      for (std::int64_t i = 0; i < row.size; ++i) {
        load_row(from(picked[i]) + i * stride * bytes, nest.types[kData], 1, buffer + i, 1);
      }
    }
    store_row(result, row.at[kTo], nest.types[kTo], nest.inner_stride(kTo), row.size);
  });
}

}  // namespace iosx::cpu
