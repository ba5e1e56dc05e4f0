#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "core/model/graph/graph.h"

namespace iosx::test {

// Expects that the graph of one operator of a model is one unit, and that no schedule makes it faster, with lanes
// neither, on any simulated device.
void expect_one_piece_of_work(const Graph& graph, const std::string& name);

// Does this for every ONNX model of one node among these files that can be opened, and returns how many these are. An
// If or Loop has the operators of its branches or trips.
std::size_t expect_one_piece_of_work_each(std::span<const std::filesystem::path> models);

}  // namespace iosx::test
