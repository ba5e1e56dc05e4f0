#include "core/search/lazy/windows.h"

#include "core/search/lazy/polish.h"
#include "core/search/space_counts.h"

namespace iosx {
namespace {

using Candidate = LazyPart::Candidate;

constexpr SpaceBudget kWindow{.states = 20'000, .transitions = 400'000};
constexpr std::size_t kFewestUnits = 4;
constexpr std::array kWindowDiscounts{0.0, 0.02};  // as LazySearch
constexpr double kWindowHope = 0.95;
constexpr int kWindowPolished = 10;
constexpr int kWindowSettled = 5;
constexpr double kEnough = 1e-3;  // a sweep that gains less is the last one, unless a longer search is asked for
constexpr double kForbiddenCost = std::numeric_limits<double>::infinity();

}  // namespace

void Windows::remember(const LazyPart& part, const PartGraph& units) {
  for (const Candidate c : part.answered()) {
    if (part.problem().candidates[c].given != StageCandidate::kNotGiven) continue;
    const Strategy strategy = part.problem().candidates[c].strategy;
    known_[{units.units(part.ending(c)), strategy}] = part.answer(c);
  }
}

Result<void> Windows::improve(SearchResult& result, std::vector<JoinedParts>& joined) {
  const Graph& graph = knowledge_.graph();
  Schedule& schedule = result.schedule;
  const auto part_of = [&](const Stage& stage) { return graph.unit(stage.units().back()).part; };
  std::size_t runs = 0;  // that are left
  for (std::size_t p = 0; p < graph.parts().size(); ++p) {
    runs += graph.parts()[p].continued && (p == 0 || !graph.parts()[p - 1].continued) ? 1 : 0;
  }
  for (std::size_t p = 0; p < graph.parts().size() && !knowledge_.stopped(); ++p) {
    if (!graph.parts()[p].continued) continue;
    share_ = work_ + (kMostWork - std::min(work_, kMostWork)) / runs--;
    JoinedParts run{.first = PartId(p), .last = PartId(p)};
    while (graph.part(run.last).continued) run.last = PartId(run.last.index() + 1);
    p = run.last.index();
    const auto first = std::ranges::find_if(schedule.stages, [&](const Stage& s) { return part_of(s) >= run.first; });
    const auto last = std::find_if(first, schedule.stages.end(), [&](const Stage& s) { return part_of(s) > run.last; });
    IOS_TRY(auto stages, costed(std::span(first, last)));
    if (stages.size() < static_cast<std::size_t>(last - first)) return {};
    const auto width = [&](auto at) { return std::optional(width_of(*at)); };
    const auto before = first == schedule.stages.begin() ? std::nullopt : width(first - 1);
    const auto after = last == schedule.stages.end() ? std::nullopt : width(last);
    run.before = cost_of(stages, before, after);
    const std::optional<StageWidth> last_width = width_of(stages.back().stage);
    run_before_ = before;
    run_after_ = after;
    if (auto done = improve_run(stages, run); !done) return done;
    out_of_budget_ = out_of_budget_ || out_of_share();
    run.after = cost_of(stages, before, after);

    result.stage_sum += run.after - run.before;
    if (after) {
      const InterStageOverhead& overhead = knowledge_.overhead();
      result.parts[part_of(*last).index()].cost +=
          overhead.before(width_of(stages.back().stage), *after) - overhead.before(last_width, *after);
    }
    for (std::size_t part = run.first.index(); part <= run.last.index(); ++part) result.parts[part].cost = Millis(0);
    std::optional<StageWidth> previous = before;
    std::vector<Stage> found;
    for (CostedStage& stage : stages) {
      const StageWidth own = width_of(stage.stage);
      result.parts[part_of(stage.stage).index()].cost += stage.cost + knowledge_.overhead().before(previous, own);
      previous = own;
      found.push_back(std::move(stage.stage));
    }
    const auto at = schedule.stages.erase(first, last);
    schedule.stages.insert(at, found.begin(), found.end());
    joined.push_back(run);
  }
  return {};
}

Result<Windows::Stages> Windows::costed(std::span<const Stage> stages) const {
  IOS_TRY(const auto answers,
          ask_source(knowledge_.latencies(), Care::kQuickEstimate, stages, 0, 0, {knowledge_.job().stop, {}}));
  Stages result;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    result.push_back({stages[i], stages[i].units(), answers[i].value});
  }
  return result;
}

Millis Windows::cost_of(std::span<const CostedStage> stages, std::optional<StageWidth> before,
                        std::optional<StageWidth> after) const {
  Millis sum{0};
  for (const CostedStage& stage : stages) {
    sum += knowledge_.overhead().before(before, width_of(stage.stage)) + stage.cost;
    before = width_of(stage.stage);
  }
  return after ? sum + knowledge_.overhead().before(before, *after) : sum;
}

