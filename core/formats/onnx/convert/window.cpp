#include "core/formats/onnx/convert/window.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/model/graph/shape_inference.h"

namespace iosx::onnx_import {
namespace {

bool in_range(std::int64_t value, std::int64_t low) { return value >= low && value <= kMaxExtent; }
bool in_range(const Extent& extent, std::int64_t low) {
  return in_range(extent.height, low) && in_range(extent.width, low);
}

// Returns the padding along one axis so that the output has input / stride elements, rounded up.
std::int64_t same_padding(std::int64_t in, std::int64_t kernel, std::int64_t stride, std::int64_t dilation) {
  const std::int64_t out = (in + stride - 1) / stride;
  return std::max<std::int64_t>((out - 1) * stride + dilation * (kernel - 1) + 1 - in, 0);
}

void pad_to_same(Window& window, const Shape& in, bool more_at_end) {
  const Extent total{same_padding(in.height(), window.kernel.height, window.stride.height, window.dilation.height),
                     same_padding(in.width(), window.kernel.width, window.stride.width, window.dilation.width)};
  const Extent less{total.height / 2, total.width / 2};
  const Extent more{total.height - less.height, total.width - less.width};
  window.begin = more_at_end ? less : more;
  window.end = more_at_end ? more : less;
}

}  // namespace

FeatureMap feature_map(ConversionContext& call, const DraftValue& value, bool fold_batch) {
  FeatureMap map{value, 2, 1, call.lead() == 0};
  if (call.failed()) return map;
  const std::size_t lead = map.has_sample_axis ? 1 : 0;
  const std::size_t rank = value.shape.rank();
  if (rank != lead + 2 && rank != lead + 3) {
    if (rank < lead + 2) {
      call.bad(message("needs samples x channels x sizes, has {}", shape_text(value.shape)));
    } else {
      call.unsupported(message("windows over {} axes", rank - lead - 1));
    }
    return map;
  }
  map.axes = rank - lead - 1;
  if (lead == 1) map.samples = value.shape[0];
  if (map.samples > 1 && !fold_batch && map.axes == 1) {
    map.samples_are_rows = true;
    map.value = call.transpose(value, {1, 0, 2}, "rows");
    return map;
  }
  if (map.samples > 1 && !fold_batch) {
    call.unsupported(message("{} samples at once in a model that mixes them", map.samples));
    return map;
  }
  const std::int64_t height = map.axes == 2 ? value.shape[lead + 1] : 1;
  map.value = call.reshape(value, {map.samples * value.shape[lead], height, value.shape[rank - 1]});
  return map;
}

DraftValue restored(ConversionContext& call, const FeatureMap& map, const DraftValue& result) {
  if (call.failed()) return {};
  if (map.samples_are_rows) return call.transpose(result, {1, 0, 2}, "samples");
  Dims dims;
  if (map.has_sample_axis) dims.push_back(map.samples);
  dims.push_back(result.shape[0] / map.samples);
  if (map.axes == 2) dims.push_back(result.shape[1]);
  dims.push_back(result.shape[2]);
  return call.reshape(result, Shape(dims));
}

void read_pads(ConversionContext& call, Window& window, std::size_t axes) {
  const auto pads = call.integers("pads");
  if (!pads) return;
  if (pads->size() != 2 * axes) {
    call.bad(message("its attribute 'pads' has {} values instead of {}", pads->size(), 2 * axes));
    return;
  }
  const auto middle = pads->begin() + static_cast<std::ptrdiff_t>(axes);
  window.begin = extent(call, Dims(pads->begin(), middle), axes, 0, "pads");
  window.end = extent(call, Dims(middle, pads->end()), axes, 0, "pads");
}

Extent extent(ConversionContext& call, const std::optional<Dims>& values, std::size_t axes, std::int64_t absent,
              std::string_view what) {
  const std::int64_t unused = absent == 0 ? 0 : 1;
  if (!values) return axes == 2 ? Extent{absent, absent} : Extent{unused, absent};
  if (values->size() != axes) {
    call.bad(message("its attribute '{}' has {} values instead of {}", what, values->size(), axes));
    return {1, 1};
  }
  const Extent made = axes == 2 ? Extent{(*values)[0], (*values)[1]} : Extent{unused, (*values)[0]};
  if (in_range(made, unused)) return made;
  call.bad(message("its attribute '{}' [{}, {}] has values outside {}..{}", what, made.height, made.width, unused,
                   kMaxExtent));
  return {1, 1};
}

Window unpadded_window(ConversionContext& call, const FeatureMap& map, std::optional<Dims> kernel_of_weights) {
  Window window;
  const auto kernel = call.integers("kernel_shape");
  if (kernel && kernel_of_weights && *kernel != *kernel_of_weights) {
    call.bad(message("its attribute 'kernel_shape' does not match its weights"));
  } else if (!kernel && !kernel_of_weights) {
    call.bad(message("its attribute 'kernel_shape' is missing"));
  }
  window.kernel = extent(call, kernel ? kernel : kernel_of_weights, map.axes, 1, "kernel_shape");
  window.stride = extent(call, call.integers("strides"), map.axes, 1, "strides");
  window.dilation = extent(call, call.integers("dilations"), map.axes, 1, "dilations");
  return window;
}

Window window(ConversionContext& call, const FeatureMap& map, std::optional<Dims> kernel_of_weights) {
  Window window = unpadded_window(call, map, std::move(kernel_of_weights));
  const std::string automatic = call.text("auto_pad", "NOTSET");
  if (call.failed()) return {};
  if (automatic == "NOTSET") {
    read_pads(call, window, map.axes);
  } else if (automatic == "SAME_UPPER" || automatic == "SAME_LOWER") {
    pad_to_same(window, map.value.shape, automatic == "SAME_UPPER");
  } else if (automatic != "VALID") {
    call.bad(message("its attribute 'auto_pad' is '{}'", automatic));
  }
  return window;
}

}  // namespace iosx::onnx_import
