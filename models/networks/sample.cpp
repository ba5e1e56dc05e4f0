#include <array>

#include "models/networks/layers.h"
#include "models/networks/networks.h"

namespace iosx {

Graph build_sample() {
  GraphBuilder builder("sample");
  const Value input = builder.input("input", {375, 15, 15});
  builder.begin_part("sample");
  const std::array rows{
      Row{"conv_a", "", same_conv(375, {3, 3})},
      Row{"conv_b", "", same_conv(750, {3, 3})},
      Row{"conv_c", "", same_conv(375, {3, 3})},
      Row{"conv_d", "conv_a", same_conv(750, {3, 3})},
  };
  constexpr std::array<std::string_view, 3> kJoined{"conv_b", "conv_c", "conv_d"};
  add_branches(builder, "sample", input, rows, kJoined);
  return finish(std::move(builder));
}

}  // namespace iosx
