#include "core/model/graph/shape_inference.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <tuple>
#include <vector>

#include "core/model/graph/operator_table.h"
#include "core/model/graph/tensor_shapes.h"

namespace iosx {
namespace {

bool in_range(std::int64_t value, std::int64_t low) { return value >= low && value <= kMaxExtent; }

Result<void> check_count(const OperatorRow& row, std::size_t inputs) {
  if (inputs >= row.least_inputs && inputs <= row.most_inputs) return {};
  if (row.least_inputs == row.most_inputs) {
    return fail(message("needs {} input(s), has {}", row.least_inputs, inputs));
  }
  return fail(message("needs at least {} inputs, has {}", row.least_inputs, inputs));
}

Result<void> check_extent(std::string_view what, const Extent& extent, std::int64_t low) {
  if (in_range(extent.height, low) && in_range(extent.width, low)) return {};
  return fail(message("{} [{}, {}] must lie in {}..{}", what, extent.height, extent.width, low, kMaxExtent));
}

// Output size of a sliding window along one axis; 0 when the window does not fit.
std::int64_t windowed(std::int64_t in, std::int64_t kernel, std::int64_t stride, std::int64_t padding,
                      std::int64_t end_padding, std::int64_t dilation, bool ceil_mode) {
  const std::int64_t reach = in + 2 * padding + end_padding - dilation * (kernel - 1) - 1;
  if (reach < 0) return 0;
  std::int64_t out = reach / stride + 1;
  if (ceil_mode && reach % stride != 0) {
    // The extra window must start inside the input or its left padding.
    if (out * stride < in + padding) ++out;
  }
  return out;
}

// Of as many inputs as the operator's row says.
struct Infer {
  std::span<const Shape> inputs;

  Result<void> need_feature_map() const {
    if (inputs.front().is_feature_map()) return {};
    return fail(message("needs channels x height x width, has {}", shape_text(inputs.front())));
  }

  Result<Shape> window(std::int64_t channels, const Extent& kernel, const Extent& stride, const Extent& padding,
                       const Extent& end_padding, const Extent& dilation, bool ceil_mode) const {
    IOS_TRY(check_extent("kernel", kernel, 1));
    IOS_TRY(check_extent("stride", stride, 1));
    IOS_TRY(check_extent("padding", padding, 0));
    IOS_TRY(check_extent("dilation", dilation, 1));
    const Extent end{padding.height + end_padding.height, padding.width + end_padding.width};
    IOS_TRY(check_extent("end padding", end, 0));
    const Shape& in = inputs.front();
    const Shape out{
        channels,
        windowed(in.height(), kernel.height, stride.height, padding.height, end_padding.height, dilation.height,
                 ceil_mode),
        windowed(in.width(), kernel.width, stride.width, padding.width, end_padding.width, dilation.width, ceil_mode)};
    if (out.height() < 1 || out.width() < 1) {
      return fail(message("kernel [{}, {}] does not fit the input {}", kernel.height, kernel.width, shape_text(in)));
    }
    return checked_shape(out);
  }

  Result<Shape> operator()(const Input& input) const { return checked_shape(input.shape); }
  Result<Shape> operator()(const Constant& constant) const { return checked_shape(constant.shape); }

  // The error that channels, groups and kernel do not fit, if any. in_channels and out_channels: of the weights.
  Result<void> check_weights(std::int64_t out_channels, std::int64_t groups, const Extent& kernel) const {
    if (!in_range(out_channels, 1)) {
      return fail(message("output channels {} must lie in 1..{}", out_channels, kMaxExtent));
    }
    const std::int64_t in_channels = inputs.front().channels();
    if (groups < 1 || in_channels % groups != 0 || out_channels % groups != 0) {
      return fail(
          message("groups {} must divide the {} input and the {} output channels", groups, in_channels, out_channels));
    }
    if (auto ok = check_extent("kernel", kernel, 1); !ok) return ok;
    // Two factors of at most 2^24 each, then a comparison before every further product.
    std::int64_t weights = out_channels * (in_channels / groups);
    for (const auto size : {kernel.height, kernel.width}) {
      if (weights > kMaxElements / size) return fail(message("has more than {} weights", kMaxElements));
      weights *= size;
    }
    return {};
  }

