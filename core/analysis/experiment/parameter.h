#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/base/result.h"
#include "core/model/graph/graph.h"
#include "core/options/option.h"

namespace iosx {

// What a sweep varies.
enum class SweepParameter { kBatch, kDevice, kR, kS, kStreams, kInputSize, kChannels, kKernel };

struct SweepParameterRow {
  SweepParameter parameter;
  std::string_view id;     // in commands and documents: "input-size"
  std::string_view title;  // for display: "Input size"
  std::string_view axis;   // of a chart, with the unit: "input height (pixels, tokens)"
  Bounds<std::int64_t> bounds;
  const OptionInfo* option = nullptr;  // of a comparison; null: the device, or a size
  // These are null unless the parameter is a size. They return the present size (0 if there is none) and the graph with
  // another one.
  std::int64_t (*size)(const Graph& graph, OperatorId op) = nullptr;
  Result<Graph> (*resized)(const Graph& graph, OperatorId op, std::int64_t size) = nullptr;
  bool of_operator = false;  // of a single operator of the graph
};
std::span<const SweepParameterRow> sweep_table();  // in display order
const SweepParameterRow& row_of(SweepParameter parameter);
Result<SweepParameter> parse_sweep_parameter(std::string_view id);  // the error lists the ids

// Returns a graph with one size changed and all that follows from it. Operators and their order stay; weights that no
// longer fit are made up. The error says in one line what is impossible (a sum of different shapes, a kernel larger
// than its input).

// The size is the height of inputs that are feature maps, whose width follows in the same ratio; for others it is
// the first axis of those that share the first one's size. input_size() is the height of the first feature map, else
// that axis; 0 without inputs of a size. Of several networks the size is that of the one that has it first, and the
// inputs of the others change in the same ratio. sized_input() is the input that has it; invalid without one.
std::int64_t input_size(const Graph& graph);
OperatorId sized_input(const Graph& graph);
Result<Graph> with_input_size(const Graph& graph, std::int64_t size);

// Returns the output channels of a convolution or output features of a linear layer; 0 for others.
std::int64_t channels_of(const Graph& graph, OperatorId op);
Result<Graph> with_channels(const Graph& graph, OperatorId op, std::int64_t channels);

// Returns the larger side of a convolution's or pool's window, 0 for others. A window that kept the size of its input
// still does; a side of 1 beside a larger one stays 1.
std::int64_t kernel_of(const Graph& graph, OperatorId op);
Result<Graph> with_kernel(const Graph& graph, OperatorId op, std::int64_t kernel);

}  // namespace iosx
