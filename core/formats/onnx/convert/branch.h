#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/formats/onnx/model.h"

// These functions read the graphs of If.
namespace iosx::onnx_import {

// Returns the graph that the node stands for if its condition is this; null if it cannot be read.
const Subgraphs* branch_of(const Node& node, bool condition);
// Returns what a constant condition says; nothing where it says nothing.
std::optional<bool> truth_of(const HostTensor& condition);

// Is a branch in its node's place: its own tensors have names of their own, those of the graph around it the names that
// they have there.
struct Inlined {
  std::vector<Node> nodes;
  std::vector<std::pair<std::string, HostTensor>> initializers;
  std::vector<std::string> outputs;
};

// `number` is another for each. The subgraphs have a branch.
Inlined inlined(const Node& node, const Subgraphs& subgraphs, std::size_t number);

}  // namespace iosx::onnx_import
