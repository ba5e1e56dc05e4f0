#include "core/search/solver.h"

#include <algorithm>
#include <limits>

#include "core/base/check.h"

namespace iosx {
namespace {

constexpr double kForbidden = std::numeric_limits<double>::infinity();
constexpr std::uint32_t kNoStage = std::numeric_limits<std::uint32_t>::max();

// The best way to run the units of a state.
struct Best {
  double cost = kForbidden;
  std::uint32_t last_stage = kNoStage;
  std::uint32_t before = 0;  // the state that is left
  std::uint32_t length = 0;  // stages
};

// cost(S) = min over endings S': cost(S - S') + latency(S').
Best best_of(const StateSpace& space, std::span<const Transition> transitions, std::span<const Millis> latency,
             const std::vector<Best>& solved) {
  Best best;
  for (const Transition& transition : transitions) {
    const Best& rest = solved[transition.target];
    const double cost = rest.cost + latency[transition.stage].count();
    if (!(cost <= best.cost) || cost == kForbidden) continue;
    const std::uint32_t length = rest.length + 1;
    if (cost == best.cost) {
      if (length > best.length) continue;
      if (length == best.length && space.stages[transition.stage] > space.stages[best.last_stage]) continue;
    }
    best = Best{cost, transition.stage, transition.target, length};
  }
  return best;
}

}  // namespace

std::optional<Solution> solve(const StateSpace& space, std::span<const Millis> latency) {
  IOS_CHECK(latency.size() == space.stages.size());
  std::vector<Best> solved(space.states.size());
  solved[0].cost = 0;
  for (std::size_t i = space.order.size(); i-- > 0;) {  // the smallest state first
    solved[space.order[i]] = best_of(space, space.transitions_of(i), latency, solved);
  }
  const std::uint32_t whole = space.order.front();
  if (solved[whole].cost == kForbidden) return std::nullopt;

  Solution solution{Millis(solved[whole].cost), {}};
  for (std::uint32_t state = whole; state != 0; state = solved[state].before) {
    solution.stages.push_back(solved[state].last_stage);
  }
  std::reverse(solution.stages.begin(), solution.stages.end());
  return solution;
}

}  // namespace iosx
