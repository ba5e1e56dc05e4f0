#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/networks/layers.h"

// The block of mobile networks: a 1 × 1 convolution expands the channels, then a depthwise one, squeeze and
// excitation, and a linear 1 × 1 convolution to fewer channels, with the input added where it fits.
namespace iosx {

struct InvertedResidual {
  std::int64_t expanded = 0;  // channels of the depthwise convolution; the input's number: no expansion
  std::int64_t kernel = 3;
  std::int64_t stride = 1;
  std::int64_t out_channels = 0;
  Activation activation = Activation::kRelu;
  SqueezeExcite excite = {};  // none: no squeeze
};
Value add_inverted_residual(GraphBuilder& builder, const std::string& name, const Value& input,
                            const InvertedResidual& block);

// Adds the stem and the 16 blocks of EfficientNet-B0, a part each, and returns the outputs of its seven stages, of 16,
// 24, 40, 80, 112, 192 and 320 channels.
std::vector<Value> add_efficientnet_b0_stages(GraphBuilder& builder, const Value& input);

}  // namespace iosx
