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

// What a schedule that is changed by hand costs, stage by stage, beside what it began as and beside other schedules.
namespace iosx {

struct DraftCosts {
  std::vector<std::optional<Latency>> stages = {};  // by stage; none: it is not known
  std::optional<Millis> sum = {};                   // with the overhead between stages; none while a stage's is missing
  Millis spread{0};                                 // of the sum, as far as stages vary independently
};

// A schedule that the draft is held against.
struct DraftReference {
  ScheduleKind schedule_kind = ScheduleKind::kSequential;
  std::string title;
  Millis sum{0};
};

struct DraftEvaluation {
  DraftCosts costs = {};
  // By stage what it takes more than the stages of the start that have most of their units in it. None where the start
  // has the same stage, or a latency is not known.
  std::vector<std::optional<Millis>> changes = {};
  // The best search of the run, greedy, sequential. What the run lacks is computed where the source can do so.
  std::vector<DraftReference> references = {};
  std::optional<Error> error = {};  // the source's; then nothing is known of any stage
};

// `source` answers for the draft's graph; one that measures() is asked for what it does not know, of another only what
// is known counts; null: there is none. `run` is the comparison beside which the draft stands; null: there is none.
DraftEvaluation evaluate_draft(const ScheduleDraft& draft, const ScheduleDraft& start, LatencySource* source,
                               const Comparison* run);

// The best search of the run, where a schedule of these costs is faster than it; else null.
const ScheduleResult* beaten_search(const DraftCosts& costs, const Comparison& run);

// A draft is faster than what a search found, and why that search has no such stages.
struct DraftInsight {
  ScheduleKind schedule_kind = ScheduleKind::kIosBoth;  // of the search
  std::string title;                                    // of the search
  Millis gained{0};
  // The stages of the draft that the search's schedule lacks, what gains most first. Without a reason the search was
  // free to take the stage.
  std::vector<StageBeyond> stages = {};
};
// `searched_with` is what the run's searches were allowed. None where no search was beaten.
std::optional<DraftInsight> insight_of(const ScheduleDraft& draft, const DraftEvaluation& evaluation,
                                       const Comparison& run, SearchOptions searched_with);

// The result of the run that is this schedule, made by hand, in whatever order its groups stand, on these lanes if it
// has any. Null: there is none.
const ScheduleResult* find_by_hand(const Comparison& run, const Schedule& schedule,
                                   const std::optional<LaneSchedule>& lanes = {});

}  // namespace iosx
