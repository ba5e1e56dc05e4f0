#include <fmt/format.h>

#include <array>

#include "models/networks/inverted_residual.h"
#include "models/networks/networks.h"

// EfficientDet-D0 has EfficientNet-B0, three layers of the weighted bidirectional feature pyramid network (BiFPN), and
// the nets for classes and boxes. The paper's five levels share the weights of these nets; here each has its own.
namespace iosx {
namespace {

constexpr std::int64_t kPyramidChannels = 64;
constexpr int kPyramidLayers = 3;
constexpr int kNetLayers = 3;
constexpr std::int64_t kAnchors = 9;
constexpr std::int64_t kDetectionClasses = 90;
constexpr std::size_t kLevels = 5;

using Levels = std::array<Value, kLevels>;  // from an eighth of the image's size to a 128th

Value add_separable(GraphBuilder& builder, const std::string& name, const Value& value, std::int64_t channels,
                    Activation activation) {
  const Value wide =
      builder.add(name + ".depthwise", depthwise_conv(value.channels(), 3, 1, Activation::kIdentity), {value});
  return builder.add(name + ".pointwise", conv(channels, 1, {.activation = activation}), {wide});
}

Value add_lateral(GraphBuilder& builder, const std::string& name, const Value& value) {
  if (value.channels() == kPyramidChannels) return value;
  return builder.add(name, conv(kPyramidChannels, 1, {.activation = Activation::kIdentity}), {value});
}

// Adds one unit: the sum of the values, each times a weight, then swish and a separable convolution. The weights are
// those of an untrained network: all alike.
Value add_node(GraphBuilder& builder, const std::string& name, const std::vector<Value>& values) {
  const float share = 1.0F / static_cast<float>(values.size());
  std::vector<Value> weighted;
  std::vector<Value> weights;
  for (std::size_t i = 0; i < values.size(); ++i) {
    weights.push_back(builder.constant(fmt::format("{}.weight{}", name, i), Tensor({1}, {share})));
  }
  builder.begin_unit(name, "BiFpnNode");
  for (std::size_t i = 0; i < values.size(); ++i) {
    weighted.push_back(builder.add(fmt::format("{}.mul{}", name, i), Mul{}, {values[i], weights[i]}));
  }
  Value value = builder.add(name + ".add", Add{}, std::move(weighted));
  value = builder.add(name + ".swish", Activate{Activation::kSwish}, {value});
  add_separable(builder, name, value, kPyramidChannels, Activation::kIdentity);
  return builder.end_unit();
}

// Goes top-down, then bottom-up. In the first layer the levels come from the backbone: a level that both ways read is
// brought to the pyramid's channels for each of them.
Levels add_bifpn(GraphBuilder& builder, const std::string& name, const Levels& in) {
  const auto level_name = [&](std::size_t level, const char* what) {
    return fmt::format("{}.p{}.{}", name, level + 3, what);
  };
  builder.begin_part(name);
  Levels down = in;  // down[0] and down[4] are the ends: the lowest output and the highest input
  for (std::size_t level = kLevels - 1; level-- > 0;) {
    const Value above =
        builder.add(level_name(level, "up"), upsample(builder.shape(down[level + 1]), 2), {down[level + 1]});
    const Value own = add_lateral(builder, level_name(level, "lateral"), in[level]);
    down[level] = add_node(builder, level_name(level, "td"), {own, above});
  }
  Levels out = down;
  for (std::size_t level = 1; level < kLevels; ++level) {
    const Value below = builder.add(level_name(level, "down"), max_pool(3, 2, 1), {out[level - 1]});
    std::vector<Value> values{add_lateral(builder, level_name(level, "lateral_out"), in[level])};
    if (level + 1 < kLevels) values.push_back(down[level]);
    values.push_back(below);
    out[level] = add_node(builder, level_name(level, "out"), values);
  }
  return out;
}

Levels add_levels(GraphBuilder& builder, const Value& image) {
  const std::vector<Value> stages = add_efficientnet_b0_stages(builder, image);
  builder.begin_part("levels");
  Levels levels{stages[2], stages[4], stages[6]};
  const Value lateral = add_lateral(builder, "p6.lateral", levels[2]);
  levels[3] = builder.add("p6.pool", max_pool(3, 2, 1), {lateral});
  levels[4] = builder.add("p7.pool", max_pool(3, 2, 1), {levels[3]});
  return levels;
}

// Adds one unit: `features` of each anchor of each place, a row an anchor.
Value add_rows(GraphBuilder& builder, const std::string& name, const Value& value, std::int64_t features) {
  const Shape shape = builder.shape(value);
  builder.begin_unit(name + ".rows", "Flatten");
  const Value turned = builder.add(name + ".turn", Transpose{{1, 2, 0}}, {value});
  builder.add(name + ".flatten", Reshape{Shape{shape.elements() / features, features}}, {turned});
  return builder.end_unit();
}

Value add_net(GraphBuilder& builder, const std::string& name, const Levels& levels, std::int64_t features,
              Activation activation) {
  std::vector<Value> rows;
  for (std::size_t level = 0; level < kLevels; ++level) {
    const std::string of_level = fmt::format("{}.p{}", name, level + 3);
    Value value = levels[level];
    for (int i = 0; i <= kNetLayers; ++i) {
      const bool last = i == kNetLayers;
      const std::string layer = fmt::format("{}.{}", of_level, i);
      builder.begin_unit(layer, "SepConv");
      add_separable(builder, layer, value, last ? kAnchors * features : kPyramidChannels,
                    last ? activation : Activation::kSwish);
      value = builder.end_unit();
    }
    rows.push_back(add_rows(builder, of_level, value, features));
  }
  return builder.add(name + ".concat", Concat{}, std::move(rows));
}

}  // namespace

Graph build_efficientdet_d0() {
  GraphBuilder builder("efficientdet_d0");
  Levels levels = add_levels(builder, builder.input("input", {3, 512, 512}));
  for (int i = 0; i < kPyramidLayers; ++i) levels = add_bifpn(builder, fmt::format("bifpn{}", i + 1), levels);
  builder.begin_part("nets");
  const Value classes = add_net(builder, "class", levels, kDetectionClasses, Activation::kSigmoid);
  const Value boxes = add_net(builder, "box", levels, 4, Activation::kIdentity);
  builder.add("output", Concat{1}, {classes, boxes});
  return finish(std::move(builder));
}

}  // namespace iosx
