#include "core/analysis/explain/changes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "core/model/schedule/components.h"
#include "core/model/schedule/merge.h"

namespace iosx {
namespace {

using Units = std::vector<UnitId>;  // by id

Units minus(const Units& all, const Units& some) {
  Units rest;
  std::ranges::set_difference(all, some, std::back_inserter(rest));
  return rest;
}

Units both(const Units& a, const Units& b) {
  Units all;
  std::ranges::set_union(a, b, std::back_inserter(all));
  return all;
}

bool has(const Units& units, UnitId unit) { return std::ranges::binary_search(units, unit); }

Units sorted(Units units) {
  std::ranges::sort(units);
  return units;
}

Units units_of(const Group& group) { return Stage{{group}}.units(); }

template <typename Visit>
void for_each_step(const Stage& stage, Visit visit) {
  for (const Group& group : stage.groups) std::ranges::for_each(group.steps, visit);
}

std::vector<Units> merged_steps(const Stage& stage) {
  std::vector<Units> merged;
  for_each_step(stage, [&](const Step& step) {
    if (step.merged()) merged.push_back(sorted(step.units));
  });
  return merged;
}

// The same stage, with groups in any order.
bool same(const Stage& a, const Stage& b) {
  const auto sorted_groups = [](Stage stage) {
    for (Group& group : stage.groups) {
      for (Step& step : group.steps) std::ranges::sort(step.units);
    }
    std::ranges::sort(stage.groups, {}, [](const Group& group) { return group.steps.front().units; });
    return stage;
  };
  return a.groups.size() == b.groups.size() && a.units() == b.units() && sorted_groups(a) == sorted_groups(b);
}

// Makes stages from units of others, which tell what ran merged and what in one group.
class StageMaker {
 public:
  StageMaker(const Graph& graph, std::vector<const Stage*> sources) : graph_(graph), sources_(std::move(sources)) {
    for (const Stage* source : sources_) {
      for (const Group& group : source->groups) {
        Components components = connected(graph_, group.steps);
        for (std::size_t i = 1; i < group.steps.size(); ++i) {
          if (components.lowest(i) == 0) continue;
          tied_.push_back(units_of(group));
          break;
        }
      }
    }
  }

  // `merged` become one step.
  Stage make(const Units& units, bool keep_merged, const Units& merged = {}) const {
    std::vector<Step> steps = steps_of(units, keep_merged, merged);
    // By id they can run, merged ones too: what one unit of them reads, each does.
    std::ranges::sort(steps, {}, [](const Step& step) { return std::ranges::min(step.units); });
    Stage stage = in_lanes(steps, tied(steps));
    for (Group& group : stage.groups) keep_order(group);
    return stage;
  }

  // Every way in which these may run.
  std::vector<Stage> ways(const Units& units) const {
    std::vector<Stage> found{make(units, true)};
    if (!merged_steps(found.front()).empty()) found.push_back(make(units, false));
    if (merge(graph_, units) && !same(found.front(), merge_stage(units))) {
      found.push_back(merge_stage(units));
    }
    return found;
  }

 private:
  std::vector<Step> steps_of(const Units& units, bool keep_merged, const Units& merged) const {
    std::vector<Step> steps;
    if (!merged.empty()) steps.push_back({merged});
    for (const Stage* source : sources_) {
      for_each_step(*source, [&](Step step) {
        std::erase_if(step.units, [&](UnitId unit) { return !has(units, unit) || has(merged, unit); });
        if (keep_merged && !step.units.empty()) return steps.push_back(std::move(step));
        for (const UnitId unit : step.units) steps.push_back({{unit}});
      });
    }
    return steps;
  }

  // Units that nothing connects, but that ran in one group, stay together.
  Components tied(std::span<const Step> steps) const {
    Components components = connected(graph_, steps);
    const std::map<UnitId, std::size_t> numbers = step_numbers(steps);
    for (const Units& group : tied_) {
      auto last = numbers.end();
      for (const UnitId unit : group) {
        const auto next = numbers.find(unit);
        if (next == numbers.end()) continue;
        if (last != numbers.end()) components.connect(last->second, next->second);
        last = next;
      }
    }
    return components;
  }

