#pragma once

#include <limits>

#include "core/search/lazy/stage_predictor.h"
#include "core/search/part_graph.h"
#include "core/search/part_solution.h"
#include "core/search/solver.h"

namespace iosx {

// One part, or several isomorphic ones: its search space, known latencies, and paths through it.
class LazyPart {
 public:
  using Candidate = std::uint32_t;  // index into problem().candidates
  static constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

  LazyPart(const Graph& graph, std::vector<PartId> parts, PartProblem problem, std::span<const std::uint32_t> kinds);

  const PartProblem& problem() const { return problem_; }
  const std::vector<PartId>& parts() const { return parts_; }
  // Returns a separate part for one of them, whose latencies differ.
  LazyPart split_off(const Graph& graph, PartId part, std::span<const std::uint32_t> kinds);

  // Sets every unit's own time in ms; call it before all others. `unit_rates`: see StageFacts.
  void set_units(std::span<const double> ms, std::span<const double> flops_ms, std::span<const double> bytes_ms);
  const StageFacts& facts(Candidate c) const { return facts_[c]; }
  void of_kinds(Candidate c, std::span<float> of_kind) const;

  bool known(Candidate c) const { return answers_[c] == answers_[c]; }
  double answer(Candidate c) const { return answers_[c]; }
  const std::vector<Candidate>& answered() const { return answered_; }
  // `slack`: how far the true latency may be below, in ms; 0 for a refined one.
  void set_answer(Candidate c, double ms, double slack = 0);
  double slack(Candidate c) const { return slack_.empty() ? 0 : slack_[c]; }
  // Changes whenever answers or predictions change.
  std::uint64_t version() const { return version_; }
  std::optional<Candidate> find(UnitSet ending, Strategy strategy,
                                std::uint32_t given = StageCandidate::kNotGiven) const;
  // Returns one candidate of each given stage of the part.
  std::vector<Candidate> given() const;

  // Computes every candidate's expected latency: predictions, corrected by known stages that differ in one unit.
  void predict(const StagePredictor& predictor);
  double expected(Candidate c) const { return known(c) ? answers_[c] : predicted_[c]; }
  double predicted(Candidate c) const { return predicted_[c]; }
  // Returns a lower bound of its latency in ms, as far as the factors hold.
  double bound(Candidate c, const BoundFactors& factors) const { return stage_bound(facts_[c], factors); }

  // The cheapest path where a candidate costs cost(candidate) ms; infinity excludes it.
  struct Path {
    Millis cost{0};  // includes overhead
    std::vector<Candidate> stages;
    StageWidth last = StageWidth::kOneLane;
  };
  template <typename Cost>
  std::optional<Path> cheapest(const InterStageOverhead::ByWidth& first, const InterStageOverhead& overhead,
                               Cost cost) {
    take_costs(cost);
    PathByLast paths = cheapest_by_last(first, overhead);
    if (!paths[0] || (paths[1] && paths[1]->cost <= paths[0]->cost)) return std::move(paths[1]);
    return std::move(paths[0]);
  }
  // Returns the same by the width of the last stage, after take_costs().
  using PathByLast = std::array<std::optional<Path>, 2>;
  PathByLast cheapest_by_last(const InterStageOverhead::ByWidth& first, const InterStageOverhead& overhead) const;
  template <typename Cost>
  void take_costs(Cost cost) {
    constexpr Millis kNever{std::numeric_limits<double>::infinity()};
    latency_.assign(problem_.space.stages.size(), LatencyByWidth{kNever, kNever});
    fastest_.assign(problem_.space.stages.size(), {0, 0});
    for (Candidate c = 0; c < problem_.candidates.size(); ++c) {
      const auto w = static_cast<std::size_t>(width(c));
      const std::uint32_t ending = problem_.candidates[c].ending;
      const Millis ms(cost(c));
      if (!(ms < latency_[ending][w])) continue;
      latency_[ending][w] = ms;
      fastest_[ending][w] = c;
    }
  }
  // Returns the cost of a path whose stages are all known.
  Millis known_cost(const Path& path, const InterStageOverhead::ByWidth& first,
                    const InterStageOverhead& overhead) const;
  // Returns the candidates on any cheapest path over known stages, for any neighbouring parts.
  std::vector<Candidate> on_known_paths(const InterStageOverhead& overhead);
  // Returns such paths for every neighbourhood.
  PartSolution solution(PartId id, const InterStageOverhead& overhead, const Graph& graph);

  Stage stage(const PartGraph& part, Candidate c) const;
  const PartGraph& part_graph() const { return problem_.part; }
  UnitSet ending(Candidate c) const { return problem_.space.stages[problem_.candidates[c].ending]; }
  StageWidth width(Candidate c) const {
    return facts_[c].groups > 1 ? StageWidth::kSeveralLanes : StageWidth::kOneLane;
  }

 private:
  void take_known_costs() {
    take_costs([&](Candidate c) { return known(c) ? answers_[c] : std::numeric_limits<double>::infinity(); });
  }
  Candidate fastest(const SolvedStage& solved) const {
    return fastest_[solved.stage][static_cast<std::size_t>(solved.width)];
  }
  void correct_by_neighbours();

  std::vector<PartId> parts_;
  PartProblem problem_;
  std::vector<std::uint32_t> kind_;  // by unit of the part
  UnitSet light_ = 0;                // units that could be fused into the previous one
  SetTable endings_;                 // numbered as in StateSpace::stages
  std::vector<Candidate> first_;     // of an ending; its others follow
  std::vector<double> unit_ms_;
  std::vector<StageFacts> facts_;
  std::vector<double> answers_;  // ms; NaN: unknown
  std::vector<Candidate> answered_;
  std::vector<double> slack_;  // empty: 0 for all
  std::uint64_t version_ = 1;
  std::vector<float> model_;  // the predictor's raw values
  std::vector<double> predicted_;
  std::vector<LatencyByWidth> latency_;  // of the latest costs
  std::vector<std::array<Candidate, 2>> fastest_;
};

}  // namespace iosx
