#pragma once

#include <cstdint>

#include "core/base/result.h"
#include "core/model/graph/graph.h"

// A graph with one size changed and everything that follows from it. The operators and their order stay; weights that
// do not fit any more are made up. Where something that depends on the size cannot be (a sum of different shapes, a
// kernel larger than its input) the error says what, in one line.
namespace iosx {

// The size is the height of inputs that are feature maps, whose width follows in the same ratio; of other ones it is
// the first axis of those that share the first one's size. input_size() is the height of the first feature map, else
// that axis; 0 without inputs of a size.
std::int64_t input_size(const Graph& graph);
Result<Graph> with_input_size(const Graph& graph, std::int64_t size);

// Output channels of a convolution, output features of a linear layer; 0 of others.
std::int64_t channels_of(const Graph& graph, OperatorId op);
Result<Graph> with_channels(const Graph& graph, OperatorId op, std::int64_t channels);

// The larger side of a convolution's or pool's window, 0 of others. What kept the size of its input keeps it; a side of
// 1 beside a larger one stays 1.
std::int64_t kernel_of(const Graph& graph, OperatorId op);
Result<Graph> with_kernel(const Graph& graph, OperatorId op, std::int64_t kernel);

}  // namespace iosx