  // A group that was there already runs as it did.
  void keep_order(Group& group) const {
    for (const Stage* source : sources_) {
      for (const Group& other : source->groups) {
        if (std::ranges::is_permutation(other.steps, group.steps)) group = other;
      }
    }
  }

  const Graph& graph_;
  std::vector<const Stage*> sources_;
  std::vector<Units> tied_;
};

class Finder {
 public:
  Finder(const Graph& graph, const Schedule& schedule, std::size_t stage)
      : graph_(graph), stages_(schedule.stages), at_(stage), units_(stages_[stage].units()) {}

  std::vector<Change> run() && {
    split();
    if (at_ > 0) join(ChangeKind::kJoinBefore, at_ - 1);
    if (at_ + 1 < stages_.size()) join(ChangeKind::kJoinAfter, at_ + 1);
    merge_some();
    unmerge();
    if (at_ > 0) move(ChangeKind::kMoveBefore, at_, at_ - 1);
    if (at_ + 1 < stages_.size()) move(ChangeKind::kMoveAfter, at_, at_ + 1);
    if (at_ > 0) move(ChangeKind::kTakeBefore, at_ - 1, at_);
    if (at_ + 1 < stages_.size()) move(ChangeKind::kTakeAfter, at_ + 1, at_);
    return std::move(found_);
  }

 private:
  // No unit of `all` that is not in `some` must run before one that is.
  bool comes_first(const Units& some, const Units& all) const {
    return std::ranges::all_of(some, [&](UnitId unit) {
      return std::ranges::all_of(graph_.predecessors(unit),
                                 [&](UnitId before) { return has(some, before) || !has(all, before); });
    });
  }

  // Units of the stage with everything in it that they come after.
  Units with_ancestors(UnitId unit) const {
    std::set<UnitId> found{unit};
    // NOLINTNEXTLINE(modernize-loop-convert): backwards
    for (auto next = units_.rbegin(); next != units_.rend(); ++next) {  // by id: successors first
      if (!found.contains(*next)) continue;
      for (const UnitId before : graph_.predecessors(*next)) {
        if (has(units_, before)) found.insert(before);
      }
    }
    return {found.begin(), found.end()};
  }

  std::map<UnitId, std::size_t> depths() const {
    std::map<UnitId, std::size_t> depths;
    for (const UnitId unit : units_) {
      std::size_t& depth = depths[unit];
      for (const UnitId before : graph_.predecessors(unit)) {
        if (const auto at = depths.find(before); at != depths.end()) depth = std::max(depth, at->second + 1);
      }
    }
    return depths;
  }

  // Single units, merged layers, groups.
  static std::set<Units> pieces(const Stage& stage) {
    std::set<Units> pieces;
    for (const UnitId unit : stage.units()) pieces.insert({unit});
    for (Units& merged : merged_steps(stage)) pieces.insert(std::move(merged));
    for (const Group& group : stage.groups) pieces.insert(units_of(group));
    return pieces;
  }

  void split() {
    std::set<Units> firsts;
    for (const Units& piece : pieces(stages_[at_])) {
      firsts.insert(piece);
      firsts.insert(minus(units_, piece));
    }
    const auto depths = this->depths();
    for (const auto& [unit, depth] : depths) {
      firsts.insert(with_ancestors(unit));
      Units above;
      for (const auto& [other, its] : depths) {
        if (its < depth) above.push_back(other);
      }
      firsts.insert(std::move(above));
    }
    const StageMaker maker(graph_, {&stages_[at_]});
    for (const Units& first : firsts) {
      if (first.empty() || first.size() == units_.size() || !comes_first(first, units_)) continue;
      add(ChangeKind::kSplit, at_, at_ + 1, first, maker.ways(first), maker.ways(minus(units_, first)));
    }
  }

