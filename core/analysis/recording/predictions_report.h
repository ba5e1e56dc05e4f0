#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/analysis/recording/predictions.h"
#include "core/tables/render.h"

// What a person or a program reads of predictions. They are modelled: each stands in a table or an object of its own,
// beside what was recorded.
namespace iosx {

// Return a table of the predicted lanes, and one of the opportunities, in their order.
Table predicted_lanes_table(const RecordingPredictions& predictions);
Table opportunity_table(const RecordingPredictions& predictions);

// Returns what could run at the same time, and what it wins, or why this is not known.
std::string predictions_text(const RecordingPredictions& predictions);

// Returns {"reliable", "why_none" (null where there are lanes), "lanes": [{"lanes", "as_launched_ms", "as_graph_ms"}],
// "opportunities": [{"kind", "known", "what", "times", "kernels" (per group), "gain_as_launched_us" (null: not known),
// "gain_as_graph_us", "why"}]}.
nlohmann::ordered_json predictions_json(const RecordingPredictions& predictions);

}  // namespace iosx
