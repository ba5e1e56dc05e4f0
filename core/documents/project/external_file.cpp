#include "core/documents/project/external_file.h"

#include <fmt/format.h>

#include <utility>

#include "core/formats/external/match.h"
#include "core/formats/wire/document.h"
#include "core/formats/wire/message_fields.h"

namespace iosx {
namespace wire {

inline std::string_view word(Spelled<ExternalTool> x) {
  switch (x.value) {
    case ExternalTool::kTable: return "table";
    case ExternalTool::kChromeTrace: return "chrome-trace";
    case ExternalTool::kOwnTrace: return "own-trace";
    case ExternalTool::kOnnxRuntime: return "onnxruntime";
    case ExternalTool::kPyTorch: return "pytorch";
    case ExternalTool::kNsight: return "nsight";
    case ExternalTool::kTensorRt: return "tensorrt";
    case ExternalTool::kOpenVino: return "openvino";
    case ExternalTool::kEngine: return "engine";
  }
  return {};
}

template <typename A>
void fields(A& a, typename A::template Of<ExternalEntry>& x) {
  a.all(x, field("name", x.name), field("type", x.type), field("output", x.output), field("within", x.within),
        field("inputs", x.inputs), field("dims", x.dims), field("timed", x.timed), not_negative("begin_us", x.begin),
        not_negative("ms", x.duration), not_negative("samples_ms", x.samples), unwritten(x.match));
}
template <typename A>
void fields(A& a, typename A::template Of<ExternalRun>& x) {
  a.all(x, field("label", x.label), field("tool", x.tool), field("file", x.file), field("latency", x.latency),
        not_negative("samples_ms", x.samples), field("entries", x.entries), field("trace", x.trace),
        not_negative("of_kernel", x.of_kernel), field("notices", x.notices));
}

}  // namespace wire

namespace {

constexpr std::string_view kExternalFormat = "iosx-external-run";

// Checks what views and reports rely on; the message is empty where nothing is wrong.
Message external_fault(const ExternalRun& run) {
  if (run.of_kernel.size() != run.trace.kernels.size()) return message("does not name one entry per kernel");
  for (const std::size_t entry : run.of_kernel) {
    if (entry >= run.entries.size()) return message("has a kernel that belongs to no entry");
  }
  for (const KernelSpan& span : run.trace.kernels) {
    if (span.lane >= run.trace.lanes) return message("has a kernel on a lane that does not exist");
    if (span.stage != 0 || span.kernel.valid()) return message("has a kernel that belongs to a plan");
    if (span.end < span.begin) return message("has a kernel that ends before it begins");
  }
  return {};
}

}  // namespace

std::string external_to_json(const ExternalRun& run) { return wire::write_document(kExternalFormat, run); }

Result<ExternalRun> external_from_json(std::string_view text, const std::string& origin, const Graph& graph) {
  auto run = wire::read_document<ExternalRun>(text, origin, kExternalFormat);
  if (!run) return run;
  if (Message wrong = external_fault(*run); !wrong.empty()) return fail(std::move(wrong), origin);
  run->latency.origin = Origin::kRecorded;
  match_operators(*run, graph);
  return run;
}

}  // namespace iosx
