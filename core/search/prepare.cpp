#include "core/search/prepare.h"

#include <fmt/format.h>

namespace iosx {

Result<Graph> prepare(const Graph& graph, const SearchOptions& options, std::size_t max_part_size,
                      const SpaceBudget& budget, const JobContext& job) {
  if (max_part_size < 1 || max_part_size > kMaxPartUnits) {
    return fail(fmt::format("the maximum part size is {}", max_part_size), {},
                fmt::format("choose 1 to {} units", kMaxPartUnits));
  }
  const auto too_complex = [&](std::span<const UnitId> units) {
    if (job.stopped()) return false;
    job.report("cutting into parts", static_cast<std::int64_t>(units.front().index()),
               static_cast<std::int64_t>(graph.units().size()));
    return !fits(PartGraph(graph, units), options.rule, options.pruning, budget, job.stop);
  };
  return graph.with_parts(partition(graph, PartitionOptions{max_part_size, too_complex}));
}

}  // namespace iosx
