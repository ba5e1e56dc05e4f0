#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/difference/graph_match.h"
#include "core/analysis/difference/part_matrix.h"
#include "core/analysis/difference/subject.h"

namespace iosx {

// One step on the way from a baseline's latency to a schedule's.
struct SavingStep {
  std::string name = {};                  // of the part, or parts; empty of a stage and of the last step
  std::optional<std::size_t> stage = {};  // of the schedule, where the steps are its stages
  std::vector<UnitId> units = {};         // of the schedule's graph, by id; empty of the last step
  Millis before{0};                       // what the baseline takes for it
  Millis after{0};
  Delta delta = {};  // after less before: below 0 is saved
};

// Says where a schedule saves what it saves against a baseline. All times are as `per` says.
struct SavingSteps {
  Per per = Per::kBatch;
  WholeDifference whole = {};
  // In the order of the network: by part, or by stage of the schedule where the network has no parts. Their differences
  // add up to that of the whole, because the last one is all that no part and no stage has: what lies between stages,
  // and the run beyond them.
  std::vector<SavingStep> steps = {};
  std::vector<std::optional<Delta>> stages = {};  // stage_savings()
  bool traced = false;  // times of a schedule without barriers are among them: those are shares of a traced run
};

// Returns what each stage of the schedule takes more than the baseline does for the same units, which the match tells
// of the two graphs; none of a stage that cannot be told apart in the baseline (times_of_sets()), or has units that it
// lacks. Empty where one of them has no times of its stages (stage_times()).
std::vector<std::optional<Delta>> stage_savings(const Subject& baseline, const Subject& schedule,
                                                const GraphMatch& match, Per per);

// Both are valid(). None where one of them has no times of its stages (stage_times()).
std::optional<SavingSteps> saving_steps(const Subject& baseline, const Subject& schedule);

}  // namespace iosx
