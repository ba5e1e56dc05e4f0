#include "core/graph/shape_inference.h"

#include <fmt/format.h>

#include <algorithm>

namespace iosx {
namespace {

std::string text(const Shape& shape) { return fmt::format("{}x{}x{}", shape.channels, shape.height, shape.width); }

bool in_range(std::int64_t value, std::int64_t low) { return value >= low && value <= kMaxExtent; }

Result<Shape> checked(const Shape& shape) {
  for (const auto size : {shape.channels, shape.height, shape.width}) {
    if (!in_range(size, 1))
      return fail(fmt::format("the output {} has a dimension outside 1..{}", text(shape), kMaxExtent));
  }
  // Each factor is at most 2^24, so the first product fits and the second is compared before it is made.
  if (shape.channels * shape.height > kMaxElements / shape.width) {
    return fail(fmt::format("the output {} has more than {} elements", text(shape), kMaxElements));
  }
  return shape;
}

Result<void> check_extent(std::string_view what, const Extent& extent, std::int64_t low) {
  if (in_range(extent.height, low) && in_range(extent.width, low)) return {};
  return fail(fmt::format("{} [{}, {}] must lie in {}..{}", what, extent.height, extent.width, low, kMaxExtent));
}

// Output size of a sliding window along one axis; 0 when the window does not fit.
std::int64_t windowed(std::int64_t in, std::int64_t kernel, std::int64_t stride, std::int64_t padding,
                      std::int64_t dilation, bool ceil_mode) {
  const std::int64_t reach = in + 2 * padding - dilation * (kernel - 1) - 1;
  if (reach < 0) return 0;
  std::int64_t out = reach / stride + 1;
  if (ceil_mode && reach % stride != 0) {
    // The extra window must start inside the input or its left padding.
    if (out * stride < in + padding) ++out;
  }
  return out;
}

struct Infer {
  std::span<const Shape> inputs;

  Result<void> need_inputs(std::size_t least, std::size_t most) const {
    if (inputs.size() >= least && inputs.size() <= most) return {};
    if (least == most) return fail(fmt::format("needs {} input(s), has {}", least, inputs.size()));
    return fail(fmt::format("needs at least {} inputs, has {}", least, inputs.size()));
  }

  Result<Shape> window(std::int64_t channels, const Extent& kernel, const Extent& stride, const Extent& padding,
                       const Extent& dilation, bool ceil_mode) const {
    if (auto ok = check_extent("kernel", kernel, 1); !ok) return tl::unexpected(ok.error());
    if (auto ok = check_extent("stride", stride, 1); !ok) return tl::unexpected(ok.error());
    if (auto ok = check_extent("padding", padding, 0); !ok) return tl::unexpected(ok.error());
    if (auto ok = check_extent("dilation", dilation, 1); !ok) return tl::unexpected(ok.error());
    const Shape& in = inputs.front();
    const Shape out{channels,
                    windowed(in.height, kernel.height, stride.height, padding.height, dilation.height, ceil_mode),
                    windowed(in.width, kernel.width, stride.width, padding.width, dilation.width, ceil_mode)};
    if (out.height < 1 || out.width < 1) {
      return fail(fmt::format("kernel [{}, {}] does not fit the input {}", kernel.height, kernel.width, text(in)));
    }
    return checked(out);
  }

  Result<Shape> equal_shapes() const {
    if (auto ok = need_inputs(2, SIZE_MAX); !ok) return tl::unexpected(ok.error());
    for (const Shape& shape : inputs) {
      if (shape != inputs.front()) {
        return fail(fmt::format("inputs have different shapes, {} and {}", text(inputs.front()), text(shape)));
      }
    }
    return inputs.front();
  }

  Result<Shape> operator()(const Input& input) const { return checked(input.shape); }

  Result<Shape> operator()(const Conv& conv) const {
    if (auto ok = need_inputs(1, 1); !ok) return tl::unexpected(ok.error());
    if (!in_range(conv.out_channels, 1)) {
      return fail(fmt::format("out_channels {} must lie in 1..{}", conv.out_channels, kMaxExtent));
    }
    if (conv.groups < 1 || inputs.front().channels % conv.groups != 0 || conv.out_channels % conv.groups != 0) {
      return fail(fmt::format("groups {} must divide the {} input and the {} output channels", conv.groups,
                              inputs.front().channels, conv.out_channels));
    }
    auto out = window(conv.out_channels, conv.kernel, conv.stride, conv.padding, conv.dilation, false);
    if (!out) return out;
    // Two factors of at most 2^24 each, then a comparison before every further product.
    std::int64_t weights = conv.out_channels * (inputs.front().channels / conv.groups);
    for (const auto size : {conv.kernel.height, conv.kernel.width}) {
      if (weights > kMaxElements / size) return fail(fmt::format("has more than {} weights", kMaxElements));
      weights *= size;
    }
    return out;
  }

  Result<Shape> operator()(const Pool& pool) const {
    if (auto ok = need_inputs(1, 1); !ok) return tl::unexpected(ok.error());
    const auto channels = inputs.front().channels;
    if (pool.kind == PoolKind::kGlobalMax || pool.kind == PoolKind::kGlobalAverage) return Shape{channels, 1, 1};
    if (auto ok = check_extent("kernel", pool.kernel, 1); !ok) return tl::unexpected(ok.error());
    if (auto ok = check_extent("padding", pool.padding, 0); !ok) return tl::unexpected(ok.error());
    if (2 * pool.padding.height > pool.kernel.height || 2 * pool.padding.width > pool.kernel.width) {
      return fail(fmt::format("padding [{}, {}] must be at most half the kernel [{}, {}]", pool.padding.height,
                              pool.padding.width, pool.kernel.height, pool.kernel.width));
    }
    return window(channels, pool.kernel, pool.stride, pool.padding, Extent{1, 1}, pool.ceil_mode);
  }

  Result<Shape> operator()(const Add&) const { return equal_shapes(); }
  Result<Shape> operator()(const Mul&) const { return equal_shapes(); }

  Result<Shape> operator()(const Concat&) const {
    if (auto ok = need_inputs(1, SIZE_MAX); !ok) return tl::unexpected(ok.error());
    Shape out{0, inputs.front().height, inputs.front().width};
    for (const Shape& shape : inputs) {
      if (shape.height != out.height || shape.width != out.width) {
        return fail(fmt::format("inputs {} and {} differ in height or width, so they cannot be concatenated",
                                text(inputs.front()), text(shape)));
      }
      out.channels = std::min(out.channels + shape.channels, kMaxExtent + 1);
    }
    return checked(out);
  }

  Result<Shape> operator()(const Activate&) const { return same(); }
  Result<Shape> operator()(const Identity&) const { return same(); }

  Result<Shape> operator()(const Linear& linear) const {
    if (auto ok = need_inputs(1, 1); !ok) return tl::unexpected(ok.error());
    auto out = checked(Shape{linear.out_features, 1, 1});
    if (out && linear.out_features > kMaxElements / inputs.front().elements()) {
      return fail(fmt::format("has more than {} weights", kMaxElements));
    }
    return out;
  }

  Result<Shape> same() const {
    if (auto ok = need_inputs(1, 1); !ok) return tl::unexpected(ok.error());
    return inputs.front();
  }
};

}  // namespace

Result<Shape> infer_shape(const Attributes& attributes, std::span<const Shape> inputs) {
  return std::visit(Infer{inputs}, attributes);
}

}  // namespace iosx
