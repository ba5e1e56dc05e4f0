#include <algorithm>
#include <array>

#include "core/base/check.h"
#include "core/cpu/kernels/nest.h"
#include "core/cpu/kernels/rows.h"

namespace iosx::cpu {

// As many places at a time as a row has outputs.
void arg_reduce(const TensorRef& in, const TensorRef& out, const Reduce& reduce) {
  IOS_CHECK(is_arg(reduce.kind) && reduce.axes.size() == 1);
  const std::size_t axis = reduce.axes.front() + 1;
  TensorRef kept = in;
  kept.dims[axis] = 1;
  TensorRef target{.data = out.data, .type = out.type, .rank = in.rank, .dims = kept.dims, .strides = {}};
  for (std::size_t i = 0, next = 0; i < in.rank; ++i) {
    if (i == axis && !reduce.keep_dims) continue;
    target.strides[i] = out.strides[next++];
  }
  const Nest nest = make_nest(std::array{target, kept});
  const float sign = reduce.kind == ReduceKind::kArgMax ? 1.0F : -1.0F;
  for_rows(nest, kRow, in.elements() * 2, [&](const NestRow& row) {
    float buffer[kRow];
    float best[kRow];
    float place[kRow] = {};
    for (std::int64_t i = 0; i < in.dims[axis]; ++i) {
      const std::byte* const from = row.at[1] + i * in.strides[axis] * bytes_of(in.type);
      const float* const values = row_at(from, in.type, nest.inner_stride(1), buffer, row.size);
      arg_row(values, sign, i == 0, reduce.last, static_cast<float>(i), best, place, row.size);
    }
    store_row(place, row.at[0], nest.types[0], nest.inner_stride(0), row.size);
  });
}

}  // namespace iosx::cpu
