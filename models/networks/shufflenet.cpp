#include <fmt/format.h>

#include <array>

#include "models/networks/layers.h"
#include "models/networks/networks.h"

// ShuffleNet V2.
namespace iosx {
namespace {

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

}  // namespace

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
  value = builder.add("avgpool", global_average_pool(), {value});
  builder.add("fc", Linear{1000, Activation::kIdentity}, {value});
  return finish(std::move(builder));
}

}  // namespace iosx
