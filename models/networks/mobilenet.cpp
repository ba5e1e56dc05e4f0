#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "models/networks/layers.h"
#include "models/networks/zoo.h"

// MobileNetV3.
namespace iosx {
namespace {

struct MobileRow {
  std::int64_t kernel;
  std::int64_t expanded;
  std::int64_t out_channels;
  bool excited;     // has squeeze and excitation
  bool hard_swish;  // otherwise ReLU
  std::int64_t stride;
};

constexpr std::array kMobileLarge{
    MobileRow{3, 16, 16, false, false, 1}, MobileRow{3, 64, 24, false, false, 2}, MobileRow{3, 72, 24, false, false, 1},
    MobileRow{5, 72, 40, true, false, 2},  MobileRow{5, 120, 40, true, false, 1}, MobileRow{5, 120, 40, true, false, 1},
    MobileRow{3, 240, 80, false, true, 2}, MobileRow{3, 200, 80, false, true, 1}, MobileRow{3, 184, 80, false, true, 1},
    MobileRow{3, 184, 80, false, true, 1}, MobileRow{3, 480, 112, true, true, 1}, MobileRow{3, 672, 112, true, true, 1},
    MobileRow{5, 672, 160, true, true, 2}, MobileRow{5, 960, 160, true, true, 1}, MobileRow{5, 960, 160, true, true, 1},
};
constexpr std::array kMobileSmall{
    MobileRow{3, 16, 16, true, false, 2}, MobileRow{3, 72, 24, false, false, 2}, MobileRow{3, 88, 24, false, false, 1},
    MobileRow{5, 96, 40, true, true, 2},  MobileRow{5, 240, 40, true, true, 1},  MobileRow{5, 240, 40, true, true, 1},
    MobileRow{5, 120, 48, true, true, 1}, MobileRow{5, 144, 48, true, true, 1},  MobileRow{5, 288, 96, true, true, 2},
    MobileRow{5, 576, 96, true, true, 1}, MobileRow{5, 576, 96, true, true, 1},
};

constexpr Activation kHardSigmoid{ActivationKind::kHardSigmoid, 1.0F / 6, 0.5F};

// Returns a quarter of the channels, to the nearest multiple of 8, or the next one where that took more than a tenth
// away.
std::int64_t squeezed(std::int64_t channels) {
  const std::int64_t quarter = channels / 4;
  const std::int64_t rounded = std::max<std::int64_t>(8, (quarter + 4) / 8 * 8);
  return 10 * rounded < 9 * quarter ? rounded + 8 : rounded;
}

// `head` are the channels of the first linear layer.
Graph build_mobilenet(std::string graph_name, std::span<const MobileRow> rows, std::int64_t head) {
  GraphBuilder builder(std::move(graph_name));
  Value value = builder.input("input", {3, 224, 224});
  builder.begin_part("stem");
  value = builder.add("stem", padded_conv(16, 3, {.stride = 2, .activation = Activation::kHardSwish}), {value});
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const MobileRow& row = rows[i];
    const std::string name = fmt::format("block{}", i + 1);
    builder.begin_part(name);
    value =
        add_inverted_residual(builder, name, value,
                              {.expanded = row.expanded,
                               .kernel = row.kernel,
                               .stride = row.stride,
                               .out_channels = row.out_channels,
                               .activation = row.hard_swish ? Activation::kHardSwish : Activation::kRelu,
                               .excite = {.squeezed = row.excited ? squeezed(row.expanded) : 0, .gate = kHardSigmoid}});
  }
  builder.begin_part("head");
  value = builder.add("conv", conv(6 * value.channels(), 1, {.activation = Activation::kHardSwish}), {value});
  value = builder.add("avgpool", global_average_pool(), {value});
  value = builder.add("fc1", Linear{head, Activation::kHardSwish}, {value});
  builder.add("fc2", Linear{1000, Activation::kIdentity}, {value});
  return finish(std::move(builder));
}

// ShuffleNet V2.

struct ShuffleStage {
  std::int64_t out_channels;
  int blocks;
};
constexpr std::array kShuffleStages{ShuffleStage{116, 4}, ShuffleStage{232, 8}, ShuffleStage{464, 4}};

// Adds one unit: both halves one after the other, then their channels in turn.
Value add_shuffle(GraphBuilder& builder, const std::string& name, const Value& left, const Value& right) {
  builder.begin_unit(name + ".shuffle", "Shuffle");
  Value value = builder.add(name + ".concat", Concat{}, {left, right});
  const Shape shape = builder.shape(value);
  value = builder.add(name + ".split", Reshape{Shape{2, shape.channels() / 2, shape.height(), shape.width()}}, {value});
  value = builder.add(name + ".turn", Transpose{{1, 0, 2, 3}}, {value});
  builder.add(name + ".flatten", Reshape{shape}, {value});
  return builder.end_unit();
}

Value add_shuffle_block(GraphBuilder& builder, const std::string& name, const Value& input, std::int64_t out_channels,
                        std::int64_t stride) {
  const std::int64_t half = out_channels / 2;
  Value left = input;
  Value right = input;
  if (stride == 1) {
    left.end = right.begin = input.begin + half;
  } else {
    left = builder.add(name + ".left.depthwise", depthwise_conv(input.channels(), 3, stride, Activation::kIdentity),
                       {input});
    left = builder.add(name + ".left.pointwise", conv(half, 1), {left});
  }
  right = builder.add(name + ".right.expand", conv(half, 1), {right});
  right = builder.add(name + ".right.depthwise", depthwise_conv(half, 3, stride, Activation::kIdentity), {right});
  right = builder.add(name + ".right.pointwise", conv(half, 1), {right});
  return add_shuffle(builder, name, left, right);
}

struct Fire {
  const char* name;
  std::int64_t squeeze;
  std::int64_t expand;       // channels of each of the two expand convolutions
  bool convolved_bypass;     // the bypass needs a 1 × 1 convolution where the channel count changes
  const char* pooled_after;  // name of the max pool behind the module; null for none
};

constexpr std::array kFires{
    Fire{"fire2", 16, 64, true, nullptr},  Fire{"fire3", 16, 64, false, nullptr},
    Fire{"fire4", 32, 128, true, "pool4"}, Fire{"fire5", 32, 128, false, nullptr},
    Fire{"fire6", 48, 192, true, nullptr}, Fire{"fire7", 48, 192, false, nullptr},
    Fire{"fire8", 64, 256, true, "pool8"}, Fire{"fire9", 64, 256, false, nullptr},
};

Value add_fire(GraphBuilder& builder, const Fire& fire, const Value& input) {
  const std::string name = fire.name;
  const Value expanded = add_branches(builder, name, input,
                                      {{"squeeze1x1", "", conv(fire.squeeze, 1)},
                                       {"expand3x3", "squeeze1x1", same_conv(fire.expand, {3, 3})},
                                       {"expand1x1", "squeeze1x1", conv(fire.expand, 1)}},
                                      {"expand3x3", "expand1x1"});
  Value bypass = input;
  if (fire.convolved_bypass) bypass = builder.add(name + ".bypass", conv(2 * fire.expand, 1), {input});
  return builder.add(name + ".sum", Add{}, {expanded, bypass});
}

struct EfficientStage {
  std::int64_t expansion;  // channels inside a block for each of its input
  std::int64_t kernel;
  std::int64_t stride;  // of the first block
  std::int64_t out_channels;
  int blocks;
};

constexpr std::array kEfficientStages{
    EfficientStage{1, 3, 1, 16, 1},  EfficientStage{6, 3, 2, 24, 2},  EfficientStage{6, 5, 2, 40, 2},
    EfficientStage{6, 3, 2, 80, 3},  EfficientStage{6, 5, 1, 112, 3}, EfficientStage{6, 5, 2, 192, 4},
    EfficientStage{6, 3, 1, 320, 1},
};

}  // namespace

