#include "core/analysis/experiment/parameter.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/analysis/compare/compare_options.h"
#include "core/base/check.h"
#include "core/model/edit/check.h"
#include "core/model/edit/convert.h"

namespace iosx {
namespace {

constexpr Bounds<std::int64_t> kSizes{1, 1 << 20};

// A parameter that is an option has all that people read from it.
constexpr SweepParameterRow of_option(SweepParameter parameter, const OptionInfo& option, std::string_view axis) {
  return {parameter, option.id, option.title.pattern, axis, option.whole_bounds(), &option};
}

constexpr const OptionInfo& kStreams = info_of(&CompareOptions::max_streams);

constexpr std::array kParameters{
    of_option(SweepParameter::kBatch, info_of(&CompareOptions::batch), said("batch size (samples)")),
    SweepParameterRow{SweepParameter::kDevice, "device", said("Device"), said("device"), {0, 1 << 20}},
    of_option(SweepParameter::kR, info_of(&Pruning::r), said("r, maximum units per group")),
    of_option(SweepParameter::kS, info_of(&Pruning::s), said("s, maximum groups per stage")),
    SweepParameterRow{SweepParameter::kStreams, "streams", said("Streams"), said("streams (s and greedy)"),
                      kStreams.whole_bounds(), &kStreams},
    SweepParameterRow{
        SweepParameter::kInputSize, "input-size", said("Input size"), said("input height (pixels; text: tokens)"),
        kSizes, nullptr, [](const Graph& graph, OperatorId /*op*/) { return input_size(graph); },
        [](const Graph& graph, OperatorId /*op*/, std::int64_t size) { return with_input_size(graph, size); }},
    SweepParameterRow{SweepParameter::kChannels, "channels", said("Output channels"), said("output channels"), kSizes,
                      nullptr, channels_of, with_channels, true},
    SweepParameterRow{SweepParameter::kKernel, "kernel", said("Kernel size"), said("kernel size (pixels)"), kSizes,
                      nullptr, kernel_of, with_kernel, true},
};

// Keys are the ids (editable()).
OperatorKey key_of(OperatorId id) { return OperatorKey(id.index()); }

Result<Graph> built(const EditableGraph& graph) {
  const GraphCheck checked = check(graph);
  for (const Problem& problem : checked.problems) {
    if (problem.kind == ProblemKind::kWeights) continue;  // made-up ones stand in
    return fail(problem.wording);
  }
  IOS_TRY(auto made, to_graph(graph, checked));
  return std::move(made.graph);
}

Result<Graph> with_attributes(const Graph& graph, OperatorId id, Attributes attributes) {
  EditableGraph edited = editable(graph);
  EditOperator op = edited.op(key_of(id));
  op.attributes = std::move(attributes);
  edited.set(key_of(id), std::move(op));
  return built(edited);
}

// Sets another window of a convolution or pool.
template <typename Window>
Window with_window(Window window, std::int64_t kernel) {
  const std::int64_t largest = std::max(window.kernel.height, window.kernel.width);
  const auto side = [&](std::int64_t& size, std::int64_t& padding, std::int64_t& end, std::int64_t dilation) {
    if (size == 1 && largest > 1) return;
    const bool kept = 2 * padding + end == (size - 1) * dilation;
    size = kernel;
    if (!kept) return;
    const std::int64_t around = (kernel - 1) * dilation;
    padding = around / 2;
    end = around - 2 * padding;
  };
  side(window.kernel.height, window.padding.height, window.end_padding.height, window.dilation.height);
  side(window.kernel.width, window.padding.width, window.end_padding.width, window.dilation.width);
  return window;
}

// Returns the first feature map, or else the first of these inputs that has tokens; invalid where
// there is none.
OperatorId sized_among(const Graph& graph, std::span<const OperatorId> inputs) {
  OperatorId with_tokens;
  for (const OperatorId id : inputs) {
    const Shape& shape = graph.op(id).output;
    if (shape.is_feature_map()) return id;
    if (!with_tokens.valid() && shape.rank() > 0 && shape[0] > 0) with_tokens = id;
  }
  return with_tokens;
}

// Returns its height or tokens.
std::int64_t size_among(const Graph& graph, std::span<const OperatorId> inputs) {
  const OperatorId input = sized_among(graph, inputs);
  if (!input.valid()) return 0;
  const Shape& shape = graph.op(input).output;
  return shape.is_feature_map() ? shape.height() : shape[0];
}

}  // namespace

std::span<const SweepParameterRow> sweep_table() { return kParameters; }

const SweepParameterRow& row_of(SweepParameter parameter) {
  const auto row = std::ranges::find(kParameters, parameter, &SweepParameterRow::parameter);
  IOS_CHECK(row != kParameters.end());
  return *row;
}

Result<SweepParameter> parse_sweep_parameter(std::string_view id) {
  const auto row = std::ranges::find(kParameters, id, &SweepParameterRow::id);
  if (row != kParameters.end()) return row->parameter;
  std::string ids;
  for (const SweepParameterRow& each : kParameters) ids += (ids.empty() ? "" : ", ") + std::string(each.id);
  return fail(message("'{}' is not a parameter that can vary", id), {}, message("choose one of {}", ids));
}

std::int64_t input_size(const Graph& graph) { return size_among(graph, graph.inputs()); }

OperatorId sized_input(const Graph& graph) { return sized_among(graph, graph.inputs()); }

Result<Graph> with_input_size(const Graph& graph, std::int64_t size) {
  const std::int64_t present = input_size(graph);
  if (present == 0) return fail(message("the network has no input with a size"));
  if (size < 1) return fail(message("an input size of {}", size));
  const auto scaled = [&](std::int64_t extent) {
    return std::max<std::int64_t>(1, (extent * size + present / 2) / present);
  };
  EditableGraph edited = editable(graph);
  for (const OperatorId id : graph.inputs()) {
    Shape shape = graph.op(id).output;
    std::vector<OperatorId> same_network;
    std::ranges::copy_if(graph.inputs(), std::back_inserter(same_network),
                         [&](OperatorId other) { return graph.op(other).network == graph.op(id).network; });
    if (std::ranges::any_of(same_network, [&](OperatorId other) { return graph.op(other).output.is_feature_map(); })) {
      if (!shape.is_feature_map()) continue;
      for (const std::size_t axis : {std::size_t{1}, std::size_t{2}}) shape = shape.with(axis, scaled(shape[axis]));
    } else if (shape.rank() > 0 && shape[0] == size_among(graph, same_network)) {
      shape = shape.with(0, scaled(shape[0]));
    }
    EditOperator op = edited.op(key_of(id));
    op.attributes = Input{shape};
    edited.set(key_of(id), std::move(op));
  }
  return built(edited);
}

std::int64_t channels_of(const Graph& graph, OperatorId id) {
  const Operator& op = graph.op(id);
  if (const Conv* conv = op.as<Conv>()) return conv->merged_from.empty() ? conv->out_channels : 0;
  if (const Linear* linear = op.as<Linear>()) return linear->out_features;
  return 0;
}

Result<Graph> with_channels(const Graph& graph, OperatorId id, std::int64_t channels) {
  Attributes attributes = graph.op(id).attributes;
  if (Conv* conv = std::get_if<Conv>(&attributes); conv != nullptr && conv->merged_from.empty()) {
    conv->out_channels = channels;
  } else if (Linear* linear = std::get_if<Linear>(&attributes); linear != nullptr) {
    linear->out_features = channels;
  } else {
    return fail(message("the number of output channels of '{}' cannot be set", graph.op(id).name));
  }
  return with_attributes(graph, id, std::move(attributes));
}

std::int64_t kernel_of(const Graph& graph, OperatorId id) {
  const Operator& op = graph.op(id);
  const auto larger = [](const Extent& kernel) { return std::max(kernel.height, kernel.width); };
  if (const Conv* conv = op.as<Conv>()) return conv->merged_from.empty() ? larger(conv->kernel) : 0;
  if (const Pool* pool = op.as<Pool>()) {
    return pool->kind == PoolKind::kMax || pool->kind == PoolKind::kAverage ? larger(pool->kernel) : 0;
  }
  return 0;
}

Result<Graph> with_kernel(const Graph& graph, OperatorId id, std::int64_t kernel) {
  if (kernel_of(graph, id) == 0) return fail(message("'{}' has no kernel size that can be changed", graph.op(id).name));
  Attributes attributes = graph.op(id).attributes;
  if (Conv* conv = std::get_if<Conv>(&attributes)) *conv = with_window(*conv, kernel);
  if (Pool* pool = std::get_if<Pool>(&attributes)) *pool = with_window(*pool, kernel);
  return with_attributes(graph, id, std::move(attributes));
}

}  // namespace iosx
