#include "core/search/search.h"

#include <algorithm>

#include "core/search/crossing.h"
#include "core/search/lazy/lazy_search.h"
#include "core/search/part_solution.h"

namespace iosx {
namespace {

// Few enough candidates to request all: about a second where they are simulated, and where measured.
constexpr std::size_t kFewCandidates = 50'000;
constexpr std::size_t kFewMeasured = 100;

Result<void> check_sizes(const Graph& graph) {
  for (const Part& part : graph.parts()) {
    if (part.units.size() > kMaxPartUnits) {
      return tl::unexpected(too_large(part, message("a part can have at most {} units", kMaxPartUnits)));
    }
  }
  return {};
}

bool has_cuts(const Graph& graph) { return std::ranges::any_of(graph.parts(), &Part::continued); }

// Works part by part, so that only one part's search space is in memory.
class Search {
 public:
  Search(const Graph& graph, LatencySource& latencies, const SearchOptions& options, const JobContext& job,
         const SpaceBudget& budget)
      : graph_(graph), latencies_(latencies), options_(options), job_(job), budget_(budget) {}

  Result<SearchResult> run() && {
    for (std::size_t p = 0; p < graph_.parts().size(); ++p) {
      IOS_TRY(add(PartId(p)));
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
    IOS_TRY(auto problem, enumerated(part));
    if (!problem) return add_sequential(part), Result<void>();
    summary.states = static_cast<std::int64_t>(problem->space.state_count());
    summary.transitions = static_cast<std::int64_t>(problem->space.transitions.size());
    summary.stages = static_cast<std::int64_t>(problem->space.stages.size());

    IOS_TRY(auto solution, solve_exhaustively(*problem, latencies_, measuring(part)));
    if (!PartChain::usable(solution)) return add_sequential(part), Result<void>();
    summary.complete = solution.complete;
    result_.complete = result_.complete && solution.complete;
    result_.knew_all = result_.knew_all && solution.knew_all;
    ++result_.solved_parts;
    chain_.add(std::move(solution));
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
    return enumerate_part(graph_, part, options_, budget_, job_.stop);
  }

  // Maps a part's own progress to the whole search.
  JobContext measuring(const Part& part) const {
    if (!job_.progress) return job_;
    return JobContext{job_.stop, [this, &part, number = result_.parts.size()](const Progress& progress) {
                        const std::int64_t total = std::max<std::int64_t>(progress.total, 1);
                        report(number, static_cast<std::int64_t>(part.units.size()) * progress.done / total);
                      }};
  }

  // The number of parts is known from the start, that of stages is not.
  void report(std::size_t part, std::int64_t units_of_part) const {
    const auto total = static_cast<std::int64_t>(graph_.units().size());
    job_.report(message("part {} of {}, units searched", part, graph_.parts().size()),
                std::min(static_cast<std::int64_t>(units_done_) + units_of_part, total), total);
  }

  const Graph& graph_;
  LatencySource& latencies_;
  const SearchOptions& options_;
  const JobContext& job_;
  const SpaceBudget& budget_;
  std::size_t units_done_ = 0;  // of the parts before
  PartChain chain_;
  SearchResult result_;
};

// The common frame of every search: sizes before, name, tally and time after.
template <typename Run>
Result<SearchResult> timed(const Graph& graph, LatencySource& latencies, const SearchOptions& options, Run run) {
  const auto start = std::chrono::steady_clock::now();
  IOS_TRY(check_sizes(graph));
  latencies.start_tally();
  Result<SearchResult> result = run();
  if (!result) return result;
  result->schedule.name = row_of(options.strategies).id;
  result->cut = !result->lazy && has_cuts(graph);
  result->tally = latencies.tally();
  result->elapsed = std::chrono::steady_clock::now() - start;
  return result;
}

bool same_stage(Stage a, Stage b) {
  const auto first_unit = [](const Group& group) { return group.steps.front().units.front(); };
  std::ranges::sort(a.groups, {}, first_unit);
  std::ranges::sort(b.groups, {}, first_unit);
  return a == b;
}

bool has_all(const Schedule& schedule, std::span<const Stage> pinned) {
  return std::ranges::all_of(pinned, [&](const Stage& stage) {
    return std::ranges::any_of(schedule.stages, [&](const Stage& other) { return same_stage(stage, other); });
  });
}

}  // namespace

Result<SearchResult> search_exhaustively(const Graph& graph, LatencySource& latencies, const SearchOptions& options,
                                         const JobContext& job, const SpaceBudget& budget) {
  return timed(graph, latencies, options, [&] { return Search(graph, latencies, options, job, budget).run(); });
}

Result<SearchResult> search(const Graph& graph, LatencySource& latencies, const SearchOptions& options,
                            const JobContext& job, const SearchWatch& watch) {
  if (options.method == SearchMethod::kExhaustive || !latencies.measures()) {
    return search_exhaustively(graph, latencies, options, job);
  }
  bool exhaustive = false;
  auto result = timed(graph, latencies, options, [&]() -> Result<SearchResult> {
    LazySearch lazy(graph, latencies, options, job, watch);
    if (options.method == SearchMethod::kAutomatic) {
      IOS_TRY(const auto listed, lazy.enumerate());
      const bool cut = has_cuts(graph);
      exhaustive =
          listed && !cut && lazy.candidates() <= (latencies.estimates_quickly() ? kFewMeasured : kFewCandidates);
      if (exhaustive) return SearchResult{};
    }
    return lazy.run();
  });
  return exhaustive ? search_exhaustively(graph, latencies, options, job) : result;
}

Result<std::vector<Latency>> ask_source(LatencySource& latencies, Care care, std::span<const Stage> stages,
                                        std::int64_t done, std::int64_t total, const JobContext& job) {
  // The source counts the stages of one request; the job counts those of the part.
  const JobContext request{job.stop, [&](const Progress& progress) {
                             const auto here =
                                 std::clamp<std::int64_t>(progress.done, 0, static_cast<std::int64_t>(stages.size()));
                             job.report(message("measuring stages"), std::min(done + here, total), total);
                           }};
  auto answers = care == Care::kRefined ? latencies.refined_latencies(stages, request)
                                        : latencies.stage_latencies(stages, request);
  if (!answers) return answers;
  if (answers->size() > stages.size() || (answers->size() < stages.size() && !job.stopped())) {
    return fail(message("the latency source returned {} latencies for {} stages", answers->size(), stages.size()));
  }
  for (const Latency& answer : *answers) {
    if (!(answer.value >= Millis(0))) {
      return fail(message("the latency source returned {} ms for a stage", answer.value.count()));
    }
  }
  return answers;
}

SearchOptions improving(SearchOptions options, const Schedule& start, std::span<const std::size_t> pinned) {
  options.pinned_stages.clear();
  options.candidate_stages.clear();
  for (std::size_t i = 0; i < start.stages.size(); ++i) {
    const bool pins = std::ranges::find(pinned, i) != pinned.end();
    (pins ? options.pinned_stages : options.candidate_stages).push_back(start.stages[i]);
  }
  return options;
}

Result<Improvement> improve(const Graph& prepared, const Schedule& start, LatencySource& latencies,
                            const SearchOptions& options, const JobContext& job, const SearchWatch& watch) {
  IOS_TRY(auto found, search(prepared, latencies, options, job, watch));
  Improvement improvement{.found = std::move(found), .start = Millis(0), .better = true};
  SearchResult& result = improvement.found;
  result.schedule.name = start.name;
  // Asked for last, so that what was measured with care is what is compared.
  const Care care = latencies.estimates_quickly() && !job.stopped() ? Care::kRefined : Care::kQuickEstimate;
  IOS_TRY(const auto answers, ask_source(latencies, care, start.stages, 0, 0, JobContext{job.stop, {}}));
  const InterStageOverhead overhead = latencies.overhead();
  const bool known = answers.size() == start.stages.size();
  if (known) {
    improvement.start = overhead.sum(start);
    for (const Latency& answer : answers) improvement.start += answer.value;
  }
  const bool cheaper = result.stage_sum < improvement.start * (1 - kSumRounding);
  improvement.better = known && cheaper && has_all(result.schedule, options.pinned_stages);
  result.warm_start = WarmStart{.name = start.name, .cost = improvement.start, .better = improvement.better};
  if (!improvement.better) take_schedule(prepared, start, answers, overhead, result);
  return improvement;
}

}  // namespace iosx
