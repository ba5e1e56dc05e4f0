#include <fmt/format.h>

#include <array>

#include "models/networks/layers.h"
#include "models/networks/networks.h"

// RegNetY-800MF.
namespace iosx {
namespace {

constexpr std::int64_t kGroupWidth = 16;

struct RegStage {
  std::int64_t channels;
  int blocks;
};
constexpr std::array kRegStages{RegStage{64, 1}, RegStage{144, 3}, RegStage{320, 8}, RegStage{784, 2}};

Value add_reg_block(GraphBuilder& builder, const std::string& name, const Value& input, std::int64_t channels,
                    std::int64_t stride) {
  const std::int64_t squeezed = (input.channels() + 2) / 4;  // a quarter of the input's, rounded
  Value value = builder.add(name + ".a", conv(channels, 1), {input});
  value =
      builder.add(name + ".b", padded_conv(channels, 3, {.stride = stride, .groups = channels / kGroupWidth}), {value});
  value = add_squeeze_excite(builder, name, value, {.squeezed = squeezed});
  value = builder.add(name + ".c", conv(channels, 1, {.activation = Activation::kIdentity}), {value});
  Value shortcut = input;
  if (stride != 1 || input.channels() != channels) {
    shortcut = builder.add(name + ".proj", conv(channels, 1, {.stride = stride, .activation = Activation::kIdentity}),
                           {input});
  }
  return add_sum_relu(builder, name, {value, shortcut});
}

}  // namespace

Graph build_regnet_y_800mf() {
  GraphBuilder builder("regnet_y_800mf");
  Value value = builder.input("input", {3, 224, 224});
  builder.begin_part("stem");
  value = builder.add("stem", padded_conv(32, 3, {.stride = 2}), {value});
  for (std::size_t stage = 0; stage < kRegStages.size(); ++stage) {
    for (int i = 0; i < kRegStages[stage].blocks; ++i) {
      const std::string name = fmt::format("block{}.{}", stage + 1, i);
      builder.begin_part(name);
      value = add_reg_block(builder, name, value, kRegStages[stage].channels, i == 0 ? 2 : 1);
    }
  }
  builder.begin_part("head");
  value = builder.add("avgpool", global_average_pool(), {value});
  builder.add("fc", Linear{1000, Activation::kIdentity}, {value});
  return finish(std::move(builder));
}

}  // namespace iosx
