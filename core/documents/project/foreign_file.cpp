#include "core/documents/project/foreign_file.h"

#include <fmt/format.h>

#include <utility>

#include "core/formats/external/match.h"
#include "core/formats/wire/document.h"
#include "core/formats/wire/message_fields.h"

namespace iosx {
namespace wire {

inline std::string_view word(Spelled<ForeignTool> x) {
  switch (x.value) {
    case ForeignTool::kTable: return "table";
    case ForeignTool::kChromeTrace: return "chrome-trace";
    case ForeignTool::kOwnTrace: return "own-trace";
    case ForeignTool::kOnnxRuntime: return "onnxruntime";
    case ForeignTool::kPyTorch: return "pytorch";
    case ForeignTool::kNsight: return "nsight";
  }
  return {};
}

template <typename A>
void fields(A& a, typename A::template Of<ForeignEntry>& x) {
  a.all(x, field("name", x.name), field("type", x.type), field("output", x.output), field("within", x.within),
        field("inputs", x.inputs), field("dims", x.dims), field("timed", x.timed), not_negative("begin_us", x.begin),
        not_negative("ms", x.duration), not_negative("samples_ms", x.samples), unwritten(x.match));
}
template <typename A>
void fields(A& a, typename A::template Of<ForeignRun>& x) {
  a.all(x, field("label", x.label), field("tool", x.tool), field("file", x.file), field("latency", x.latency),
        not_negative("samples_ms", x.samples), field("entries", x.entries), field("trace", x.trace),
        not_negative("of_kernel", x.of_kernel), field("notices", x.notices));
}

}  // namespace wire

namespace {

constexpr std::string_view kForeignFormat = "iosx-foreign-run";
constexpr int kForeignVersion = 1;

// What views and reports rely on; empty where nothing is wrong.
std::string foreign_fault(const ForeignRun& run) {
  if (run.of_kernel.size() != run.trace.kernels.size()) return "says of other kernels what they are";
  for (const std::size_t entry : run.of_kernel) {
    if (entry >= run.entries.size()) return "has a kernel of no entry";
  }
  for (const KernelSpan& span : run.trace.kernels) {
    if (span.lane >= run.trace.lanes) return "has a kernel on a lane that is not there";
    if (span.stage != 0 || span.kernel.valid()) return "has a kernel of a plan";
    if (span.end < span.begin) return "has a kernel that ends before it begins";
  }
  return {};
}

}  // namespace

std::string foreign_to_json(const ForeignRun& run) {
  return wire::write_document(kForeignFormat, kForeignVersion, run);
}

Result<ForeignRun> foreign_from_json(std::string_view text, const std::string& origin, const Graph& graph) {
  auto run = wire::read_document<ForeignRun>(text, origin, kForeignFormat, kForeignVersion);
  if (!run) return run;
  if (std::string wrong = foreign_fault(*run); !wrong.empty()) return fail(std::move(wrong), origin);
  run->latency.origin = Origin::kRecorded;
  match_operators(*run, graph);
  return run;
}

}  // namespace iosx
