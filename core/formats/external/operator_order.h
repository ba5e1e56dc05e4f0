#pragma once

#include <cstdint>
#include <string_view>

#include "core/formats/external/external_run.h"
#include "core/model/graph/graph.h"

namespace iosx::external {

// Says what a tool's word for a type of operator may mean, as a bit for each kind in Attributes, by its index; 0 if
// that is not known. "Conv", "FusedConv", "aten::conv2d" and "aten::mkldnn_convolution" are convolutions.
std::uint64_t kinds_of_type(std::string_view type);

// Matches by MatchRule::kOrder what has no match yet: the longest common subsequence of the entries, in the order in
// which they ran, and the operators that no entry is, in the graph's. A pair agrees in its type and, where the file
// has shapes, in the number of elements that it reads or makes.
void match_by_order(ExternalRun& run, const Graph& graph);

}  // namespace iosx::external