  Result<Shape> operator()(const Conv& conv) const {
    IOS_TRY(need_feature_map());
    IOS_TRY(check_weights(conv.out_channels, conv.groups, conv.kernel));
    return window(conv.out_channels, conv.kernel, conv.stride, conv.padding, conv.end_padding, conv.dilation, false);
  }

  Result<Shape> operator()(const ConvTranspose& conv) const {
    IOS_TRY(need_feature_map());
    IOS_TRY(check_weights(conv.out_channels, conv.groups, conv.kernel));
    for (const auto& [name, extent, low] :
         {std::tuple{"stride", conv.stride, 1}, std::tuple{"dilation", conv.dilation, 1},
          std::tuple{"padding", conv.padding, 0}, std::tuple{"output padding", conv.output_padding, 0}}) {
      IOS_TRY(check_extent(name, extent, low));
    }
    const auto size = [](std::int64_t in, std::int64_t kernel, std::int64_t stride, std::int64_t crop,
                         std::int64_t dilation,
                         std::int64_t extra) { return (in - 1) * stride + dilation * (kernel - 1) + 1 - crop + extra; };
    const Shape& in = inputs.front();
    return checked_shape(
        Shape{conv.out_channels,
              size(in.height(), conv.kernel.height, conv.stride.height,
                   2 * conv.padding.height + conv.end_padding.height, conv.dilation.height, conv.output_padding.height),
              size(in.width(), conv.kernel.width, conv.stride.width, 2 * conv.padding.width + conv.end_padding.width,
                   conv.dilation.width, conv.output_padding.width)});
  }

  Result<Shape> operator()(const Pool& pool) const {
    IOS_TRY(need_feature_map());
    const auto channels = inputs.front().channels();
    if (pool.kind == PoolKind::kGlobalMax || pool.kind == PoolKind::kGlobalAverage) return Shape{channels, 1, 1};
    IOS_TRY(check_extent("kernel", pool.kernel, 1));
    IOS_TRY(check_extent("padding", pool.padding, 0));
    IOS_TRY(check_extent("dilation", pool.dilation, 1));
    const auto too_much = [](std::int64_t padding, std::int64_t extra, std::int64_t kernel, std::int64_t dilation) {
      return std::max(padding, padding + extra) > dilation * (kernel - 1);
    };
    if (too_much(pool.padding.height, pool.end_padding.height, pool.kernel.height, pool.dilation.height) ||
        too_much(pool.padding.width, pool.end_padding.width, pool.kernel.width, pool.dilation.width)) {
      return fail(message("padding [{}, {}] before and [{}, {}] after must be smaller than the kernel [{}, {}]",
                          pool.padding.height, pool.padding.width, pool.padding.height + pool.end_padding.height,
                          pool.padding.width + pool.end_padding.width, pool.kernel.height, pool.kernel.width));
    }
    return window(channels, pool.kernel, pool.stride, pool.padding, pool.end_padding, pool.dilation, pool.ceil_mode);
  }

  Result<Shape> operator()(const Linear& linear) const {
    const auto dims = inputs.front().dims();
    if (linear.axis > 0 && linear.axis >= dims.size()) {
      return fail(message("axis {} is outside its input of {} axes", linear.axis, dims.size()));
    }
    std::vector<std::int64_t> made(dims.begin(), dims.begin() + static_cast<std::ptrdiff_t>(linear.axis));
    made.push_back(linear.out_features);
    auto out = checked_shape(Shape(made));
    if (out && linear.out_features > kMaxElements / inputs.front().elements_from(linear.axis)) {
      return fail(message("has more than {} weights", kMaxElements));
    }
    return out;
  }

  // tensor_shapes.h has the rest.
  template <typename Kind>
  requires requires(const Kind& kind, std::span<const Shape> shapes) { infer_tensor_shape(kind, shapes); }
  Result<Shape> operator()(const Kind& kind) const { return infer_tensor_shape(kind, inputs); }
};

}  // namespace

Result<Shape> infer_shape(const Attributes& attributes, std::span<const Shape> inputs) {
  IOS_TRY(check_count(operator_row(attributes), inputs.size()));
  if (const Activation fused = fused_activation(attributes); !activation_row(fused.kind).fuses) {
    return fail(message("cannot apply {} itself", activation_name(fused)));
  }
  return visit_kind(Infer{inputs}, attributes);
}

}  // namespace iosx