Result<void> Windows::improve_run(Stages& stages, JoinedParts& joined) {
  const auto cost = [&] { return cost_of(stages, run_before_, run_after_); };
  std::vector<UnitId> units;
  for (const CostedStage& stage : stages) units.insert(units.end(), stage.units.begin(), stage.units.end());
  std::ranges::sort(units);
  joined.units = units.size();
  joined.states = estimated_states(knowledge_.graph(), units);

  for (bool again = true; again && !ended();) {
    const Millis at_first = cost();
    for (std::size_t begin = 0; begin < stages.size() && !ended();) {
      Window window = window_at(stages, begin, kMaxPartUnits);
      std::size_t size = window.end - window.begin;
      if (is_worth_it(window)) {
        knowledge_.job().report(message("joining parts: {} windows, {:.3f} ms instead of {:.3f}", joined.windows,
                                        cost().count(), joined.before.count()),
                                0, 0);
        IOS_TRY(auto found, search(stages, window));
        size = window.end - window.begin;
        ++joined.windows;
        if (found) {
          ++joined.improved;
          size = found->size();
          const auto at = stages.erase(stages.begin() + static_cast<std::ptrdiff_t>(window.begin),
                                       stages.begin() + static_cast<std::ptrdiff_t>(window.end));
          stages.insert(at, found->begin(), found->end());
        }
      }
      begin += std::max<std::size_t>(1, size / 2);
    }
    const Millis now = cost();
    again = now < at_first * (options_.effort.longer ? 1 - 1e-9 : 1 - kEnough);
  }
  return {};
}

Windows::Window Windows::window_at(const Stages& stages, std::size_t begin, std::size_t most_units) const {
  Window window{.begin = begin, .end = begin, .before = {}, .after = {}, .units = {}};
  while (window.end < stages.size() && window.units.size() + stages[window.end].units.size() <= most_units) {
    const CostedStage& next = stages[window.end++];
    window.units.insert(window.units.end(), next.units.begin(), next.units.end());
  }
  std::ranges::sort(window.units);
  window.before = begin == 0 ? run_before_ : std::optional(width_of(stages[begin - 1].stage));
  window.after = window.end == stages.size() ? run_after_ : std::optional(width_of(stages[window.end].stage));
  return window;
}

// One part's units were searched with all the others of the part.
bool Windows::is_worth_it(const Window& window) const {
  if (window.end - window.begin < 2 || tried_.contains({window.units, window.before, window.after})) return false;
  const Graph& graph = knowledge_.graph();
  return std::ranges::any_of(window.units,
                             [&](UnitId u) { return graph.unit(u).part != graph.unit(window.units.front()).part; });
}

std::optional<PartProblem> Windows::listed(const Stages& stages, Window& window) {
  const Graph& graph = knowledge_.graph();
  while (is_worth_it(window)) {
    if (estimated_states(graph, window.units) <= 2.0 * static_cast<double>(kWindow.states)) {
      const PartGraph units(graph, window.units, options_);
      auto space = enumerate(units, options_.rule, options_.pruning, kWindow, knowledge_.job().stop);
      work_ += space ? space->transitions.size() : kWindow.transitions;
      if (space) {
        auto candidates = stage_candidates(graph, units, space->stages, options_.strategies);
        return PartProblem{units, std::move(*space), std::move(candidates)};
      }
      if (space.error() == SpaceRefusal::kStopped) return std::nullopt;
    }
    window = window_at(stages, window.begin, std::max(window.units.size() * 7 / 8, kFewestUnits));
    if (window.units.size() <= kFewestUnits) break;
  }
  return std::nullopt;
}

Result<std::optional<Windows::Stages>> Windows::search(const Stages& stages, Window& window) {
  auto problem = listed(stages, window);
  if (!problem) return std::nullopt;
  tried_.insert({window.units, window.before, window.after});
  LazyPart part(knowledge_.graph(), {}, std::move(*problem), knowledge_.kinds());
  knowledge_.give_units(part);
  for (const UnitId first : window.units) {  // of a stage: known_ is sorted by it
    for (auto at = known_.lower_bound({{first}, Strategy{}}); at != known_.end(); ++at) {
      const auto& [units, strategy] = at->first;
      if (units.front() != first) break;
      if (!std::ranges::includes(window.units, units)) continue;
      if (const auto c = part.find(part.part_graph().set(units), strategy)) part.set_answer(*c, at->second);
    }
  }
  knowledge_.refit(std::span(&part, 1));

  IOS_TRY(plan(part, window));
  remember(part, part.part_graph());
  const std::span<const CostedStage> own = std::span(stages).subspan(window.begin, window.end - window.begin);
  const Millis now = cost_of(own, window.before, window.after);
  for (int turn = 0; turn < kWindowSettled; ++turn) {
    const auto path = cheapest_known(part, window);
    if (!path || path->cost >= now * (1 - 1e-9)) break;
    IOS_TRY(const auto changed, refine(part, *path));
    if (changed) continue;
    Stages found;
    for (const Candidate c : path->stages) {
      Stage stage = part.stage(part.part_graph(), c);
      auto units = part.part_graph().units(part.ending(c));
      found.push_back({std::move(stage), std::move(units), Millis(part.answer(c))});
    }
    return found;
  }
  return std::nullopt;
}

