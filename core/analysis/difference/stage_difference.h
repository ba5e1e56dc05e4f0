#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/analysis/difference/delta.h"
#include "core/analysis/difference/graph_match.h"
#include "core/analysis/difference/subject.h"

namespace iosx {

// Says what became of a unit of one schedule in another one.
enum class UnitChange {
  kSame,
  kMoved,      // to another stage
  kJoined,     // its stage and others became one
  kSplit,      // its stage became several
  kMerged,     // it is part of another merged layer, or of one no more
  kRegrouped,  // the same stage runs it in another group, or in another order
  kAdded,      // in B alone
  kMissing,    // in A alone
};

struct UnitMove {
  std::vector<UnitId> units;  // of A, by id
  std::size_t from = 0;       // stage of A
  std::size_t to = 0;         // stage of B
};

// What one side's stages of a row launched in its traced run, without a trace the kernels of its plan.
struct RowKernels {
  std::size_t kernels = 0;
  std::size_t lanes = 0;  // at most, of one of the stages
  // Each kernel's time, added up; none without a trace. Where kernels ran side by side the stages took less than that.
  std::optional<Millis> busy = {};
};

// Stages of A and of B that hold the same operators, as few as possible. Either may be none: what they hold is missing
// or added.
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

  // These differ in B. If none is set, the stages are the same.
  bool joined = false;     // fewer stages
  bool split = false;      // more stages
  bool regrouped = false;  // one stage each, whose groups differ beyond what is merged
  std::vector<UnitMove> moves;
  std::vector<std::vector<UnitId>> merged;    // layers that B alone has merged, as units of B
  std::vector<std::vector<UnitId>> unmerged;  // that A alone has merged, as units of A
  std::vector<UnitId> missing;                // of A
  std::vector<UnitId> added;                  // of B

  bool same() const {
    return !joined && !split && !regrouped && moves.empty() && merged.empty() && unmerged.empty() && missing.empty() &&
           added.empty();
  }
  // Δ as part of A's latency; none without one.
  std::optional<double> relative() const;
};

// Two schedules, stage against stage. The differences of the rows, between_stages and rest together are that of the
// whole: delta.value of each, added up.
struct StageDifference {
  std::vector<StageRow> rows;  // in the order of A, what B alone has where B has it
  Per per = Per::kBatch;       // what all times are of
  bool has_latencies = false;  // stage_times() of both: else the rows' are 0 and mean nothing
  bool traced = false;         // those of a schedule without barriers are among them: shares of a traced run
  Delta between_stages;        // ScheduleResult::between_stages
  Delta rest;                  // what a run takes beyond its stages and what lies between them
  WholeDifference whole;
  std::vector<UnitChange> units_a;  // one a unit of A's graph
  std::vector<UnitChange> units_b;  // one a unit of B's graph
};

// `match` is match_graphs() of their graphs. Both subjects are valid().
StageDifference compare_stages(const Subject& a, const Subject& b, const GraphMatch& match, Per per = Per::kBatch);
StageDifference compare_stages(const Subject& a, const Subject& b);

}  // namespace iosx
