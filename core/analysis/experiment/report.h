#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/analysis/experiment/experiment.h"
#include "core/tables/render.h"

namespace iosx {

// Returns the table for people: one row a trial, or of a matrix one a level. Cells have marks: "*" for the best, "~"
// for no difference beyond the noise.
Table experiment_table(const ExperimentResult& result);
// One row a trial, for documents: experiment, network, device where only one ran, batch where it is not varied, the
// factors, the measures, origin, best, within_noise.
Table trial_list(const ExperimentResult& result);

// For people: a title, whether it was simulated, one aligned row a trial or a level.
std::string experiment_table_text(const ExperimentResult& result);

// {"experiment", "network", "devices": [{"id", "name", "origin"}], "batch", "method", "complete", "factors": [{"id",
// "title"}], "measures": [{"id", "title", "unit"}], "trials": [...], "notices"}. A trial has the level of every factor
// under its id (a number where the factor is one), the value of every measure under its (null where there is none),
// "origin", "best", "within_noise" and, of a lazy search, "course": [{"stages_needed", "cost_ms"}]. "method": "lazy" or
// "exhaustive", of pruning alone.
nlohmann::ordered_json experiment_json(const ExperimentResult& result);

}  // namespace iosx
