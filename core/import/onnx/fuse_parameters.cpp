#include <cstddef>
#include <functional>
#include <numeric>
#include <utility>

#include "core/import/onnx/fuse.h"

namespace iosx::onnx_import {
namespace {

// The weights, each multiplied by the factor of its output channel.
Tensor scaled(const Tensor& weights, const std::function<float(std::size_t)>& factor_at) {
  std::vector<float> made(weights.elements().begin(), weights.elements().end());
  for (std::size_t i = 0; i < made.size(); ++i) made[i] *= factor_at(i);
  return {{weights.dims().begin(), weights.dims().end()}, std::move(made)};
}

std::size_t product(std::span<const std::int64_t> dims) {
  return static_cast<std::size_t>(std::accumulate(dims.begin(), dims.end(), std::int64_t{1}, std::multiplies<>()));
}

// Weights of a transposed convolution are in channels x out channels / groups x kernel.
Tensor scaled_transposed(const DraftOperator& op, std::int64_t groups, std::span<const float> scale) {
  const auto dims = op.weights.dims();
  const auto outputs = static_cast<std::size_t>(dims[1]);
  const auto kernel = product(dims.subspan(2));
  const auto inputs_per_group = static_cast<std::size_t>(dims[0] / groups);
  return scaled(op.weights, [=](std::size_t i) {
    const std::size_t input = i / (kernel * outputs);
    return scale[input / inputs_per_group * outputs + i / kernel % outputs];
  });
}

}  // namespace

Result<void> scale_outputs(Draft& draft, DraftOperator& op, const Tensor& scale, const Tensor& shift) {
  const auto factors = scale.elements();
  const auto offsets = shift.elements();
  if (auto spent = draft.spend(static_cast<std::int64_t>(op.weights.elements().size() + offsets.size())); !spent) {
    return spent;
  }
  if (const auto* const transposed = std::get_if<ConvTranspose>(&op.attributes)) {
    op.weights = scaled_transposed(op, transposed->groups, factors);
  } else {
    const std::size_t each = product(op.weights.dims().subspan(1));
    op.weights = scaled(op.weights, [=](std::size_t i) { return factors[i / each]; });
  }
  std::vector<float> bias(offsets.begin(), offsets.end());
  const auto before = op.bias.elements();
  for (std::size_t c = 0; c < before.size(); ++c) bias[c] += factors[c] * before[c];
  const auto channels = static_cast<std::int64_t>(bias.size());
  op.bias = Tensor({channels}, std::move(bias));
  return {};
}

}  // namespace iosx::onnx_import