  void join(ChangeKind kind, std::size_t other) {
    const std::size_t begin = std::min(at_, other);
    const Units others = stages_[other].units();
    const StageMaker maker(graph_, {&stages_[begin], &stages_[begin + 1]});
    add(kind, begin, begin + 2, others, maker.ways(both(units_, others)));
  }

  // Each largest set of the stage's layers that can be one.
  void merge_some() {
    std::vector<Units> sets;
    for (const UnitId unit : units_) {
      const auto fits = std::ranges::find_if(sets, [&](const Units& set) {
        return merge(graph_, std::array{set.front(), unit}).has_value();
      });
      if (fits == sets.end()) {
        sets.push_back({unit});
      } else {
        fits->push_back(unit);
      }
    }
    const StageMaker maker(graph_, {&stages_[at_]});
    for (const Units& set : sets) {
      if (set.size() > 1) add(ChangeKind::kMerge, at_, at_ + 1, set, {maker.make(units_, true, set)});
    }
  }

  void unmerge() {
    Units merged;
    for (const Units& step : merged_steps(stages_[at_])) merged = both(merged, step);
    const StageMaker maker(graph_, {&stages_[at_]});
    if (!merged.empty()) add(ChangeKind::kUnmerge, at_, at_ + 1, merged, {maker.make(units_, false)});
  }

  // A part of one stage to its neighbour.
  void move(ChangeKind kind, std::size_t from, std::size_t to) {
    const std::size_t begin = std::min(from, to);
    const Units source = stages_[from].units();
    const StageMaker maker(graph_, {&stages_[begin], &stages_[begin + 1]});
    const StageMaker rest_maker(graph_, {&stages_[from]});
    for (const Units& piece : pieces(stages_[from])) {
      const Units rest = minus(source, piece);
      if (rest.empty() || !comes_first(to < from ? piece : rest, source)) continue;
      const auto target = maker.ways(both(stages_[to].units(), piece));
      const auto left = rest_maker.ways(rest);
      add(kind, begin, begin + 2, piece, to < from ? target : left, to < from ? left : target);
    }
  }

  void add(ChangeKind kind, std::size_t begin, std::size_t end, const Units& units, const std::vector<Stage>& firsts,
           const std::vector<Stage>& seconds) {
    for (const Stage& first : firsts) {
      for (const Stage& second : seconds) add(Change{kind, begin, end, {first, second}, units});
    }
  }
  void add(ChangeKind kind, std::size_t begin, std::size_t end, const Units& units, const std::vector<Stage>& stages) {
    for (const Stage& stage : stages) add(Change{kind, begin, end, {stage}, units});
  }
  void add(Change change) {
    const auto as_it_is = std::span(stages_).subspan(change.begin, change.end - change.begin);
    if (std::ranges::equal(change.stages, as_it_is, same)) return;
    const bool known = std::ranges::any_of(found_, [&](const Change& other) {
      return other.begin == change.begin && other.end == change.end &&
             std::ranges::equal(other.stages, change.stages, same);
    });
    if (!known) found_.push_back(std::move(change));
  }

