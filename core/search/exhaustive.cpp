#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "core/search/search_algorithm.h"
#include "core/search/solver.h"

namespace iosx {
namespace {

constexpr std::size_t kBatch = 512;  // stages a request
constexpr Millis kUnknown{std::numeric_limits<double>::infinity()};

// One part's latencies as they come in: for every ending and width the cheapest of its candidates so far.
class PartLatencies {
 public:
  explicit PartLatencies(const PartProblem& problem)
      : problem_(problem),
        latency_(problem.space.stages.size(), LatencyByWidth{kUnknown, kUnknown}),
        strategy_(problem.space.stages.size(), {Strategy::kConcurrent, Strategy::kConcurrent}) {}

  // Step 2, measure. The candidates from `first` on, at most one batch.
  std::vector<Stage> batch(std::size_t first) const {
    const std::size_t last = std::min(first + kBatch, problem_.candidates.size());
    std::vector<Stage> stages;
    for (std::size_t c = first; c < last; ++c) {
      const StageCandidate& candidate = problem_.candidates[c];
      stages.push_back(make_stage(problem_.part, problem_.space.stages[candidate.ending], candidate.strategy));
    }
    return stages;
  }

  // The answers for the candidates from `first` on, and their stages. Of equally fast ways the concurrent one stays.
  void keep(std::size_t first, std::span<const Stage> stages, std::span<const Latency> answers) {
    for (std::size_t i = 0; i < answers.size(); ++i) {
      const StageCandidate& candidate = problem_.candidates[first + i];
      const auto width = static_cast<std::size_t>(width_of(stages[i]));
      if (answers[i].value >= latency_[candidate.ending][width]) continue;
      latency_[candidate.ending][width] = answers[i].value;
      strategy_[candidate.ending][width] = candidate.strategy;
    }
  }

  // Step 3, solve, with the latencies there are.
  PartSolution solve(const StageGaps& gaps, bool complete) const {
    PartSolution result;
    result.at_start = paths(gaps, gaps.first);
    for (std::size_t w = 0; w < 2; ++w) result.after[w] = paths(gaps, gaps.between[w]);
    result.complete = complete;
    return result;
  }

 private:
  PartSolution::ByLast paths(const StageGaps& gaps, const StageGaps::ByWidth& first) const {
    PartSolution::ByLast result;
    const SolutionByWidth solutions = iosx::solve(problem_.space, latency_, first, gaps.between);
    for (std::size_t last = 0; last < 2; ++last) {
      if (!solutions[last]) continue;
      PartPath& path = result[last].emplace();
      path.cost = solutions[last]->cost;
      for (const auto& [ending, width] : solutions[last]->stages) {
        const Strategy strategy = strategy_[ending][static_cast<std::size_t>(width)];
        path.stages.push_back(make_stage(problem_.part, problem_.space.stages[ending], strategy));
      }
    }
    return result;
  }

  const PartProblem& problem_;
  std::vector<LatencyByWidth> latency_;            // by ending
  std::vector<std::array<Strategy, 2>> strategy_;  // by ending, and width
};

Result<std::vector<Latency>> ask(LatencySource& latencies, const std::vector<Stage>& stages, std::int64_t done,
                                 std::int64_t total, const JobContext& job) {
  // The source counts the stages of one request; the job counts those of the part.
  const JobContext request{job.stop, [&](const Progress& progress) {
                             const auto here =
                                 std::clamp<std::int64_t>(progress.done, 0, static_cast<std::int64_t>(stages.size()));
                             job.report("measuring stages", done + here, total);
                           }};
  auto answers = latencies.stage_latencies(stages, request);
  if (!answers) return answers;
  if (answers->size() > stages.size() || (answers->size() < stages.size() && !job.stopped())) {
    return fail(fmt::format("the latency source answered {} of {} stages", answers->size(), stages.size()));
  }
  for (const Latency& answer : *answers) {
    if (!(answer.value >= Millis(0))) {
      return fail(fmt::format("the latency source gave {} ms for a stage", answer.value.count()));
    }
  }
  return answers;
}

}  // namespace

Result<PartSolution> ExhaustiveSearch::solve(const PartProblem& problem, LatencySource& latencies,
                                             const JobContext& job) const {
  const auto total = static_cast<std::int64_t>(problem.candidates.size());
  PartLatencies known(problem);
  std::size_t answered = 0;
  while (answered < problem.candidates.size() && !job.stopped()) {
    const auto done = static_cast<std::int64_t>(answered);
    job.report("measuring stages", done, total);
    const std::vector<Stage> stages = known.batch(answered);
    const auto answers = ask(latencies, stages, done, total, job);
    if (!answers) return tl::unexpected(answers.error());
    known.keep(answered, stages, *answers);
    answered += answers->size();
  }
  job.report("measuring stages", static_cast<std::int64_t>(answered), total);
  return known.solve(latencies.gaps(), answered == problem.candidates.size());
}

}  // namespace iosx
