#include <algorithm>
#include <array>
#include <limits>
#include <set>
#include <utility>

#include "core/search/ask_source.h"
#include "core/search/part_chain.h"
#include "core/search/search_algorithm.h"
#include "core/search/solver.h"

namespace iosx {
namespace {

constexpr std::size_t kBatch = 512;  // stages a request
constexpr int kMostRefined = 30;     // times that a part is solved anew, in case it goes to and fro
constexpr Millis kUnknown{std::numeric_limits<double>::infinity()};

// One part's latencies as they come in: for every ending and width the cheapest candidate so far.
class PartLatencies {
 public:
  explicit PartLatencies(const PartProblem& problem)
      : problem_(problem),
        answers_(problem.candidates.size()),
        first_(problem.space.stages.size(), kNone),
        latency_(problem.space.stages.size(), LatencyByWidth{kUnknown, kUnknown}),
        fastest_(problem.space.stages.size(), {kNone, kNone}) {
    for (std::size_t c = problem.candidates.size(); c-- > 0;) {
      first_[problem.candidates[c].ending] = static_cast<std::uint32_t>(c);
    }
  }

  // Step 2, measure. The candidates from `first` on, at most one batch.
  std::vector<Stage> batch(std::size_t first) const {
    const std::size_t last = std::min(first + kBatch, problem_.candidates.size());
    std::vector<Stage> stages;
    for (std::size_t c = first; c < last; ++c) stages.push_back(stage(c));
    return stages;
  }

  // The answers for the candidates from `first` on, and their stages. Of equally fast ways the concurrent one stays.
  void keep(std::size_t first, std::span<const Stage> stages, std::span<const Latency> answers) {
    for (std::size_t i = 0; i < answers.size(); ++i) {
      answers_[first + i] = {answers[i].value, static_cast<std::uint8_t>(width_of(stages[i]))};
      take(first + i);
    }
  }

  // Step 4, refine: of a solution that rests on quick estimates the stages are measured with more care, after which
  // another one may be better. The candidates of any path, in order.
  std::vector<std::uint32_t> chosen(const InterStageOverhead& overhead) const {
    std::set<std::uint32_t> chosen;
    const auto add = [&](const InterStageOverhead::ByWidth& first) {
      for (const auto& solution : iosx::solve(problem_.space, latency_, first, overhead.between)) {
        if (!solution) continue;
        for (const auto& [ending, width] : solution->stages) {
          chosen.insert(fastest_[ending][static_cast<std::size_t>(width)]);
        }
      }
    };
    add(overhead.first);
    for (const InterStageOverhead::ByWidth& between : overhead.between) add(between);
    return {chosen.begin(), chosen.end()};
  }
  std::vector<Stage> stages(std::span<const std::uint32_t> candidates) const {
    std::vector<Stage> stages;
    for (const std::uint32_t c : candidates) stages.push_back(stage(c));
    return stages;
  }
  // Other answers for candidates that have one. Whether any differs.
  bool replace(std::span<const std::uint32_t> candidates, std::span<const Latency> answers) {
    bool differs = false;
    for (std::size_t i = 0; i < answers.size(); ++i) {
      Answer& answer = answers_[candidates[i]];
      if (answer.value == answers[i].value) continue;
      differs = true;
      answer.value = answers[i].value;
      const std::uint32_t ending = problem_.candidates[candidates[i]].ending;
      latency_[ending] = {kUnknown, kUnknown};
      for (std::size_t c = first_[ending]; c < answers_.size() && problem_.candidates[c].ending == ending; ++c) take(c);
    }
    return differs;
  }

  // Step 3, solve, with the latencies there are.
  PartSolution solve(const InterStageOverhead& overhead, bool complete) const {
    PartSolution result;
    result.at_start = paths(overhead, overhead.first);
    for (std::size_t w = 0; w < 2; ++w) result.after[w] = paths(overhead, overhead.between[w]);
    result.complete = complete;
    return result;
  }

