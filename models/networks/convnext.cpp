#include <fmt/format.h>

#include <array>

#include "models/networks/layers.h"
#include "models/networks/networks.h"

// ConvNeXt-T. The factor of each channel at the end of a block is part of the weights of the convolution before it.
namespace iosx {
namespace {

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
  value = builder.add(name + ".project", conv(channels, 1, {.activation = Activation::kIdentity}), {value});
  return builder.add(name + ".add", Add{}, {value, input});
}

}  // namespace

Graph build_convnext_tiny() {
  GraphBuilder builder("convnext_tiny");
  Value value = builder.input("input", {3, 224, 224});
  for (std::size_t stage = 0; stage < kNextStages.size(); ++stage) {
    const auto [channels, blocks] = kNextStages[stage];
    const std::int64_t patch = stage == 0 ? 4 : 2;  // pixels that become one
    const std::string patches = stage == 0 ? "stem" : fmt::format("down{}", stage);
    builder.begin_part(patches);
    if (stage > 0) value = add_pixel_norm(builder, patches + ".norm", value);
    value = builder.add(patches + ".conv",
                        conv(channels, patch, {.stride = patch, .activation = Activation::kIdentity}), {value});
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

}  // namespace iosx
