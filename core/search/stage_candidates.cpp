#include "core/search/stage_candidates.h"

#include <algorithm>
#include <map>

#include "core/model/schedule/components.h"
#include "core/model/schedule/merge.h"

namespace iosx {
namespace {

// Calls merge() only for endings whose units are layers of one tensor.
class MergeFilter {
 public:
  MergeFilter(const Graph& graph, const PartGraph& part) : graph_(graph), part_(part), partners_(part.size(), 0) {
    std::vector<const Operator*> layers;
    for (std::size_t i = 0; i < part.size(); ++i) layers.push_back(merging_layer(graph, part.unit(i)));
    for (std::size_t i = 0; i < part.size(); ++i) {
      for (std::size_t j = 0; j < part.size(); ++j) {
        const bool both = layers[i] != nullptr && layers[j] != nullptr;
        if (both && layers[i]->inputs == layers[j]->inputs) partners_[i] |= singleton(j);
      }
    }
  }

  bool accepts(UnitSet ending) const {
    if (size_of(ending) < 2 || (ending & ~partners_[first_of(ending)]) != 0) return false;
    return merge(graph_, part_.units(ending)).has_value();
  }

 private:
  const Graph& graph_;
  const PartGraph& part_;
  std::vector<UnitSet> partners_;  // by unit: those whose layers read what its layer reads, itself included
};

// The given stage as a candidate: as the one that make_stage() makes, if it is that.
StageCandidate as_candidate(const Graph& graph, const PartGraph& part, std::uint32_t ending, std::uint32_t given) {
  const GivenStage& stage = part.given()[given];
  const Strategy strategy = stage.stage.groups.size() == 1 && stage.stage.groups.front().steps.size() == 1
                                ? strategy_of(graph, stage.stage)
                                : Strategy::kConcurrent;
  const bool made = stage.stage == make_stage(part, stage.units, strategy);
  // A unit that was found merged in its file is a stage of one unit like any other.
  return {ending, size_of(stage.units) == 1 ? Strategy::kConcurrent : strategy,
          made ? StageCandidate::kNotGiven : given};
}

// The view of a search: the connected components of a stage's units.
struct Ending {
  std::size_t groups = 0;
  std::size_t most_units = 0;  // in a group
  std::size_t most_roots = 0;  // units of a group that read nothing of it
};

Ending ending_of(const Graph& graph, const Stage& stage) {
  std::vector<Step> steps;
  for (const UnitId unit : stage.units()) steps.push_back({{unit}});
  Components components = connected(graph, steps);
  const std::map<UnitId, std::size_t> numbers = step_numbers(steps);
  struct Size {
    std::size_t units = 0;
    std::size_t roots = 0;
  };
  std::map<std::size_t, Size> sizes;
  for (const auto& [unit, number] : numbers) {
    Size& size = sizes[components.lowest(number)];
    ++size.units;
    const bool reads = std::ranges::any_of(graph.predecessors(unit), [&](UnitId id) { return numbers.contains(id); });
    size.roots += reads ? 0 : 1;
  }
  Ending ending{.groups = sizes.size()};
  for (const auto& [group, size] : sizes) {
    ending.most_units = std::max(ending.most_units, size.units);
    ending.most_roots = std::max(ending.most_roots, size.roots);
  }
  return ending;
}

bool is_merged(const Stage& stage) {
  return stage.groups.size() == 1 && stage.groups.front().steps.size() == 1 &&
         stage.groups.front().steps.front().merged();
}

// A lazy search looks across the cuts of one part that was too large.
bool may_share_stage(const Graph& graph, PartId first, PartId last, const SearchOptions& options) {
  if (first == last) return true;
  const auto cut = graph.parts().subspan(first.index(), last.index() - first.index());
  return options.method != SearchMethod::kExhaustive && std::ranges::all_of(cut, &Part::continued);
}

}  // namespace

std::vector<StageCandidate> stage_candidates(const Graph& graph, const PartGraph& part,
                                             const std::vector<UnitSet>& endings, StrategySet strategies) {
  const MergeFilter merges(graph, part);
  std::vector<StageCandidate> candidates;
  for (std::size_t i = 0; i < endings.size(); ++i) {
    const auto ending = static_cast<std::uint32_t>(i);
    if (part.pinned(endings[i]) != nullptr) {
      candidates.push_back(
          as_candidate(graph, part, ending, static_cast<std::uint32_t>(part.pinned(endings[i]) - part.given().data())));
      continue;
    }
    const std::size_t first = candidates.size();
    if (strategies != StrategySet::kMerge || size_of(endings[i]) == 1) {
      candidates.push_back({ending, Strategy::kConcurrent});
    }
    if (strategies != StrategySet::kParallel && merges.accepts(endings[i])) {
      candidates.push_back({ending, Strategy::kMerge});
    }
    for (std::uint32_t g = 0; g < part.given().size(); ++g) {
      if (part.given()[g].units != endings[i]) continue;
      const StageCandidate candidate = as_candidate(graph, part, ending, g);
      const bool there = std::any_of(
          candidates.begin() + static_cast<std::ptrdiff_t>(first), candidates.end(), [&](const StageCandidate& other) {
            return stage_of(part, endings[i], other) == stage_of(part, endings[i], candidate);
          });
      if (!there) candidates.push_back(candidate);
    }
  }
  std::stable_sort(candidates.begin(), candidates.end(), [&](const StageCandidate& a, const StageCandidate& b) {
    return size_of(endings[a.ending]) < size_of(endings[b.ending]);
  });
  return candidates;
}

Stage concurrent_stage(const PartGraph& part, UnitSet ending) {
  Stage stage;
  while (ending != 0) {
    const UnitSet component = part.component(ending, first_of(ending));
    ending &= ~component;
    Group group;
    for (const UnitId unit : part.units(component)) group.steps.push_back(Step{{unit}});
    stage.groups.push_back(std::move(group));
  }
  return stage;
}

Stage make_stage(const PartGraph& part, UnitSet ending, Strategy strategy) {
  return strategy == Strategy::kMerge ? merge_stage(part.units(ending)) : concurrent_stage(part, ending);
}

Stage stage_of(const PartGraph& part, UnitSet ending, const StageCandidate& candidate) {
  if (candidate.given != StageCandidate::kNotGiven) return part.given()[candidate.given].stage;
  return make_stage(part, ending, candidate.strategy);
}

std::string_view limit_name(Limit limit) {
  constexpr std::array<std::string_view, 6> kNames{"r", "s", "ending-rule", "strategy", "parts", "form"};
  return kNames[static_cast<std::size_t>(limit)];
}

std::vector<Exclusion> exclusions(const Graph& graph, const Stage& stage, const SearchOptions& options) {
  std::vector<Exclusion> found;
  const std::vector<UnitId> units = stage.units();
  const auto [first, last] = std::ranges::minmax(units, {}, [&](UnitId unit) { return graph.unit(unit).part; });
  if (!may_share_stage(graph, graph.unit(first).part, graph.unit(last).part, options)) {
    found.push_back({Limit::kParts,
                     fmt::format("parts: it would hold units of parts {} and {}", graph.unit(first).part.index() + 1,
                                 graph.unit(last).part.index() + 1),
                     graph.unit(first).part.index(), graph.unit(last).part.index()});
  }
  const Ending ending = ending_of(graph, stage);
  const auto [r, s] = options.pruning;
  if (r > 0 && ending.most_units > r) {
    found.push_back(
        {Limit::kR, fmt::format("r = {}: a group of {} units", r, ending.most_units), r, ending.most_units});
  }
  if (s > 0 && ending.groups > s)
    found.push_back({Limit::kS, fmt::format("s = {}: {} groups", s, ending.groups), s, ending.groups});
  if (options.rule == EndingRule::kSingleRoot && ending.most_roots > 1) {
    found.push_back({Limit::kEndingRule, fmt::format("single-root: a group with {} roots", ending.most_roots), 1,
                     ending.most_roots});
  }
  if (is_merged(stage)) {
    if (options.strategies == StrategySet::kParallel) {
      found.push_back({Limit::kStrategy, "strategy parallel: a merged layer", 0, 1});
    }
    return found;
  }
  if (options.strategies == StrategySet::kMerge && units.size() > 1) {
    found.push_back(
        {Limit::kStrategy, fmt::format("strategy merge: {} units that are not merged", units.size()), 0, units.size()});
  }
  const bool merges_inside = std::ranges::any_of(
      stage.groups, [](const Group& group) { return std::ranges::any_of(group.steps, &Step::merged); });
  if (merges_inside) {
    found.push_back({Limit::kForm, "a search merges whole stages only", 0, 1});
  } else if (stage.groups.size() != ending.groups) {
    found.push_back({Limit::kForm, "a search puts no units into one group that do not read one another"});
  }
  return found;
}

std::vector<StageBeyond> beyond_search(const Graph& graph, const Schedule& schedule, const SearchOptions& options) {
  std::vector<StageBeyond> found;
  for (std::size_t i = 0; i < schedule.stages.size(); ++i) {
    std::vector<Exclusion> why = exclusions(graph, schedule.stages[i], options);
    if (!why.empty()) found.push_back({i, std::move(why)});
  }
  return found;
}

}  // namespace iosx