 private:
  PartSolution::ByLast paths(const InterStageOverhead& overhead, const InterStageOverhead::ByWidth& first) const {
    PartSolution::ByLast result;
    const SolutionByWidth solutions = iosx::solve(problem_.space, latency_, first, overhead.between);
    for (std::size_t last = 0; last < 2; ++last) {
      if (!solutions[last]) continue;
      PartPath& path = result[last].emplace();
      path.cost = solutions[last]->cost;
      for (const auto& [ending, width] : solutions[last]->stages) {
        path.stages.push_back(stage(fastest_[ending][static_cast<std::size_t>(width)]));
      }
    }
    return result;
  }

  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  struct Answer {
    Millis value = kUnknown;
    std::uint8_t width = 0;
  };

  Stage stage(std::size_t candidate) const {
    const StageCandidate& own = problem_.candidates[candidate];
    return stage_of(problem_.part, problem_.space.stages[own.ending], own);
  }
  void take(std::size_t candidate) {
    const auto& [value, width] = answers_[candidate];
    const std::uint32_t ending = problem_.candidates[candidate].ending;
    if (value >= latency_[ending][width]) return;
    latency_[ending][width] = value;
    fastest_[ending][width] = static_cast<std::uint32_t>(candidate);
  }

  const PartProblem& problem_;
  std::vector<Answer> answers_;                        // by candidate
  std::vector<std::uint32_t> first_;                   // candidate of an ending; the others follow it
  std::vector<LatencyByWidth> latency_;                // by ending: of its fastest candidate so far
  std::vector<std::array<std::uint32_t, 2>> fastest_;  // that candidate, by ending and width
};

// The best of what is there. Where no path is, the source says what it lacks.
Result<PartSolution> solve_known(const PartProblem& problem, PartLatencies& known, LatencySource& latencies,
                                 const JobContext& job) {
  bool knew_all = true;
  for (std::size_t next = 0; next < problem.candidates.size() && !job.stopped(); next += kBatch) {
    const std::vector<Stage> stages = known.batch(next);
    IOS_TRY(const auto answers, latencies.known_latencies(stages));
    for (std::size_t i = 0; i < stages.size(); ++i) {
      knew_all = knew_all && answers[i].has_value();
      if (answers[i]) known.keep(next + i, {&stages[i], 1}, {&*answers[i], 1});
    }
  }
  PartSolution solution = known.solve(latencies.overhead(), !job.stopped());
  solution.knew_all = knew_all;
  if (PartChain::usable(solution) || job.stopped()) return solution;
  IOS_TRY(latencies.stage_latencies(known.batch(0), job));
  return solution;
}

}  // namespace

Result<PartSolution> ExhaustiveSearch::solve(const PartProblem& problem, LatencySource& latencies,
                                             const JobContext& job) const {
  const auto total = static_cast<std::int64_t>(problem.candidates.size());
  PartLatencies known(problem);
  if (!latencies.measures()) return solve_known(problem, known, latencies, job);
  std::size_t answered = 0;
  while (answered < problem.candidates.size() && !job.stopped()) {
    const auto done = static_cast<std::int64_t>(answered);
    job.report(message("measuring stages"), done, total);
    const std::vector<Stage> stages = known.batch(answered);
    IOS_TRY(const auto answers, ask_source(latencies, Care::kQuickEstimate, stages, done, total, job));
    known.keep(answered, stages, answers);
    answered += answers.size();
  }
  job.report(message("measuring stages"), static_cast<std::int64_t>(answered), total);
  bool refined = !latencies.estimates_quickly();
  for (int i = 0; i < kMostRefined && !refined && !job.stopped(); ++i) {
    const std::vector<std::uint32_t> chosen = known.chosen(latencies.overhead());
    IOS_TRY(const auto answers, ask_source(latencies, Care::kRefined, known.stages(chosen), total, total, job));
    refined = !known.replace(chosen, answers);
  }
  return known.solve(latencies.overhead(), answered == problem.candidates.size());
}

}  // namespace iosx
