#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/formats/external/csv_times.h"
#include "core/formats/external/external_run.h"
#include "core/model/graph/graph.h"

namespace iosx {

struct ExternalOptions {
  std::optional<TimeUnit> unit = {};  // for a CSV table whose header has none; default: milliseconds
  std::size_t runs = 0;               // in the file, where it does not mark them; 0: unknown, it counts as one
  // Each range of this name, of record_function() or NVTX, is a run; empty: runs are what the profiler calls its steps.
  std::string range = {};
  // The file of TensorRT's layer contents (trtexec --exportLayerInfo), for a profile of them; empty: none.
  std::filesystem::path layers = {};
  const Graph* graph = nullptr;  // the graph to match entries to; null: none
};

// Reads another program's recording: a CSV table, a Chrome trace (also the profiles of ONNX Runtime and PyTorch),
// times of TensorRT's trtexec or OpenVINO's benchmark_app, or an SQLite export of Nsight Systems. That is usually one
// run. A table with names of programs (by its header, or because none is an operator of the graph) has several, and a
// trace that IOS Explorer wrote has one per schedule. `label` is the display name; if empty, it is the file's name or
// the table's names of programs. Any bytes are safe to read, in bounded memory and time; the error says what is wrong
// with the file.
Result<std::vector<ExternalRun>> read_external(const std::filesystem::path& path, const std::string& label,
                                               const ExternalOptions& options);

// Does the same for a CSV table or a trace in memory.
Result<std::vector<ExternalRun>> read_external_text(std::string_view text, const std::string& file,
                                                    const std::string& label, const ExternalOptions& options);

// Returns whether JSON with this beginning has the events of a Chrome trace.
bool has_trace_events(std::string_view head);

}  // namespace iosx
