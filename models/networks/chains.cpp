#include <fmt/format.h>

#include <array>

#include "models/networks/layers.h"
#include "models/networks/zoo.h"

namespace iosx {
namespace {

Graph finish_with_classifier(GraphBuilder builder, const Value& value) {
  builder.begin_part("classifier");
  add_chain(builder, value,
            {{"fc6", "", Linear{4096, Activation::kRelu}},
             {"fc7", "", Linear{4096, Activation::kRelu}},
             {"fc8", "", Linear{1000, Activation::kIdentity}}});
  return finish(std::move(builder));
}

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
  return finish_with_classifier(std::move(builder), value);
}

}  // namespace

Graph build_alexnet() {
  GraphBuilder builder("alexnet");
  Value value = builder.input("input", {3, 224, 224});
  builder.begin_part("features");
  value = add_chain(builder, value,
                    {{"conv1", "", conv(64, 11, {.stride = 4, .padding = 2})},
                     {"pool1", "", max_pool(3, 2)},
                     {"conv2", "", same_conv(192, {5, 5})},
                     {"pool2", "", max_pool(3, 2)},
                     {"conv3", "", same_conv(384, {3, 3})},
                     {"conv4", "", same_conv(256, {3, 3})},
                     {"conv5", "", same_conv(256, {3, 3})},
                     {"pool5", "", max_pool(3, 2)}});
  return finish_with_classifier(std::move(builder), value);
}

Graph build_vgg16() { return build_vgg("vgg16", {2, 2, 3, 3, 3}); }
Graph build_vgg19() { return build_vgg("vgg19", {2, 2, 4, 4, 4}); }

}  // namespace iosx
