#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/graph/builder.h"

// Shorthands of the zoo's builders. Convolutions include their folded batch normalisation.
namespace iosx {

struct ConvOptions {
  std::int64_t stride = 1;
  std::int64_t padding = 0;
  std::int64_t groups = 1;
  Activation activation = Activation::kRelu;
};

// The kernel is square.
Conv conv(std::int64_t out_channels, std::int64_t kernel, const ConvOptions& options = {});
// Without activation.
Conv linear_conv(std::int64_t out_channels, std::int64_t kernel = 1, std::int64_t stride = 1);
// The stride is 1; the padding keeps height and width for an odd kernel.
Conv same_conv(std::int64_t out_channels, Extent kernel, Activation activation = Activation::kRelu);

// The padding keeps height and width for an odd kernel at stride 1; the options' padding is ignored.
Conv padded_conv(std::int64_t out_channels, std::int64_t kernel, ConvOptions options = {});
// Padded in the same way; its filters have one channel each.
Conv depthwise_conv(std::int64_t channels, std::int64_t kernel, std::int64_t stride, Activation activation);

Pool max_pool(std::int64_t kernel, std::int64_t stride, std::int64_t padding = 0, bool ceil_mode = false);
Pool average_pool(std::int64_t kernel, std::int64_t stride, std::int64_t padding = 0);
Pool global_average_pool();

// One line of a block's table: a unit of one operator that reads one other row, or the block's input.
struct Row {
  std::string_view name;
  std::string_view reads;  // name of an earlier row; empty: the block's input
  Attributes attributes;
};
using Rows = std::vector<Row>;
using Names = std::vector<std::string_view>;

// Adds the rows in order as units "BLOCK.NAME", then the concatenation of the rows named in `joined` as "BLOCK.concat".
Value add_branches(GraphBuilder& builder, const std::string& block, const Value& input, const Rows& rows,
                   const Names& joined);

// Adds the rows in order, each reading the previous one; row names are unit names. `reads` must be empty.
Value add_chain(GraphBuilder& builder, Value input, const Rows& rows);

// Adds one unit: the values of a term are added, then the terms are concatenated. Its operators are the sums, in order,
// then the concatenation; one term of several values is a sum only.
Value add_join(GraphBuilder& builder, const std::string& name, const std::vector<std::vector<Value>>& terms);

// add_relu_separable() adds one unit: ReLU, depthwise and pointwise convolution, preceded by the sum of the inputs if
// there are several.
struct SeparableOptions {
  std::int64_t out_channels = 0;
  std::int64_t kernel = 3;
  std::int64_t stride = 1;
  bool mean = false;  // the depthwise weights compute a mean, for networks whose many sums would overflow
};
Value add_relu_separable(GraphBuilder& builder, const std::string& name, std::vector<Value> inputs,
                         const SeparableOptions& options);

// Adds one unit: the sum of the values, then ReLU.
Value add_sum_relu(GraphBuilder& builder, const std::string& name, std::vector<Value> values);

// add_squeeze_excite() adds four units "NAME.se.…": the value times a factor per channel, which two 1 × 1 convolutions
// compute from the channels' means.
struct SqueezeExcite {
  std::int64_t squeezed = 0;  // channels between the two
  Activation inner = Activation::kRelu;
  Activation gate = Activation::kSigmoid;
};
Value add_squeeze_excite(GraphBuilder& builder, const std::string& name, const Value& value,
                         const SqueezeExcite& options);

// Multiplies height and width by `factor`; each pixel is repeated.
Resize upsample(const Shape& map, std::int64_t factor);

// Returns the graph of a builder without user input that could be wrong.
Graph finish(GraphBuilder builder);
// Adds the means of all channels and a linear layer for ImageNet's 1000 classes, then does the same.
Graph classify(GraphBuilder builder, Value value);

// The block of mobile networks: a 1 × 1 convolution expands the channels, then a depthwise one, squeeze and
// excitation, and a linear 1 × 1 convolution to fewer channels, with the input added where it fits.
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
