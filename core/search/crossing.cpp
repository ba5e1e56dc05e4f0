#include "core/search/crossing.h"

#include <algorithm>
#include <array>

#include "core/search/part_solution.h"

namespace iosx {
namespace {

// A schedule with the latencies of its stages; infinite: not known, or not allowed.
struct Timed {
  const Schedule* schedule = nullptr;
  std::vector<Latency> latencies = {};
};

// Stages of one schedule, from one prefix of the found schedule to a later one that has run the same units.
struct Way {
  const Timed* of = nullptr;
  std::size_t first = 0;  // stages
  std::size_t last = 0;   // the one behind
  std::size_t to = 0;     // stages of the prefix
};

// The cheapest known way to a prefix whose last stage has a width.
struct Reached {
  Millis cost{std::numeric_limits<double>::infinity()};
  std::size_t from = 0;
  std::size_t width = 0;  // at `from`
  const Way* way = nullptr;
};

// Widths of the last stage: those of StageWidth, and none at the start.
constexpr std::size_t kNoStage = kStageWidths.size();
using ReachedByWidth = std::array<Reached, kStageWidths.size() + 1>;

class Crossing {
 public:
  Crossing(const Graph& graph, const Schedule& found, const InterStageOverhead& overhead)
      : overhead_(overhead), stage_of_(graph.units().size()), ways_(found.stages.size() + 1) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < found.stages.size(); ++i) {
      for (const UnitId unit : found.stages[i].units()) stage_of_[unit.index()] = i, ++count;
      counts_.push_back(count);
    }
  }

  void add(const Timed& timed) {
    std::size_t from = 0;    // prefix of the found schedule
    std::size_t first = 0;   // stage after it
    std::size_t behind = 0;  // stages of the found schedule that hold all units so far
    std::size_t count = 0;   // of units so far
    for (std::size_t i = 0; i < timed.schedule->stages.size(); ++i) {
      for (const UnitId unit : timed.schedule->stages[i].units()) {
        behind = std::max(behind, stage_of_[unit.index()] + 1);
        ++count;
      }
      if (counts_[behind - 1] != count) continue;
      ways_[from].push_back({&timed, first, i + 1, behind});
      from = behind;
      first = i + 1;
    }
  }

  // Returns the cheapest stages; ties go to what was added first.
  std::vector<Stage> cheapest() {
    std::vector<ReachedByWidth> reached(ways_.size());
    reached[0][kNoStage].cost = Millis(0);
    for (std::size_t from = 0; from + 1 < ways_.size(); ++from) {
      for (const Way& way : ways_[from]) {
        for (std::size_t width = 0; width <= kNoStage; ++width) {
          auto [cost, last] = walk(way, reached[from][width].cost, width);
          Reached& to = reached[way.to][last];
          if (cost < to.cost * (1 - kSumRounding)) to = {cost, from, width, &way};
        }
      }
    }
    std::vector<Stage> stages;
    const auto end = std::ranges::min_element(reached.back(), {}, &Reached::cost);
    for (const Reached* at = &*end; at->way != nullptr; at = &reached[at->from][at->width]) {
      const auto begin = at->way->of->schedule->stages.begin();
      stages.insert(stages.begin(), begin + static_cast<std::ptrdiff_t>(at->way->first),
                    begin + static_cast<std::ptrdiff_t>(at->way->last));
    }
    return stages;
  }

 private:
  std::pair<Millis, std::size_t> walk(const Way& way, Millis cost, std::size_t width) const {
    for (std::size_t i = way.first; i < way.last; ++i) {
      const StageWidth own = width_of(way.of->schedule->stages[i]);
      const auto before = width == kNoStage ? std::nullopt : std::optional(kStageWidths[width]);
      cost += overhead_.before(before, own) + way.of->latencies[i].value;
      width = static_cast<std::size_t>(own);
    }
    return {cost, width};
  }

