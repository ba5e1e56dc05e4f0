#pragma once

#include <filesystem>
#include <vector>

#include "core/base/result.h"
#include "core/formats/external/recording.h"
#include "core/formats/external/trace_events.h"

// Read the files of several programs, each in its format, as recordings.
namespace iosx::external {

// Written by Session.end_profiling(): entries are events of nodes, and a run is its "model_run".
bool is_onnxruntime_profile(const TraceEvents& trace);
Recording onnxruntime_recording(const TraceEvents& trace);

// Written by torch.profiler's export_chrome_trace(): entries are kernels under the operators that launched them if a
// GPU ran, else the operators without a caller. Runs are its steps, or repeated names of record_function().
bool is_pytorch_trace(const TraceEvents& trace);
Recording pytorch_recording(const TraceEvents& trace);

// Any other trace: its entries are the events that contain no others. A trace of ours has a recording for each of
// its processes.
struct NamedRecording {
  std::string name;  // empty: none
  Recording recording;
};
std::vector<NamedRecording> chrome_recordings(const TraceEvents& trace);

// Written by nsys export --type sqlite: entries are kernels, each in the NVTX ranges open at its launch. Runs are
// ranges of one name that lie in no other range.
Result<Recording> nsight_recording(const std::filesystem::path& path);

}  // namespace iosx::external
