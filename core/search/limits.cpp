#include "core/search/limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

#include "core/model/schedule/components.h"

namespace iosx {
namespace {

// The view of a search: the connected components of a stage's units.
struct Ending {
  std::size_t groups = 0;
  std::size_t most_units = 0;  // in a group
  std::size_t most_roots = 0;  // units of a group that read nothing of it
};

Ending ending_of(const Graph& graph, const Stage& stage) {
  std::vector<Step> steps;
  for (const UnitId unit : stage.units()) steps.push_back({{unit}});
  const Components components = connected(graph, steps);
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

std::string_view limit_name(Limit limit) {
  switch (limit) {
    case Limit::kR: return "r";
    case Limit::kS: return "s";
    case Limit::kEndingRule: return "ending-rule";
    case Limit::kStrategy: return "strategy";
    case Limit::kParts: return "parts";
    case Limit::kForm: break;
  }
  return "form";
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
