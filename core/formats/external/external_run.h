#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/cost/latency.h"
#include "core/model/graph/operator.h"
#include "core/model/trace/trace.h"

// These types hold what other programs recorded of a network: TensorRT, TVM, PyTorch, ONNX Runtime. Their files are
// anybody's, so names are shown through printable(), and nothing here counts as measured by us: every latency's origin
// is kRecorded.
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

// Says how an entry of a file was found to be operators of a graph; the rules are tried in this order.
enum class MatchRule {
  kNone,
  kName,    // it has the name of an operator or a unit
  kOutput,  // the output that it names has
  kAlike,   // the same but for separators, case, and prefixes and suffixes that tools add, or a piece of the operator
  kFused,   // it names several
  kOrder,   // among what names do not tell, in the same order and of the same type, and of the same shape where known
};
inline constexpr std::size_t kMatchRules = static_cast<std::size_t>(MatchRule::kOrder) + 1;
std::string_view rule_name(MatchRule rule);  // "none", "name", "output", "alike", "fused", "order"

struct OperatorMatch {
  MatchRule rule = MatchRule::kNone;
  std::vector<OperatorId> operators;  // by id; none of kNone
  friend bool operator==(const OperatorMatch&, const OperatorMatch&) = default;
};

using ExternalDims = std::vector<std::int64_t>;  // with the batch, as the file has them

// Is one kernel or node of a run. What has the same name in every run is one entry; the second of that name in a run is
// another one.
struct ExternalEntry {
  std::string name;                       // as in the file
  std::string type = {};                  // of the operator, in the tool's words: "Conv", "aten::conv2d"; may be empty
  std::string output = {};                // the tensor that it makes, where the file says so
  std::vector<std::string> within = {};   // names of ranges around it, the innermost first
  std::vector<ExternalDims> inputs = {};  // where known, as the next
  ExternalDims dims = {};                 // of its output
  bool timed = false;                     // it is in the run that the trace shows, from `begin` on
  Micros begin{0};                        // since that run's begin
  Millis duration{0};                     // the median of its samples
  std::vector<Millis> samples = {};       // one for every run that has it
  OperatorMatch match = {};
};

// Holds what one file says of one program's runs of a network.
struct ExternalRun {
  std::string label;  // what to call it
  ExternalTool tool = ExternalTool::kTable;
  std::string file;                    // its path, as it was given
  Latency latency;                     // of a whole run; no value where the file has none
  std::vector<Millis> samples;         // of a whole run, in the file's order
  std::vector<ExternalEntry> entries;  // timed ones by begin, then the others; none where only whole runs are known
  Trace trace;                         // of the run nearest the median; no kernels where the file has no times
  std::vector<std::size_t> of_kernel;  // the entry of each of the trace's kernels. Those have no KernelId: there is no
                                       // plan, and one stage, 0
  std::vector<Message> notices = {};   // sentences for the user: what was left out, and why

  Millis total() const;    // of all entries' durations: more than the latency where they run side by side
  Millis matched() const;  // of those that are operators of the graph
  // Returns the share of the entries' time, 0 to 1; 0 without entries.
  double matched_share() const;
};

// Returns "recorded by ONNX Runtime" or "recorded in times.csv".
std::string recorded_by(const ExternalRun& run);

}  // namespace iosx
