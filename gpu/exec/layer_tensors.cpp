#include "gpu/exec/layer_tensors.h"

#include <algorithm>
#include <span>

#include "core/base/check.h"
#include "core/model/graph/operator_table.h"
#include "core/model/layout/layout.h"
#include "core/model/layout/views.h"
#include "gpu/exec/conv_problem_of.h"

namespace iosx::gpu {
namespace {

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
  std::optional<ConvProblem> otherwise() const { return std::nullopt; }
};

}  // namespace

TensorRef repeated(const TensorRef& tensor, std::int64_t batch) {
  TensorRef all = tensor;
  all.dims[0] = batch;
  return broadcast(tensor, std::span(all.dims.data(), all.rank));
}

bool is_layer(const Kernel& kernel) { return operator_row(kernel.attributes).role == OperatorRole::kLayer; }

LayerTensor layer_tensor(const Kernel& kernel, const TensorRef& tensor, std::int64_t batch, void* place) {
  const Linear* const linear = std::get_if<Linear>(&kernel.attributes);
  if (tensor.dims[0] == batch) {
    if (linear == nullptr) return {tensor, {}};
    if (const auto rows = feature_rows(tensor, linear->axis)) return {*rows, {}};
  }
  const TensorRef from = repeated(tensor, batch);
  if (linear == nullptr) {
    const TensorRef dense = dense_like(from, place);
    return {dense, Detour{from, dense}};
  }
  const TensorRef dense = dense_feature_rows(from, linear->axis, place);
  return {feature_rows(dense, linear->axis).value(), Detour{from, dense}};
}

std::optional<ConvProblem> layer_problem(const Kernel& kernel, const TensorRef& x, const TensorRef& y,
                                         const TensorRef* residual, Math math) {
  return visit_kind(ProblemOf{x, y, residual, math}, kernel.attributes);
}

std::int64_t dense_bytes(const TensorRef& tensor) { return aligned(tensor.elements() * bytes_of(tensor.type)); }

}  // namespace iosx::gpu
