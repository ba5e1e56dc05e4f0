#include "core/search/part_chain.h"

#include <utility>

#include "core/model/schedule/baselines.h"

namespace iosx {

bool PartChain::usable(const PartSolution& solution) {
  const auto any = [](const PartSolution::ByLast& paths) { return paths[0].has_value() || paths[1].has_value(); };
  return any(solution.at_start) && any(solution.after[0]) && any(solution.after[1]);
}

// Cheaper, or as cheap and of fewer stages.
bool PartChain::better(const Reached& a, const Reached& b) {
  if (!a.reachable || !b.reachable) return a.reachable;
  return a.cost != b.cost ? a.cost < b.cost : a.stages < b.stages;
}

void PartChain::add(PartSolution solution) {
  Front next;
  for (std::size_t last = 0; last < 2; ++last) {
    for (std::size_t before = 0; before < 2; ++before) {
      if (links_.empty() ? before > 0 : !front_[before].reachable) continue;
      const auto& path = solution.paths(links_.empty() ? std::nullopt : std::optional(kStageWidths[before]))[last];
      if (!path) continue;
      const Reached reached{true, front_[before].cost + path->cost, front_[before].stages + path->stages.size(),
                            before};
      if (better(reached, next[last])) next[last] = reached;
    }
  }
  links_.push_back({std::move(solution), next});
  front_ = next;
}

void PartChain::add_sequential(const Part& part) {
  PartPath path{{sequential_stage(part)}};
  PartSolution solution;
  solution.at_start[0] = solution.after[0][0] = solution.after[1][0] = std::move(path);
  add(std::move(solution));
}

void PartChain::choose(SearchResult& result) const {
  if (links_.empty()) return;
  std::size_t last = better(front_[0], front_[1]) ? 0 : 1;
  result.stage_sum = front_[last].cost;
  std::vector<const PartPath*> paths(links_.size());
  for (std::size_t i = links_.size(); i-- > 0;) {
    const std::size_t before = links_[i].reached[last].before;
    const auto width = i == 0 ? std::nullopt : std::optional(kStageWidths[before]);
    paths[i] = &*links_[i].solution.paths(width)[last];
    result.parts[i].cost = paths[i]->cost;
    last = before;
  }
  for (const PartPath* path : paths) {
    result.schedule.stages.insert(result.schedule.stages.end(), path->stages.begin(), path->stages.end());
  }
}

}  // namespace iosx
