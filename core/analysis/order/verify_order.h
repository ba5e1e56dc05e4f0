#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/base/duration.h"
#include "core/formats/external/external_run.h"
#include "core/model/graph/graph.h"
#include "core/model/plan/execution_plan.h"
#include "core/model/trace/trace.h"

// Find races: two accesses to one tensor, at least one of them a write, that need an order and have none.
namespace iosx {

struct UnorderedPair {
  std::string first;  // kernels, or operators of the graph: this one has to come before the next
  std::string then;
  std::string tensor;  // that both access
  Micros overlap{0};   // of a recording: how much earlier the second began than the first ended
  friend bool operator==(const UnorderedPair&, const UnorderedPair&) = default;
};

struct OrderReport {
  std::string what = {};    // the checked thing, for display
  bool recorded = false;    // one recorded run was checked: its order may differ in the next run
  std::size_t pairs = 0;    // of accesses that need an order
  std::size_t across = 0;   // of these, those on two lanes
  std::size_t guessed = 0;  // operators of a recording that were matched by order alone, and left out
  std::vector<UnorderedPair> unordered = {};
  // For a recorded run of a plan: pairs that the plan orders but that overlapped. GPUs start programmatically launched
  // kernels early, which then wait inside for their inputs; the recording does not tell. It is no mistake of the
  // schedule.
  std::vector<UnorderedPair> early = {};
  std::vector<std::string> found = {};  // findings of a package's own check, a sentence each

  std::size_t mistakes() const { return unordered.size() + found.size(); }
};

// Returns the kernels of a plan that access the same channels of a buffer without an order: neither the order on a
// lane nor waits nor, with stages, their ends put the second after the first. The plan's kernels are in the intended
// order.
OrderReport order_of_plan(const ExecutionPlan& plan);

// Returns the kernels of a recorded run that began before one of their needs had ended: unordered in the plan, or
// early. Empty for empty traces.
OrderReport order_of_trace(const ExecutionPlan& plan, const Trace& trace);

// Does the same for another program's recording, by the operators of its entries (match_operators()). Such times
// are rounded: less than a microsecond is no overlap.
OrderReport order_of_recording(const ExternalRun& run, const Graph& graph);

std::string order_text(const OrderReport& report);  // lines for display
// Returns {"what", "recorded", "pairs", "across_lanes", ["guessed",] "unordered": [{"first", "then", "tensor",
// ["overlap_us"]}], ["began_early": likewise,] ["found"]}.
nlohmann::ordered_json order_json(const OrderReport& report);

}  // namespace iosx
