#pragma once

#include <cstddef>
#include <cstdint>

#include "core/schedule/schedule_table.h"

namespace iosx {

// Which endings of a state are tried. connected: every one, its groups being its weakly connected components (the
// paper's definition). single-root: only those whose every group has exactly one unit without a predecessor inside the
// group (what the authors' code enumerates, and Table 1 of the paper counts).
enum class EndingRule { kConnected, kSingleRoot };

// At most r units in a group and s groups in a stage; 0 = unlimited.
struct Pruning {
  std::size_t r = 3;
  std::size_t s = 8;
  friend bool operator==(const Pruning&, const Pruning&) = default;
};

struct SearchOptions {
  EndingRule rule = EndingRule::kConnected;
  Pruning pruning;
  StrategySet strategies = StrategySet::kBoth;
  friend bool operator==(const SearchOptions&, const SearchOptions&) = default;
};

}  // namespace iosx