// The gap after the window counts.
template <typename Cost>
std::optional<LazyPart::Path> Windows::cheapest(LazyPart& part, const Window& window, Cost cost) {
  work_ += part.problem().space.transitions.size();
  const InterStageOverhead& overhead = knowledge_.overhead();
  part.take_costs(cost);
  const InterStageOverhead::ByWidth& first =
      window.before ? overhead.between[static_cast<std::size_t>(*window.before)] : overhead.first;
  std::optional<LazyPart::Path> best;
  for (auto& path : part.cheapest_by_last(first, overhead)) {
    if (!path) continue;
    if (window.after) path->cost += overhead.before(path->last, *window.after);
    if (!best || path->cost < best->cost) best = std::move(path);
  }
  return best;
}

std::optional<LazyPart::Path> Windows::cheapest_known(LazyPart& part, const Window& window) {
  return cheapest(part, window, [&](Candidate c) { return part.known(c) ? part.answer(c) : kForbiddenCost; });
}

// Plans until there are no unmeasured stages, then until no small change is promising.
Result<bool> Windows::plan(LazyPart& part, const Window& window) {
  const auto measure = [&](const std::vector<Candidate>& candidates) {
    std::vector<StageKnowledge::Wanted> wanted;
    for (const Candidate c : candidates) {
      if (!part.known(c)) wanted.push_back({0, c});
    }
    return wanted.empty() ? Result<bool>(false)
                          : knowledge_.measure(std::span(&part, 1), std::move(wanted), std::array{1.0});
  };
  for (const double discount : kWindowDiscounts) {
    while (!out_of_share()) {
      const auto path = cheapest(part, window, [&](Candidate c) {
        return part.known(c) ? part.answer(c) : part.predicted(c) * (1 - discount);
      });
      if (!path) return false;
      auto more = measure(path->stages);
      if (!more || !*more) {
        if (!more || knowledge_.stopped()) return more;
        break;
      }
    }
  }
  for (int turn = 0; turn < kWindowPolished && !out_of_share(); ++turn) {
    const auto path = cheapest_known(part, window);
    if (!path) return false;
    auto more = measure(promising_changes(part, *path, knowledge_.overhead(), kWindowHope));
    if (!more || !*more) return more;
  }
  return true;
}

// Returns whether any of the path's latencies changes when refined.
Result<bool> Windows::refine(LazyPart& part, const LazyPart::Path& path) {
  if (!knowledge_.latencies().estimates_quickly()) return false;
  std::vector<StageKnowledge::Wanted> wanted;
  for (const Candidate c : path.stages) wanted.push_back({0, c});
  IOS_TRY(const auto answers, knowledge_.refined(std::span(&part, 1), wanted));
  bool changed = answers.size() < wanted.size();  // a stop: nothing is sure
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const double ms = answers[i].value.count();
    changed = changed || ms != part.answer(path.stages[i]);
    part.set_answer(path.stages[i], ms);
  }
  remember(part, part.part_graph());
  return changed;
}

Millis Windows::bound(std::span<const PartId> run) const {
  const Graph& graph = knowledge_.graph();
  const BoundFactors& factors = knowledge_.factors();
  std::map<UnitId, double> longest;  // path to the end of this unit
  double most = 0;
  for (const PartId part : run) {
    for (const UnitId unit : graph.part(part).units) {
      double before = 0;
      for (const UnitId predecessor : graph.predecessors(unit)) {
        const auto at = longest.find(predecessor);
        if (at != longest.end()) before = std::max(before, at->second);
      }
      const bool counts = factors.light_counts || !is_light(graph, graph.unit(unit));
      longest[unit] = before + (counts ? knowledge_.unit_ms(unit) : 0);
      most = std::max(most, longest[unit]);
    }
  }
  return Millis(most * factors.least());
}

Result<CutParts> join_cut_parts(LazyState& state, SearchResult& found) {
  CutParts cut;
  if (!state.is_cut()) return cut;
  const Graph& graph = state.graph;
  Windows windows(state.knowledge, state.options);
  for (std::size_t p = 0; p < graph.parts().size(); ++p) {
    if (!graph.parts()[p].continued) continue;
    std::vector<PartId> run{PartId(p)};
    while (graph.part(run.back()).continued) run.emplace_back(++p);
    cut.bound += windows.bound(run);
    cut.parts.insert(run.begin(), run.end());
  }
  if (state.knowledge.stopped()) return cut;
  for (const LazyPart& part : state.parts) {
    for (const PartId id : part.parts()) windows.remember(part, PartGraph(graph, graph.part(id).units));
  }
  IOS_TRY(windows.improve(found, state.report.joined));
  if (state.stopped() || windows.out_of_budget()) state.report.out_of_budget = !state.job.stopped();
  state.knowledge.refit(state.parts);
  return cut;
}

}  // namespace iosx
