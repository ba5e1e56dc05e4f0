#pragma once

#include <filesystem>
#include <vector>

#include "core/base/result.h"
#include "core/formats/external/recording.h"
#include "core/formats/external/trace_events.h"

// These functions read what programs write, each in its way, as recordings.
namespace iosx::external {

// Session.end_profiling() writes it: the entries are the nodes' events, and a run is its "model_run".
bool is_onnxruntime_profile(const TraceEvents& trace);
Recording onnxruntime_recording(const TraceEvents& trace);

// torch.profiler's export_chrome_trace() writes it: the entries are its kernels where a GPU ran, each under the
// operator that launched it, else the operators that no other one called. Runs are its steps, or what record_function()
// names again and again.
bool is_pytorch_trace(const TraceEvents& trace);
Recording pytorch_recording(const TraceEvents& trace);

// Reads any other trace: its entries are the events that hold no others. One of ours has a recording for each of its
// processes.
struct NamedRecording {
  std::string name;  // empty: none
  Recording recording;
};
std::vector<NamedRecording> chrome_recordings(const TraceEvents& trace);

// nsys export --type sqlite writes it: the entries are kernels, each in the NVTX ranges that were open when it was
// launched. Runs are ranges of one name that are in no other one.
Result<Recording> nsight_recording(const std::filesystem::path& path);

}  // namespace iosx::external
