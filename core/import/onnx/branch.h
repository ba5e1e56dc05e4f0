#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "core/import/onnx/model.h"

// The graphs of If where the condition is known.
namespace iosx::onnx_import {

// The graph that the node stands for, or why that cannot be said. `condition`: null unless constant.
tl::expected<const Subgraphs*, std::string> taken_branch(const Node& node, const HostTensor* condition);

// A branch in its node's place: its own tensors have names of their own, those of the graph around it the names that
// they have there.
struct Inlined {
  std::vector<Node> nodes;
  std::vector<std::pair<std::string, HostTensor>> initializers;
  std::vector<std::string> outputs;
};

// `number` is another for each. The subgraphs have a branch.
Inlined inlined(const Node& node, const Subgraphs& subgraphs, std::size_t number);

}  // namespace iosx::onnx_import
