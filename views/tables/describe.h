#pragma once

#include <QString>
#include <cstdint>
#include <span>
#include <vector>

#include "core/analysis/compare/comparison.h"
#include "core/analysis/explain/changes.h"
#include "core/analysis/explain/explain.h"
#include "core/formats/document.h"
#include "core/formats/external/unit_column.h"
#include "core/search/stage_candidates.h"
#include "views/app_model/selection.h"
#include "views/text/attribute_properties.h"

namespace iosx {

// Describes the selection: the network where it is empty, a unit with its operators, or a stage (or any other set of
// units) with totals. Work is for the whole batch. `comparison` may be null; it gives the stage or lane in each
// schedule. `why` is added for a selected stage, from describe_why(), or for selected units, from describe_waits().
// `column` is the user's column of values, shown for selected units; it may be null.
std::vector<Property> describe(const Graph& graph, const Selection& selection, const Comparison* comparison,
                               std::int64_t batch, const std::vector<Property>& why = {},
                               const UnitColumn* column = nullptr);

// Describes the time of each of several networks alone, and its own latency in every schedule. Empty for one network.
std::vector<Property> describe_networks(const Comparison& comparison);

// Returns inputs and outputs as the network's file has them, and the origin of its open sizes.
std::vector<Property> describe_file(const FileInterface& file, bool any_batch);

// Explains a stage: one sentence, the best alternatives with bars of their cost, and how many no search takes; with
// the reasons, if wanted.
std::vector<Property> describe_why(const Graph& graph, const Schedule& schedule, const StageExplanation& stage,
                                   bool with_excluded = false);
// Describes, for the kernels of selected units in a barrier-free run, what they waited for and what would have
// started them earlier. Empty for a run with stages, and where too many kernels are selected.
std::vector<Property> describe_waits(const ScheduleResult& result, std::span<const UnitId> units);
// Replaces describe_why() while that is being computed (`error` is then empty), or after it failed with the text
// `error`.
std::vector<Property> describe_no_why(const QString& error);

// Describes a schedule's search and how much faster the optimum may be; empty without a search.
std::vector<Property> describe_search(const ScheduleResult& result);

// Describes which schedule is fastest under the simulated device's model errors; empty where that was not tried.
std::vector<Property> describe_sensitivity(const Comparison& comparison);

// Returns errors, tolerance and verdict of every output.
std::vector<Property> describe_verification(const QString& schedule, const Verification& verification);
// Returns one sentence with the verdict and the largest errors.
QString verification_sentence(const QString& schedule, const Verification& verification);

// Returns "split off [a b] first" or "join with stage 12, merging [a b]"; stages count from 1.
QString change_words(const Graph& graph, const Schedule& schedule, const Change& change);
QString why_words(const std::vector<Exclusion>& excluded);  // "r = 3: a group of 4 units"

}  // namespace iosx