Graph build_mobilenet_v3_large() { return build_mobilenet("mobilenet_v3_large", kMobileLarge, 1280); }
Graph build_mobilenet_v3_small() { return build_mobilenet("mobilenet_v3_small", kMobileSmall, 1024); }

Graph build_shufflenet_v2() {
  GraphBuilder builder("shufflenet_v2");
  Value value = builder.input("input", {3, 224, 224});
  builder.begin_part("stem");
  value = builder.add("conv1", padded_conv(24, 3, {.stride = 2}), {value});
  value = builder.add("maxpool", max_pool(3, 2, 1), {value});
  for (std::size_t stage = 0; stage < kShuffleStages.size(); ++stage) {
    for (int i = 0; i < kShuffleStages[stage].blocks; ++i) {
      const std::string name = fmt::format("stage{}.{}", stage + 2, i);
      builder.begin_part(name);
      value = add_shuffle_block(builder, name, value, kShuffleStages[stage].out_channels, i == 0 ? 2 : 1);
    }
  }
  builder.begin_part("head");
  value = builder.add("conv5", conv(1024, 1), {value});
  return classify(std::move(builder), value);
}

Graph build_squeezenet() {
  GraphBuilder builder("squeezenet");
  Value value = builder.input("input", {3, 224, 224});
  builder.begin_part("stem");
  value = builder.add("conv1", conv(96, 7, {.stride = 2, .padding = 3}), {value});
  value = builder.add("pool1", max_pool(3, 2), {value});
  for (const Fire& fire : kFires) {
    builder.begin_part(fire.name);
    value = add_fire(builder, fire, value);
    if (fire.pooled_after == nullptr) continue;
    builder.begin_part(fire.pooled_after);
    value = builder.add(fire.pooled_after, max_pool(3, 2), {value});
  }
  builder.begin_part("head");
  value = builder.add("conv10", conv(1000, 1), {value});
  builder.add("pool10", global_average_pool(), {value});
  return finish(std::move(builder));
}

std::vector<Value> add_efficientnet_b0_stages(GraphBuilder& builder, const Value& input) {
  builder.begin_part("stem");
  Value value = builder.add("stem", padded_conv(32, 3, {.stride = 2, .activation = Activation::kSwish}), {input});
  std::vector<Value> outputs;
  for (const EfficientStage& stage : kEfficientStages) {
    for (int i = 0; i < stage.blocks; ++i) {
      const std::string name = fmt::format("stage{}.{}", outputs.size() + 1, i);
      builder.begin_part(name);
      const std::int64_t channels = value.channels();
      value = add_inverted_residual(builder, name, value,
                                    {.expanded = stage.expansion * channels,
                                     .kernel = stage.kernel,
                                     .stride = i == 0 ? stage.stride : 1,
                                     .out_channels = stage.out_channels,
                                     .activation = Activation::kSwish,
                                     .excite = {.squeezed = channels / 4, .inner = Activation::kSwish}});
    }
    outputs.push_back(value);
  }
  return outputs;
}

Graph build_efficientnet_b0() {
  GraphBuilder builder("efficientnet_b0");
  const Value input = builder.input("input", {3, 224, 224});
  Value value = add_efficientnet_b0_stages(builder, input).back();
  builder.begin_part("head");
  value = builder.add("conv", conv(1280, 1, {.activation = Activation::kSwish}), {value});
  return classify(std::move(builder), value);
}

}  // namespace iosx
