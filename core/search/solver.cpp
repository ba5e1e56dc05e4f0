#include "core/search/solver.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/base/check.h"

namespace iosx {
namespace {

constexpr double kForbidden = std::numeric_limits<double>::infinity();
constexpr std::size_t kSeveral = static_cast<std::size_t>(StageWidth::kSeveralLanes);

// The best way to run the units of a state, the last stage being of one width.
struct Best {
  double cost = kForbidden;
  std::uint32_t last_stage = 0;
  std::uint32_t before = 0;        // the state that is left
  std::uint32_t length = 0;        // stages
  std::uint32_t before_width = 0;  // of the stage before the last
};

// The best way to run the units of a state, and the gap to a next stage of one width.
struct Rest {
  double cost = kForbidden;
  std::uint32_t length = 0;
  std::uint32_t width = 0;  // of the last stage
};

// Of equal costs.
bool better(const StateSpace& space, const Best& a, const Best& b) {
  if (a.length != b.length) return a.length < b.length;
  return space.stages[a.last_stage] < space.stages[b.last_stage];
}

class Solver {
 public:
  Solver(const StateSpace& space, std::span<const LatencyByWidth> latency, const StageGaps::ByWidth& first,
         const std::array<StageGaps::ByWidth, 2>& between)
      : space_(space), latency_(latency), between_(between), solved_(space.states.size()), rest_(space.states.size()) {
    for (std::size_t w = 0; w < 2; ++w) rest_[0][w].cost = first[w].count();
  }

  SolutionByWidth run() && {
    for (std::size_t i = space_.order.size(); i-- > 0;) {  // the smallest state first
      const std::uint32_t state = space_.order[i];
      for (std::size_t w = 0; w < 2; ++w) solved_[state][w] = best_of(space_.transitions_of(i), w);
      for (std::size_t w = 0; w < 2; ++w) rest_[state][w] = rest_of(solved_[state], w);
    }
    const std::uint32_t whole = space_.order.front();
    return {path(whole, 0), path(whole, 1)};
  }

 private:
  // cost(S) = min over endings S': cost(S - S') + gap + latency(S').
  Best best_of(std::span<const Transition> transitions, std::size_t width) const {
    Best best;
    for (const Transition& transition : transitions) {
      const Rest& rest = rest_[transition.target][width];
      const double cost = rest.cost + latency_[transition.stage][width].count();
      if (!(cost <= best.cost) || cost == kForbidden) continue;
      const Best found{cost, transition.stage, transition.target, rest.length + 1, rest.width};
      if (cost < best.cost || better(space_, found, best)) best = found;
    }
    return best;
  }

  Rest rest_of(const std::array<Best, 2>& solved, std::size_t next) const {
    Rest rest;
    for (const std::size_t w : {kSeveral, std::size_t{0}}) {
      const double cost = solved[w].cost + between_[w][next].count();
      if (!(cost <= rest.cost) || cost == kForbidden) continue;
      if (cost == rest.cost && !better(space_, solved[w], solved[rest.width])) continue;
      rest = {cost, solved[w].length, static_cast<std::uint32_t>(w)};
    }
    return rest;
  }

  std::optional<Solution> path(std::uint32_t state, std::uint32_t width) const {
    if (solved_[state][width].cost == kForbidden) return std::nullopt;
    Solution solution{Millis(solved_[state][width].cost), {}};
    while (state != 0) {
      const Best& best = solved_[state][width];
      solution.stages.push_back({best.last_stage, kStageWidths[width]});
      state = best.before;
      width = best.before_width;
    }
    std::ranges::reverse(solution.stages);
    return solution;
  }

  const StateSpace& space_;
  std::span<const LatencyByWidth> latency_;
  const std::array<StageGaps::ByWidth, 2>& between_;
  std::vector<std::array<Best, 2>> solved_;  // by state, and the width of the last stage
  std::vector<std::array<Rest, 2>> rest_;    // by state, and the width of the next stage
};

}  // namespace

SolutionByWidth solve(const StateSpace& space, std::span<const LatencyByWidth> latency, const StageGaps::ByWidth& first,
                      const std::array<StageGaps::ByWidth, 2>& between) {
  IOS_CHECK(latency.size() == space.stages.size());
  return Solver(space, latency, first, between).run();
}

std::optional<Solution> best(SolutionByWidth solutions) {
  auto& [one, several] = solutions;
  if (!one || (several && several->cost <= one->cost)) return std::move(several);
  return std::move(one);
}

}  // namespace iosx
