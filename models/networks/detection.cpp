#include <fmt/format.h>

#include <array>

#include "models/networks/layers.h"
#include "models/networks/zoo.h"

// U-Net as published: its convolutions have no padding, so the maps of the way down are cropped on the way up.
namespace iosx {
namespace {

constexpr std::int64_t kUnetChannels = 64;  // of the first level; twice as many a level down
constexpr int kUnetLevels = 4;              // above the bottom

std::string level_name(const char* way, int level) { return fmt::format("{}{}", way, level + 1); }

Value add_two_convs(GraphBuilder& builder, const std::string& name, Value value, std::int64_t channels) {
  value = builder.add(name + ".conv1", conv(channels, 3), {value});
  return builder.add(name + ".conv2", conv(channels, 3), {value});
}

// Returns the slice that is the middle of a map.
Slice crop(const Shape& from, std::int64_t height, std::int64_t width) {
  return {{0, (from.height() - height) / 2, (from.width() - width) / 2}, {1, 1, 1}, {from.channels(), height, width}};
}

Value add_up(GraphBuilder& builder, const std::string& name, const Value& below, const Value& beside) {
  ConvTranspose twice;
  twice.out_channels = below.channels() / 2;
  twice.kernel = twice.stride = {2, 2};
  const Value larger = builder.add(name + ".up", twice, {below});
  const Shape shape = builder.shape(larger);
  const Value cropped =
      builder.add(name + ".crop", crop(builder.shape(beside), shape.height(), shape.width()), {beside});
  const Value both = builder.add(name + ".concat", Concat{}, {cropped, larger});
  return add_two_convs(builder, name, both, twice.out_channels);
}

// EfficientDet-D0 has EfficientNet-B0, three layers of the weighted bidirectional feature pyramid network (BiFPN), and
// the nets for classes and boxes. The paper's five levels share the weights of these nets; here each has its own.

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
  return builder.add(name, linear_conv(kPyramidChannels), {value});
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

// YOLOX-s has a backbone, a path aggregation neck and three decoupled heads.

constexpr std::int64_t kHeadWidth = 128;
constexpr std::int64_t kClasses = 80;

Conv swish_conv(std::int64_t channels, std::int64_t kernel, std::int64_t stride = 1) {
  return padded_conv(channels, kernel, {.stride = stride, .activation = Activation::kSwish});
}

// Adds one unit: every second pixel, from each of the four places, one after the other.
Value add_focus(GraphBuilder& builder, const Value& image) {
  const Shape in = builder.shape(image);
  const Shape half{in.channels(), in.height() / 2, in.width() / 2};
  builder.begin_unit("focus", "Focus");
  std::vector<Value> quarters;
  for (const std::int64_t x : {0, 1}) {
    for (const std::int64_t y : {0, 1}) {
      quarters.push_back(builder.add(fmt::format("focus.{}{}", y, x), Slice{{0, y, x}, {1, 2, 2}, half}, {image}));
    }
  }
  builder.add("focus.concat", Concat{}, std::move(quarters));
  return builder.end_unit();
}

struct CspOptions {
  std::int64_t channels = 0;
  int bottlenecks = 1;
  bool shortcut = true;  // bottlenecks add their input
};

// Adds a cross-stage partial layer: half of the channels go through the bottlenecks, the other half past them.
Value add_csp(GraphBuilder& builder, const std::string& name, const Value& input, const CspOptions& options) {
  const std::int64_t half = options.channels / 2;
  Value value = builder.add(name + ".conv1", swish_conv(half, 1), {input});
  const Value past = builder.add(name + ".conv2", swish_conv(half, 1), {input});
  for (int i = 0; i < options.bottlenecks; ++i) {
    const std::string block = fmt::format("{}.m{}", name, i);
    const Value before = value;
    value = builder.add(block + ".conv1", swish_conv(half, 1), {value});
    value = builder.add(block + ".conv2", swish_conv(half, 3), {value});
    if (options.shortcut) value = builder.add(block + ".add", Add{}, {value, before});
  }
  value = builder.add(name + ".concat", Concat{}, {value, past});
  return builder.add(name + ".conv3", swish_conv(options.channels, 1), {value});
}

// Adds max pools of three sizes side by side.
Value add_pyramid_pools(GraphBuilder& builder, const Value& input) {
  const Value value = builder.add("dark5.spp.conv1", swish_conv(input.channels() / 2, 1), {input});
  std::vector<Value> values{value};
  for (const std::int64_t size : {5, 9, 13}) {
    values.push_back(builder.add(fmt::format("dark5.spp.pool{}", size), max_pool(size, 1, size / 2), {value}));
  }
  const Value all = builder.add("dark5.spp.concat", Concat{}, std::move(values));
  return builder.add("dark5.spp.conv2", swish_conv(input.channels(), 1), {all});
}

// Returns maps of 128, 256 and 512 channels, at an eighth, a sixteenth and a thirty-second of the image's size.
std::array<Value, 3> add_backbone(GraphBuilder& builder, const Value& image) {
  struct Stage {
    std::int64_t channels;
    int bottlenecks;
  };
  constexpr std::array kStages{Stage{64, 1}, Stage{128, 3}, Stage{256, 3}, Stage{512, 1}};
  builder.begin_part("stem");
  Value value = builder.add("stem", swish_conv(32, 3), {add_focus(builder, image)});
  std::array<Value, 3> maps;
  for (std::size_t i = 0; i < kStages.size(); ++i) {
    const std::string name = fmt::format("dark{}", i + 2);
    const bool last = i + 1 == kStages.size();
    builder.begin_part(name);
    value = builder.add(name + ".conv", swish_conv(kStages[i].channels, 3, 2), {value});
    if (last) value = add_pyramid_pools(builder, value);
    value = add_csp(builder, name, value,
                    {.channels = kStages[i].channels, .bottlenecks = kStages[i].bottlenecks, .shortcut = !last});
    if (i > 0) maps[i - 1] = value;
  }
  return maps;
}

std::array<Value, 3> add_neck(GraphBuilder& builder, const std::array<Value, 3>& maps) {
  const auto up = [&](const std::string& name, const Value& value, const Value& beside) {
    const Value larger = builder.add(name + ".upsample", upsample(builder.shape(value), 2), {value});
    return builder.add(name + ".concat", Concat{}, {larger, beside});
  };
  const auto down = [&](const std::string& name, const Value& value, const Value& beside) {
    const Value smaller = builder.add(name + ".down", swish_conv(value.channels(), 3, 2), {value});
    return builder.add(name + ".concat", Concat{}, {smaller, beside});
  };
  const auto csp = [&](const std::string& name, const Value& value, std::int64_t channels) {
    return add_csp(builder, name + ".csp", value, {.channels = channels, .shortcut = false});
  };
  builder.begin_part("neck.up4");
  const Value lateral = builder.add("neck.lateral", swish_conv(256, 1), {maps[2]});
  const Value middle = csp("neck.up4", up("neck.up4", lateral, maps[1]), 256);
  builder.begin_part("neck.up3");
  const Value reduced = builder.add("neck.reduce", swish_conv(128, 1), {middle});
  const Value large = csp("neck.up3", up("neck.up3", reduced, maps[0]), 128);
  builder.begin_part("neck.down4");
  const Value medium = csp("neck.down4", down("neck.down4", large, reduced), 256);
  builder.begin_part("neck.down5");
  return {large, medium, csp("neck.down5", down("neck.down5", medium, lateral), 512)};
}

// Adds box, objectness and classes of each place of a map: 85 × places.
Value add_detection_head(GraphBuilder& builder, const std::string& name, const Value& input) {
  const auto branch = [&](const std::string& of, Value value) {
    for (const char* step : {".0", ".1"}) {
      value = builder.add(fmt::format("{}.{}{}", name, of, step), swish_conv(kHeadWidth, 3), {value});
    }
    return value;
  };
  const auto predict = [&](const std::string& what, const Value& from, std::int64_t channels, Activation activation) {
    return builder.add(fmt::format("{}.{}", name, what), conv(channels, 1, {.activation = activation}), {from});
  };
  const Value stem = builder.add(name + ".stem", swish_conv(kHeadWidth, 1), {input});
  const Value classes = predict("classes", branch("class", stem), kClasses, Activation::kSigmoid);
  const Value boxes_from = branch("box", stem);
  const Value boxes = predict("boxes", boxes_from, 4, Activation::kIdentity);
  const Value object = predict("object", boxes_from, 1, Activation::kSigmoid);
  builder.begin_unit(name + ".join", "ConcatFlatten");
  const Value all = builder.add(name + ".concat", Concat{}, {boxes, object, classes});
  const Shape shape = builder.shape(all);
  builder.add(name + ".flatten", Reshape{Shape{shape.channels(), shape.height() * shape.width()}}, {all});
  return builder.end_unit();
}

}  // namespace

Graph build_unet() {
  GraphBuilder builder("unet");
  Value value = builder.input("input", {1, 572, 572});
  std::vector<Value> beside;
  for (int level = 0; level <= kUnetLevels; ++level) {
    const std::string name = level_name("down", level);
    builder.begin_part(name);
    if (level > 0) value = builder.add(name + ".pool", max_pool(2, 2), {value});
    value = add_two_convs(builder, name, value, kUnetChannels << level);
    beside.push_back(value);
  }
  for (int level = kUnetLevels - 1; level >= 0; --level) {
    const std::string name = level_name("up", level);
    builder.begin_part(name);
    value = add_up(builder, name, value, beside[level]);
  }
  builder.begin_part("head");
  builder.add("output", linear_conv(2), {value});
  return finish(std::move(builder));
}

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

Graph build_yolox_s() {
  GraphBuilder builder("yolox_s");
  const Value image = builder.input("input", {3, 640, 640});
  const std::array<Value, 3> maps = add_neck(builder, add_backbone(builder, image));
  builder.begin_part("heads");
  std::vector<Value> found;
  for (std::size_t i = 0; i < maps.size(); ++i) {
    found.push_back(add_detection_head(builder, fmt::format("head{}", i + 3), maps[i]));
  }
  builder.add("output", Concat{1}, std::move(found));
  return finish(std::move(builder));
}

}  // namespace iosx
