#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "core/base/check.h"
#include "core/devices/cpu/kernels/loops.h"
#include "core/devices/cpu/kernels/rows.h"

namespace iosx::cpu {
namespace {

struct Candidate {
  float value = 0;
  std::int64_t place = 0;
};

// Larger ones come first, of equal ones the earlier; what is no number is larger than all numbers.
bool before(const Candidate& a, const Candidate& b) {
  if (std::isnan(a.value) || std::isnan(b.value)) {
    return std::isnan(a.value) && (!std::isnan(b.value) || a.place < b.place);
  }
  return a.value > b.value || (a.value == b.value && a.place < b.place);
}

}  // namespace

void top_k(const TensorRef& in, const TensorRef& out, const TopK& top) {
  const std::size_t axis = top.axis + 1;
  IOS_CHECK(axis < in.rank && out.dims[axis] == top.k && top.k <= in.dims[axis]);
  const Nest nest = make_nest(std::array{without(out, axis), without(in, axis)});
  const std::int64_t size = in.dims[axis];
  const auto line = [&](const std::byte* from, std::byte* to, std::vector<Candidate>& candidates,
                        std::vector<float>& values) {
    load_row(from, in.type, in.strides[axis], values.data(), size);
    for (std::int64_t i = 0; i < size; ++i) {
      const float value = values[static_cast<std::size_t>(i)];
      candidates[static_cast<std::size_t>(i)] = {top.largest ? value : -value, i};
    }
    std::partial_sort(candidates.begin(), candidates.begin() + top.k, candidates.end(), before);
    for (std::int64_t i = 0; i < top.k; ++i) {
      const Candidate& found = candidates[static_cast<std::size_t>(i)];
      const float value = top.largest ? found.value : -found.value;
      values[static_cast<std::size_t>(i)] = top.output == TopKOutput::kValues ? value : static_cast<float>(found.place);
    }
    store_row(values.data(), to, out.type, out.strides[axis], top.k);
  };
  for_rows(nest, kRow, in.elements() * 8, [&](const NestRow& row) {
    std::vector<Candidate> candidates(static_cast<std::size_t>(size));
    std::vector<float> values(static_cast<std::size_t>(size));
    for (std::int64_t i = 0; i < row.size; ++i) {
      line(row.at[kIn] + i * nest.inner_bytes(kIn), row.at[kOut] + i * nest.inner_bytes(kOut), candidates, values);
    }
  });
}

}  // namespace iosx::cpu
