#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "core/formats/onnx/convert/conversion_context.h"

// The windows of convolutions and pools, and values as feature maps. One-dimensional ones get a height of 1.
namespace iosx::onnx_import {

// A value as channels x height x width for windows, and how to shape results.
struct FeatureMap {
  DraftValue value;
  std::size_t axes = 2;           // spatial ones in the model: 1 or 2
  std::int64_t samples = 1;       // of a whole batch that was folded into the channels or the height
  bool has_sample_axis = false;   // ONNX's batch axis is in the shape
  bool samples_are_rows = false;  // rows of a height that one-dimensional windows do not use
};

// Makes a feature map of a value. Ranks other than 1 or 2 spatial axes are unsupported. A batch above 1 in the shape
// becomes channels where possible, rows where there is one spatial axis, and is otherwise unsupported.
FeatureMap feature_map(ConversionContext& call, const DraftValue& value, bool fold_batch);
DraftValue restored(ConversionContext& call, const FeatureMap& map, const DraftValue& result);

struct Window {
  Extent kernel;
  Extent stride;
  Extent dilation;
  Extent begin{0, 0};  // padding above and on the left
  Extent end{0, 0};    // below and on the right

  Extent end_padding() const { return {end.height - begin.height, end.width - begin.width}; }
};

// Returns the window of the attributes kernel_shape (or the dims of the weights), strides, dilations, pads and
// auto_pad.
Window window(ConversionContext& call, const FeatureMap& map, std::optional<Dims> kernel_of_weights);
// Returns the same without pads and auto_pad.
Window unpadded_window(ConversionContext& call, const FeatureMap& map, std::optional<Dims> kernel_of_weights);

// Reads the attribute pads.
void read_pads(ConversionContext& call, Window& window, std::size_t axes);

// Returns one value per axis as an extent, `absent` where there are none; bad if their number is not that of the axes.
Extent extent(ConversionContext& call, const std::optional<Dims>& values, std::size_t axes, std::int64_t absent,
              std::string_view what);

}  // namespace iosx::onnx_import
