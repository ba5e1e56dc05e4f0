#pragma once

#include <QString>
#include <cstdint>
#include <span>
#include <vector>

#include "core/analysis/compare/comparison.h"
#include "core/analysis/explain/explain.h"
#include "core/formats/document.h"
#include "core/formats/external/unit_column.h"
#include "views/app_model/selection.h"
#include "views/text/attribute_properties.h"

namespace iosx {

// Says what there is to say about the selection: the network where it is empty, a unit with its operators, or a stage
// (or any other set of units) with totals. Work is for the whole batch. `comparison` may be null; it says in which
// stage or lane of each schedule things stand. `why` is part of what is said of a selected stage, describe_why(), or of
// selected units, describe_waits(). `column` is somebody's column of values, of which selected units have theirs; it
// may be null.
std::vector<Property> describe(const Graph& graph, const Selection& selection, const Comparison* comparison,
                               std::int64_t batch, const std::vector<Property>& why = {},
                               const UnitColumn* column = nullptr);

// Says of several networks what each takes alone, and its own latency in every schedule. Empty of one network.
std::vector<Property> describe_networks(const Comparison& comparison);

// Returns inputs and outputs as the network's file has them, and where sizes come from that it leaves open.
std::vector<Property> describe_file(const FileInterface& file, bool any_batch);

// Says why a stage is as it is: one sentence, the best alternatives with bars of what they would cost, and how many no
// search takes; with the reasons, where these are wanted too.
std::vector<Property> describe_why(const Graph& graph, const Schedule& schedule, const StageExplanation& stage,
                                   bool with_excluded = false);
// Says of the kernels of selected units, in a run without barriers, what they waited for and what would have let them
// begin earlier. Empty of a run with stages, and where too many kernels are selected to tell of each.
std::vector<Property> describe_waits(const ScheduleResult& result, std::span<const UnitId> units);
// Stands in for describe_why() while that is being found out (`error` is then empty), or where it failed: `error` is
// its text.
std::vector<Property> describe_no_why(const QString& error);

// Says how a schedule was searched for and how much faster the optimum may be; empty of one that was not.
std::vector<Property> describe_search(const ScheduleResult& result);

// Says which schedule is fastest for all that the simulated device's model may be off; empty where that was not tried.
std::vector<Property> describe_doubt(const Comparison& comparison);

// Returns errors, tolerance and verdict of every output.
std::vector<Property> describe_verification(const QString& schedule, const Verification& verification);
// Returns one sentence with the verdict and the largest errors.
QString verification_sentence(const QString& schedule, const Verification& verification);

}  // namespace iosx
