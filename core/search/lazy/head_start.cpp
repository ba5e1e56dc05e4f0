#include "core/search/lazy/head_start.h"

#include "core/model/schedule/baselines.h"
#include "core/search/lazy/isomorphic_parts.h"
#include "core/search/part_solution.h"
#include "core/search/search.h"

namespace iosx {
namespace {

using Candidate = LazyPart::Candidate;

constexpr SpaceBudget kWidened{.states = 200'000, .transitions = 3'000'000};  // a part, in a longer search

std::vector<std::vector<PartId>> searched_as_one(const LazyState& state) {
  std::set<PartId> apart;
  for (const std::vector<Stage>* given : {&state.options.pinned_stages, &state.options.candidate_stages}) {
    for (const Stage& stage : *given) {
      for (const UnitId unit : stage.units()) apart.insert(state.graph.unit(unit).part);
    }
  }
  std::vector<std::vector<PartId>> groups;
  for (std::vector<PartId>& isomorphic : isomorphic_parts(state.graph, state.knowledge.kinds())) {
    for (const PartId part : isomorphic) {
      if (apart.contains(part)) groups.push_back({part});
    }
    std::erase_if(isomorphic, [&](PartId part) { return apart.contains(part); });
    if (!isomorphic.empty()) groups.push_back(std::move(isomorphic));
  }
  std::ranges::sort(groups);  // by the first of each
  return groups;
}

void split(LazyState& state, std::size_t p, PartId member) {
  LazyPart apart = state.parts[p].split_off(state.graph, member, state.knowledge.kinds());
  state.knowledge.give_units(apart);
  state.parts.push_back(std::move(apart));
  state.best = Millis(0);
}

// Returns the same part with more stages.
LazyPart widened(const LazyState& state, const LazyPart& part, PartProblem wider) {
  LazyPart made(state.graph, part.parts(), std::move(wider), state.knowledge.kinds());
  state.knowledge.give_units(made);
  for (const Candidate c : part.answered()) {
    const StageCandidate& candidate = part.problem().candidates[c];
    const auto same = made.find(part.ending(c), candidate.strategy, candidate.given);
    if (same) made.set_answer(*same, part.answer(c), part.slack(c));
  }
  return made;
}

std::string words_of(std::string_view name, const std::vector<Stage>& stages) {
  std::string words;
  for (const Stage& stage : stages) {
    words += fmt::format("{} ", name);
    for (const Group& group : stage.groups) {
      for (const Step& step : group.steps) {
        for (const UnitId unit : step.units) words += fmt::format("{}+", unit.index());
        words += ",";
      }
      words += "|";
    }
    words += "; ";
  }
  return words;
}

}  // namespace

Result<bool> list_parts(LazyState& state) {
  const Graph& graph = state.graph;
  if (!state.parts.empty() || graph.parts().empty()) return true;
  for (std::vector<PartId>& isomorphic : searched_as_one(state)) {
    const PartId first = isomorphic.front();
    state.job.report(message("listing the stages of part {} of {}", first.index() + 1, graph.parts().size()), 0,
                     static_cast<std::int64_t>(graph.units().size()));
    IOS_TRY(auto problem, enumerate_part(graph, graph.part(first), state.options, state.budget, state.job.stop));
    if (!problem) return state.parts.clear(), false;
    state.parts.emplace_back(graph, std::move(isomorphic), *std::move(problem), state.knowledge.kinds());
  }
  return true;
}

void split_by_units(LazyState& state) {
  const auto same = [&](UnitId a, UnitId b) { return state.knowledge.unit_ms(a) == state.knowledge.unit_ms(b); };
  for (std::size_t p = 0; p < state.parts.size(); ++p) {
    const std::vector<PartId> members = state.parts[p].parts();
    for (std::size_t m = 1; m < members.size(); ++m) {
      const std::vector<UnitId>& first = state.graph.part(members[0]).units;
      if (!std::ranges::equal(first, state.graph.part(members[m]).units, same)) split(state, p, members[m]);
    }
  }
}

Result<bool> split_by_answers(LazyState& state) {
  bool any = false;
  const LazyState::Paths best = state.known_paths();
  for (std::size_t p = 0; p < best.size(); ++p) {
    const std::vector<PartId> members = state.parts[p].parts();
    if (members.size() < 2 || !best[p]) continue;
    for (std::size_t m = 1; m < members.size(); ++m) {
      const PartGraph units(state.graph, state.graph.part(members[m]).units);
      std::vector<Stage> stages;
      stages.reserve(best[p]->stages.size());
      for (const Candidate c : best[p]->stages) stages.push_back(state.parts[p].stage(units, c));
      IOS_TRY(const auto answers,
              ask_source(state.latencies, Care::kQuickEstimate, stages, 0, 0, JobContext{state.job.stop, {}}));
      if (answers.size() < stages.size()) return any;
      for (std::size_t i = 0; i < stages.size(); ++i) {
        if (answers[i].value.count() == state.parts[p].answer(best[p]->stages[i])) continue;
        split(state, p, members[m]);
        any = true;
        break;
      }
    }
  }
  return any;
}

bool widen(LazyState& state) {
  SearchOptions wide = state.options;
  if (wide.pruning.r > 0) ++wide.pruning.r;
  if (wide.pruning.s > 0) wide.pruning.s += 2;
  bool any = false;
  for (LazyPart& part : state.parts) {
    state.report_progress();
    auto wider = enumerate_part(state.graph, state.graph.part(part.parts().front()), wide, kWidened, state.job.stop);
    if (!wider || !*wider || (*wider)->candidates.size() == part.problem().candidates.size()) continue;
    part = widened(state, part, **std::move(wider));
    any = true;
  }
  if (any) {
    state.options = wide;
    state.report.widened = wide.pruning;
  }
  return any;
}

Result<void> measure_given(LazyState& state, const LazyProgress& progress) {
  std::vector<LazyState::Wanted> wanted;
  for (std::size_t p = 0; p < state.parts.size(); ++p) {
    for (const Candidate c : state.parts[p].given()) {
      if (!state.parts[p].known(c)) wanted.push_back({p, c});
    }
  }
  if (wanted.empty()) return {};
  IOS_TRY(measure(state, progress, std::move(wanted)));
  return {};
}

Result<void> measure_greedy(LazyState& state) {
  const std::size_t s = state.options.pruning.s;
  const std::size_t most = s > 0 ? std::min(s, kDefaultMaxStreams) : kDefaultMaxStreams;
  const Schedule greedy = greedy_schedule(state.graph, most);
  std::vector<LazyPart*> owners(state.graph.parts().size(), nullptr);
  for (LazyPart& part : state.parts) owners[part.parts().front().index()] = &part;
  IOS_TRY(const auto answers,
          ask_source(state.latencies, Care::kQuickEstimate, greedy.stages, 0, 0, JobContext{state.job.stop, {}}));
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const std::vector<UnitId> units = greedy.stages[i].units();
    LazyPart* owner = owners[state.graph.unit(units.front()).part.index()];
    if (owner == nullptr) continue;
    const auto candidate = owner->find(owner->part_graph().set(units), Strategy::kConcurrent);
    if (candidate && !owner->known(*candidate)) state.knowledge.take(*owner, *candidate, answers[i]);
  }
  return {};
}

std::string search_words(const LazyState& state) {
  const SearchOptions& options = state.options;
  const SearchEffort& effort = options.effort;
  return fmt::format("lazy 1, rule {}, r {}, s {}, strategies {}, longer {}, epsilon {}, seed {}; ",
                     static_cast<int>(options.rule), options.pruning.r, options.pruning.s,
                     static_cast<int>(options.strategies), effort.longer, effort.epsilon.value_or(-1), effort.seed) +
         words_of("pinned", options.pinned_stages) + words_of("candidate", options.candidate_stages) +
         text_of_parts(state.graph, state.knowledge.kinds());
}

Result<std::int64_t> accept_known(LazyState& state) {
  constexpr std::size_t kAtOnce = 4096;
  for (LazyPart& part : state.parts) {
    const auto count = static_cast<Candidate>(part.problem().candidates.size());
    for (Candidate next = 0; next < count && !state.stopped(); next += kAtOnce) {
      std::vector<Stage> stages;
      for (Candidate c = next; c < std::min<Candidate>(count, next + kAtOnce); ++c) {
        stages.push_back(part.stage(part.part_graph(), c));
      }
      IOS_TRY(const auto known, state.latencies.known_latencies(stages));
      for (std::size_t i = 0; i < known.size(); ++i) {
        const Candidate c = next + static_cast<Candidate>(i);
        if (known[i] && !part.known(c)) state.knowledge.take(part, c, *known[i]);
      }
    }
  }
  state.knowledge.refit(state.parts);
  return state.known_stages();
}

}  // namespace iosx
