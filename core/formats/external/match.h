#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/formats/external/external_run.h"
#include "core/model/graph/graph.h"

namespace iosx {

// Matches each entry to operators of the graph (ExternalEntry::match), by the rules in their order. A match by order
// is a guess that its file does not contradict; the others rest on names. Several entries may match one operator, and
// one entry several operators, because tools split and fuse operators.
void match_operators(ExternalRun& run, const Graph& graph);

// Returns the operators of a name, by the rules that need only names.
OperatorMatch match_name(std::string_view name, const Graph& graph);
std::vector<OperatorMatch> match_names(std::span<const std::string> names, const Graph& graph);  // one per name

struct RuleTally {
  std::size_t entries = 0;
  Millis time{0};  // sum of their durations
};
std::array<RuleTally, kMatchRules> tally_of(const ExternalRun& run);  // by rule

// Returns the graph's operators without an entry: they were fused, folded or left out.
std::vector<OperatorId> without_entry(const ExternalRun& run, const Graph& graph);

struct Piece {
  std::size_t recorded = 0;  // operators with an entry
  std::size_t of = 0;        // operators that compute
};
// Returns the piece of the graph that a run covers, where its matched entries are less than half of the graph's
// operators: its latency is not that of the network. Returns none where the run may cover all of it.
std::optional<Piece> piece_of(const ExternalRun& run, const Graph& graph);

// Returns the units of the operators, each once.
std::vector<UnitId> units_of(const OperatorMatch& match, const Graph& graph);

// Returns the time of all entries by unit; an entry matched to two units gives half of its time to each.
std::vector<Millis> time_of_units(const ExternalRun& run, const Graph& graph);

}  // namespace iosx

namespace iosx::external {

// Returns the possible kinds of a tool's operator type, as a bit for each kind in Attributes, by its index; 0 if
// unknown. "Conv", "FusedConv", "aten::conv2d" and "aten::mkldnn_convolution" are convolutions.
std::uint64_t kinds_of_type(std::string_view type);
// Does the same for a function that runs on a device, by the words of cuDNN, cuBLAS, CUTLASS and ATen, mangled or not.
std::uint64_t kinds_of_kernel(std::string_view name);

// Whether a function only prepares what the next kernel reads, or completes what the previous one wrote.
enum class Beside { kNone, kNext, kPrevious };
Beside beside_of_kernel(std::string_view name);

}  // namespace iosx::external
