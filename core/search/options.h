#pragma once

#include "core/base/duration.h"
#include "core/model/schedule/schedule.h"
#include "core/model/schedule/schedule_table.h"
#include "core/options/option.h"

namespace iosx {

// The endings of a state that are tried. connected: all; their groups are weakly connected components (the paper's
// definition). single-root: only those whose every group has exactly one unit without a predecessor inside the group
// (what the authors' code enumerates, and Table 1 of the paper counts).
enum class EndingRule { kConnected, kSingleRoot };
inline constexpr std::array<std::string_view, 2> kEndingRuleWords{said("connected"),
                                                                  said("single-root")};  // in that order

// At most r units per group and s groups per stage; 0: unlimited.
struct Pruning {
  std::size_t r = 3;
  std::size_t s = 8;
  friend bool operator==(const Pruning&, const Pruning&) = default;
};
template <>
inline constexpr auto kOptionTable<Pruning> = std::tuple{
    option(&Pruning::r, {.id = "r",
                         .title = Sentence{"Units per group (r)"},
                         .help = Sentence{"Maximum units in a group, which run one after another on one stream"},
                         .bounds = {0, 1'000'000},
                         .zero = Sentence{"unlimited"},
                         .uses = use::kSearches | use::kCount | use::kSearchExperiment}),
    option(&Pruning::s, {.id = "s",
                         .title = Sentence{"Groups per stage (s)"},
                         .help = Sentence{"Maximum groups in a stage, which run concurrently, each on its own stream"},
                         .bounds = {0, 1'000'000},
                         .zero = Sentence{"unlimited"},
                         .uses = use::kSearches | use::kCount | use::kSearchExperiment})};

// exhaustive: measures every stage and finds the optimum. lazy: measures only the few stages that a plan needs, and
// reports the possible distance to the optimum. automatic: lazy for very many stages, and for measured stages unless
// they are few.
enum class SearchMethod { kAutomatic, kExhaustive, kLazy };
inline constexpr std::array<std::string_view, 3> kSearchMethodWords{said("automatic"), said("exhaustive"),
                                                                    said("lazy")};

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
template <>
inline constexpr auto kOptionTable<SearchEffort> = std::tuple{
    option(&SearchEffort::longer,
           {.id = "longer",
            .title = Sentence{"Longer search"},
            .help = Sentence{"Search lazily, trust predictions less, make more attempts, then raise r and s"},
            .uses = use::kSearches | use::kPruningExperiment,
            .not_with_replay = use::kCompare | use::kOptimize}),
    option(&SearchEffort::epsilon, {.id = "epsilon",
                                    .title = Sentence{"Certified gap"},
                                    .help = Sentence{"Search lazily until the result is certified to be within this "
                                                     "fraction of the optimum, such as 0.05. 0 finds the optimum"},
                                    .bounds = {0, 10},
                                    .none = Sentence{"any"},
                                    .uses = use::kSearches | use::kPruningExperiment,
                                    .not_with_replay = use::kCompare | use::kOptimize}),
    option(&SearchEffort::budget,
           {.id = "budget",
            .title = Sentence{"Time budget"},
            .help = Sentence{"Search lazily, and stop each search after this time with the best schedule so far. The "
                             "search always measures every unit once and measures the result carefully, even if that "
                             "needs more time. End-to-end runs need extra time"},
            .bounds = {0.001, 1e6},
            .unit = "s",
            .none = Sentence{"no limit"},
            .key = "budget_s",
            .uses = use::kSearches | use::kPruningExperiment,
            .not_with_replay = use::kCompare | use::kOptimize}),
    option(&SearchEffort::seed, {.id = "seed",
                                 .title = Sentence{"Seed"},
                                 .help = Sentence{"Seed of the random attempts of a lazy search"},
                                 .bounds = {0, 1'000'000'000},
                                 .uses = use::kSearches | use::kPruningExperiment})};

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
template <>
inline constexpr auto kOptionTable<SearchOptions> = std::tuple{
    option(&SearchOptions::rule,
           {.id = "ending_rule",
            .title = Sentence{"Ending rule"},
            .help = Sentence{"Endings that the search tries. connected: all, as the paper defines them. single-root: "
                             "only groups with one first unit, as in the authors' code"},
            .words = kEndingRuleWords,
            .key = "rule",
            .advanced = true,
            .uses = use::kSearches | use::kCount | use::kPruningExperiment}),
    member("pruning", &SearchOptions::pruning),
    option(&SearchOptions::strategies,
           {.id = "strategy",
            .title = Sentence{"Strategy"},
            .help = Sentence{"Strategy of a stage: run groups concurrently (parallel), merge layers into one (merge), "
                             "or use the better of the two (both)"},
            .words = kStrategyWords,
            .key = "strategies",
            .python = "strategies",
            .uses = use::kOptimize | use::kImprove | use::kExplain | use::kProfile | use::kFrameworks | use::kSearch}),
    option(&SearchOptions::method,
           {.id = "search",
            .title = Sentence{"Search method"},
            .help = Sentence{"Latencies that the search needs. exhaustive: of all stages. lazy: of the stages that "
                             "matter; the search reports what it may have missed. automatic: lazy if more than 100 "
                             "stages are measured, or more than 50,000 are simulated"},
            .words = kSearchMethodWords,
            .key = "method",
            .uses = use::kSearches | use::kPruningExperiment,
            .not_with_replay = use::kCompare | use::kOptimize}),
    member("effort", &SearchOptions::effort),
    not_written(&SearchOptions::pinned_stages),
    not_written(&SearchOptions::candidate_stages)};

}  // namespace iosx
