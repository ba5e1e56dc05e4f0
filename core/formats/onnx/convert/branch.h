#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/formats/onnx/model.h"

// Read the graphs of If.
namespace iosx::onnx_import {

// Returns the graph that replaces the node for this condition; null if it cannot be read.
const Subgraphs* branch_of(const Node& node, bool condition);
// Returns the value of a constant condition; none where it has none.
std::optional<bool> truth_of(const HostTensor& condition);

// A branch in place of its node: its own tensors get new names, tensors of the outer graph keep theirs.
struct Inlined {
  std::vector<Node> nodes;
  std::vector<std::pair<std::string, HostTensor>> initializers;
  std::vector<std::string> outputs;
};

// `number` is unique per call. The subgraphs have a branch.
Inlined inlined(const Node& node, const Subgraphs& subgraphs, std::size_t number);

}  // namespace iosx::onnx_import
