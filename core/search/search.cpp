#include "core/search/search.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

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

// Puts the parts' solutions together: of every part one path, so that their sum is the least. What a part's first stage
// costs depends on the last stage of the part before.
class PartChain {
 public:
  static bool usable(const PartSolution& solution) {
    const auto any = [](const PartSolution::ByLast& paths) { return paths[0].has_value() || paths[1].has_value(); };
    return any(solution.at_start) && any(solution.after[0]) && any(solution.after[1]);
  }

  void add(PartSolution solution) {
    Front next;
    for (std::size_t last = 0; last < 2; ++last) {
      for (std::size_t before = 0; before < 2; ++before) {
        if (links_.empty() ? before > 0 : !front_[before].reachable) continue;
        const auto& path = solution.paths(links_.empty() ? std::nullopt : std::optional(kStageWidths[before]))[last];
        if (!path) continue;
        const Reached reached{true, front_[before].cost + path->cost, front_[before].stages + path->stages.size(),
                              before};
        if (better(reached, next[last])) next[last] = reached;
      }
    }
    links_.push_back({std::move(solution), next});
    front_ = next;
  }

  // A part that was not solved: one unit a stage, of unknown cost.
  void add_sequential(const Part& part) {
    PartPath path;
    for (const UnitId unit : part.units) path.stages.push_back(single_unit_stage(unit));
    PartSolution solution;
    solution.at_start[0] = solution.after[0][0] = solution.after[1][0] = std::move(path);
    add(std::move(solution));
  }

  // Fills in schedule, costs of the parts and their sum.
  void choose(SearchResult& result) const {
    if (links_.empty()) return;
    std::size_t last = better(front_[0], front_[1]) ? 0 : 1;
    result.stage_sum = front_[last].cost;
    std::vector<const PartPath*> paths(links_.size());
    for (std::size_t i = links_.size(); i-- > 0;) {
      const std::size_t before = links_[i].reached[last].before;
      const auto width = i == 0 ? std::nullopt : std::optional(kStageWidths[before]);
      paths[i] = &*links_[i].solution.paths(width)[last];
      result.parts[i].cost = paths[i]->cost;
      last = before;
    }
    for (const PartPath* path : paths) {
      result.schedule.stages.insert(result.schedule.stages.end(), path->stages.begin(), path->stages.end());
    }
  }

 private:
  // The cheapest way to the end of a part whose last stage has one width.
  struct Reached {
    bool reachable = false;
    Millis cost{0};
    std::size_t stages = 0;
    std::size_t before = 0;  // width of the last stage of the part before
  };
  // Cheaper, or as cheap and of fewer stages.
  static bool better(const Reached& a, const Reached& b) {
    if (!a.reachable || !b.reachable) return a.reachable;
    return a.cost != b.cost ? a.cost < b.cost : a.stages < b.stages;
  }
  using Front = std::array<Reached, 2>;  // by width
  struct Link {
    PartSolution solution;
    Front reached;
  };

  std::vector<Link> links_;  // by part
  Front front_;
};

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
    chain_.choose(result_);
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
    if (!PartChain::usable(*solution)) return add_sequential(part), Result<void>();
    summary.complete = solution->complete;
    result_.complete = result_.complete && solution->complete;
    ++result_.solved_parts;
    chain_.add(std::move(*solution));
    return {};
  }

  void add_sequential(const Part& part) {
    chain_.add_sequential(part);
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
  PartChain chain_;
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
  result->schedule.name = row_of(options.strategies).id;
  result->tally = latencies.tally();
  result->elapsed = std::chrono::steady_clock::now() - start;
  return result;
}

Result<SearchResult> search(const Graph& graph, LatencySource& latencies, const SearchOptions& options,
                            const JobContext& job) {
  return search_with(ExhaustiveSearch{}, graph, latencies, options, job);
}

}  // namespace iosx
