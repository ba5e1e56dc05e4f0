#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/formats/external/external_run.h"
#include "core/model/graph/graph.h"

namespace iosx {

// Finds the operators of the graph that each entry is (ExternalEntry::match), by the rules in their order. A match by
// order is a guess that its file does not contradict; the others rest on names. What is matched twice is so: tools run
// an operator as several kernels, and several operators as one.
void match_operators(ExternalRun& run, const Graph& graph);

// Returns the operators that a name stands for, by the rules that need nothing but names.
OperatorMatch match_name(std::string_view name, const Graph& graph);
std::vector<OperatorMatch> match_names(std::span<const std::string> names, const Graph& graph);  // one a name

struct RuleTally {
  std::size_t entries = 0;
  Millis time{0};  // of their durations
};
std::array<RuleTally, kMatchRules> tally_of(const ExternalRun& run);  // by rule

// Returns the operators of the graph that no entry is: they were fused, folded or left out.
std::vector<OperatorId> without_entry(const ExternalRun& run, const Graph& graph);

struct Piece {
  std::size_t recorded = 0;  // operators that an entry is
  std::size_t of = 0;        // operators that compute
};
// Returns which piece of the graph a run is whose entries are known for what they are, and are less than half of the
// graph's operators: its latency is no latency of the network. Returns nothing where the run may be all of it.
std::optional<Piece> piece_of(const ExternalRun& run, const Graph& graph);

// Returns the time of all entries matched to operators of each unit, a half of it to each of two units that one entry
// is.
std::vector<Millis> time_of_units(const ExternalRun& run, const Graph& graph);

}  // namespace iosx
