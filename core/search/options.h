#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/duration.h"
#include "core/model/schedule/schedule.h"
#include "core/model/schedule/schedule_table.h"

namespace iosx {

// The endings of a state that are tried. connected: all; their groups are weakly connected components (the paper's
// definition). single-root: only those whose every group has exactly one unit without a predecessor inside the group
// (what the authors' code enumerates, and Table 1 of the paper counts).
enum class EndingRule { kConnected, kSingleRoot };
inline constexpr std::array<std::string_view, 2> kEndingRuleWords{"connected", "single-root"};  // in that order

// At most r units per group and s groups per stage; 0: unlimited.
struct Pruning {
  std::size_t r = 3;
  std::size_t s = 8;
  friend bool operator==(const Pruning&, const Pruning&) = default;
};

// exhaustive: measures every stage and finds the optimum. lazy: measures only the few stages that a plan needs, and
// reports the possible distance to the optimum. automatic: lazy for very many stages, and for measured stages unless
// they are few.
enum class SearchMethod { kAutomatic, kExhaustive, kLazy };
inline constexpr std::array<std::string_view, 3> kSearchMethodWords{"automatic", "exhaustive", "lazy"};

// Return none for a number that is not an enumerator's.
constexpr std::string_view word_of(EndingRule rule) {
  const auto i = static_cast<std::size_t>(rule);
  return i < kEndingRuleWords.size() ? kEndingRuleWords[i] : std::string_view();
}
constexpr std::string_view word_of(SearchMethod method) {
  const auto i = static_cast<std::size_t>(method);
  return i < kSearchMethodWords.size() ? kSearchMethodWords[i] : std::string_view();
}

// How long a lazy search goes on.
struct SearchEffort {
  bool longer = false;                 // larger optimism discounts, more attempts, then larger r and s
  std::optional<double> epsilon = {};  // until the certified gap is at most this; 0: the optimum
  Seconds budget{0};                   // upper limit of the time; 0: no limit
  std::uint64_t seed = 1;              // of the random attempts
  // Options about the gap, an early stop or a longer search need a lazy search.
  bool lazy() const { return longer || epsilon || budget > Seconds(0); }
  friend bool operator==(const SearchEffort&, const SearchEffort&) = default;
};

struct SearchOptions {
  EndingRule rule = EndingRule::kConnected;
  Pruning pruning = {};
  StrategySet strategies = StrategySet::kBoth;
  SearchMethod method = SearchMethod::kAutomatic;
  SearchEffort effort = {};
  // Stages of one legal schedule, allowed whatever rule, pruning and strategies say. Pinned ones are part of
  // every schedule; candidate stages may be chosen.
  std::vector<Stage> pinned_stages = {};
  std::vector<Stage> candidate_stages = {};
  // An exhaustive search has no such options.
  bool contradictory() const { return method == SearchMethod::kExhaustive && effort.lazy(); }
  friend bool operator==(const SearchOptions&, const SearchOptions&) = default;
};

}  // namespace iosx
