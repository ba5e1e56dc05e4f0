#include "core/devices/cpu/lane_teams.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>

namespace iosx::cpu {
namespace {

// The rate of an AVX-512 core in convolutions, and of one core of several from the shared cache.
constexpr double kFlopsPerSecond = 200e9;
constexpr double kBytesPerSecond = 20e9;
constexpr double kKernelSeconds = 1e-6;
// A further core of a team does so much of a core's work, and each fork and join costs so much.
constexpr double kFurtherCore = 0.92;
constexpr double kForkSeconds = 2e-6;

double time_of(const LaneLoad& load, int cores) {
  if (cores == 1) return load.seconds;
  return load.seconds / (1 + kFurtherCore * (cores - 1)) + kForkSeconds * static_cast<double>(load.kernels);
}

struct Candidate {
  LaneTeams teams;
  std::vector<LaneLoad> loads;  // of each team

  double end() const {
    double latest = 0;
    for (std::size_t t = 0; t < loads.size(); ++t) latest = std::max(latest, time_of(loads[t], teams.sizes[t]));
    return latest;
  }
};

// `order` has the lanes, the longest first.
Candidate deal(std::span<const LaneLoad> lanes, std::span<const std::size_t> order, std::size_t teams, int cores) {
  Candidate made{{std::vector<int>(teams, 1), std::vector<std::vector<std::size_t>>(teams)},
                 std::vector<LaneLoad>(teams)};
  for (const std::size_t lane : order) {
    const auto least = std::ranges::min_element(
        made.loads, [](const LaneLoad& a, const LaneLoad& b) { return a.seconds < b.seconds; });
    const auto team = static_cast<std::size_t>(least - made.loads.begin());
    least->seconds += lanes[lane].seconds;
    least->kernels += lanes[lane].kernels;
    made.teams.lanes[team].push_back(lane);
  }
  for (int left = cores - static_cast<int>(teams); left > 0; --left) {
    std::size_t slowest = 0;
    for (std::size_t t = 1; t < teams; ++t) {
      if (time_of(made.loads[t], made.teams.sizes[t]) > time_of(made.loads[slowest], made.teams.sizes[slowest])) {
        slowest = t;
      }
    }
    ++made.teams.sizes[slowest];
  }
  return made;
}

}  // namespace

LaneLoad load_of(const ExecutionPlan& plan, std::span<const KernelId> lane) {
  LaneLoad load{0, lane.size()};
  for (const KernelId id : lane) {
    const Work& work = plan.kernel(id).work;
    load.seconds +=
        kKernelSeconds + std::max(work.flops / kFlopsPerSecond, static_cast<double>(work.bytes()) / kBytesPerSecond);
  }
  return load;
}

LaneTeams share_cores(std::span<const LaneLoad> lanes, int cores) {
  std::vector<std::size_t> order(lanes.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return lanes[a].seconds > lanes[b].seconds; });
  const std::size_t most = std::min(lanes.size(), static_cast<std::size_t>(std::max(cores, 1)));
  LaneTeams best;
  double soonest = std::numeric_limits<double>::infinity();
  for (std::size_t teams = most; teams > 0; --teams) {
    Candidate candidate = deal(lanes, order, teams, cores);
    if (candidate.end() >= soonest) continue;
    soonest = candidate.end();
    best = std::move(candidate.teams);
  }
  return best;
}

}  // namespace iosx::cpu
