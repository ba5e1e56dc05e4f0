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

// Which endings of a state are tried. connected: every one, its groups being its weakly connected components (the
// paper's definition). single-root: only those whose every group has exactly one unit without a predecessor inside the
// group (what the authors' code enumerates, and Table 1 of the paper counts).
enum class EndingRule { kConnected, kSingleRoot };
inline constexpr std::array<std::string_view, 2> kEndingRuleWords{"connected", "single-root"};  // in that order

// At most r units in a group and s groups in a stage; 0 = unlimited.
struct Pruning {
  std::size_t r = 3;
  std::size_t s = 8;
  friend bool operator==(const Pruning&, const Pruning&) = default;
};

// exhaustive: every stage gets a latency, so that the result is the optimum. lazy: only those that a plan asks for,
// which are few; the result comes with what it may be short of the optimum. automatic: lazy where stages are measured,
// unless there are few, and where there are very many.
enum class SearchMethod { kAutomatic, kExhaustive, kLazy };
inline constexpr std::array<std::string_view, 3> kSearchMethodWords{"automatic", "exhaustive", "lazy"};

// These return nothing of a number that is no enumerator's.
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
  bool longer = false;                 // more doubt in what it believes, more attempts, then larger r and s
  std::optional<double> epsilon = {};  // until the certified gap is at most this, 0 for the optimum
  Seconds budget{0};                   // but no longer than that; 0: no limit
  std::uint64_t seed = 1;              // of its attempts
  // Who wants to know more of the gap, to stop early or to go on wants the search that can do so.
  bool lazy() const { return longer || epsilon || budget > Seconds(0); }
  friend bool operator==(const SearchEffort&, const SearchEffort&) = default;
};

struct SearchOptions {
  EndingRule rule = EndingRule::kConnected;
  Pruning pruning = {};
  StrategySet strategies = StrategySet::kBoth;
  SearchMethod method = SearchMethod::kAutomatic;
  SearchEffort effort = {};
  // Stages of one legal schedule, allowed whatever rule, pruning and strategies say. Pinned ones stand in every
  // schedule as they are; candidate stages may be chosen.
  std::vector<Stage> pinned_stages = {};
  std::vector<Stage> candidate_stages = {};
  // An exhaustive search makes no such effort.
  bool contradictory() const { return method == SearchMethod::kExhaustive && effort.lazy(); }
  friend bool operator==(const SearchOptions&, const SearchOptions&) = default;
};

}  // namespace iosx
