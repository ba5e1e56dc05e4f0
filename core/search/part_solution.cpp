#include "core/search/part_solution.h"

#include <set>

#include "core/model/schedule/baselines.h"

namespace iosx {
namespace {

Error refused(const Part& part, SpaceRefusal refusal, const SpaceBudget& budget) {
  if (refusal == SpaceRefusal::kTooManyStates) {
    return too_large(part, message("the search has more than {} states", budget.states));
  }
  return too_large(part, message("the search has more than {} transitions", budget.transitions));
}

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
    visit_cheapest_paths(problem_.space, latency_, overhead,
                         [&](const SolvedStage& solved) { chosen.insert(fastest(solved)); });
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
    PartSolution result = cheapest_paths(problem_.space, latency_, overhead,
                                         [&](const SolvedStage& solved) { return stage(fastest(solved)); });
    result.complete = complete;
    return result;
  }

 private:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  struct Answer {
    Millis value = kUnknown;
    std::uint8_t width = 0;
  };

  std::uint32_t fastest(const SolvedStage& solved) const {
    return fastest_[solved.stage][static_cast<std::size_t>(solved.width)];
  }
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

bool PartChain::usable(const PartSolution& solution) {
  const auto any = [](const PartSolution::ByLast& paths) { return paths[0].has_value() || paths[1].has_value(); };
  return any(solution.at_start) && any(solution.after[0]) && any(solution.after[1]);
}

// Cheaper, or as cheap and of fewer stages.
bool PartChain::better(const Reached& a, const Reached& b) {
  if (!a.reachable || !b.reachable) return a.reachable;
  return a.cost != b.cost ? a.cost < b.cost : a.stages < b.stages;
}

void PartChain::add(PartSolution solution) {
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

void PartChain::add_sequential(const Part& part) {
  PartPath path{{sequential_stage(part)}};
  PartSolution solution;
  solution.at_start[0] = solution.after[0][0] = solution.after[1][0] = std::move(path);
  add(std::move(solution));
}

void PartChain::choose(SearchResult& result) const {
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

PartSolution cheapest_paths(const StateSpace& space, std::span<const LatencyByWidth> latency,
                            const InterStageOverhead& overhead, FunctionRef<Stage(const SolvedStage&)> stage) {
  const auto paths = [&](const InterStageOverhead::ByWidth& first) {
    PartSolution::ByLast result;
    const SolutionByWidth solutions = solve(space, latency, first, overhead.between);
    for (std::size_t last = 0; last < 2; ++last) {
      if (!solutions[last]) continue;
      PartPath& path = result[last].emplace();
      path.cost = solutions[last]->cost;
      for (const SolvedStage& solved : solutions[last]->stages) path.stages.push_back(stage(solved));
    }
    return result;
  };
  return {.at_start = paths(overhead.first), .after = {paths(overhead.between[0]), paths(overhead.between[1])}};
}

void visit_cheapest_paths(const StateSpace& space, std::span<const LatencyByWidth> latency,
                          const InterStageOverhead& overhead, FunctionRef<void(const SolvedStage&)> visit) {
  for (const InterStageOverhead::ByWidth& first : {overhead.first, overhead.between[0], overhead.between[1]}) {
    for (const auto& solution : solve(space, latency, first, overhead.between)) {
      if (!solution) continue;
      for (const SolvedStage& solved : solution->stages) visit(solved);
    }
  }
}

Result<PartSolution> solve_exhaustively(const PartProblem& problem, LatencySource& latencies, const JobContext& job) {
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
