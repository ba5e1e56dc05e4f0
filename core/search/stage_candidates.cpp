#include "core/search/stage_candidates.h"

#include <algorithm>

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

}  // namespace iosx
