#include "core/search/count_parts.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <utility>

#include "core/base/printable.h"
#include "core/search/part_graph.h"

namespace iosx {
namespace {

// Counting takes about 100 bytes per state and nothing per transition; the user can cancel it.
constexpr SpaceBudget kBudget{.states = 50'000'000, .transitions = std::size_t{1} << 50};

}  // namespace

Result<PartCounts> count_parts(const Graph& graph, const SearchOptions& options, const JobContext& job) {
  const auto start = std::chrono::steady_clock::now();
  PartCounts counted;
  for (std::size_t p = 0; p < graph.parts().size(); ++p) {
    job.report(message("counting parts"), static_cast<std::int64_t>(p),
               static_cast<std::int64_t>(graph.parts().size()));
    const PartGraph part(graph, graph.parts()[p].units);
    auto space = count(part, options.rule, options.pruning, kBudget, job.stop);
    if (!space && space.error() != SpaceRefusal::kStopped) {
      const bool states = space.error() == SpaceRefusal::kTooManyStates;
      return fail(states ? message("has more than {} states", kBudget.states)
                         : message("has more than {} transitions", kBudget.transitions),
                  fmt::format("{}: part {} of {} units", printable(graph.name()), p + 1, part.size()),
                  message("lower r, s or the size of parts"));
    }
    counted.complete = space.has_value();
    if (!counted.complete) break;
    counted.parts.push_back({part.size(), part.width(), std::move(*space)});
  }
  counted.elapsed = std::chrono::steady_clock::now() - start;
  return counted;
}

}  // namespace iosx
