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

// These functions look for races: two accesses to one tensor, at least one of them a write, whose order decides what is
// computed, and which nothing orders.
namespace iosx {

struct UnorderedPair {
  std::string first;  // kernels, or operators of the graph: this one has to come before the next
  std::string then;
  std::string tensor;  // that both touch
  Micros overlap{0};   // of a recording: by so much the second began before the first had ended
  friend bool operator==(const UnorderedPair&, const UnorderedPair&) = default;
};

struct OrderReport {
  std::string what = {};    // was looked at, for people
  bool recorded = false;    // one run was looked at: what came in order there need not do so in the next one
  std::size_t pairs = 0;    // of accesses that need an order
  std::size_t across = 0;   // of these those on two lanes
  std::size_t guessed = 0;  // operators of a recording that are known by their place in it alone, and left out
  std::vector<UnorderedPair> unordered = {};
  // Of a recorded run of a plan: what began early although the plan orders it. GPUs start kernels so that are launched
  // programmatically, which wait inside for what they read; the recording cannot say whether these are. It is no
  // mistake of the schedule.
  std::vector<UnorderedPair> early = {};
  std::vector<std::string> found = {};  // what a package's own check says, a sentence each

  std::size_t mistakes() const { return unordered.size() + found.size(); }
};

// Says which kernels of a plan touch the same channels of a buffer without an order: neither the order on a lane nor
// waits nor, of a plan with stages, their ends bring the second after the first. The plan's kernels stand in the order
// that was meant.
OrderReport order_of_plan(const ExecutionPlan& plan);

// Says which kernels began, in a recorded run of the plan, before one had ended that they need: without an order in the
// plan, or early. Empty traces have none.
OrderReport order_of_trace(const ExecutionPlan& plan, const Trace& trace);

// Does the same for what another program recorded, by the operators that its entries are (match_operators()). Such
// times are rounded: less than a microsecond counts as no overlap.
OrderReport order_of_recording(const ExternalRun& run, const Graph& graph);

std::string order_text(const OrderReport& report);  // lines for people
// Returns {"what", "recorded", "pairs", "across_lanes", ["guessed",] "unordered": [{"first", "then", "tensor",
// ["overlap_us"]}],
// ["began_early": the same,] ["found"]}.
nlohmann::ordered_json order_json(const OrderReport& report);

}  // namespace iosx
