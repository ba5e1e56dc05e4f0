#include "core/search/enumerate_part.h"

#include <fmt/format.h>

#include <utility>

namespace iosx {
namespace {

Error refused(const Part& part, SpaceRefusal refusal, const SpaceBudget& budget) {
  if (refusal == SpaceRefusal::kTooManyStates) {
    return too_large(part, message("the search has more than {} states", budget.states));
  }
  return too_large(part, message("the search has more than {} transitions", budget.transitions));
}

}  // namespace

Error too_large(const Part& part, Message what) {
  return Error{std::move(what), fmt::format("part '{}' of {} units", part.name, part.units.size()),
               message("choose a smaller r or s, or a smaller maximum part size")};
}

Result<std::optional<PartProblem>> enumerate_part(const Graph& graph, const Part& part, const SearchOptions& options,
                                                  const SpaceBudget& budget, const std::stop_token& stop) {
  const PartGraph units(graph, part.units, options);
  auto space = enumerate(units, options.rule, options.pruning, budget, stop);
  if (!space && space.error() == SpaceRefusal::kStopped) return std::nullopt;
  if (!space) return tl::unexpected(refused(part, space.error(), budget));
  auto candidates = stage_candidates(graph, units, space->stages, options.strategies);
  return PartProblem{units, std::move(*space), std::move(candidates)};
}

}  // namespace iosx
