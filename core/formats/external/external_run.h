#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/cost/latency.h"
#include "core/model/graph/graph.h"
#include "core/model/graph/operator.h"
#include "core/model/trace/trace.h"

// Other programs recorded these runs of a network: TensorRT, TVM, PyTorch, ONNX Runtime. Their files are untrusted, so
// names are shown through printable(), and nothing here counts as measured by us: every latency's origin is kRecorded.
namespace iosx {

enum class ExternalTool {
  kTable,
  kChromeTrace,
  kOwnTrace,
  kOnnxRuntime,
  kPyTorch,
  kNsight,
  kTensorRt,
  kOpenVino,
  kEngine
};
// Returns "a CSV table", "a Chrome trace", "IOS Explorer", "ONNX Runtime", "the PyTorch profiler", "Nsight Systems",
// "TensorRT", "OpenVINO", "the engine itself".
std::string_view tool_name(ExternalTool tool);

// How an entry of a file was matched to operators of a graph. The rules are tried in this order.
enum class MatchRule {
  kNone,
  kName,    // its name is that of an operator or a unit
  kOutput,  // the name of its output is
  // It is equal except for separators, case, and prefixes and suffixes of tools, or names a piece of the operator, or
  // the operator is named in the arguments of a function's template.
  kAlike,
  kFused,  // it names several operators
  kOrder,  // among the rest, by order and type, and by shape where known
};
inline constexpr std::size_t kMatchRules = static_cast<std::size_t>(MatchRule::kOrder) + 1;
std::string_view rule_name(MatchRule rule);  // "none", "name", "output", "alike", "fused", "order"

struct OperatorMatch {
  MatchRule rule = MatchRule::kNone;
  std::vector<OperatorId> operators;  // sorted by id; empty for kNone
  friend bool operator==(const OperatorMatch&, const OperatorMatch&) = default;
};

using ExternalDims = std::vector<std::int64_t>;  // with the batch, as in the file

// It is one kernel or node of a run. The same name in every run is one entry; a second kernel of that name in a run is
// another entry.
struct ExternalEntry {
  std::string name;         // as in the file
  std::string type = {};    // the operator's type in the tool's words: "Conv", "aten::conv2d"; may be empty
  std::string output = {};  // the output tensor, where the file names it
  std::vector<std::string> within = {};   // names of enclosing ranges, the innermost first
  std::vector<ExternalDims> inputs = {};  // where known, like the next
  ExternalDims dims = {};                 // of its output
  bool timed = false;                     // the trace's run has it, from `begin` on
  Micros begin{0};                        // since the run's begin
  Millis duration{0};                     // the median of its samples
  std::vector<Millis> samples = {};       // one for every run that has it
  OperatorMatch match = {};
};

// These are one program's runs of a network, from one file.
struct ExternalRun {
  std::string label = {};  // its display name
  ExternalTool tool = ExternalTool::kTable;
  std::string file = {};                    // its path, as given
  Latency latency = {};                     // of a whole run; no value where the file has none
  std::vector<Millis> samples = {};         // of whole runs, in the file's order
  std::vector<ExternalEntry> entries = {};  // timed ones by begin, then others; empty where only whole runs are known
  Trace trace = {};                         // of the run nearest the median; no kernels where the file has no times
  std::vector<std::size_t> of_kernel = {};  // the entry of each of the trace's kernels. Those have no KernelId: there
                                            // is no plan, and one stage, 0
  std::vector<Message> notices = {};        // sentences for the user: what was skipped, and why

  Millis total() const;    // sum of all durations: more than the latency where entries overlap
  Millis matched() const;  // sum of those matched to operators of the graph
  // Returns the matched share of the entries' time, 0 to 1; 0 without entries.
  double matched_share() const;
};

// Returns "recorded by ONNX Runtime" or "recorded in times.csv".
std::string recorded_by(const ExternalRun& run);

// Returns a text about a file: its runs, and a row per entry with its match. `graph` is null without matching. Lists
// the `most` longest entries; 0: all, in their order.
std::string external_text(const ExternalRun& run, const Graph* graph, std::size_t most);

// Returns {"label", "tool", "file", "origin", "latency_ms", "spread_ms", "samples_ms", "p50_ms", "p95_ms",
// "p99_ms" (Percentiles of the samples; null with too few), "lanes", "matched_share", "matches": {RULE:
// {"entries", "ms"}}, "notices", "entries": [{"name", "type", "begin_us", "ms", "samples_ms", "match",
// "operators"}], "operators_without_entry"}. Without a graph the keys of matches are missing; an entry without
// "begin_us" has no place in the trace.
nlohmann::ordered_json external_json(const ExternalRun& run, const Graph* graph);

}  // namespace iosx
