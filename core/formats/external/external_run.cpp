#include "core/formats/external/external_run.h"

#include <array>
#include <filesystem>

namespace iosx {

std::string_view tool_name(ExternalTool tool) {
  switch (tool) {
    case ExternalTool::kTable: return "a CSV table";
    case ExternalTool::kChromeTrace: return "a Chrome trace";
    case ExternalTool::kOwnTrace: return "IOS Explorer";
    case ExternalTool::kOnnxRuntime: return "ONNX Runtime";
    case ExternalTool::kPyTorch: return "the PyTorch profiler";
    case ExternalTool::kNsight: return "Nsight Systems";
    case ExternalTool::kTensorRt: return "TensorRT";
    case ExternalTool::kOpenVino: return "OpenVINO";
    case ExternalTool::kEngine: return "the engine itself";
  }
  return {};
}

std::string_view rule_name(MatchRule rule) {
  constexpr std::array<std::string_view, kMatchRules> kNames{"none", "name", "output", "alike", "fused", "order"};
  return kNames[static_cast<std::size_t>(rule)];
}

Millis ExternalRun::total() const {
  Millis sum{0};
  for (const ExternalEntry& entry : entries) sum += entry.duration;
  return sum;
}

Millis ExternalRun::matched() const {
  Millis sum{0};
  for (const ExternalEntry& entry : entries) {
    if (entry.match.rule != MatchRule::kNone) sum += entry.duration;
  }
  return sum;
}

double ExternalRun::matched_share() const {
  const Millis all = total();
  return all > Millis(0) ? matched() / all : 0;
}

std::string recorded_by(const ExternalRun& run) {
  const bool program = run.tool != ExternalTool::kTable && run.tool != ExternalTool::kChromeTrace;
  if (program) return "recorded by " + std::string(tool_name(run.tool));
  return "recorded in " + std::filesystem::path(run.file).filename().string();
}

}  // namespace iosx
