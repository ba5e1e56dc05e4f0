#include <fmt/format.h>

#include <array>

#include "core/formats/onnx/convert/window.h"

namespace iosx::onnx_import {
namespace {

Converted convert_window_pool(ConversionContext& call, PoolKind kind) {
  const FeatureMap map = feature_map(call, call.value(0), true);
  const Window shape = window(call, map, std::nullopt);
  Pool pool;
  pool.kind = kind;
  pool.ceil_mode = call.integer("ceil_mode", 0) != 0;
  pool.count_padding = kind == PoolKind::kMax || call.integer("count_include_pad", 0) != 0;
  if (call.failed()) return {};
  pool.kernel = shape.kernel;
  pool.stride = shape.stride;
  pool.padding = shape.begin;
  pool.end_padding = shape.end_padding();
  pool.dilation = shape.dilation;
  if (kind == PoolKind::kAverage && shape.dilation != Extent{})
    call.unsupported(message("average pooling with dilation"));
  return {restored(call, map, call.add(pool, {map.value}))};
}

Converted convert_max_pool(ConversionContext& call) {
  if (call.used(1)) call.unsupported(message("the positions of the maxima"));
  return convert_window_pool(call, PoolKind::kMax);
}

Converted convert_average_pool(ConversionContext& call) { return convert_window_pool(call, PoolKind::kAverage); }

DraftValue global_pool(ConversionContext& call, const DraftValue& value, PoolKind kind) {
  const FeatureMap map = feature_map(call, value, true);
  Pool pool;
  pool.kind = kind;
  return restored(call, map, call.add(pool, {map.value}));
}

// Reduces over the axes from `from` on, which stay with a size of 1.
DraftValue reduced_from(ConversionContext& call, ReduceKind kind, const DraftValue& value, std::size_t from) {
  Reduce mean{kind, {}, true};
  for (std::size_t axis = from; axis < value.shape.rank(); ++axis) mean.axes.push_back(axis);
  return call.add(mean, {value});
}

Converted convert_global_average_pool(ConversionContext& call) {
  const DraftValue value = call.value(0);
  if (call.failed()) return {};
  if (call.rank(value) < 3) call.bad(message("needs samples x channels x sizes"));
  if (call.rank(value) == 4) return {global_pool(call, value, PoolKind::kGlobalAverage)};
  return {reduced_from(call, ReduceKind::kMean, value, 2 - call.lead())};
}

Converted convert_global_max_pool(ConversionContext& call) {
  return {global_pool(call, call.value(0), PoolKind::kGlobalMax)};
}

Converted convert_global_lp_pool(ConversionContext& call) {
  const DraftValue value = call.value(0);
  const std::int64_t p = call.integer("p", 2);
  if (p != 1 && p != 2) call.unsupported(message("the norm of order {}", p));
  if (call.failed()) return {};
  if (call.rank(value) < 3) call.bad(message("needs samples x channels x sizes"));
  return {reduced_from(call, p == 1 ? ReduceKind::kL1 : ReduceKind::kL2, value, 2 - call.lead())};
}

// Samples that are an axis of the shape become channels of one map, with zeros between them, which add nothing.
Converted convert_lrn(ConversionContext& call) {
  const DraftValue value = call.value(0);
  Lrn lrn;
  lrn.size = call.integer("size", 0);
  lrn.alpha = call.number("alpha", 1e-4F);
  lrn.beta = call.number("beta", 0.75F);
  lrn.bias = call.number("bias", 1);
  if (call.failed()) return {};
  if (call.rank(value) < 2) call.bad(message("needs samples x channels"));
  if (lrn.size < 1 || lrn.size > kMaxExtent) call.bad(message("size {} must lie in 1..{}", lrn.size, kMaxExtent));
  if (call.failed()) return {};
  if (call.lead() == 1 && value.shape.rank() == 3) return {call.add(lrn, {value})};
  const std::size_t lead = 1 - call.lead();
  const std::int64_t samples = lead == 1 ? value.shape[0] : 1;
  const std::int64_t channels = value.shape[lead];
  const bool image = value.shape.rank() == lead + 3;
  const std::int64_t height = image ? value.shape[lead + 1] : 1;
  const std::int64_t width = value.shape.elements() / (samples * channels * height);
  const std::int64_t gap = samples > 1 ? lrn.size - 1 : 0;
  if (channels + gap > kMaxExtent / samples) call.unsupported(message("{} channels at once", channels));
  if (call.failed()) return {};
  DraftValue made = call.reshape(value, Shape{samples, channels, height, width}, "samples");
  if (gap > 0) made = call.add(Pad{PadMode::kConstant, {0, 0, 0, 0}, {0, gap, 0, 0}, 0}, {made}, {}, {}, "apart");
  made = call.reshape(made, Shape{samples * (channels + gap), height, width}, "channels");
  made = call.add(lrn, {made}, {}, {}, samples > 1 ? "lrn" : "");
  if (gap > 0) {
    made = call.reshape(made, Shape{samples, channels + gap, height, width}, "of_samples");
    const Slice own{{0, 0, 0, 0}, {1, 1, 1, 1}, Shape{samples, channels, height, width}};
    made = call.add(own, {made}, {}, {}, "together");
  }
  return {call.reshape(made, value.shape)};
}

constexpr std::array kPoolConverters{
    Converter{"AveragePool", convert_average_pool},
    Converter{"GlobalAveragePool", convert_global_average_pool},
    Converter{"GlobalMaxPool", convert_global_max_pool},
    Converter{"LRN", convert_lrn},
    Converter{"MaxPool", convert_max_pool},
    Converter{"GlobalLpPool", convert_global_lp_pool},
};

}  // namespace

std::span<const Converter> pool_converters() { return kPoolConverters; }

}  // namespace iosx::onnx_import
