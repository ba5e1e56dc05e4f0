#include <fmt/format.h>

#include <array>

#include "models/networks/layers.h"
#include "models/networks/zoo.h"

namespace iosx {

Graph build_alexnet() {
  GraphBuilder builder("alexnet");
  Value value = builder.input("input", {3, 224, 224});
  builder.begin_part("features");
  const std::array features{
      Row{"conv1", "", conv(64, 11, {.stride = 4, .padding = 2})},
      Row{"pool1", "", max_pool(3, 2)},
      Row{"conv2", "", same_conv(192, {5, 5})},
      Row{"pool2", "", max_pool(3, 2)},
      Row{"conv3", "", same_conv(384, {3, 3})},
      Row{"conv4", "", same_conv(256, {3, 3})},
      Row{"conv5", "", same_conv(256, {3, 3})},
      Row{"pool5", "", max_pool(3, 2)},
  };
  value = add_chain(builder, value, features);
  builder.begin_part("classifier");
  const std::array classifier{
      Row{"fc6", "", Linear{4096, Activation::kRelu}},
      Row{"fc7", "", Linear{4096, Activation::kRelu}},
      Row{"fc8", "", Linear{1000, Activation::kIdentity}},
  };
  add_chain(builder, value, classifier);
  return finish(std::move(builder));
}

namespace {

// `depths` are the numbers of 3 × 3 convolutions before each of the five poolings. Units are called conv3_2, pool3 …
Graph build_vgg(std::string name, const std::array<int, 5>& depths) {
  constexpr std::array<std::int64_t, 5> kChannels{64, 128, 256, 512, 512};
  GraphBuilder builder(std::move(name));
  Value value = builder.input("input", {3, 224, 224});
  for (std::size_t i = 0; i < depths.size(); ++i) {
    builder.begin_part(fmt::format("conv{}", i + 1));
    for (int j = 1; j <= depths[i]; ++j) {
      value = builder.add(fmt::format("conv{}_{}", i + 1, j), same_conv(kChannels[i], {3, 3}), {value});
    }
    value = builder.add(fmt::format("pool{}", i + 1), max_pool(2, 2), {value});
  }
  builder.begin_part("classifier");
  const std::array classifier{
      Row{"fc6", "", Linear{4096, Activation::kRelu}},
      Row{"fc7", "", Linear{4096, Activation::kRelu}},
      Row{"fc8", "", Linear{1000, Activation::kIdentity}},
  };
  add_chain(builder, value, classifier);
  return finish(std::move(builder));
}

}  // namespace

Graph build_vgg16() { return build_vgg("vgg16", {2, 2, 3, 3, 3}); }
Graph build_vgg19() { return build_vgg("vgg19", {2, 2, 4, 4, 4}); }

}  // namespace iosx
