#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/compare/comparison.h"
#include "core/base/result.h"
#include "core/model/cost/latency_source.h"
#include "core/model/schedule/schedule_draft.h"
#include "core/search/limits.h"

// The costs of a hand-edited schedule, stage by stage, compared with its start and other schedules.
namespace iosx {

struct DraftCosts {
  std::vector<std::optional<Latency>> stages = {};  // by stage; none: unknown
  std::optional<Millis> sum = {};                   // with the overhead between stages; none while a stage's is unknown
  Millis spread{0};                                 // of the sum, if stages vary independently
};

// A schedule that the draft is compared with.
struct DraftReference {
  ScheduleKind schedule_kind = ScheduleKind::kSequential;
  std::string title;
  Millis sum{0};
};

struct DraftEvaluation {
  DraftCosts costs = {};
  // By stage, how much longer it takes than the stages of the start with most of its units. None where the start has
  // the same stage, or a latency is unknown.
  std::vector<std::optional<Millis>> changes = {};
  // The best search of the run, greedy, sequential. Missing ones are computed where the source allows.
  std::vector<DraftReference> references = {};
  std::optional<Error> error = {};  // the source's; then all stages are unknown
};

// `source` answers for the draft's graph; if it measures(), unknown stages are measured, otherwise only known ones
// count; null: none. `run` is the draft's comparison; null: none.
DraftEvaluation evaluate_draft(const ScheduleDraft& draft, const ScheduleDraft& start, LatencySource* source,
                               const Comparison* run);

// Returns the best search of the run, where a schedule of these costs beats it; else null.
const ScheduleResult* beaten_search(const DraftCosts& costs, const Comparison& run);

// A draft that beats a search, and why that search has no such stages.
struct DraftInsight {
  ScheduleKind schedule_kind = ScheduleKind::kIosBoth;  // the search's
  std::string title;                                    // the search's
  Millis gained{0};
  // The draft's stages that the search's schedule lacks, the largest gain first. Without a reason the search was
  // free to take the stage.
  std::vector<StageBeyond> stages = {};
};
// `searched_with` has the options of the run's searches. None where no search was beaten.
std::optional<DraftInsight> insight_of(const ScheduleDraft& draft, const DraftEvaluation& evaluation,
                                       const Comparison& run, SearchOptions searched_with);

// Returns the run's result of this schedule made by hand, with groups in any order, on these lanes if it has any, or
// null.
const ScheduleResult* find_by_hand(const Comparison& run, const Schedule& schedule,
                                   const std::optional<LaneSchedule>& lanes = {});

}  // namespace iosx
