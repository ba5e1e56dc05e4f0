#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>

#include "core/analysis/recording/opportunities.h"

namespace iosx {
namespace {

constexpr std::size_t kMostOperators = 2;
constexpr std::size_t kMostLetters = 40;

bool cut_off(std::string_view& text, std::string_view beginning) {
  if (!text.starts_with(beginning)) return false;
  text.remove_prefix(beginning.size());
  return true;
}

// Returns "Linear" of "nn.Module: Linear_3".
std::string_view module_class(std::string_view name) {
  cut_off(name, "nn.Module: ");
  const std::size_t number = name.find_last_not_of("0123456789");
  return number != std::string_view::npos && name[number] == '_' && number + 1 < name.size() ? name.substr(0, number)
                                                                                             : name;
}

std::string_view operator_name(std::string_view name) {
  cut_off(name, "aten::");
  cut_off(name, "torch::autograd::");
  return name;
}

}  // namespace

std::string kernel_label(const Recording& recording, std::uint32_t kernel) {
  std::string module;
  std::vector<std::string_view> operators;
  const std::uint32_t innermost = recording.kernels[kernel].range;
  for (std::uint32_t i = innermost; i != kNoIndex && module.empty(); i = recording.ranges[i].outer) {
    const RecordedRange& range = recording.ranges[i];
    const std::string_view name = recording.name(range.name);
    if (range.kind == RangeKind::kModule) {
      module = fmt::format("{}: ", module_class(name));
    } else if (range.kind != RangeKind::kStep && operators.size() < kMostOperators &&
               !name.starts_with("autograd::engine")) {
      operators.push_back(operator_name(name));
    }
  }
  if (operators.empty()) return module + recording.short_name(recording.kernels[kernel].name).substr(0, kMostLetters);
  return module + fmt::to_string(fmt::join(operators, " < "));
}

}  // namespace iosx
