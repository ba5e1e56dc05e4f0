#include "core/operators/candidates.h"

#include <algorithm>
#include <random>
#include <unordered_set>

namespace iosx {
namespace {

// The order of units by tensors.
class Order {
 public:
  explicit Order(const Graph& graph) : size_(graph.units().size()), before_(size_, std::vector<bool>(size_, false)) {
    for (std::size_t u = 0; u < size_; ++u) {
      for (const UnitId reads : graph.predecessors(UnitId(u))) {
        before_[u][reads.index()] = true;
        for (std::size_t i = 0; i < reads.index(); ++i) {
          if (before_[reads.index()][i]) before_[u][i] = true;
        }
      }
    }
  }
  bool ordered(UnitId a, UnitId b) const {
    return a == b || before_[a.index()][b.index()] || before_[b.index()][a.index()];
  }

 private:
  std::size_t size_;
  std::vector<std::vector<bool>> before_;
};

class Draw {
 public:
  Draw(const Graph& graph, const CandidateOptions& options)
      : graph_(graph), order_(graph), options_(options), random_(options.seed) {}

  // Returns a stage of several units at random; empty where the draw came to nothing.
  Stage stage() {
    const auto units = static_cast<std::size_t>(graph_.units().size());
    const int wanted = 1 + number(options_.side_by_side);
    // Half of them are of one neighbourhood, as in the stages of a search, the others from anywhere.
    const bool near = number(2) == 0;
    constexpr int kNear = 24;
    const auto first = static_cast<std::size_t>(number(static_cast<int>(units)));
    Stage made;
    std::vector<UnitId> used;
    for (int tries = 0; static_cast<int>(made.groups.size()) < wanted && tries < 20; ++tries) {
      std::size_t at = first;
      if (!made.groups.empty()) {
        at = near ? first + static_cast<std::size_t>(number(kNear))
                  : static_cast<std::size_t>(number(static_cast<int>(units)));
      }
      if (at >= units) continue;
      const std::vector<UnitId> row = chain(UnitId(at));
      const bool free = std::ranges::none_of(row, [&](UnitId unit) {
        return std::ranges::any_of(used, [&](UnitId other) { return order_.ordered(unit, other); });
      });
      if (!free) continue;
      Group group;
      for (const UnitId unit : row) group.steps.push_back(Step{{unit}});
      used.insert(used.end(), row.begin(), row.end());
      made.groups.push_back(std::move(group));
    }
    if (used.size() < 2) return {};
    return made;
  }

 private:
  int number(int below) { return std::uniform_int_distribution<int>(0, std::max(below, 1) - 1)(random_); }

  // Units in a row, each reading the one before.
  std::vector<UnitId> chain(UnitId first) {
    std::vector<UnitId> row{first};
    for (int left = number(options_.in_a_row); left > 0; --left) {
      const auto next = graph_.successors(row.back());
      if (next.empty()) break;
      row.push_back(next[static_cast<std::size_t>(number(static_cast<int>(next.size())))]);
    }
    return row;
  }

  const Graph& graph_;
  Order order_;
  const CandidateOptions& options_;
  std::mt19937_64 random_;
};

}  // namespace

std::vector<Candidate> candidates_of(StagePlanner& planner, const CandidateOptions& options) {
  const Graph& graph = planner.graph();
  std::vector<Stage> stages;
  for (std::size_t u = 0; u < graph.units().size(); ++u) {
    stages.push_back(Stage{{Group{{Step{{UnitId(u)}}}}}});
  }
  if (graph.units().size() > 1) {
    Draw draw(graph, options);
    for (std::size_t i = 0; i < options.together; ++i) {
      if (Stage stage = draw.stage(); !stage.groups.empty()) stages.push_back(std::move(stage));
    }
  }
  std::vector<Candidate> made;
  std::unordered_set<StageKey> seen;
  std::vector<StagePlanner::Canonical> fresh;
  for (StagePlanner::Canonical& stage : planner.canonical(stages)) {
    if (seen.insert(stage.key).second) fresh.push_back(std::move(stage));
  }
  const std::vector<ExecutionPlan> plans = planner.plans(fresh);
  for (std::size_t i = 0; i < fresh.size(); ++i) {
    StageFeatures features = stage_features(plans[i]);
    if (!features.empty()) made.push_back({std::move(fresh[i]), std::move(features)});
  }
  return made;
}

}  // namespace iosx
