#include <fmt/format.h>

#include "models/networks/layers.h"
#include "models/networks/networks.h"

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
  builder.add("output", conv(2, 1, {.activation = Activation::kIdentity}), {value});
  return finish(std::move(builder));
}

}  // namespace iosx
