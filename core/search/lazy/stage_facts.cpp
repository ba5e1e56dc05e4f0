#include "core/search/lazy/stage_facts.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/model/graph/operator_table.h"
#include "core/model/graph/work.h"

namespace iosx {
namespace {

void add_groups(std::span<const UnitFacts> units, StageFacts& facts) {
  struct Sums {
    float all = 0;
    float heavy = 0;
  };
  std::vector<Sums> groups;
  for (const UnitFacts& unit : units) {
    if (unit.group >= groups.size()) groups.resize(unit.group + 1);
    const auto time = static_cast<float>(unit.ms);
    groups[unit.group].all += time;
    if (!unit.light || !unit.follows) groups[unit.group].heavy += time;
  }
  facts.groups = static_cast<std::uint16_t>(groups.size());
  for (const Sums& group : groups) {
    facts.heavy = std::max(facts.heavy, group.heavy);
    facts.second = std::max(facts.second, std::min(facts.longest, group.all));
    facts.longest = std::max(facts.longest, group.all);
  }
}

}  // namespace

UnitTimes unit_times(const Graph& graph, std::vector<double> ms) {
  UnitTimes times{.ms = std::move(ms), .flops_ms = {}, .bytes_ms = {}};
  double sum = 0;
  double flops = 0;
  double bytes = 0;
  std::size_t known = 0;
  for (std::size_t u = 0; u < times.ms.size(); ++u) {
    const Work of_unit = work(graph, UnitId(u), 1);
    times.flops_ms.push_back(of_unit.flops);
    times.bytes_ms.push_back(static_cast<double>(of_unit.bytes()));
    if (std::isnan(times.ms[u])) continue;
    sum += times.ms[u];
    flops += times.flops_ms[u];
    bytes += times.bytes_ms[u];
    ++known;
  }
  for (double& each : times.flops_ms) each *= flops > 0 ? sum / flops : 0;
  for (double& each : times.bytes_ms) each *= bytes > 0 ? sum / bytes : 0;
  times.mean_ms = sum / static_cast<double>(std::max<std::size_t>(known, 1));
  return times;
}

StageFacts stage_facts(std::span<const UnitFacts> units, bool merged) {
  StageFacts facts;
  double squares = 0;
  facts.units = static_cast<std::uint16_t>(units.size());
  for (const UnitFacts& unit : units) {
    const auto time = static_cast<float>(unit.ms);
    facts.sum += time;
    facts.largest = std::max(facts.largest, time);
    squares += unit.ms * unit.ms;
    facts.flops += static_cast<float>(unit.flops_ms);
    facts.bytes += static_cast<float>(unit.bytes_ms);
    if (!unit.follows) continue;
    facts.chained += time;
    if (unit.light) facts.light += time;
  }
  facts.root = static_cast<float>(std::sqrt(squares));
  facts.merged = merged;
  if (merged) {
    facts.groups = 1;
    facts.longest = facts.heavy = facts.sum;
  } else {
    add_groups(units, facts);
  }
  return facts;
}

bool is_light(const Graph& graph, const Unit& unit) {
  return std::ranges::all_of(unit.operators, [&](OperatorId id) {
    switch (operator_row(graph.op(id).attributes).drawn) {
      case OperatorClass::kConcat:
      case OperatorClass::kArithmetic:
      case OperatorClass::kActivation: return true;
      default: return false;
    }
  });
}

double stage_bound(const StageFacts& facts, const BoundFactors& factors) {
  if (facts.units == 1) return facts.sum;
  if (facts.merged) return factors.merged * facts.largest;
  const double longest = factors.light_counts ? facts.longest : std::max(facts.heavy, facts.largest);
  if (facts.groups == 1) return factors.chain * longest;
  return std::max(factors.concurrent * longest, factors.concurrent * facts.largest);
}

double lower_factors(BoundFactors& factors, const StageFacts& facts, double ms) {
  const double bound = stage_bound(facts, factors);
  if (!(ms < bound * (1 - 1e-9))) return 1;
  if (!facts.merged && facts.light > 0 && factors.light_counts) {
    factors.light_counts = false;
    if (ms >= stage_bound(facts, factors)) return ms / bound;
  }
  double& factor = facts.merged ? factors.merged : facts.groups == 1 ? factors.chain : factors.concurrent;
  factor *= ms / stage_bound(facts, factors);
  return ms / bound;
}

}  // namespace iosx
