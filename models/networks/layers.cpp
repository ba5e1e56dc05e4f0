#include "models/networks/layers.h"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <utility>

#include "core/base/check.h"

namespace iosx {
namespace {

Pool window_pool(PoolKind kind, std::int64_t kernel, std::int64_t stride, std::int64_t padding, bool ceil_mode) {
  Pool pool;
  pool.kind = kind;
  pool.kernel = {kernel, kernel};
  pool.stride = {stride, stride};
  pool.padding = {padding, padding};
  pool.ceil_mode = ceil_mode;
  return pool;
}

// Sets weights made up as others are, but divided by the number of tensors that were added up, and a bias of zeros.
void set_mean_weights(GraphBuilder& builder, const Value& depthwise, const std::string& name, std::int64_t kernel,
                      std::size_t summed) {
  const std::int64_t area = kernel * kernel;
  auto weights = synthetic_values(synthetic_seed(name), depthwise.channels() * area, ParameterInit::kScaled);
  const float scale = std::sqrt(6.0F / static_cast<float>(area)) / static_cast<float>(summed);
  for (float& weight : weights) weight *= scale;
  const std::vector<float> bias(static_cast<std::size_t>(depthwise.channels()), 0.0F);
  builder.set_parameters(depthwise, Tensor({depthwise.channels(), 1, kernel, kernel}, std::move(weights)),
                         Tensor({depthwise.channels()}, bias));
}

}  // namespace

Conv conv(std::int64_t out_channels, std::int64_t kernel, const ConvOptions& options) {
  Conv conv;
  conv.out_channels = out_channels;
  conv.kernel = {kernel, kernel};
  conv.stride = {options.stride, options.stride};
  conv.padding = {options.padding, options.padding};
  conv.groups = options.groups;
  conv.activation = options.activation;
  return conv;
}

Conv linear_conv(std::int64_t out_channels, std::int64_t kernel, std::int64_t stride) {
  return conv(out_channels, kernel, {.stride = stride, .activation = Activation::kIdentity});
}

Conv same_conv(std::int64_t out_channels, Extent kernel, Activation activation) {
  Conv conv;
  conv.out_channels = out_channels;
  conv.kernel = kernel;
  conv.padding = {(kernel.height - 1) / 2, (kernel.width - 1) / 2};
  conv.activation = activation;
  return conv;
}

Conv padded_conv(std::int64_t out_channels, std::int64_t kernel, ConvOptions options) {
  options.padding = (kernel - 1) / 2;
  return conv(out_channels, kernel, options);
}

Conv depthwise_conv(std::int64_t channels, std::int64_t kernel, std::int64_t stride, Activation activation) {
  return padded_conv(channels, kernel, {.stride = stride, .groups = channels, .activation = activation});
}

Pool max_pool(std::int64_t kernel, std::int64_t stride, std::int64_t padding, bool ceil_mode) {
  return window_pool(PoolKind::kMax, kernel, stride, padding, ceil_mode);
}

Pool average_pool(std::int64_t kernel, std::int64_t stride, std::int64_t padding) {
  return window_pool(PoolKind::kAverage, kernel, stride, padding, false);
}

Pool global_average_pool() {
  Pool pool;
  pool.kind = PoolKind::kGlobalAverage;
  return pool;
}

Value add_branches(GraphBuilder& builder, const std::string& block, const Value& input, const Rows& rows,
                   const Names& joined) {
  std::map<std::string_view, Value> values{{"", input}};
  for (const Row& row : rows) {
    IOS_CHECK(values.contains(row.reads));
    values[row.name] = builder.add(fmt::format("{}.{}", block, row.name), row.attributes, {values[row.reads]});
  }
  std::vector<Value> outputs;
  for (const std::string_view name : joined) {
    IOS_CHECK(values.contains(name));
    outputs.push_back(values[name]);
  }
  return builder.add(block + ".concat", Concat{}, std::move(outputs));
}

Value add_chain(GraphBuilder& builder, Value input, const Rows& rows) {
  for (const Row& row : rows) {
    IOS_CHECK(row.reads.empty());
    input = builder.add(std::string(row.name), row.attributes, {input});
  }
  return input;
}

Value add_join(GraphBuilder& builder, const std::string& name, const std::vector<std::vector<Value>>& terms) {
  builder.begin_unit(name);
  std::vector<Value> joined;
  int sums = 0;
  for (const std::vector<Value>& term : terms) {
    if (term.size() == 1) {
      joined.push_back(term.front());
    } else {
      const std::string sum = terms.size() == 1 ? name : fmt::format("{}.add{}", name, ++sums);
      joined.push_back(builder.add(sum, Add{}, term));
    }
  }
  if (joined.size() > 1) builder.add(name, Concat{}, std::move(joined));
  return builder.end_unit();
}

Value add_relu_separable(GraphBuilder& builder, const std::string& name, std::vector<Value> inputs,
                         const SeparableOptions& options) {
  builder.begin_unit(name, "ReluSepConv");
  Value value = inputs.front();
  const std::size_t summed = inputs.size();
  if (summed > 1) value = builder.add(name + ".add", Add{}, std::move(inputs));
  const std::int64_t channels = value.channels();
  value = builder.add(name + ".relu", Activate{Activation::kRelu}, {value});
  value = builder.add(name + ".depthwise",
                      depthwise_conv(channels, options.kernel, options.stride, Activation::kIdentity), {value});
  if (options.mean && summed > 1) set_mean_weights(builder, value, name + ".depthwise", options.kernel, summed);
  builder.add(name + ".pointwise", linear_conv(options.out_channels), {value});
  return builder.end_unit();
}

Value add_sum_relu(GraphBuilder& builder, const std::string& name, std::vector<Value> values) {
  builder.begin_unit(name + ".join", "AddRelu");
  const Value sum = builder.add(name + ".add", Add{}, std::move(values));
  builder.add(name + ".relu", Activate{Activation::kRelu}, {sum});
  return builder.end_unit();
}

Value add_squeeze_excite(GraphBuilder& builder, const std::string& name, const Value& value,
                         const SqueezeExcite& options) {
  Value factor = builder.add(name + ".se.pool", global_average_pool(), {value});
  factor = builder.add(name + ".se.squeeze", conv(options.squeezed, 1, {.activation = options.inner}), {factor});
  factor = builder.add(name + ".se.excite", conv(value.channels(), 1, {.activation = options.gate}), {factor});
  return builder.add(name + ".se.scale", Mul{}, {value, factor});
}

Resize upsample(const Shape& map, std::int64_t factor) {
  Resize resize;
  resize.coordinates = ResizeCoordinates::kAsymmetric;
  resize.rounding = ResizeRounding::kFloor;
  resize.scales = {1, static_cast<float>(factor), static_cast<float>(factor)};
  resize.shape = Shape{map.channels(), map.height() * factor, map.width() * factor};
  return resize;
}

Graph finish(GraphBuilder builder) {
  auto graph = std::move(builder).build();
  IOS_CHECK(graph.has_value());
  return *std::move(graph);
}

Graph classify(GraphBuilder builder, Value value) {
  value = builder.add("avgpool", global_average_pool(), {value});
  builder.add("fc", Linear{1000, Activation::kIdentity}, {value});
  return finish(std::move(builder));
}

Value add_inverted_residual(GraphBuilder& builder, const std::string& name, const Value& input,
                            const InvertedResidual& block) {
  Value value = input;
  if (block.expanded != input.channels()) {
    value = builder.add(name + ".expand", conv(block.expanded, 1, {.activation = block.activation}), {value});
  }
  value = builder.add(name + ".depthwise", depthwise_conv(block.expanded, block.kernel, block.stride, block.activation),
                      {value});
  if (block.excite.squeezed > 0) value = add_squeeze_excite(builder, name, value, block.excite);
  value = builder.add(name + ".project", linear_conv(block.out_channels), {value});
  if (block.stride != 1 || input.channels() != block.out_channels) return value;
  return builder.add(name + ".add", Add{}, {value, input});
}

}  // namespace iosx
