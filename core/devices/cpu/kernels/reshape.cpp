#include <algorithm>
#include <array>
#include <utility>

#include "core/base/check.h"
#include "core/devices/cpu/kernels/loops.h"
#include "core/devices/cpu/kernels/rows.h"

namespace iosx::cpu {
namespace {

// Both tensors' axes cut into pieces of equal sizes, the innermost first.
struct Refinement {
  std::size_t rank = 0;
  std::array<std::int64_t, 2 * TensorRef::kMaxRank> dims{};
  std::array<std::int64_t, 2 * TensorRef::kMaxRank> in{};
  std::array<std::int64_t, 2 * TensorRef::kMaxRank> out{};

  // Adds a piece as the outermost; it becomes part of the one before where both are contiguous.
  void add(std::int64_t size, std::int64_t in_stride, std::int64_t out_stride) {
    if (size == 1) return;
    if (rank > 0 && in_stride == in[rank - 1] * dims[rank - 1] && out_stride == out[rank - 1] * dims[rank - 1]) {
      dims[rank - 1] *= size;
      return;
    }
    dims[rank] = size;
    in[rank] = in_stride;
    out[rank++] = out_stride;
  }
};

// Returns false where a piece of one tensor's axis would need a fraction of the other's, as from 2 x 3 to 3 x 2.
bool refine(const TensorRef& in, const TensorRef& out, Refinement& refinement) {
  std::size_t i = in.rank;
  std::size_t o = out.rank;
  std::int64_t in_left = 1;
  std::int64_t out_left = 1;
  std::int64_t in_stride = 0;
  std::int64_t out_stride = 0;
  while (true) {
    while (in_left == 1 && i > 0) {
      in_left = in.dims[--i];
      in_stride = in.strides[i];
    }
    while (out_left == 1 && o > 0) {
      out_left = out.dims[--o];
      out_stride = out.strides[o];
    }
    if (in_left == 1 && out_left == 1) return true;
    const std::int64_t size = std::min(in_left, out_left);
    if (in_left % size != 0 || out_left % size != 0) return false;
    refinement.add(size, in_stride, out_stride);
    in_left /= size;
    out_left /= size;
    in_stride *= size;
    out_stride *= size;
  }
}

TensorRef refined(const TensorRef& ref, const Refinement& refinement,
                  const std::array<std::int64_t, 2 * TensorRef::kMaxRank>& strides) {
  TensorRef view{.data = ref.data, .type = ref.type, .rank = refinement.rank, .dims = {}, .strides = {}};
  std::reverse_copy(refinement.dims.begin(), refinement.dims.begin() + static_cast<std::ptrdiff_t>(refinement.rank),
                    view.dims.begin());
  std::reverse_copy(strides.begin(), strides.begin() + static_cast<std::ptrdiff_t>(refinement.rank),
                    view.strides.begin());
  return view;
}

// Element `index` in row-major order, and the number of later elements along the last axis with several.
struct Position {
  std::byte* at = nullptr;
  std::int64_t run = 1;
  std::int64_t stride = 1;
};

Position position(const TensorRef& ref, std::int64_t index) {
  Position result{.at = static_cast<std::byte*>(ref.data), .run = 1, .stride = 1};
  bool inner = true;
  for (std::size_t axis = ref.rank; axis-- > 0;) {
    const std::int64_t size = ref.dims[axis];
    if (size == 1) continue;
    const std::int64_t place = index % size;
    index /= size;
    result.at += place * ref.strides[axis] * bytes_of(ref.type);
    if (std::exchange(inner, false)) {
      result.run = size - place;
      result.stride = ref.strides[axis];
    }
  }
  return result;
}

void copy_in_order(const TensorRef& in, const TensorRef& out) {
  const std::int64_t elements = out.elements();
  split(elements, elements * 4, [&](std::int64_t begin, std::int64_t end) {
    float buffer[kRow];
    for (std::int64_t index = begin; index < end;) {
      const Position from = position(in, index);
      const Position to = position(out, index);
      const std::int64_t size = std::min({from.run, to.run, end - index, kRow});
      load_row(from.at, in.type, from.stride, buffer, size);
      store_row(buffer, to.at, out.type, to.stride, size);
      index += size;
    }
  });
}

}  // namespace

void reshape_copy(const TensorRef& in, const TensorRef& out) {
  IOS_CHECK(in.elements() == out.elements());
  Refinement refinement;
  if (refine(in, out, refinement) && refinement.rank <= TensorRef::kMaxRank) {
    copy(refined(in, refinement, refinement.in), refined(out, refinement, refinement.out));
  } else {
    copy_in_order(in, out);
  }
}

}  // namespace iosx::cpu