  const Graph& graph_;
  const std::vector<Stage>& stages_;
  std::size_t at_;
  Units units_;
  std::vector<Change> found_;
};

std::string names(const Graph& graph, const Units& units) {
  constexpr std::size_t kMost = 4;
  std::vector<std::string> shown;
  for (std::size_t i = 0; i < std::min(units.size(), kMost); ++i) shown.push_back(graph.unit(units[i]).name);
  if (units.size() > kMost + 1) return fmt::format("[{} and {} more]", fmt::join(shown, " "), units.size() - kMost);
  if (units.size() > kMost) shown.push_back(graph.unit(units.back()).name);
  return fmt::format("[{}]", fmt::join(shown, " "));
}

std::string action(const Graph& graph, const ChangeFacts& facts) {
  const std::string units = names(graph, facts.units);
  switch (facts.kind) {
    case ChangeKind::kSplit: return fmt::format("split off {} {}", units, facts.last ? "last" : "first");
    case ChangeKind::kJoinBefore:
    case ChangeKind::kJoinAfter: return fmt::format("join with stage {}", facts.neighbour + 1);
    case ChangeKind::kMerge: return fmt::format("merge {}", units);
    case ChangeKind::kUnmerge: return fmt::format("run {} side by side, not merged", units);
    case ChangeKind::kMoveBefore:
    case ChangeKind::kMoveAfter: return fmt::format("move {} to stage {}", units, facts.neighbour + 1);
    case ChangeKind::kTakeBefore:
    case ChangeKind::kTakeAfter: break;
  }
  return fmt::format("take {} from stage {}", units, facts.neighbour + 1);
}

}  // namespace

std::string_view change_name(ChangeKind kind) {
  constexpr std::array<std::string_view, 9> kNames{"split",       "join-before", "join-after",  "merge",     "unmerge",
                                                   "move-before", "move-after",  "take-before", "take-after"};
  return kNames.at(static_cast<std::size_t>(kind));
}

std::vector<Change> changes_at(const Graph& graph, const Schedule& schedule, std::size_t stage) {
  return Finder(graph, schedule, stage).run();
}

Schedule changed(const Schedule& schedule, const Change& change) {
  const auto at = [&](std::size_t i) { return schedule.stages.begin() + static_cast<std::ptrdiff_t>(i); };
  Schedule result{schedule.name, {schedule.stages.begin(), at(change.begin)}};
  result.stages.insert(result.stages.end(), change.stages.begin(), change.stages.end());
  result.stages.insert(result.stages.end(), at(change.end), schedule.stages.end());
  return result;
}

ChangeFacts facts_of(const Schedule& schedule, const Change& change) {
  const bool before = change.kind == ChangeKind::kJoinBefore || change.kind == ChangeKind::kMoveBefore ||
                      change.kind == ChangeKind::kTakeBefore;
  ChangeFacts facts{.kind = change.kind, .units = change.units, .neighbour = before ? change.begin : change.end - 1};
  if (change.kind == ChangeKind::kMerge || change.kind == ChangeKind::kUnmerge) return facts;
  if (change.kind == ChangeKind::kSplit) {  // off is what is smaller
    Units after = change.stages.back().units();
    facts.last = change.units.size() > after.size();
    if (facts.last) facts.units = std::move(after);
  }
  std::set<Units> was;
  for (std::size_t i = change.begin; i < change.end; ++i) {
    for (Units& merged : merged_steps(schedule.stages[i])) was.insert(std::move(merged));
  }
  std::set<Units> is;
  for (const Stage& stage : change.stages) {
    for (Units& merged : merged_steps(stage)) is.insert(std::move(merged));
  }
  facts.one_was_merged = was.size() == 1;
  const auto part_of = [](const Units& some) {
    return [&](const Units& all) { return std::ranges::includes(all, some); };
  };
  for (const Units& merged : is) {
    if (std::ranges::none_of(was, part_of(merged))) facts.merged.push_back(merged);
  }
  for (const Units& merged : was) {
    const bool kept =
        std::ranges::any_of(is, [&](const Units& some) { return part_of(some)(merged) || part_of(merged)(some); });
    if (!kept) facts.unmerged.push_back(merged);
  }
  return facts;
}

std::string change_text(const Graph& graph, const Schedule& schedule, const Change& change) {
  const ChangeFacts facts = facts_of(schedule, change);
  std::string text = action(graph, facts);
  for (const Units& merged : facts.merged) text += fmt::format(", merging {}", names(graph, merged));
  for (const Units& merged : facts.unmerged) {
    text += facts.one_was_merged ? ", not merged" : fmt::format(", {} not merged", names(graph, merged));
  }
  return text;
}

}  // namespace iosx
