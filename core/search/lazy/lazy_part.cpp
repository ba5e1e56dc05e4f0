#include "core/search/lazy/lazy_part.h"

#include <set>

namespace iosx {
namespace {

template <typename Visit>
void for_each_unit(UnitSet set, Visit visit) {
  for (; set != 0; set &= set - 1) visit(first_of(set));
}

}  // namespace

LazyPart::LazyPart(const Graph& graph, std::vector<PartId> parts, PartProblem problem,
                   std::span<const std::uint32_t> kinds)
    : parts_(std::move(parts)), problem_(std::move(problem)) {
  for (const UnitSet ending : problem_.space.stages) endings_.find_or_add(ending);
  // The candidates of an ending side by side, so that one number finds them.
  std::ranges::stable_sort(problem_.candidates, {}, &StageCandidate::ending);
  first_.assign(problem_.space.stages.size() + 1, static_cast<Candidate>(problem_.candidates.size()));
  for (std::size_t c = problem_.candidates.size(); c-- > 0;) {
    first_[problem_.candidates[c].ending] = static_cast<Candidate>(c);
  }
  for (std::size_t e = problem_.space.stages.size(); e-- > 0;) first_[e] = std::min(first_[e], first_[e + 1]);
  for (std::size_t i = 0; i < problem_.part.size(); ++i) {
    const UnitId unit = problem_.part.unit(i);
    kind_.push_back(kinds[unit.index()]);
    if (is_light(graph, graph.unit(unit))) light_ |= singleton(i);
  }
  answers_.assign(problem_.candidates.size(), kUnknown);
}

LazyPart LazyPart::split_off(const Graph& graph, PartId part, std::span<const std::uint32_t> kinds) {
  std::erase(parts_, part);
  PartProblem copy{PartGraph(graph, graph.part(part).units), problem_.space, problem_.candidates};
  return LazyPart(graph, {part}, std::move(copy), kinds);
}

void LazyPart::set_units(std::span<const double> ms, std::span<const double> flops_ms,
                         std::span<const double> bytes_ms) {
  const PartGraph& part = problem_.part;
  unit_ms_.assign(ms.begin(), ms.end());
  facts_.assign(problem_.candidates.size(), {});
  std::vector<UnitFacts> units;
  for (Candidate c = 0; c < problem_.candidates.size(); ++c) {
    const UnitSet ending = this->ending(c);
    const bool merged = problem_.candidates[c].strategy == Strategy::kMerge;
    std::array<std::size_t, kMaxPartUnits> group_of{};
    std::size_t groups = 0;
    if (const std::uint32_t given = problem_.candidates[c].given; given != StageCandidate::kNotGiven) {
      for (const Group& group : part.given()[given].stage.groups) {
        for (const Step& step : group.steps) {
          for_each_unit(part.set(step.units), [&](std::size_t i) { group_of[i] = groups; });
        }
        ++groups;
      }
    } else {
      for (UnitSet rest = merged ? 0 : ending; rest != 0; ++groups) {
        const UnitSet group = part.component(rest, first_of(rest));
        rest &= ~group;
        for_each_unit(group, [&](std::size_t i) { group_of[i] = groups; });
      }
    }
    units.clear();
    for_each_unit(ending, [&](std::size_t i) {
      units.push_back({.ms = ms[i],
                       .flops_ms = flops_ms[i],
                       .bytes_ms = bytes_ms[i],
                       .group = group_of[i],
                       .follows = (part.predecessors(i) & ending) != 0,
                       .light = (light_ & singleton(i)) != 0});
    });
    facts_[c] = stage_facts(units, merged);
  }
}

void LazyPart::of_kinds(Candidate c, std::span<float> of_kind) const {
  std::ranges::fill(of_kind, 0.0F);
  for_each_unit(ending(c), [&](std::size_t i) { of_kind[kind_[i]] += static_cast<float>(unit_ms_[i]); });
}

void LazyPart::set_answer(Candidate c, double ms, double slack) {
  if (slack > 0 && slack_.empty()) slack_.assign(problem_.candidates.size(), 0.0);
  if (!slack_.empty()) slack_[c] = slack;
  if (!known(c)) answered_.push_back(c);
  ++version_;
  answers_[c] = ms;
}

std::optional<LazyPart::Candidate> LazyPart::find(UnitSet ending, Strategy strategy, std::uint32_t given) const {
  const auto number = endings_.find(ending);
  if (!number) return std::nullopt;
  for (Candidate c = first_[*number]; c < first_[*number + 1]; ++c) {
    if (problem_.candidates[c].strategy == strategy && problem_.candidates[c].given == given) return c;
  }
  return std::nullopt;
}

std::vector<LazyPart::Candidate> LazyPart::given() const {
  std::vector<Candidate> found;
  for (const GivenStage& given : problem_.part.given()) {
    const auto number = endings_.find(given.units);
    if (!number) continue;
    for (Candidate c = first_[*number]; c < first_[*number + 1]; ++c) {
      if (stage(problem_.part, c) == given.stage) found.push_back(c);
    }
  }
  return found;
}

void LazyPart::predict(const StagePredictor& predictor) {
  std::vector<double> weighed(unit_ms_.size());
  for (std::size_t i = 0; i < weighed.size(); ++i) weighed[i] = predictor.weight(kind_[i]) * unit_ms_[i];
  model_.resize(facts_.size());
  predicted_.resize(facts_.size());
  for (Candidate c = 0; c < facts_.size(); ++c) {
    double sum = 0;
    for_each_unit(ending(c), [&](std::size_t i) { sum += weighed[i]; });
    predicted_[c] = predictor.predict(facts_[c], sum);
    model_[c] = static_cast<float>(predicted_[c]);
  }
  correct_by_neighbours();
  ++version_;
}

// A stage that differs in one unit from known ones is mispredicted as they are, in part.
void LazyPart::correct_by_neighbours() {
  struct Residual {
    float sum = 0;
    std::uint32_t count = 0;
  };
  std::vector<Residual> residuals(problem_.candidates.size());
  for (const Candidate c : answered_) {
    if (facts_[c].units < 2 || !(model_[c] > 0)) continue;
    const auto residual = static_cast<float>(answers_[c] / model_[c] - 1);
    const UnitSet own = ending(c);
    for (std::size_t i = 0; i < problem_.part.size(); ++i) {
      const auto neighbour = find(own ^ singleton(i), problem_.candidates[c].strategy);
      if (!neighbour || known(*neighbour)) continue;
      residuals[*neighbour].sum += residual;
      ++residuals[*neighbour].count;
    }
  }
  for (Candidate c = 0; c < residuals.size(); ++c) {
    if (residuals[c].count > 0) predicted_[c] *= 1 + residuals[c].sum / static_cast<float>(residuals[c].count + 1);
  }
}

LazyPart::PathByLast LazyPart::cheapest_by_last(const InterStageOverhead::ByWidth& first,
                                                const InterStageOverhead& overhead) const {
  PathByLast result;
  const SolutionByWidth solutions = solve(problem_.space, latency_, first, overhead.between);
  for (std::size_t last = 0; last < 2; ++last) {
    if (!solutions[last]) continue;
    Path& path = result[last].emplace(Path{solutions[last]->cost, {}, kStageWidths[last]});
    for (const SolvedStage& solved : solutions[last]->stages) path.stages.push_back(fastest(solved));
  }
  return result;
}

Stage LazyPart::stage(const PartGraph& part, Candidate c) const {
  return stage_of(part, ending(c), problem_.candidates[c]);
}

Millis LazyPart::known_cost(const Path& path, const InterStageOverhead::ByWidth& first,
                            const InterStageOverhead& overhead) const {
  Millis sum{0};
  for (std::size_t i = 0; i < path.stages.size(); ++i) {
    const StageWidth own = width(path.stages[i]);
    sum += i == 0 ? first[static_cast<std::size_t>(own)] : overhead.before(width(path.stages[i - 1]), own);
    sum += Millis(answers_[path.stages[i]]);
  }
  return sum;
}

std::vector<LazyPart::Candidate> LazyPart::on_known_paths(const InterStageOverhead& overhead) {
  take_known_costs();
  std::set<Candidate> chosen;
  visit_cheapest_paths(problem_.space, latency_, overhead,
                       [&](const SolvedStage& solved) { chosen.insert(fastest(solved)); });
  return {chosen.begin(), chosen.end()};
}

PartSolution LazyPart::solution(PartId id, const InterStageOverhead& overhead, const Graph& graph) {
  take_known_costs();
  const PartGraph part = id == parts_.front() ? problem_.part : PartGraph(graph, graph.part(id).units);
  PartSolution result = cheapest_paths(problem_.space, latency_, overhead,
                                       [&](const SolvedStage& solved) { return stage(part, fastest(solved)); });
  result.complete = true;
  return result;
}

}  // namespace iosx
