#include "core/search/lazy/lazy_search.h"

#include "core/search/lazy/head_start.h"
#include "core/search/lazy/planner.h"
#include "core/search/lazy/windows.h"
#include "core/search/part_solution.h"

namespace iosx {
namespace {

constexpr std::array kDiscounts{0.0, 0.01, 0.02};  // planned with predictions less that part
constexpr std::array kMoreDiscounts{0.0, 0.01, 0.02, 0.04, 0.08};
constexpr int kAttempts = 2;  // with predictions off by their error, at random, after each discount
constexpr int kMoreAttempts = 12;
constexpr double kHope = 0.97;  // of predictions: what changes are tried for
constexpr double kLastHope = 0.88;
constexpr double kLittle = 1e-3;  // of the best: a wider search that brings less is the last one
constexpr int kMostTurns = 10;

}  // namespace

LazySearch::LazySearch(const Graph& graph, LatencySource& latencies, const SearchOptions& options,
                       const JobContext& job, const SearchWatch& watch, const SpaceBudget& budget)
    : state_(graph, latencies, options, job, budget),
      progress_(state_, certificates_, watch, [this] { return result().schedule; }) {}

Result<bool> LazySearch::enumerate() { return list_parts(state_); }
std::size_t LazySearch::candidates() const { return state_.candidates(); }

Result<SearchResult> LazySearch::run() {
  IOS_TRY(const auto listed, enumerate());
  if (listed) IOS_TRY(search());
  SearchResult made = result();
  if (!state_.knowledge.has_units() || state_.parts.empty()) return made;
  IOS_TRY(const auto cut, join_cut_parts(state_, made));
  made.lazy = gap_.certify(made, cut);
  return made;
}

Result<void> LazySearch::search() {
  IOS_TRY(const auto known, state_.knowledge.measure_units());
  if (!known || state_.parts.empty()) return {};
  for (LazyPart& part : state_.parts) state_.knowledge.give_units(part);
  split_by_units(state_);
  state_.knowledge.learn_guesses(state_.parts);
  IOS_TRY(measure_given(state_, progress_));
  if (state_.options.effort.budget > Seconds(0)) IOS_TRY(measure_greedy(state_));
  IOS_TRY(search_space());
  while (state_.options.effort.longer && !state_.stopped() && widen(state_)) {
    const Millis before = state_.best;
    IOS_TRY(search_space());
    if (state_.best > before * (1 - kLittle)) break;
  }
  if (!state_.stopped()) return {};
  state_.report.out_of_budget = !state_.job.stopped();
  return refine();
}

Result<void> LazySearch::search_space() {
  const std::string words = search_words(state_);
  bool planned = false;
  if (const auto noted = state_.latencies.searched_before(words)) {
    IOS_TRY(const auto known, accept_known(state_));
    planned = known >= *noted;
  }
  // Refined latencies may differ from those with which the gap was closed.
  for (int turn = 0; turn < kMostTurns && !state_.stopped(); ++turn) {
    if (!std::exchange(planned, true)) IOS_TRY(plan_and_polish());
    IOS_TRY(gap_.close());
    IOS_TRY(refine());
    IOS_TRY(const auto split, split_by_answers(state_));
    progress_.note_best();
    planned = !split;
    if (planned && gap_.is_closed()) break;
  }
  if (!state_.stopped()) state_.latencies.note_searched(words, state_.known_stages());
  return {};
}

Result<void> LazySearch::plan_and_polish() {
  state_.last_width.assign(state_.graph.parts().size(), StageWidth::kOneLane);
  state_.knowledge.refit(state_.parts);
  state_.report_progress();
  const bool longer = state_.options.effort.longer;
  const std::span<const double> discounts = longer ? std::span<const double>(kMoreDiscounts) : kDiscounts;
  std::uint64_t attempt = state_.options.effort.seed << 8;
  for (const double discount : discounts) {
    Planner planner(state_, progress_, discount);
    IOS_TRY(planner.plan());
    if (!state_.stopped()) IOS_TRY(polisher_.polish(kHope));
    for (int i = 0; i < (longer ? kMoreAttempts : kAttempts) && !state_.stopped(); ++i) {
      IOS_TRY(planner.attempt(++attempt));
      if (!state_.stopped()) IOS_TRY(planner.plan());
    }
    if (state_.stopped()) return {};
  }
  return polisher_.polish(kLastHope);
}

// The best schedule's estimate may have been luck.
Result<void> LazySearch::refine() {
  IOS_TRY(Refiner(state_).run());
  progress_.note_best_anew();
  return {};
}

SearchResult LazySearch::result() {
  SearchResult made;
  PartChain chain;
  const Graph& graph = state_.graph;
  std::vector<LazyPart*> owners(graph.parts().size(), nullptr);
  for (LazyPart& part : state_.parts) {
    for (const PartId id : part.parts()) owners[id.index()] = &part;
  }
  for (std::size_t p = 0; p < graph.parts().size(); ++p) {
    PartSummary& summary = made.parts.emplace_back(PartSummary{.part = PartId(p), .complete = false});
    if (owners[p] == nullptr || !state_.knowledge.has_units()) {
      chain.add_sequential(graph.parts()[p]);
      made.complete = false;
      continue;
    }
    const StateSpace& space = owners[p]->problem().space;
    summary.states = static_cast<std::int64_t>(space.state_count());
    summary.transitions = static_cast<std::int64_t>(space.transitions.size());
    summary.stages = static_cast<std::int64_t>(space.stages.size());
    summary.complete = !state_.job.stopped();
    made.complete = made.complete && summary.complete;
    ++made.solved_parts;
    chain.add(owners[p]->solution(PartId(p), state_.knowledge.overhead(), graph));
  }
  chain.choose(made);
  return made;
}

}  // namespace iosx
