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
  std::optional<TimeUnit> unit = {};  // of a CSV table whose header does not say it; milliseconds without it
  std::size_t runs = 0;  // that the file holds, where it does not mark them; 0: not known, it counts as one
  // What TensorRT's layers are made of (trtexec --exportLayerInfo), for a profile of them; empty: nothing says so.
  std::filesystem::path layers = {};
  const Graph* graph = nullptr;  // whose operators its entries are matched to; null: they are not
};

// Reads what another program recorded: a CSV table, a Chrome trace (with ONNX Runtime's and PyTorch's profiles), times
// of TensorRT's trtexec or OpenVINO's benchmark_app, or an SQLite export of Nsight Systems. That is mostly one run; it
// is several of a table whose names are those of programs (its header says so, or none is an operator's of the graph),
// and of a trace that IOS Explorer wrote, one for each schedule. `label` is what to call it; if empty, it is called as
// its file, or as a table itself calls its programs. Any bytes are safe to read, in bounded memory and time; the error
// says what is wrong with the file.
Result<std::vector<ExternalRun>> read_external(const std::filesystem::path& path, const std::string& label,
                                               const ExternalOptions& options);

// Does the same with a CSV table or a trace that is in memory.
Result<std::vector<ExternalRun>> read_external_text(std::string_view text, const std::string& file,
                                                    const std::string& label, const ExternalOptions& options);

// Says whether JSON that begins so has the events of a Chrome trace.
bool has_trace_events(std::string_view head);

}  // namespace iosx
