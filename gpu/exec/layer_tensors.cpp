#include "gpu/exec/layer_tensors.h"

#include <algorithm>
#include <span>

#include "core/base/check.h"
#include "core/graph/operator_table.h"
#include "core/layout/layout.h"
#include "core/layout/views.h"
#include "gpu/exec/conv_problem_of.h"

namespace iosx::gpu {
namespace {

// A sample's elements lie side by side.
bool flattens(const TensorRef& tensor) {
  const TensorRef dense = dense_like(tensor, tensor.data);
  for (std::size_t axis = 1; axis < tensor.rank; ++axis) {
    if (tensor.dims[axis] != 1 && tensor.strides[axis] != dense.strides[axis]) return false;
  }
  return true;
}

TensorRef flattened(const TensorRef& tensor) {
  const std::int64_t features = tensor.elements() / tensor.dims[0];
  TensorRef flat{.data = tensor.data, .type = tensor.type, .rank = 2};
  flat.dims = {tensor.dims[0], features};
  flat.strides = {tensor.dims[0] == 1 ? features : tensor.strides[0], 1};
  return flat;
}

LayerInput copied(const TensorRef& tensor, std::int64_t batch, void* place) {
  TensorRef all = tensor;
  all.dims[0] = batch;
  const TensorRef from = broadcast(tensor, std::span(all.dims.data(), all.rank));
  const TensorRef to = dense_like(from, place);
  return {to, CopyFirst{from, to}};
}

struct ProblemOf {
  const TensorRef& x;
  const TensorRef& y;
  const TensorRef* residual;
  Math math;

  std::optional<ConvProblem> operator()(const OneOf<Conv, Linear> auto& layer) const {
    return problem_of(layer, x, y, residual, math);
  }
  std::optional<ConvProblem> operator()(const ConvTranspose& conv) const {
    IOS_CHECK(residual == nullptr);
    return problem_of(conv, x, y, math);
  }
  template <OperatorKind Kind>
  requires(!LayerKind<Kind>) std::optional<ConvProblem>
  operator()(const Kind& /*no layer*/) const { return std::nullopt; }
};

}  // namespace

bool is_layer(const Kernel& kernel) { return operator_row(kernel.attributes).role == OperatorRole::kLayer; }

LayerInput layer_input(const Kernel& kernel, const TensorRef& x, std::int64_t batch, void* place) {
  const bool flat = std::holds_alternative<Linear>(kernel.attributes);
  LayerInput input{x, {}};
  if (x.dims[0] != batch || (flat && !flattens(x))) input = copied(x, batch, place);
  if (flat) input.tensor = flattened(input.tensor);
  return input;
}

LayerInput layer_residual(const TensorRef& residual, std::int64_t batch, void* place) {
  if (residual.dims[0] == batch) return {residual, {}};
  return copied(residual, batch, place);
}

std::optional<ConvProblem> layer_problem(const Kernel& kernel, const TensorRef& x, const TensorRef& y,
                                         const TensorRef* residual, Math math) {
  return visit_kind(ProblemOf{x, y, residual, math}, kernel.attributes);
}

std::int64_t dense_bytes(const TensorRef& tensor) { return aligned(tensor.elements() * bytes_of(tensor.type)); }

}  // namespace iosx::gpu
