#include "core/search/prepare.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "core/search/state_estimate.h"

namespace iosx {
namespace {

constexpr std::size_t kHugeGraph = 2000;  // units
constexpr std::size_t kHugeShare = 32;
constexpr double kSurelyTooMany = 8;  // estimated states over the budget

// Transitions listed for each second that a search may take: about a tenth of it on one slow core.
constexpr double kTransitionsASecond = 2e6;

// What can be listed of one part within a small share of the search's time.
SpaceBudget within(const SpaceBudget& budget, Seconds time) {
  if (time <= Seconds(0)) return budget;
  const double share = time.count() * kTransitionsASecond / static_cast<double>(budget.transitions);
  if (share >= 1) return budget;
  const auto part_of = [&](std::size_t most) {
    return std::max<std::size_t>(1, static_cast<std::size_t>(share * static_cast<double>(most)));
  };
  return {.states = part_of(budget.states), .transitions = part_of(budget.transitions)};
}

}  // namespace

Result<Graph> prepare(const Graph& graph, const SearchOptions& options, std::size_t max_part_size,
                      const SpaceBudget& budget, const JobContext& job) {
  if (max_part_size < 1 || max_part_size > kMaxPartUnits) {
    return fail(fmt::format("the maximum part size is {}", max_part_size), {},
                fmt::format("choose 1 to {} units", kMaxPartUnits));
  }
  // A huge graph has very many runs of units to try; each gets less, so that cutting takes seconds.
  SpaceBudget each = within(budget, options.effort.budget);
  if (graph.units().size() > kHugeGraph) {
    each.states /= kHugeShare;
    each.transitions /= kHugeShare;
  }
  const auto too_complex = [&](std::span<const UnitId> units) {
    if (job.stopped()) return false;
    job.report("cutting into parts", static_cast<std::int64_t>(units.front().index()),
               static_cast<std::int64_t>(graph.units().size()));
    // Most of what is too large need not be listed to see it.
    if (estimated_states(graph, units) > kSurelyTooMany * static_cast<double>(each.states)) return true;
    return !fits(PartGraph(graph, units), options.rule, options.pruning, each, job.stop);
  };
  std::vector<Part> parts = partition(graph, PartitionOptions{max_part_size, too_complex});
  if (max_part_size < kDefaultMaxPartSize) {
    for (Part& part : parts) part.continued = false;
  }
  return graph.with_parts(std::move(parts));
}

}  // namespace iosx
