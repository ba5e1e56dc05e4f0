#include "core/search/lazy/head_start.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "core/model/schedule/baselines.h"
#include "core/search/ask_source.h"
#include "core/search/lazy/isomorphic_parts.h"

namespace iosx {
namespace {

using Candidate = LazyPart::Candidate;

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
