#include "core/search/search.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "core/cost/signature.h"
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

Result<void> check_sizes(const Graph& graph) {
  for (const Part& part : graph.parts()) {
    if (part.units.size() > kMaxPartUnits) {
      return tl::unexpected(too_large(part, fmt::format("a part can have at most {} units", kMaxPartUnits)));
    }
  }
  return {};
}

// Part by part, so that only one part's search space is in memory.
class Search {
 public:
  Search(const SearchAlgorithm& algorithm, const Graph& graph, LatencySource& latencies, const SearchOptions& options,
         const JobContext& job, const SpaceBudget& budget)
      : algorithm_(algorithm), graph_(graph), latencies_(latencies), options_(options), job_(job), budget_(budget) {}

  Result<SearchResult> run() && {
    for (std::size_t p = 0; p < graph_.parts().size(); ++p) {
      if (auto done = add(PartId(p)); !done) return tl::unexpected(std::move(done.error()));
      units_done_ += graph_.parts()[p].units.size();
    }
    if (result_.complete) report(graph_.parts().size(), 0);
    return std::move(result_);
  }

 private:
  // Steps 1 to 3; after a stop the part runs sequentially.
  Result<void> add(PartId id) {
    const Part& part = graph_.part(id);
    PartSummary& summary = result_.parts.emplace_back(PartSummary{.part = id, .complete = false});
    auto problem = enumerated(part);
    if (!problem) return tl::unexpected(std::move(problem.error()));
    if (!*problem) return add_sequential(part), Result<void>();
    summary.states = static_cast<std::int64_t>((*problem)->space.state_count());
    summary.transitions = static_cast<std::int64_t>((*problem)->space.transitions.size());
    summary.stages = static_cast<std::int64_t>((*problem)->space.stages.size());

    auto solution = algorithm_.solve(**problem, latencies_, measuring(part));
    if (!solution) return tl::unexpected(std::move(solution.error()));
    if (solution->stages.empty()) return add_sequential(part), Result<void>();
    // In the order in which a stage is measured, so that the schedule runs as it was judged.
    for (const Stage& stage : solution->stages) {
      result_.schedule.stages.push_back(canonical(graph_, stage).stage);
    }
    summary.cost = solution->cost;
    summary.complete = solution->complete;
    result_.stage_sum += solution->cost;
    result_.complete = result_.complete && solution->complete;
    ++result_.solved_parts;
    return {};
  }

  void add_sequential(const Part& part) {
    for (const UnitId unit : part.units) result_.schedule.stages.push_back(single_unit_stage(unit));
    result_.complete = false;
  }

  // Step 1, enumerate. Nothing after a stop.
  Result<std::optional<PartProblem>> enumerated(const Part& part) const {
    if (job_.stopped()) return std::nullopt;
    report(result_.parts.size(), 0);
    const PartGraph units(graph_, part.units);
    auto space = enumerate(units, options_.rule, options_.pruning, budget_, job_.stop);
    if (!space && space.error() == SpaceRefusal::kStopped) return std::nullopt;
    if (!space) return tl::unexpected(refused(part, space.error(), budget_));
    auto candidates = stage_candidates(graph_, units, space->stages, options_.strategies);
    return PartProblem{units, std::move(*space), std::move(candidates)};
  }

  // What a part's own progress is to the whole search.
  JobContext measuring(const Part& part) const {
    if (!job_.progress) return job_;
    return JobContext{job_.stop, [this, &part, number = result_.parts.size()](const Progress& progress) {
                        const std::int64_t total = std::max<std::int64_t>(progress.total, 1);
                        report(number, static_cast<std::int64_t>(part.units.size()) * progress.done / total);
                      }};
  }

  // How many parts there are is known from the start, how many stages is not.
  void report(std::size_t part, std::int64_t units_of_part) const {
    const auto total = static_cast<std::int64_t>(graph_.units().size());
    job_.report(fmt::format("part {} of {}, units searched", part, graph_.parts().size()),
                std::min(static_cast<std::int64_t>(units_done_) + units_of_part, total), total);
  }

  const SearchAlgorithm& algorithm_;
  const Graph& graph_;
  LatencySource& latencies_;
  const SearchOptions& options_;
  const JobContext& job_;
  const SpaceBudget& budget_;
  std::size_t units_done_ = 0;  // of the parts before
  SearchResult result_;
};

}  // namespace

Result<SearchResult> search_with(const SearchAlgorithm& algorithm, const Graph& graph, LatencySource& latencies,
                                 const SearchOptions& options, const JobContext& job, const SpaceBudget& budget) {
  const auto start = std::chrono::steady_clock::now();
  if (auto sizes = check_sizes(graph); !sizes) return tl::unexpected(std::move(sizes.error()));
  latencies.start_tally();
  auto result = Search(algorithm, graph, latencies, options, job, budget).run();
  if (!result) return result;
  result->schedule.name = schedule_name(options.strategies);
  result->stage_measurements = latencies.tally().structures;
  result->newly_measured = latencies.tally().measured;
  result->elapsed = std::chrono::steady_clock::now() - start;
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
