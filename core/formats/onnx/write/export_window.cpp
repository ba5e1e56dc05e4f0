#include <algorithm>
#include <array>

#include "core/formats/onnx/write/export_kinds.h"

// Writes convolutions and pooling as ONNX nodes.
namespace iosx::onnx_import {
namespace {

using List = std::vector<std::int64_t>;

List list(const Extent& extent) { return {extent.height, extent.width}; }

List pads(const Extent& begin, const Extent& extra) {
  return {begin.height, begin.width, begin.height + extra.height, begin.width + extra.width};
}

// A sliding window along one axis.
struct Axis {
  std::int64_t in;
  std::int64_t out;
  std::int64_t kernel;
  std::int64_t stride;
  std::int64_t begin;  // padding before
  std::int64_t end;    // and after
  std::int64_t dilation;

  std::int64_t reach() const { return dilation * (kernel - 1) + 1; }
  // Returns how far the last window hangs over the padded input.
  std::int64_t overhang() const { return std::max<std::int64_t>((out - 1) * stride + reach() - (begin + in + end), 0); }
  // Returns the output's size rounded up, without a rule for where the last window may start.
  std::int64_t rounded_up() const { return (begin + in + end - reach() + stride - 1) / stride + 1; }
};

std::array<Axis, 2> window_axes(const Pool& pool, const Shape& in, const Shape& out) {
  return {Axis{in.height(), out.height(), pool.kernel.height, pool.stride.height, pool.padding.height,
               pool.padding.height + pool.end_padding.height, pool.dilation.height},
          Axis{in.width(), out.width(), pool.kernel.width, pool.stride.width, pool.padding.width,
               pool.padding.width + pool.end_padding.width, pool.dilation.width}};
}

}  // namespace

void GraphExport::Kinds::operator()(const Conv& conv) const {
  const std::string weights = to.floats("weights", to.graph_.parameters()->weights(to.id_));
  const std::string bias = to.bias("bias");
  const std::string in = to.in();
  const std::string out = to.before(conv.activation);
  onnx::NodeProto& node = to.main_node("Conv", {in, weights, bias}, out);
  set(node, "kernel_shape", list(conv.kernel));
  set(node, "strides", list(conv.stride));
  set(node, "pads", pads(conv.padding, conv.end_padding));
  set(node, "dilations", list(conv.dilation));
  set(node, "group", conv.groups);
  to.fused(conv.activation, out);
}

void GraphExport::Kinds::operator()(const ConvTranspose& conv) const {
  const std::string weights = to.floats("weights", to.graph_.parameters()->weights(to.id_));
  const std::string bias = to.bias("bias");
  const std::string in = to.in();
  const std::string out = to.before(conv.activation);
  onnx::NodeProto& node = to.main_node("ConvTranspose", {in, weights, bias}, out);
  // A negative crop at the end adds to the output's size.
  List crop = pads(conv.padding, conv.end_padding);
  List extra = list(conv.output_padding);
  for (std::size_t axis = 0; axis < 2; ++axis) {
    extra[axis] -= std::min<std::int64_t>(crop[axis + 2], 0);
    crop[axis + 2] = std::max<std::int64_t>(crop[axis + 2], 0);
  }
  set(node, "kernel_shape", list(conv.kernel));
  set(node, "strides", list(conv.stride));
  set(node, "pads", crop);
  set(node, "output_padding", extra);
  set(node, "dilations", list(conv.dilation));
  set(node, "group", conv.groups);
  to.fused(conv.activation, out);
}

// ONNX's runtimes do not agree on ceil_mode where the last window would start in the padding at the end, nor on what
// count_include_pad counts of a window that hangs over the padding. Such a pool is written without them, with padding
// at the end that makes the output as large as ours, and with padding that counts as a node of its own.
void GraphExport::Kinds::operator()(const Pool& pool) const {
  std::string in = to.in();
  if (pool.kind == PoolKind::kGlobalMax || pool.kind == PoolKind::kGlobalAverage) {
    to.main_node(pool.kind == PoolKind::kGlobalMax ? "GlobalMaxPool" : "GlobalAveragePool", {in}, to.result_);
    return;
  }
  const bool average = pool.kind == PoolKind::kAverage;
  const auto [height, width] = window_axes(pool, to.shape(0), to.op_->output);
  const bool hangs_over = height.overhang() > 0 || width.overhang() > 0;
  const bool agreed = !pool.ceil_mode || (height.rounded_up() == height.out && width.rounded_up() == width.out);
  const bool padded = height.begin + height.end + width.begin + width.end > 0;
  bool counts = average && pool.count_padding && padded;
  List amounts{height.begin, width.begin, height.end, width.end};
  if (counts && hangs_over) {
    const List around{0, 0, height.begin, width.begin, 0, 0, height.end, width.end};
    in = to.helper("Pad", {in, to.integers("pads", around)}, "padded");
    amounts = {0, 0, 0, 0};
    counts = false;
  }
  const bool spelled_out = !agreed;
  if (spelled_out) {
    amounts[2] += height.overhang();
    amounts[3] += width.overhang();
    if (amounts[2] >= pool.kernel.height || amounts[3] >= pool.kernel.width) {
      to.refuse(message("rounds its output size up over a dilated window, which ONNX cannot do"),
                message("set ceil_mode to false"));
    }
  }
  onnx::NodeProto& node = to.main_node(average ? "AveragePool" : "MaxPool", {in}, to.result_);
  set(node, "kernel_shape", list(pool.kernel));
  set(node, "strides", list(pool.stride));
  set(node, "pads", amounts);
  set(node, "ceil_mode", std::int64_t{pool.ceil_mode && !spelled_out ? 1 : 0});
  if (average) {
    set(node, "count_include_pad", std::int64_t{counts ? 1 : 0});
  } else {
    set(node, "dilations", list(pool.dilation));
  }
}

}  // namespace iosx::onnx_import
