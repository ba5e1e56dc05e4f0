#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/compare/comparison.h"
#include "core/documents/run_file/run.h"

namespace iosx {

// The settings of a comparison.
struct RunSettings {
  std::string device;  // id in the registry
  std::int64_t batch = 1;
  std::vector<ScheduleKind> schedule_kinds = made_schedule_kinds();
  SearchOptions search;
  std::size_t max_part_size = kDefaultMaxPartSize;  // units; larger parts are cut before a search
  TimingOptions timing;                             // of a measuring device
  std::int64_t memory_limit = 0;                    // see CompareOptions
  friend bool operator==(const RunSettings&, const RunSettings&) = default;
};

// Returns the options of a comparison with these settings.
CompareOptions options_of(const RunSettings& settings);

// Returns the settings that would repeat the run.
RunSettings settings_of(const Run& run);

// Returns the strategies with exactly these schedule kinds, including baselines; none for others.
std::optional<StrategySet> strategies_of(const std::vector<ScheduleKind>& schedule_kinds);

}  // namespace iosx
