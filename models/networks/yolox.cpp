#include <fmt/format.h>

#include <array>

#include "models/networks/layers.h"
#include "models/networks/networks.h"

// YOLOX-s has a backbone, a path aggregation neck and three decoupled heads.
namespace iosx {
namespace {

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
