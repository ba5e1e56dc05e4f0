#include "core/model/layout/kernel_weights.h"

#include <algorithm>

#include "core/base/check.h"

namespace iosx {

Tensor conv_weights(const Parameters& parameters, std::span<const OperatorId> operators, const Conv& conv,
                    std::int64_t in_channels) {
  const std::vector<std::int64_t> dims{conv.out_channels, in_channels / conv.groups, conv.kernel.height,
                                       conv.kernel.width};
  if (operators.size() == 1) {
    Tensor weights = parameters.weights(operators.front());
    const auto own = weights.dims();
    if (std::ranges::equal(own, dims)) return weights;
    IOS_CHECK(own[0] == dims[0] && own[2] == dims[2] && own[3] == dims[3]);
  }
  const std::int64_t height = dims[2];
  const std::int64_t width = dims[3];
  std::vector<float> values(static_cast<std::size_t>(dims[0] * dims[1] * height * width), 0.0F);
  auto filter = values.begin();
  for (const OperatorId id : operators) {
    const Tensor part = parameters.weights(id);
    const auto part_dims = part.dims();
    IOS_CHECK((part_dims[1] == dims[1] || conv.groups == 1) && part_dims[1] <= dims[1]);
    IOS_CHECK(part_dims[2] <= height && part_dims[3] <= width);
    const std::int64_t top = (height - part_dims[2]) / 2;
    const std::int64_t left = (width - part_dims[3]) / 2;
    auto from = part.elements().begin();
    for (std::int64_t i = 0; i < part_dims[0]; ++i, filter += dims[1] * height * width) {
      for (std::int64_t channel = 0; channel < part_dims[1]; ++channel) {
        const auto plane = filter + channel * height * width;
        for (std::int64_t y = 0; y < part_dims[2]; ++y, from += part_dims[3]) {
          std::copy_n(from, part_dims[3], plane + (top + y) * width + left);
        }
      }
    }
  }
  IOS_CHECK(filter == values.end());
  return {dims, std::move(values)};
}

Tensor linear_weights(const Parameters& parameters, std::span<const OperatorId> operators) {
  if (operators.size() == 1) return parameters.weights(operators.front());
  std::vector<float> values;
  std::vector<std::int64_t> dims{0, parameters.dims(operators.front()).weights.at(1)};
  for (const OperatorId id : operators) {
    const Tensor rows = parameters.weights(id);
    IOS_CHECK(rows.dims().size() == 2 && rows.dims()[1] == dims[1]);
    dims[0] += rows.dims()[0];
    values.insert(values.end(), rows.elements().begin(), rows.elements().end());
  }
  return {std::move(dims), std::move(values)};
}

Tensor joined_bias(const Parameters& parameters, std::span<const OperatorId> operators) {
  std::vector<float> values;
  for (const OperatorId id : operators) {
    const Tensor bias = parameters.bias(id);
    values.insert(values.end(), bias.elements().begin(), bias.elements().end());
  }
  const auto count = static_cast<std::int64_t>(values.size());
  return {{count}, std::move(values)};
}

Tensor columns_in_device_order(const Tensor& weights, const Shape& sample) {
  if (!sample.is_feature_map()) return weights;
  const std::int64_t channels = sample.channels();
  const std::int64_t pixels = sample.height() * sample.width();
  std::vector<float> values(weights.elements().size());
  const float* from = weights.elements().data();
  for (float* row = values.data(); row != values.data() + values.size(); row += channels * pixels) {
    for (std::int64_t channel = 0; channel < channels; ++channel) {
      for (std::int64_t pixel = 0; pixel < pixels; ++pixel) row[pixel * channels + channel] = *from++;
    }
  }
  return {{weights.dims().begin(), weights.dims().end()}, std::move(values)};
}

}  // namespace iosx
