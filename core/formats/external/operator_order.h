#pragma once

#include <cstdint>
#include <string_view>

#include "core/formats/external/external_run.h"
#include "core/model/graph/graph.h"

namespace iosx::external {

// Returns the possible kinds of a tool's operator type, as a bit for each kind in Attributes, by its index; 0 if
// unknown. "Conv", "FusedConv", "aten::conv2d" and "aten::mkldnn_convolution" are convolutions.
std::uint64_t kinds_of_type(std::string_view type);

// Matches the remaining entries by MatchRule::kOrder: the longest common subsequence of the entries, in execution
// order, and the operators without an entry, in the graph's order. A pair agrees in its type and, where the file has
// shapes, in the number of elements that it reads or makes.
void match_by_order(ExternalRun& run, const Graph& graph);

}  // namespace iosx::external
