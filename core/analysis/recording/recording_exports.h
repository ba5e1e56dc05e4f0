#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/analysis/recording/predictions.h"

namespace iosx {

// Returns Chrome trace events for Perfetto. The first process is what was recorded: streams, launches, and edges as
// flows with the name of their kind and certainty. Predicted lanes are a process "predicted: …" of their own, on the
// same clock from the first kernel on. It can be opened again as a recording with the same lanes, launches, waits,
// devices and dependencies; it lacks operators and modules.
std::string recording_trace_json(const Recording& recording, const RecordingReport& report,
                                 const RecordingPredictions& predictions, const std::string& title);
// Returns the same as Perfetto's protobuf.
std::string recording_trace_perfetto(const Recording& recording, const RecordingReport& report,
                                     const RecordingPredictions& predictions, const std::string& title);

// Returns on which lane each kernel should run, in launch order: {"lanes", "kernels": [{"operator", "record_function"
// (null: not known), "occurrence", "path", "around", "launch", "lane" (null: it stays on its stream), "after"}]}. The
// operator is the innermost one around its launch, "path" names the modules around that, the outermost first
// ("Net_0/Linear_3"), and "occurrence" counts from 0 among operators of this path and name. "around" has the operators
// around it as [name, occurrence], the innermost first. "launch" is its number in the order of the recording's
// launches. "after" are indices of kernels on other lanes that it waits for.
nlohmann::ordered_json streams_json(const Recording& recording, const RecordingReport& report,
                                    const PredictedLanes& lanes);

}  // namespace iosx
