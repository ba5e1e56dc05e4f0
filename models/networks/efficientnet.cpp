#include <fmt/format.h>

#include <array>

#include "models/networks/inverted_residual.h"
#include "models/networks/networks.h"

namespace iosx {
namespace {

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
  value = builder.add("avgpool", global_average_pool(), {value});
  builder.add("fc", Linear{1000, Activation::kIdentity}, {value});
  return finish(std::move(builder));
}

}  // namespace iosx
