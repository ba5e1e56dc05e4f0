#pragma once

#include <vector>

#include "core/model/graph/graph.h"
#include "core/model/trace/trace.h"

namespace iosx {

// A kernel of a unit in flight: from begin to end, without the end.
struct UnitSpan {
  Micros begin{0};
  Micros end{0};
  std::size_t lane = 0;
  friend bool operator==(const UnitSpan&, const UnitSpan&) = default;

  Micros time() const { return end - begin; }
};

// The kernels of each unit, by begin. A unit without a kernel of its own has none: a concatenation in place, or an
// operator that another unit's kernel computes too. A kernel of merged units is in the list of each.
struct UnitSpans {
  std::vector<std::vector<UnitSpan>> of_unit;
  std::vector<UnitId> computed_with;          // by unit: the one whose kernel computes it too; invalid: none
  std::vector<std::vector<UnitId>> together;  // the units of each kernel that the schedule merges
  bool traced = true;                         // false: no times are known, spans only have the order

  std::size_t size() const { return of_unit.size(); }
};

// Returns the spans of a run of a plan of the graph. Kernels that took no time are left out.
UnitSpans unit_spans(const Graph& graph, const ExecutionPlan& plan, const Trace& trace);

// Return spans of the same length for a schedule that no run traced: the steps of a group one after another, groups of
// a stage at once, stages in order; kernels of a plan without barriers as soon as their lane and what they wait for
// allow; without a schedule each unit after all that it reads.
UnitSpans expected_spans(const Graph& graph);
UnitSpans expected_spans(const Graph& graph, const Schedule& schedule);
UnitSpans expected_spans(const Graph& graph, const ExecutionPlan& plan);

// How long kernels of two units were in flight at once: in all, and the longest time without a break.
struct Overlap {
  UnitId a;  // the lower id
  UnitId b;
  Micros time{0};
  Micros begin{0};
  Micros end{0};
};

// Returns the overlaps of all pairs that have one, sorted by their units.
std::vector<Overlap> overlaps(const UnitSpans& spans);

// Returns the pairs of units that ran at the same time for half of the shorter one or more, sorted by their units.
// Units of one merged kernel are none.
std::vector<Overlap> at_once(const UnitSpans& spans, const std::vector<Overlap>& found);

// Returns the units whose kernels a schedule merges with the unit's, by id, without itself.
std::vector<UnitId> merged_with(const UnitSpans& spans, UnitId unit);
// Returns units that are in flight at an instant by kernel: those of one merged kernel in one list. Lists are in the
// order of their first units.
std::vector<std::vector<UnitId>> by_kernel(const UnitSpans& spans, const std::vector<UnitId>& units, Micros at);

// Units that ran while another one did: one, or all of a merged kernel.
struct Partner {
  std::vector<UnitId> units;
  Micros time{0};  // of all their kernels, each once
};

// Returns what ran while kernels of the unit were in flight, the longest first, without what is merged with it.
std::vector<Partner> partners(const UnitSpans& spans, UnitId unit);

}  // namespace iosx
