#include "core/search/solver.h"

#include <barrier>

#include "core/base/check.h"

namespace iosx {
namespace {

constexpr std::size_t kWorthSolvingTogether = 1 << 19;  // transitions: some ms
constexpr std::size_t kSolvedAtOnce = 8;                // that a thread takes
constexpr double kForbidden = std::numeric_limits<double>::infinity();
constexpr std::size_t kSeveral = static_cast<std::size_t>(StageWidth::kSeveralLanes);

// The best way to run the units of a state, for one width of the last stage.
struct Best {
  double cost = kForbidden;
  std::uint32_t last_stage = 0;
  std::uint32_t before = 0;        // the state that is left
  std::uint32_t length = 0;        // stages
  std::uint32_t before_width = 0;  // of the stage before the last
};

// The best ways to run the units of a state, and the gap to a next stage of one width or the other. Costs lie by
// themselves: they are all that most transitions look at.
using RestCosts = std::array<double, 2>;
struct Rest {
  std::uint16_t length = 0;  // stages
  std::uint16_t width = 0;   // of the last stage
};

// For equal costs.
bool better(const StateSpace& space, const Best& a, const Best& b) {
  if (a.length != b.length) return a.length < b.length;
  return space.stages[a.last_stage] < space.stages[b.last_stage];
}

class Solver {
 public:
  Solver(const StateSpace& space, std::span<const LatencyByWidth> latency, const InterStageOverhead::ByWidth& first,
         const std::array<InterStageOverhead::ByWidth, 2>& between)
      : space_(space), latency_(latency), between_(between), costs_(space.states.size()), rest_(space.states.size()) {
    for (std::size_t w = 0; w < 2; ++w) costs_[0][w] = first[w].count();
  }

  SolutionByWidth run(std::size_t threads) && {
    if (threads > 1 && space_.transitions.size() >= kWorthSolvingTogether) {
      solve_together(threads);
    } else {
      for (std::size_t i = space_.order.size(); i-- > 0;) solve_state(i);  // the smallest state first
    }
    return {path(0), path(1)};
  }

 private:
  // States of one size do not need one another.
  void solve_together(std::size_t threads) {
    std::vector<std::size_t> begins;  // of each size in the order, the largest first
    for (std::size_t i = 0; i < space_.order.size(); ++i) {
      if (i == 0 || size_at(i) != size_at(i - 1)) begins.push_back(i);
    }
    std::atomic<std::size_t> next{begins.back()};
    std::size_t level = begins.size() - 1;
    std::barrier all_solved(static_cast<std::ptrdiff_t>(threads), [&]() noexcept {
      if (level > 0) next = begins[--level];
    });
    run_on_threads(threads, [&](std::size_t /*thread*/) {
      std::size_t end = space_.order.size();
      for (std::size_t l = begins.size(); l-- > 0; end = begins[l]) {
        for (std::size_t i = next.fetch_add(kSolvedAtOnce); i < end; i = next.fetch_add(kSolvedAtOnce)) {
          for (std::size_t j = i; j < std::min(i + kSolvedAtOnce, end); ++j) solve_state(j);
        }
        all_solved.arrive_and_wait();
      }
    });
  }

  std::size_t size_at(std::size_t i) const { return size_of(space_.states[space_.order[i]]); }

  void solve_state(std::size_t i) {
    const std::array<Best, 2> solved = best_of(i);
    for (std::size_t w = 0; w < 2; ++w) set_rest(space_.order[i], solved, w);
  }

  // cost(S) = min over endings S': cost(S - S') + gap + latency(S'). By the last stage's width.
  std::array<Best, 2> best_of(std::size_t i) const {
    std::array<Best, 2> best;
    for (const Transition& transition : space_.transitions_of(i)) {
      const RestCosts& rest = costs_[transition.target];
      const LatencyByWidth& latency = latency_[transition.stage];
      for (std::size_t w = 0; w < 2; ++w) {
        const double cost = rest[w] + latency[w].count();
        if (cost < best[w].cost || (cost == best[w].cost && cost != kForbidden)) {
          consider(best[w], cost, transition, w);
        }
      }
    }
    return best;
  }

  // `cost` is not above the best so far.
  void consider(Best& best, double cost, const Transition& transition, std::size_t width) const {
    const Rest& rest = rest_[transition.target][width];
    const Best found{cost, transition.stage, transition.target, rest.length + 1U, rest.width};
    if (cost < best.cost || better(space_, found, best)) best = found;
  }

  void set_rest(std::uint32_t state, const std::array<Best, 2>& solved, std::size_t next) {
    double& least = costs_[state][next];
    Rest& rest = rest_[state][next];
    least = kForbidden;
    for (const std::size_t w : {kSeveral, std::size_t{0}}) {
      const double cost = solved[w].cost + between_[w][next].count();
      if (!(cost <= least) || cost == kForbidden) continue;
      if (cost == least && !better(space_, solved[w], solved[rest.width])) continue;
      least = cost;
      rest = {static_cast<std::uint16_t>(solved[w].length), static_cast<std::uint16_t>(w)};
    }
  }

  // Works out the best stage of the few states that it passes once more: to keep it for all of them costs more.
  std::optional<Solution> path(std::uint32_t width) const {
    std::size_t i = 0;
    Best best = best_of(i)[width];
    if (best.cost == kForbidden) return std::nullopt;
    Solution solution{Millis(best.cost), {}};
    while (true) {
      solution.stages.push_back({best.last_stage, kStageWidths[width]});
      if (best.before == 0) break;
      width = best.before_width;
      while (space_.order[i] != best.before) ++i;  // a smaller state stands further on
      best = best_of(i)[width];
    }
    std::ranges::reverse(solution.stages);
    return solution;
  }

  const StateSpace& space_;
  std::span<const LatencyByWidth> latency_;
  const std::array<InterStageOverhead::ByWidth, 2>& between_;
  std::vector<RestCosts> costs_;           // by state, and the width of the next stage
  std::vector<std::array<Rest, 2>> rest_;  // the same
};

}  // namespace

SolutionByWidth solve(const StateSpace& space, std::span<const LatencyByWidth> latency,
                      const InterStageOverhead::ByWidth& first,
                      const std::array<InterStageOverhead::ByWidth, 2>& between, std::size_t threads) {
  IOS_CHECK(latency.size() == space.stages.size());
  return Solver(space, latency, first, between).run(threads);
}

}  // namespace iosx
