#include <fmt/format.h>

#include <array>

#include "models/networks/layers.h"
#include "models/networks/networks.h"

namespace iosx {
namespace {

struct Fire {
  const char* name;
  std::int64_t squeeze;
  std::int64_t expand;       // channels of each of the two expand convolutions
  bool convolved_bypass;     // the bypass needs a 1 × 1 convolution where the channel count changes
  const char* pooled_after;  // name of the max pool behind the module; null for none
};

constexpr std::array kFires{
    Fire{"fire2", 16, 64, true, nullptr},  Fire{"fire3", 16, 64, false, nullptr},
    Fire{"fire4", 32, 128, true, "pool4"}, Fire{"fire5", 32, 128, false, nullptr},
    Fire{"fire6", 48, 192, true, nullptr}, Fire{"fire7", 48, 192, false, nullptr},
    Fire{"fire8", 64, 256, true, "pool8"}, Fire{"fire9", 64, 256, false, nullptr},
};

Value add_fire(GraphBuilder& builder, const Fire& fire, const Value& input) {
  const std::array rows{
      Row{"squeeze1x1", "", conv(fire.squeeze, 1)},
      Row{"expand3x3", "squeeze1x1", same_conv(fire.expand, {3, 3})},
      Row{"expand1x1", "squeeze1x1", conv(fire.expand, 1)},
  };
  constexpr std::array<std::string_view, 2> kJoined{"expand3x3", "expand1x1"};
  const std::string name = fire.name;
  const Value expanded = add_branches(builder, name, input, rows, kJoined);
  Value bypass = input;
  if (fire.convolved_bypass) bypass = builder.add(name + ".bypass", conv(2 * fire.expand, 1), {input});
  return builder.add(name + ".sum", Add{}, {expanded, bypass});
}

}  // namespace

Graph build_squeezenet() {
  GraphBuilder builder("squeezenet");
  Value value = builder.input("input", {3, 224, 224});
  builder.begin_part("stem");
  value = builder.add("conv1", conv(96, 7, {.stride = 2, .padding = 3}), {value});
  value = builder.add("pool1", max_pool(3, 2), {value});
  for (const Fire& fire : kFires) {
    builder.begin_part(fire.name);
    value = add_fire(builder, fire, value);
    if (fire.pooled_after == nullptr) continue;
    builder.begin_part(fire.pooled_after);
    value = builder.add(fire.pooled_after, max_pool(3, 2), {value});
  }
  builder.begin_part("head");
  value = builder.add("conv10", conv(1000, 1), {value});
  builder.add("pool10", global_average_pool(), {value});
  return finish(std::move(builder));
}

}  // namespace iosx
