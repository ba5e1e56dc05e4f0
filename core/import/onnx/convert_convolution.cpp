#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/graph/shape_inference.h"
#include "core/import/onnx/window.h"

namespace iosx::onnx_import {
namespace {

// Weights with one entry for each axis of the kernel, as rank 4.
struct Weights {
  Tensor tensor;
  Dims kernel;  // of the model's axes
};

Weights weights(Call& call, const FeatureMap& map) {
  const HostTensor* const tensor = call.floats(1);
  if (call.failed()) return {};
  if (tensor->dims().size() != map.axes + 2 || tensor->elements() == 0) {
    call.bad(fmt::format("its weights have {} axes and {} elements", tensor->rank(), tensor->elements()));
    return {};
  }
  Dims dims(tensor->dims().begin(), tensor->dims().end());
  Dims kernel(dims.begin() + 2, dims.end());
  if (map.axes == 1) dims.insert(dims.begin() + 2, 1);
  return {tensor->with_dims(std::move(dims)).to_tensor(), std::move(kernel)};
}

Tensor bias(Call& call, std::int64_t channels) {
  if (!call.given(2)) return {};
  const HostTensor* const tensor = call.floats(2);
  if (call.failed()) return {};
  if (tensor->rank() != 1 || tensor->elements() != channels) {
    call.bad(fmt::format("its bias has {} elements for {} channels", tensor->elements(), channels));
    return {};
  }
  return tensor->to_tensor();
}

std::int64_t groups(Call& call, std::int64_t channels) {
  const std::int64_t groups = call.integer("group", 1);
  if (groups >= 1 && channels % groups == 0) return groups;
  call.bad(fmt::format("its {} groups do not divide {} channels", groups, channels));
  return 1;
}

Converted convert_conv(Call& call) {
  const FeatureMap map = feature_map(call, call.value(0), false);
  const Weights taken = weights(call, map);
  const Window shape = window(call, map, taken.kernel);
  if (call.failed()) return {};
  const std::int64_t channels = map.value.shape.channels();
  const auto dims = taken.tensor.dims();
  Conv conv;
  conv.out_channels = dims[0];
  conv.groups = groups(call, channels);
  if (!call.failed() && dims[1] != channels / conv.groups) {
    call.bad(fmt::format("its weights are for {} channels in {} groups, its input has {}", dims[1] * conv.groups,
                         conv.groups, channels));
  }
  conv.kernel = shape.kernel;
  conv.stride = shape.stride;
  conv.dilation = shape.dilation;
  conv.padding = shape.begin;
  conv.end_padding = shape.end_padding();
  Tensor given = bias(call, conv.out_channels);
  return {restored(call, map, call.add(conv, {map.value}, taken.tensor, std::move(given)))};
}

// How a transposed convolution's full output is cropped along one axis.
struct Crop {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  std::int64_t extra = 0;  // added to the output after the crop
};

// To the wanted size; ONNX's text on ConvTranspose has the formula.
Crop crop_to(std::int64_t full, std::int64_t extra, std::int64_t wanted, bool more_at_end) {
  const std::int64_t total = full + extra - wanted;
  if (total < 0) return {0, 0, extra - total};
  const std::int64_t less = total / 2;
  return more_at_end ? Crop{less, total - less, extra} : Crop{total - less, less, extra};
}

struct Crops {
  Crop height;
  Crop width;
};

Crops crops(Call& call, const FeatureMap& map, const Window& shape) {
  const Shape& in = map.value.shape;
  const Extent extra = extent(call, call.integers("output_padding"), map.axes, 0, "output_padding");
  const std::string automatic = call.text("auto_pad", "NOTSET");
  auto wanted = call.integers("output_shape");
  if (call.failed()) return {};
  // Some exporters write all axes.
  if (wanted && wanted->size() == map.axes + 2) wanted->erase(wanted->begin(), wanted->begin() + 2);
  const Extent full{(in.height() - 1) * shape.stride.height + shape.dilation.height * (shape.kernel.height - 1) + 1,
                    (in.width() - 1) * shape.stride.width + shape.dilation.width * (shape.kernel.width - 1) + 1};
  const bool same = automatic == "SAME_UPPER" || automatic == "SAME_LOWER";
  if (wanted || same) {
    Extent to{in.height() * shape.stride.height, in.width() * shape.stride.width};
    if (wanted) to = extent(call, wanted, map.axes, 1, "output_shape");
    if (map.axes == 1) to.height = in.height();  // 1, or samples
    const bool more_at_end = automatic == "SAME_UPPER";
    return {crop_to(full.height, extra.height, to.height, more_at_end),
            crop_to(full.width, extra.width, to.width, more_at_end)};
  }
  Window pads = shape;
  if (automatic == "NOTSET") {
    read_pads(call, pads, map.axes);
  } else if (automatic != "VALID") {
    call.bad(fmt::format("its attribute 'auto_pad' is '{}'", automatic));
  }
  return {{pads.begin.height, pads.end.height, extra.height}, {pads.begin.width, pads.end.width, extra.width}};
}

Converted convert_conv_transpose(Call& call) {
  const FeatureMap map = feature_map(call, call.value(0), false);
  const Weights taken = weights(call, map);
  const Window shape = unpadded_window(call, map, taken.kernel);
  if (call.failed()) return {};
  const auto dims = taken.tensor.dims();
  const std::int64_t channels = map.value.shape.channels();
  if (dims[0] != channels) {
    call.bad(fmt::format("its weights are for {} channels, its input has {}", dims[0], channels));
  }
  ConvTranspose conv;
  conv.groups = groups(call, channels);
  if (call.failed()) return {};
  if (dims[1] > kMaxExtent / conv.groups) call.bad("has too many output channels");
  conv.out_channels = dims[1] * conv.groups;
  conv.kernel = shape.kernel;
  conv.stride = shape.stride;
  conv.dilation = shape.dilation;
  const auto [height, width] = crops(call, map, shape);
  conv.padding = {height.begin, width.begin};
  conv.end_padding = {height.end - height.begin, width.end - width.begin};
  conv.output_padding = {height.extra, width.extra};
  Tensor given = bias(call, conv.out_channels);
  return {restored(call, map, call.add(conv, {map.value}, taken.tensor, std::move(given)))};
}

constexpr std::array kConvolutionConverters{Converter{"Conv", convert_conv},
                                            Converter{"ConvTranspose", convert_conv_transpose}};

}  // namespace

std::span<const Converter> convolution_converters() { return kConvolutionConverters; }

}  // namespace iosx::onnx_import
