#include <algorithm>
#include <array>
#include <numeric>

#include "core/formats/onnx/fold/fold.h"

// Folds operators that move elements without reading them.
namespace iosx::onnx_import::folding {
namespace {

Result<Outputs> identity(const ConversionContext& call) { return Outputs{call[0]}; }

// The values of one kind, joined: along the axis each input has `rows[i]` consecutive elements for every one of the
// `outer` indices of the axes before.
template <typename T>
std::vector<T> joined(const ConversionContext& call, const std::vector<std::int64_t>& rows, std::int64_t outer,
                      std::int64_t count) {
  std::vector<T> values;
  values.reserve(static_cast<std::size_t>(count));
  for (std::int64_t o = 0; o < outer; ++o) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto from = values_of<T>(call[i]).begin() + o * rows[i];
      values.insert(values.end(), from, from + rows[i]);
    }
  }
  return values;
}

Result<Outputs> concat(const ConversionContext& call) {
  for (std::size_t i = 0; i < call.inputs.size(); ++i) {
    if (call.inputs[i] == nullptr) return call.error(message("its input {} is absent", i));
  }
  IOS_TRY(same_types(call));
  IOS_TRY(const auto written, int_attribute(call.node, "axis", 0));
  IOS_TRY(const auto axis, checked_axis(call, written, call[0].rank()));
  const auto at = static_cast<std::size_t>(axis);
  Dims dims = dims_of(call[0]);
  for (std::size_t i = 1; i < call.inputs.size(); ++i) {
    Dims other = dims_of(call[i]);
    if (other.size() != dims.size()) return call.error(message("its inputs have different numbers of axes"));
    if (__builtin_add_overflow(dims[at], other[at], &dims[at])) return call.error(message("its result is too large"));
    other[at] = dims[at];
    if (other != dims) return call.error(message("its inputs have different dims"));
  }
  IOS_TRY(const auto count, checked_count(call, dims));
  std::int64_t outer = 1;
  for (std::size_t i = 0; i < at; ++i) outer *= count == 0 ? 0 : dims[i];
  std::vector<std::int64_t> rows;
  for (std::size_t i = 0; i < call.inputs.size(); ++i) rows.push_back(outer == 0 ? 0 : call[i].elements() / outer);
  if (call[0].holds_floats())
    return Outputs{make_tensor(std::move(dims), joined<float>(call, rows, outer, count), call[0].type())};
  return Outputs{make_tensor(std::move(dims), joined<std::int64_t>(call, rows, outer, count), call[0].type())};
}

// Starts, ends, axes and steps of Slice, which are inputs from opset 10 on.
struct Ranges {
  Dims starts, ends, axes, steps;
};

Result<Ranges> slice_ranges(const ConversionContext& call) {
  Ranges ranges;
  constexpr std::array kNames{"starts", "ends", "axes", "steps"};
  const std::array lists{&ranges.starts, &ranges.ends, &ranges.axes, &ranges.steps};
  for (std::size_t i = 0; i < lists.size(); ++i) {
    IOS_TRY(auto list,
            call.opset < 10 ? ints_attribute(call.node, kNames[i]) : list_input_or_attribute(call, i + 1, kNames[i]));
    if (list) {
      *lists[i] = std::move(*list);
    } else if (i < 2) {
      return call.error(message("has no {}", kNames[i]));
    } else {
      lists[i]->assign(ranges.starts.size(), 1);
      if (i == 2) std::iota(lists[i]->begin(), lists[i]->end(), 0);
    }
    if (lists[i]->size() != ranges.starts.size())
      return call.error(message("its starts, ends, axes and steps do not match"));
  }
  return ranges;
}

Result<Outputs> slice(const ConversionContext& call) {
  IOS_TRY(const auto ranges, slice_ranges(call));
  IOS_TRY(checked_axes(call, ranges.axes, call[0].rank()));
  Dims dims = dims_of(call[0]);
  View view{strides_of(dims), 0};
  for (std::size_t i = 0; i < ranges.axes.size(); ++i) {
    if (ranges.steps[i] == 0) return call.error(message("has a step of 0"));
    const std::int64_t axis = ranges.axes[i] < 0 ? ranges.axes[i] + call[0].rank() : ranges.axes[i];
    const auto at = static_cast<std::size_t>(axis);
    const Range range = slice_range(ranges.starts[i], ranges.ends[i], ranges.steps[i], dims[at]);
    dims[at] = range.count;
    if (range.count > 0) view.offset += range.first * view.strides[at];
    view.strides[at] = range.count > 1 ? view.strides[at] * range.step : 0;
  }
  return Outputs{copy_view(call[0], std::move(dims), view)};
}

Result<Outputs> unsqueeze(const ConversionContext& call) {
  IOS_TRY(const auto written, list_input_or_attribute(call, 1, "axes"));
  if (!written) return call.error(message("has no axes"));
  if (written->size() > 64) return call.error(message("has too many axes"));
  IOS_TRY(const auto axes, checked_axes(call, *written, call[0].rank() + static_cast<std::int64_t>(written->size())));
  Dims dims = dims_of(call[0]);
  for (const std::int64_t axis : axes) dims.insert(dims.begin() + axis, 1);
  return Outputs{call[0].with_dims(std::move(dims))};
}

Result<Outputs> squeeze(const ConversionContext& call) {
  IOS_TRY(const auto written, list_input_or_attribute(call, 1, "axes"));
  Dims dims = dims_of(call[0]);
  if (!written) {
    std::erase(dims, 1);
    return Outputs{call[0].with_dims(std::move(dims))};
  }
  IOS_TRY(const auto axes, checked_axes(call, *written, call[0].rank()));
  for (auto axis = axes.rbegin(); axis != axes.rend(); ++axis) {
    if (dims[static_cast<std::size_t>(*axis)] != 1) {
      return call.error(
          message("removes axis {}, which has {} elements", *axis, dims[static_cast<std::size_t>(*axis)]));
    }
    dims.erase(dims.begin() + *axis);
  }
  return Outputs{call[0].with_dims(std::move(dims))};
}

