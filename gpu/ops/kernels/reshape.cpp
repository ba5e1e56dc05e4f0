#include "gpu/ops/kernels/reshape.h"

#include <algorithm>

namespace iosx::gpu::kernels {
namespace {

// The rest of a tensor's axes, taken piece by piece from the innermost.
class Pieces {
 public:
  explicit Pieces(const TensorRef& tensor) : tensor_(tensor), axis_(tensor.rank) { refill(); }
  bool done() const { return left_ == 1; }
  std::int64_t left() const { return left_; }
  std::int64_t stride() const { return stride_; }
  void take(std::int64_t size) {
    left_ /= size;
    stride_ *= size;
    refill();
  }

 private:
  void refill() {
    while (left_ == 1 && axis_ > 0) {
      left_ = tensor_.dims[--axis_];
      stride_ = tensor_.strides[axis_];
    }
  }
  const TensorRef& tensor_;
  std::size_t axis_;
  std::int64_t left_ = 1;
  std::int64_t stride_ = 0;
};

}  // namespace

std::optional<CopyCall> as_copy(const ReshapeCall& call) {
  CopyCall copy{.in = {.data = call.in.data, .type = call.in.type, .dims = {}, .strides = {}},
                .out = {.data = call.out.data, .type = call.out.type, .dims = {}, .strides = {}}};
  std::size_t& rank = copy.out.rank;
  auto& dims = copy.out.dims;
  Pieces in(call.in);
  Pieces out(call.out);
  while (!in.done() || !out.done()) {
    const std::int64_t size = std::min(in.left(), out.left());
    if (size == 1 || in.left() % size != 0 || out.left() % size != 0) return std::nullopt;
    const bool merged = rank > 0 && in.stride() == copy.in.strides[rank - 1] * dims[rank - 1] &&
                        out.stride() == copy.out.strides[rank - 1] * dims[rank - 1];
    if (merged) {
      dims[rank - 1] *= size;
    } else {
      if (rank == TensorRef::kMaxRank) return std::nullopt;
      dims[rank] = size;
      copy.in.strides[rank] = in.stride();
      copy.out.strides[rank++] = out.stride();
    }
    in.take(size);
    out.take(size);
  }
  // The order of the axes does not matter to a copy.
  copy.in.rank = rank;
  copy.in.dims = dims;
  return copy;
}

Nest nest_in_order(const TensorRef& tensor) {
  Nest nest;
  nest.operands = 1;
  nest.rank = std::max<std::size_t>(tensor.rank, 1);
  nest.dims[0] = 1;
  for (std::size_t axis = 0; axis < tensor.rank; ++axis) {
    nest.dims[axis] = tensor.dims[axis];
    nest.strides[0][axis] = tensor.strides[axis];
  }
  return nest;
}

}  // namespace iosx::gpu::kernels
