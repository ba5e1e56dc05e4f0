#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/analysis/difference/graph_match.h"
#include "core/analysis/difference/subject.h"

namespace iosx {

// How a unit of one schedule differs in another one.
enum class UnitChange {
  kSame,
  kMoved,      // to another stage
  kJoined,     // its stage and others became one
  kSplit,      // its stage became several
  kMerged,     // it entered or left a merged layer
  kRegrouped,  // the same stage runs it in another group, or in another order
  kAdded,      // only in B
  kMissing,    // only in A
};

struct UnitMove {
  std::vector<UnitId> units;  // of A, by id
  std::size_t from = 0;       // stage of A
  std::size_t to = 0;         // stage of B
};

// What one side's stages of a row launched in the traced run; without a trace, the kernels of its plan.
struct RowKernels {
  std::size_t kernels = 0;
  std::size_t lanes = 0;  // the most of one stage
  // Sum of the kernels' times; none without a trace. With concurrent kernels the stages took less.
  std::optional<Millis> busy = {};
};

// Stages of A and of B with the same operators, as few as possible. One side may be empty: the operators are then
// missing or added.
struct StageRow {
  std::vector<std::size_t> a;  // stages, in order
  std::vector<std::size_t> b;
  std::vector<UnitId> units_a;  // all of these stages, by id
  std::vector<UnitId> units_b;
  Millis latency_a{0};  // sums of the stages
  Millis latency_b{0};
  Delta delta;
  RowKernels kernels_a;
  RowKernels kernels_b;

  // Differences in B. If none is set, the stages are equal.
  bool joined = false;     // fewer stages
  bool split = false;      // more stages
  bool regrouped = false;  // one stage each, whose groups differ beyond merges
  std::vector<UnitMove> moves;
  std::vector<std::vector<UnitId>> merged;    // layers that only B has merged, as units of B
  std::vector<std::vector<UnitId>> unmerged;  // layers that only A has merged, as units of A
  std::vector<UnitId> missing;                // of A
  std::vector<UnitId> added;                  // of B

  bool same() const {
    return !joined && !split && !regrouped && moves.empty() && merged.empty() && unmerged.empty() && missing.empty() &&
           added.empty();
  }
  // Returns Δ relative to A's latency; none without one.
  std::optional<double> relative() const;
};

// Two schedules, stage against stage. The delta.value of the rows, between_stages and rest add up to that of the
// whole.
struct StageDifference {
  std::vector<StageRow> rows;  // in the order of A; rows of B alone at B's place
  Per per = Per::kBatch;       // the basis of all times
  bool has_latencies = false;  // stage_times() of both are known: otherwise the rows' are 0 and meaningless
  bool traced = false;         // includes times of a barrier-free schedule: shares of a traced run
  Delta between_stages;        // ScheduleResult::between_stages
  Delta rest;                  // the time of a run beyond its stages and the overhead between them
  WholeDifference whole;
  std::vector<UnitChange> units_a;  // one per unit of A's graph
  std::vector<UnitChange> units_b;  // one per unit of B's graph
};

// `match` is match_graphs() of their graphs. Both subjects are valid().
StageDifference compare_stages(const Subject& a, const Subject& b, const GraphMatch& match, Per per = Per::kBatch);
StageDifference compare_stages(const Subject& a, const Subject& b);

}  // namespace iosx
