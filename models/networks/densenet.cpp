#include <fmt/format.h>

#include <array>

#include "models/networks/layers.h"
#include "models/networks/networks.h"

// DenseNet-121. A batch normalisation in front of a convolution, after a concatenation, is part of neither.
namespace iosx {
namespace {

constexpr std::int64_t kGrowth = 32;
constexpr std::int64_t kBottleneckChannels = 4 * kGrowth;
constexpr int kMostLayersInAPart = 16;
constexpr std::array kDenseBlocks{6, 12, 24, 16};

// Adds one unit: what the layer reads, one after the other, and its batch normalisation with ReLU.
Value add_normalised(GraphBuilder& builder, const std::string& name, const std::vector<Value>& values) {
  if (values.size() == 1) return builder.add(name, Affine{Activation::kRelu}, values);
  builder.begin_unit(name, "ConcatNormRelu");
  const Value all = builder.add(name + ".concat", Concat{}, values);
  builder.add(name, Affine{Activation::kRelu}, {all});
  return builder.end_unit();
}

// `values` are the block's input and the outputs of its layers so far.
Value add_dense_layer(GraphBuilder& builder, const std::string& name, const std::vector<Value>& values) {
  Value value = add_normalised(builder, name + ".norm", values);
  value = builder.add(name + ".conv1", conv(kBottleneckChannels, 1), {value});
  return builder.add(name + ".conv2", padded_conv(kGrowth, 3, {.activation = Activation::kIdentity}), {value});
}

}  // namespace

Graph build_densenet121() {
  GraphBuilder builder("densenet121");
  Value value = builder.input("input", {3, 224, 224});
  builder.begin_part("stem");
  value = builder.add("conv0", padded_conv(64, 7, {.stride = 2}), {value});
  value = builder.add("pool0", max_pool(3, 2, 1), {value});
  std::vector<Value> values;
  for (std::size_t block = 0; block < kDenseBlocks.size(); ++block) {
    if (block > 0) {
      const std::string name = fmt::format("transition{}", block);
      builder.begin_part(name);
      value = add_normalised(builder, name + ".norm", values);
      value =
          builder.add(name + ".conv", conv(value.channels() / 2, 1, {.activation = Activation::kIdentity}), {value});
      value = builder.add(name + ".pool", average_pool(2, 2), {value});
    }
    values = {value};
    const int layers = kDenseBlocks[block];
    const int in_a_part = layers > kMostLayersInAPart ? layers / 2 : layers;
    for (int i = 0; i < layers; ++i) {
      if (i % in_a_part == 0) builder.begin_part(fmt::format("block{}.{}", block + 1, i / in_a_part));
      values.push_back(add_dense_layer(builder, fmt::format("block{}.layer{}", block + 1, i + 1), values));
    }
  }
  builder.begin_part("head");
  value = add_normalised(builder, "norm5", values);
  value = builder.add("avgpool", global_average_pool(), {value});
  builder.add("fc", Linear{1000, Activation::kIdentity}, {value});
  return finish(std::move(builder));
}

}  // namespace iosx
