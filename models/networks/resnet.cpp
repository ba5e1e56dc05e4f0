#include <fmt/format.h>

#include <array>

#include "models/networks/layers.h"
#include "models/networks/zoo.h"

namespace iosx {
namespace {

enum class BlockKind { kBasic, kBottleneck };
constexpr std::int64_t kBottleneckExpansion = 4;

struct Block {
  BlockKind kind;
  std::int64_t channels;  // of the 3 × 3 convolutions
  std::int64_t stride;
};

Value add_block(GraphBuilder& builder, const std::string& name, const Value& input, const Block& block) {
  const auto linear = [&](std::int64_t channels, std::int64_t kernel, std::int64_t stride) {
    return conv(channels, kernel, {.stride = stride, .padding = (kernel - 1) / 2, .activation = Activation::kIdentity});
  };
  const bool basic = block.kind == BlockKind::kBasic;
  const std::int64_t out_channels = basic ? block.channels : kBottleneckExpansion * block.channels;

  Value value = input;
  if (basic) {
    value = builder.add(name + ".conv1", conv(block.channels, 3, {.stride = block.stride, .padding = 1}), {value});
    value = builder.add(name + ".conv2", linear(out_channels, 3, 1), {value});
  } else {
    value = builder.add(name + ".conv1", conv(block.channels, 1), {value});
    value = builder.add(name + ".conv2", conv(block.channels, 3, {.stride = block.stride, .padding = 1}), {value});
    value = builder.add(name + ".conv3", linear(out_channels, 1, 1), {value});
  }
  Value shortcut = input;
  if (block.stride != 1 || input.channels() != out_channels) {
    shortcut = builder.add(name + ".downsample", linear(out_channels, 1, block.stride), {input});
  }
  return add_sum_relu(builder, name, {value, shortcut});
}

// `depths` are the numbers of blocks in each of the four layers.
Graph build_resnet(std::string name, BlockKind kind, const std::array<int, 4>& depths) {
  GraphBuilder builder(std::move(name));
  Value value = builder.input("input", {3, 224, 224});
  builder.begin_part("stem");
  value = builder.add("conv1", conv(64, 7, {.stride = 2, .padding = 3}), {value});
  value = builder.add("maxpool", max_pool(3, 2, 1), {value});
  for (std::size_t layer = 0; layer < depths.size(); ++layer) {
    for (int i = 0; i < depths[layer]; ++i) {
      const std::string block = fmt::format("layer{}.{}", layer + 1, i);
      builder.begin_part(block);
      const std::int64_t stride = layer > 0 && i == 0 ? 2 : 1;
      value = add_block(builder, block, value, {kind, std::int64_t{64} << layer, stride});
    }
  }
  builder.begin_part("head");
  return classify(std::move(builder), value);
}

// RegNetY-800MF.

constexpr std::int64_t kGroupWidth = 16;

struct RegStage {
  std::int64_t channels;
  int blocks;
};
constexpr std::array kRegStages{RegStage{64, 1}, RegStage{144, 3}, RegStage{320, 8}, RegStage{784, 2}};

Value add_reg_block(GraphBuilder& builder, const std::string& name, const Value& input, std::int64_t channels,
                    std::int64_t stride) {
  const std::int64_t squeezed = (input.channels() + 2) / 4;  // a quarter of the input's, rounded
  Value value = builder.add(name + ".a", conv(channels, 1), {input});
  value =
      builder.add(name + ".b", padded_conv(channels, 3, {.stride = stride, .groups = channels / kGroupWidth}), {value});
  value = add_squeeze_excite(builder, name, value, {.squeezed = squeezed});
  value = builder.add(name + ".c", linear_conv(channels), {value});
  Value shortcut = input;
  if (stride != 1 || input.channels() != channels) {
    shortcut = builder.add(name + ".proj", linear_conv(channels, 1, stride), {input});
  }
  return add_sum_relu(builder, name, {value, shortcut});
}

// ConvNeXt-T. The factor of each channel at the end of a block is part of the weights of the convolution before it.

constexpr float kNextEpsilon = 1e-6F;

struct NextStage {
  std::int64_t channels;
  int blocks;
};
constexpr std::array kNextStages{NextStage{96, 3}, NextStage{192, 3}, NextStage{384, 9}, NextStage{768, 3}};

// Adds one unit: layer normalisation over the channels of each pixel.
Value add_pixel_norm(GraphBuilder& builder, const std::string& name, const Value& map) {
  builder.begin_unit(name, "PixelNorm");
  Value value = builder.add(name + ".last", Transpose{{1, 2, 0}}, {map});
  value = builder.add(name + ".norm", Normalize{.axis = 2, .epsilon = kNextEpsilon}, {value});
  builder.add(name + ".first", Transpose{{2, 0, 1}}, {value});
  return builder.end_unit();
}

Value add_next_block(GraphBuilder& builder, const std::string& name, const Value& input) {
  const std::int64_t channels = input.channels();
  Value value = builder.add(name + ".depthwise", depthwise_conv(channels, 7, 1, Activation::kIdentity), {input});
  value = add_pixel_norm(builder, name + ".norm", value);
  value = builder.add(name + ".expand", conv(4 * channels, 1, {.activation = {ActivationKind::kGelu}}), {value});
  value = builder.add(name + ".project", linear_conv(channels), {value});
  return builder.add(name + ".add", Add{}, {value, input});
}

// DenseNet-121. A batch normalisation in front of a convolution, after a concatenation, is part of neither.

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

Graph build_resnet18() { return build_resnet("resnet18", BlockKind::kBasic, {2, 2, 2, 2}); }
Graph build_resnet34() { return build_resnet("resnet34", BlockKind::kBasic, {3, 4, 6, 3}); }
Graph build_resnet50() { return build_resnet("resnet50", BlockKind::kBottleneck, {3, 4, 6, 3}); }

Graph build_regnet_y_800mf() {
  GraphBuilder builder("regnet_y_800mf");
  Value value = builder.input("input", {3, 224, 224});
  builder.begin_part("stem");
  value = builder.add("stem", padded_conv(32, 3, {.stride = 2}), {value});
  for (std::size_t stage = 0; stage < kRegStages.size(); ++stage) {
    for (int i = 0; i < kRegStages[stage].blocks; ++i) {
      const std::string name = fmt::format("block{}.{}", stage + 1, i);
      builder.begin_part(name);
      value = add_reg_block(builder, name, value, kRegStages[stage].channels, i == 0 ? 2 : 1);
    }
  }
  builder.begin_part("head");
  return classify(std::move(builder), value);
}

Graph build_convnext_tiny() {
  GraphBuilder builder("convnext_tiny");
  Value value = builder.input("input", {3, 224, 224});
  for (std::size_t stage = 0; stage < kNextStages.size(); ++stage) {
    const auto [channels, blocks] = kNextStages[stage];
    const std::int64_t patch = stage == 0 ? 4 : 2;  // pixels that become one
    const std::string patches = stage == 0 ? "stem" : fmt::format("down{}", stage);
    builder.begin_part(patches);
    if (stage > 0) value = add_pixel_norm(builder, patches + ".norm", value);
    value = builder.add(patches + ".conv", linear_conv(channels, patch, patch), {value});
    if (stage == 0) value = add_pixel_norm(builder, patches + ".norm", value);
    for (int i = 0; i < blocks; ++i) {
      const std::string name = fmt::format("stage{}.{}", stage + 1, i);
      builder.begin_part(name);
      value = add_next_block(builder, name, value);
    }
  }
  builder.begin_part("head");
  value = builder.add("avgpool", global_average_pool(), {value});
  builder.begin_unit("norm", "FlattenNorm");
  value = builder.add("norm.flatten", Reshape{Shape{value.channels()}}, {value});
  builder.add("norm.norm", Normalize{.axis = 0, .epsilon = kNextEpsilon}, {value});
  builder.add("fc", Linear{1000, Activation::kIdentity}, {builder.end_unit()});
  return finish(std::move(builder));
}

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
      value = builder.add(name + ".conv", linear_conv(value.channels() / 2), {value});
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
  return classify(std::move(builder), value);
}

}  // namespace iosx
