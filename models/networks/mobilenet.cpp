#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "models/networks/inverted_residual.h"
#include "models/networks/networks.h"

// MobileNetV3.
namespace iosx {
namespace {

struct MobileRow {
  std::int64_t kernel;
  std::int64_t expanded;
  std::int64_t out_channels;
  bool excited;     // has squeeze and excitation
  bool hard_swish;  // otherwise ReLU
  std::int64_t stride;
};

constexpr std::array kMobileLarge{
    MobileRow{3, 16, 16, false, false, 1}, MobileRow{3, 64, 24, false, false, 2}, MobileRow{3, 72, 24, false, false, 1},
    MobileRow{5, 72, 40, true, false, 2},  MobileRow{5, 120, 40, true, false, 1}, MobileRow{5, 120, 40, true, false, 1},
    MobileRow{3, 240, 80, false, true, 2}, MobileRow{3, 200, 80, false, true, 1}, MobileRow{3, 184, 80, false, true, 1},
    MobileRow{3, 184, 80, false, true, 1}, MobileRow{3, 480, 112, true, true, 1}, MobileRow{3, 672, 112, true, true, 1},
    MobileRow{5, 672, 160, true, true, 2}, MobileRow{5, 960, 160, true, true, 1}, MobileRow{5, 960, 160, true, true, 1},
};
constexpr std::array kMobileSmall{
    MobileRow{3, 16, 16, true, false, 2}, MobileRow{3, 72, 24, false, false, 2}, MobileRow{3, 88, 24, false, false, 1},
    MobileRow{5, 96, 40, true, true, 2},  MobileRow{5, 240, 40, true, true, 1},  MobileRow{5, 240, 40, true, true, 1},
    MobileRow{5, 120, 48, true, true, 1}, MobileRow{5, 144, 48, true, true, 1},  MobileRow{5, 288, 96, true, true, 2},
    MobileRow{5, 576, 96, true, true, 1}, MobileRow{5, 576, 96, true, true, 1},
};

constexpr Activation kHardSigmoid{ActivationKind::kHardSigmoid, 1.0F / 6, 0.5F};

// Returns a quarter of the channels, to the nearest multiple of 8, or the next one where that took more than a tenth
// away.
std::int64_t squeezed(std::int64_t channels) {
  const std::int64_t quarter = channels / 4;
  const std::int64_t rounded = std::max<std::int64_t>(8, (quarter + 4) / 8 * 8);
  return 10 * rounded < 9 * quarter ? rounded + 8 : rounded;
}

// `head` are the channels of the first linear layer.
Graph build_mobilenet(std::string graph_name, std::span<const MobileRow> rows, std::int64_t head) {
  GraphBuilder builder(std::move(graph_name));
  Value value = builder.input("input", {3, 224, 224});
  builder.begin_part("stem");
  value = builder.add("stem", padded_conv(16, 3, {.stride = 2, .activation = Activation::kHardSwish}), {value});
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const MobileRow& row = rows[i];
    const std::string name = fmt::format("block{}", i + 1);
    builder.begin_part(name);
    value =
        add_inverted_residual(builder, name, value,
                              {.expanded = row.expanded,
                               .kernel = row.kernel,
                               .stride = row.stride,
                               .out_channels = row.out_channels,
                               .activation = row.hard_swish ? Activation::kHardSwish : Activation::kRelu,
                               .excite = {.squeezed = row.excited ? squeezed(row.expanded) : 0, .gate = kHardSigmoid}});
  }
  builder.begin_part("head");
  value = builder.add("conv", conv(6 * value.channels(), 1, {.activation = Activation::kHardSwish}), {value});
  value = builder.add("avgpool", global_average_pool(), {value});
  value = builder.add("fc1", Linear{head, Activation::kHardSwish}, {value});
  builder.add("fc2", Linear{1000, Activation::kIdentity}, {value});
  return finish(std::move(builder));
}

}  // namespace

Graph build_mobilenet_v3_large() { return build_mobilenet("mobilenet_v3_large", kMobileLarge, 1280); }
Graph build_mobilenet_v3_small() { return build_mobilenet("mobilenet_v3_small", kMobileSmall, 1024); }

}  // namespace iosx
