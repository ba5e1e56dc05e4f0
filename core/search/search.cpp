#include "core/search/search.h"

#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "core/base/check.h"
#include "core/search/search_algorithm.h"

namespace iosx {
namespace {

Error too_large(const Part& part, std::string what) {
  return Error{std::move(what), fmt::format("part '{}' of {} units", part.name, part.units.size()),
               "choose a smaller r or s, or a smaller maximum part size"};
}

Error refused(const Part& part, SpaceRefusal refusal, const SpaceBudget& budget) {
  if (refusal == SpaceRefusal::kTooManyStates) {
    return too_large(part, fmt::format("the search has more than {} states", budget.states));
  }
  return too_large(part, fmt::format("the search has more than {} transitions", budget.transitions));
}

// Step 1, enumerate. Fewer problems than parts after a stop. The budget is for all parts together.
Result<std::vector<PartProblem>> enumerate_parts(const Graph& graph, const SearchOptions& options,
                                                 const JobContext& job, const SpaceBudget& budget) {
  std::vector<PartProblem> problems;
  SpaceBudget left = budget;
  for (const Part& part : graph.parts()) {
    if (part.units.size() > kMaxPartUnits) {
      return tl::unexpected(too_large(part, fmt::format("a part can have at most {} units", kMaxPartUnits)));
    }
    job.report("enumerating stages", static_cast<std::int64_t>(problems.size()),
               static_cast<std::int64_t>(graph.parts().size()));
    const PartGraph units(graph, part.units);
    auto space = enumerate(units, options.rule, options.pruning, left, job.stop);
    if (!space && space.error() == SpaceRefusal::kStopped) break;
    if (!space) return tl::unexpected(refused(part, space.error(), budget));
    left.states -= space->state_count();
    left.transitions -= space->transitions.size();
    auto candidates = stage_candidates(graph, units, space->stages, options.strategies);
    problems.push_back(PartProblem{units, std::move(*space), std::move(candidates)});
    if (job.stopped()) break;
  }
  return problems;
}

PartSummary summary(PartId part, const PartProblem& problem) {
  return PartSummary{part,
                     static_cast<std::int64_t>(problem.space.state_count()),
                     static_cast<std::int64_t>(problem.space.transitions.size()),
                     static_cast<std::int64_t>(problem.space.stages.size()),
                     Millis(0),
                     false};
}

SearchResult assemble(const Graph& graph, const std::vector<PartProblem>& problems,
                      std::vector<PartSolution> solutions) {
  SearchResult result;
  for (std::size_t p = 0; p < graph.parts().size(); ++p) {
    result.parts.push_back(p < problems.size() ? summary(PartId(p), problems[p]) : PartSummary{.part = PartId(p)});
    auto& stages = result.schedule.stages;
    if (p >= solutions.size() || solutions[p].stages.empty()) {
      for (const UnitId unit : graph.parts()[p].units) stages.push_back(single_unit_stage(unit));
      result.complete = false;
      continue;
    }
    PartSolution& solution = solutions[p];
    stages.insert(stages.end(), std::move_iterator(solution.stages.begin()), std::move_iterator(solution.stages.end()));
    result.parts.back().cost = solution.cost;
    result.parts.back().complete = solution.complete;
    result.stage_sum += solution.cost;
    result.complete = result.complete && solution.complete;
  }
  return result;
}

}  // namespace

Result<SearchResult> search_with(const SearchAlgorithm& algorithm, const Graph& graph, LatencySource& latencies,
                                 const SearchOptions& options, const JobContext& job, const SpaceBudget& budget) {
  const auto start = std::chrono::steady_clock::now();
  const std::int64_t measured_before = latencies.measurements();
  const auto problems = enumerate_parts(graph, options, job, budget);
  if (!problems) return tl::unexpected(problems.error());
  auto solutions = algorithm.solve(*problems, latencies, job);
  if (!solutions) return tl::unexpected(solutions.error());
  IOS_CHECK(solutions->size() == problems->size());

  SearchResult result = assemble(graph, *problems, std::move(*solutions));
  result.schedule.name = schedule_name(options.strategies);
  result.stage_measurements = latencies.measurements() - measured_before;
  result.elapsed = std::chrono::steady_clock::now() - start;
  return result;
}

Result<SearchResult> search(const Graph& graph, LatencySource& latencies, const SearchOptions& options,
                            const JobContext& job) {
  return search_with(ExhaustiveSearch{}, graph, latencies, options, job);
}

std::string_view schedule_name(StrategySet strategies) {
  switch (strategies) {
    case StrategySet::kBoth: return "ios-both";
    case StrategySet::kParallel: return "ios-parallel";
    case StrategySet::kMerge: return "ios-merge";
  }
  return "ios-both";
}

}  // namespace iosx