Result<Outputs> reshape(const ConversionContext& call) {
  IOS_TRY(auto wanted, list_input(call, 1));
  IOS_TRY(const auto allow_zero, int_attribute(call.node, "allowzero", 0));
  auto dims = reshape_dims(std::move(wanted), call[0].dims(), allow_zero != 0);
  if (!dims) return call.error(std::move(dims.error().what));
  return Outputs{call[0].with_dims(std::move(*dims))};
}

Result<Outputs> flatten(const ConversionContext& call) {
  IOS_TRY(const auto axis, int_attribute(call.node, "axis", 1));
  const std::int64_t rank = call[0].rank();
  if (axis < -rank || axis > rank) return call.error(message("has axis {}, but its input has {} axes", axis, rank));
  const auto cut = static_cast<std::size_t>(axis < 0 ? axis + rank : axis);
  const auto before = element_count(call[0].dims().first(cut));
  const auto after = element_count(call[0].dims().subspan(cut));
  if (!before || !after) return call.error(message("its result is too large"));
  return Outputs{call[0].with_dims({*before, *after})};
}

Result<Outputs> transpose(const ConversionContext& call) {
  IOS_TRY(auto perm, ints_attribute(call.node, "perm"));
  const auto rank = static_cast<std::size_t>(call[0].rank());
  if (!perm) {
    perm.emplace(rank);
    std::iota(perm->rbegin(), perm->rend(), 0);
  }
  IOS_TRY(const auto axes, checked_axes(call, *perm, call[0].rank()));
  if (axes.size() != rank) return call.error(message("its perm does not name every axis"));
  const Dims strides = strides_of(call[0].dims());
  Dims dims;
  View view;
  for (const std::int64_t axis : *perm) {
    const auto from = static_cast<std::size_t>(axis < 0 ? axis + call[0].rank() : axis);
    dims.push_back(call[0].dims()[from]);
    view.strides.push_back(strides[from]);
  }
  return Outputs{copy_view(call[0], std::move(dims), view)};
}

Result<Outputs> expand(const ConversionContext& call) {
  IOS_TRY(auto wanted, list_input(call, 1));
  const std::array shapes{dims_of(call[0]), std::move(wanted)};
  IOS_TRY(auto dims, broadcast_dims(call, shapes));
  const View view{broadcast_strides(call[0].dims(), dims), 0};
  return Outputs{copy_view(call[0], std::move(dims), view)};
}

Result<Outputs> tile(const ConversionContext& call) {
  IOS_TRY(const auto repeats, list_input(call, 1));
  const auto given = call[0].dims();
  if (repeats.size() != given.size()) return call.error(message("does not say how often to repeat each axis"));
  Dims dims;
  Dims pairs;  // repeat, dim, repeat, dim, ...: the same elements with an axis for the repeats
  View view;
  const Dims strides = strides_of(given);
  for (std::size_t i = 0; i < given.size(); ++i) {
    std::int64_t dim = 0;
    if (repeats[i] < 0 || __builtin_mul_overflow(repeats[i], given[i], &dim))
      return call.error(message("repeats axis {} {} times", i, repeats[i]));
    dims.push_back(dim);
    pairs.insert(pairs.end(), {repeats[i], given[i]});
    view.strides.insert(view.strides.end(), {0, strides[i]});
  }
  IOS_TRY(checked_count(call, dims));
  return Outputs{copy_view(call[0], std::move(pairs), view).with_dims(std::move(dims))};
}

Result<Outputs> split(const ConversionContext& call) {
  IOS_TRY(const auto written, int_attribute(call.node, "axis", 0));
  IOS_TRY(const auto axis, checked_axis(call, written, call[0].rank()));
  const auto at = static_cast<std::size_t>(axis);
  IOS_TRY(const auto given, list_input_or_attribute(call, 1, "split"));
  const std::size_t outputs_named = call.node.outputs.size();
  IOS_TRY(const auto parts, int_attribute(call.node, "num_outputs", static_cast<std::int64_t>(outputs_named)));
  auto sizes = split_sizes(given, parts, outputs_named, call.opset, call[0].dims()[at]);
  if (!sizes) return call.error(std::move(sizes.error().what));
  Outputs outputs;
  View view{strides_of(call[0].dims()), 0};
  for (const std::int64_t size : *sizes) {
    Dims dims = dims_of(call[0]);
    dims[at] = size;
    outputs.push_back(copy_view(call[0], std::move(dims), view));
    view.offset += size * view.strides[at];
  }
  return outputs;
}

}  // namespace

std::span<const Operator> layout_operators() {
  static constexpr std::array kOperators{
      Operator{"Concat", 1, kAnyNumber, false, concat},
      Operator{"Expand", 2, 2, false, expand},
      Operator{"Flatten", 1, 1, false, flatten},
      Operator{"Identity", 1, 1, true, identity},
      Operator{"Reshape", 2, 2, false, reshape},
      Operator{"Slice", 1, 5, false, slice},
      Operator{"Split", 1, 2, false, split},
      Operator{"Squeeze", 1, 2, false, squeeze},
      Operator{"Tile", 2, 2, false, tile},
      Operator{"Transpose", 1, 1, false, transpose},
      Operator{"Unsqueeze", 1, 2, false, unsqueeze},
  };
  return kOperators;
}

}  // namespace iosx::onnx_import::folding
