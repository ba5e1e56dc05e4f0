#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/analysis/compare/comparison.h"
#include "core/documents/run_file/run.h"

namespace iosx {

// Holds what a comparison is made with. Of the options, what is one request's alone stays empty: given schedules and a
// warm start.
struct RunSettings {
  std::string device;  // id in the registry
  CompareOptions options{.sensitivity = true};
  friend bool operator==(const RunSettings&, const RunSettings&) = default;
};

// Returns the settings that would make the run again.
RunSettings settings_of(const Run& run);

// Returns the strategies with exactly these schedule kinds, including baselines; none for others.
std::optional<StrategySet> strategies_of(const std::vector<ScheduleKind>& schedule_kinds);

}  // namespace iosx
