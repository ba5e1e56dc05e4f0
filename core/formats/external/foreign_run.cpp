#include "core/formats/external/foreign_run.h"

#include <array>
#include <filesystem>

namespace iosx {

std::string_view tool_name(ForeignTool tool) {
  switch (tool) {
    case ForeignTool::kTable: return "a CSV table";
    case ForeignTool::kChromeTrace: return "a Chrome trace";
    case ForeignTool::kOwnTrace: return "IOS Explorer";
    case ForeignTool::kOnnxRuntime: return "ONNX Runtime";
    case ForeignTool::kPyTorch: return "the PyTorch profiler";
    case ForeignTool::kNsight: return "Nsight Systems";
  }
  return {};
}

std::string_view rule_name(MatchRule rule) {
  constexpr std::array<std::string_view, kMatchRules> kNames{"none", "name", "output", "alike", "fused", "order"};
  return kNames[static_cast<std::size_t>(rule)];
}

Millis ForeignRun::total() const {
  Millis sum{0};
  for (const ForeignEntry& entry : entries) sum += entry.duration;
  return sum;
}

Millis ForeignRun::matched() const {
  Millis sum{0};
  for (const ForeignEntry& entry : entries) {
    if (entry.match.rule != MatchRule::kNone) sum += entry.duration;
  }
  return sum;
}

double ForeignRun::matched_share() const {
  const Millis all = total();
  return all > Millis(0) ? matched() / all : 0;
}

std::string recorded_by(const ForeignRun& run) {
  const bool program = run.tool != ForeignTool::kTable && run.tool != ForeignTool::kChromeTrace;
  if (program) return "recorded by " + std::string(tool_name(run.tool));
  return "recorded in " + std::filesystem::path(run.file).filename().string();
}

}  // namespace iosx