  const InterStageOverhead& overhead_;
  std::vector<std::size_t> stage_of_;   // by unit: in the found schedule
  std::vector<std::size_t> counts_;     // of units after each stage of the found schedule
  std::vector<std::vector<Way>> ways_;  // by prefix
};

// Asks with care, so that a choice between schedules is not one between quick estimates.
Result<Timed> timed(const Schedule& schedule, LatencySource& latencies, const JobContext& job) {
  Timed timed{.schedule = &schedule};
  if (latencies.measures()) {
    IOS_TRY(timed.latencies, latencies.estimates_quickly() ? latencies.refined_latencies(schedule.stages, job)
                                                           : latencies.stage_latencies(schedule.stages, job));
  } else {
    IOS_TRY(const auto known, latencies.known_latencies(schedule.stages));
    for (const auto& each : known) timed.latencies.push_back(each.value_or(Latency::left_out({})));
  }
  timed.latencies.resize(schedule.stages.size(), Latency::left_out({}));  // after a stop
  return timed;
}

Millis sum_of(const Timed& timed, const InterStageOverhead& overhead) {
  Millis sum = overhead.sum(*timed.schedule);
  for (const Latency& each : timed.latencies) sum += each.value;
  return sum;
}

}  // namespace

bool may_cross(const Stage& stage, const SearchOptions& options) {
  const std::size_t s = options.pruning.s;
  return s == 0 || stage.groups.size() <= s;
}

void take_schedule(const Graph& graph, const Schedule& schedule, std::span<const Latency> latencies,
                   const InterStageOverhead& overhead, SearchResult& result) {
  const Millis before = result.stage_sum;
  result.schedule = schedule;
  for (PartSummary& part : result.parts) part.cost = Millis(0);
  result.stage_sum = Millis(0);
  std::optional<StageWidth> last;
  for (std::size_t i = 0; i < latencies.size(); ++i) {
    const StageWidth own = width_of(schedule.stages[i]);
    const Millis cost = overhead.before(last, own) + latencies[i].value;
    last = own;
    result.parts[graph.unit(schedule.stages[i].units().back()).part.index()].cost += cost;
    result.stage_sum += cost;
  }
  if (!result.lazy || before <= Millis(0)) return;
  for (double* const gap : {&result.lazy->certified_gap, &result.lazy->estimated_gap})
    *gap = std::max(0.0, (1 + *gap) * (result.stage_sum / before) - 1);
  if (result.lazy->history.empty()) return;
  result.lazy->history.push_back(result.lazy->history.back());
  result.lazy->history.back().best = result.stage_sum;
}

Result<std::vector<std::string>> cross(const Graph& graph, std::span<const Schedule> others, LatencySource& latencies,
                                       const SearchOptions& options, SearchResult& found, const JobContext& job) {
  const InterStageOverhead overhead = latencies.overhead();
  const Schedule own = found.schedule;
  IOS_TRY(const auto found_stages, timed(own, latencies, job));
  std::vector<Timed> all;
  for (const Schedule& other : others) {
    IOS_TRY(all.emplace_back(), timed(other, latencies, job));
  }
  std::vector<Millis> sums;
  Crossing crossing(graph, own, overhead);
  crossing.add(found_stages);
  for (Timed& other : all) {
    sums.push_back(sum_of(other, overhead));
    for (std::size_t i = 0; i < other.latencies.size(); ++i) {
      if (!may_cross(other.schedule->stages[i], options))
        other.latencies[i] = Latency::left_out(other.latencies[i].origin);
    }
    crossing.add(other);
  }
  if (job.stopped()) return {};
  const Schedule crossed{own.name, crossing.cheapest()};
  IOS_TRY(const auto crossed_stages, timed(crossed, latencies, job));
  if (sum_of(crossed_stages, overhead) < sum_of(found_stages, overhead) * (1 - kSumRounding))
    take_schedule(graph, crossed, crossed_stages.latencies, overhead, found);
  std::vector<std::string> faster;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (sums[i] < found.stage_sum * (1 - kSumRounding)) faster.push_back(others[i].name);
  }
  return faster;
}

}  // namespace iosx
