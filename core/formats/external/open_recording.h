#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/formats/external/trace_events.h"
#include "core/model/graph/graph.h"
#include "core/model/recording/recording.h"

namespace iosx {

struct RecordingOptions {
  // Files that say which kernels depend on which: PyTorch's execution trace, drawings of CUDA graphs (DOT).
  std::vector<std::filesystem::path> with = {};
  std::optional<std::size_t> step = {};     // keeps only this step, from 0 on
  std::string range = {};                   // the name of a range that is a step; empty: those of PyTorch's profiler
  std::optional<std::int64_t> device = {};  // keeps this one; none: the one with the most kernels
  std::stop_token stop = {};                // ends the reading of a long text with an error
};

// Opens a recording without its network: a trace of PyTorch's profiler, of JAX or any Chrome trace, a profile of ONNX
// Runtime, what rocprofv3 writes, a table of kernels with begins (nsys stats), all also packed by gzip, or an SQLite
// export of Nsight Systems. PyTorch's execution trace alone has operators without times. Any bytes are safe to read.
// Errors: it is none of these, has no kernels on the device, or an execution trace is of another run.
Result<Recording> open_recording(const std::filesystem::path& path, const RecordingOptions& options);
// Does the same for a text in memory.
Result<Recording> read_recording_text(std::string_view text, const std::string& file, const RecordingOptions& options);

// Returns whether a file is one of RecordingOptions::with: an execution trace, which can be opened alone too, or a
// drawing.
bool is_dependency_file(const std::filesystem::path& path);
// Returns whether bytes of this beginning can be opened only as a recording: an execution trace, traces of Chakra, of
// rocprofv3 and of Perfetto, what the inspector of TensorRT writes, or the drawing of a CUDA graph, which is then
// refused with the remedy. Others are JSON with traces, SQLite and tables, which have more readers.
bool begins_like_recording(std::string_view head);
// Adds the dependencies of the network that ran, whose operators the kernels match by name, else by order and type.
// Kernels without an operator stay in their order. Errors: less than four fifths of the kernels' time is matched, as
// when it is another network, or the recording has several runs of it.
Result<void> link_network(Recording& recording, const Graph& graph, const std::string& file);

namespace external {

// Read one file each. Kernels are not settled (see settle()).
Recording kineto_recording(TraceEvents trace);
Result<Recording> nsight_recording(const std::filesystem::path& path);
// Has kernels and lanes alone: the file says nothing about launches.
Recording recording_of_runs(RecordedRuns runs);
Result<Recording> rocprof_recording(ByteSource& source, const std::string& origin);
Result<Recording> chakra_recording(ByteSource& source, const std::string& origin);
// Has the layers of an engine of TensorRT on their streams, without times, as its inspector describes them.
Result<Recording> tensorrt_recording(std::string_view json, const std::string& origin);
Result<ExecutionTrace> read_execution_trace(ByteSource& source, const std::string& origin);
Result<GraphDump> read_graph_dump(std::string_view text, const std::string& origin);

// Return whether JSON with this beginning is an execution trace, a trace of Chakra with times and dependencies, what
// rocprofv3 writes, or what the inspector of TensorRT writes.
bool is_execution_trace(std::string_view head);
bool is_chakra_json(std::string_view head);
bool is_rocprof_json(std::string_view head);
bool is_graph_dump(std::string_view head);  // a drawing of a CUDA graph
bool is_tensorrt_inspector(std::string_view head);

// Gives the recording's operators their nodes of the trace, by record function ids (PyTorch 2.4 and later), else by
// names in order in each thread. Errors: fewer than nine of ten operators, or nodes, have a partner: it is of another
// run.
Result<void> link_operators(Recording& recording, ExecutionTrace trace, const std::string& file);
// Makes kernels of the operators that compute something themselves, in a recording without a device.
void make_kernels_of_operators(Recording& recording);
// Makes a recording of the trace alone: each operator that computes takes 1 µs, because times are not known.
Recording recording_of_nodes(ExecutionTrace trace);

}  // namespace external
}  // namespace iosx
