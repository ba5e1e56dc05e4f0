#include "core/model/trace/unit_spans.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

namespace iosx {
namespace {

constexpr Micros kStep{1};  // the length of a span without a known time

UnitSpans empty_spans(std::size_t units, bool traced) {
  UnitSpans spans;
  spans.of_unit.resize(units);
  spans.computed_with.resize(units);
  spans.traced = traced;
  return spans;
}

void add(UnitSpans& spans, const std::vector<UnitId>& units, const UnitSpan& span) {
  for (const UnitId unit : units) {
    if (unit.index() < spans.size()) spans.of_unit[unit.index()].push_back(span);
  }
}

// Returns the units of what the kernel computes, without those that it only finishes.
std::vector<UnitId> owners(const Graph& graph, const Kernel& kernel) {
  std::vector<UnitId> units;
  for (const OperatorId id : kernel.operators) {
    if (id.index() < graph.operators().size()) units.push_back(graph.op(id).unit);
  }
  std::ranges::sort(units);
  units.erase(std::unique(units.begin(), units.end()), units.end());
  return units;
}

void add_shared(UnitSpans& spans, const Graph& graph, const ExecutionPlan& plan) {
  for (const Kernel& kernel : plan.kernels) {
    std::vector<UnitId> units = owners(graph, kernel);
    for (const UnitId unit : kernel.units) {
      const bool guest = unit.index() < spans.size() && !units.empty() && !std::ranges::binary_search(units, unit);
      if (guest) spans.computed_with[unit.index()] = units.front();
    }
    if (units.size() > 1) spans.together.push_back(std::move(units));
  }
}

void sort_spans(UnitSpans& spans) {
  for (auto& list : spans.of_unit) {
    std::ranges::stable_sort(list, {}, [](const UnitSpan& span) { return std::pair(span.begin, span.end); });
  }
}

}  // namespace

UnitSpans unit_spans(const Graph& graph, const ExecutionPlan& plan, const Trace& trace) {
  UnitSpans spans = empty_spans(graph.units().size(), true);
  for (const KernelSpan& kernel : trace.kernels) {
    if (kernel.end <= kernel.begin || kernel.kernel.index() >= plan.kernels.size()) continue;
    add(spans, owners(graph, plan.kernel(kernel.kernel)), {kernel.begin, kernel.end, kernel.lane});
  }
  sort_spans(spans);
  add_shared(spans, graph, plan);
  return spans;
}

UnitSpans expected_spans(const Graph& graph) {
  UnitSpans spans = empty_spans(graph.units().size(), false);
  for (std::size_t u = 0; u < spans.size(); ++u) {
    Micros begin{0};
    for (const UnitId before : graph.predecessors(UnitId(u))) {
      begin = std::max(begin, spans.of_unit[before.index()].front().end);
    }
    spans.of_unit[u].push_back({begin, begin + kStep, 0});
  }
  return spans;
}

UnitSpans expected_spans(const Graph& graph, const Schedule& schedule) {
  UnitSpans spans = empty_spans(graph.units().size(), false);
  Micros begin{0};
  for (const Stage& stage : schedule.stages) {
    std::size_t longest = 0;
    for (std::size_t g = 0; g < stage.groups.size(); ++g) {
      const auto& steps = stage.groups[g].steps;
      longest = std::max(longest, steps.size());
      for (std::size_t s = 0; s < steps.size(); ++s) {
        const Micros at = begin + static_cast<double>(s) * kStep;
        add(spans, steps[s].units, {at, at + kStep, g});
        if (steps[s].units.size() > 1) spans.together.push_back(steps[s].units);
      }
    }
    begin += static_cast<double>(longest) * kStep;
  }
  return spans;
}

UnitSpans expected_spans(const Graph& graph, const ExecutionPlan& plan) {
  UnitSpans spans = empty_spans(graph.units().size(), false);
  std::vector<Micros> ends(plan.kernels.size(), Micros(0));
  std::vector<Micros> free(plan.lane_count(), Micros(0));  // per lane
  std::size_t stage = 0;
  Micros barrier{0};
  Micros last{0};
  for (std::size_t k = 0; k < plan.kernels.size(); ++k) {
    const Kernel& kernel = plan.kernels[k];
    if (!plan.barrier_free && kernel.stage != stage) {
      stage = kernel.stage;
      barrier = last;
    }
    Micros begin = std::max(barrier, free[kernel.lane]);
    for (const KernelId before : kernel.waits) begin = std::max(begin, ends[before.index()]);
    ends[k] = free[kernel.lane] = begin + kStep;
    last = std::max(last, ends[k]);
    add(spans, owners(graph, kernel), {begin, ends[k], kernel.lane});
  }
  sort_spans(spans);
  add_shared(spans, graph, plan);
  return spans;
}

namespace {

// Returns per unit its place in UnitSpans::together.
std::vector<std::optional<std::size_t>> merged_groups(const UnitSpans& spans) {
  std::vector<std::optional<std::size_t>> group(spans.size());
  for (std::size_t g = 0; g < spans.together.size(); ++g) {
    for (const UnitId unit : spans.together[g]) group[unit.index()] = g;
  }
  return group;
}

}  // namespace

std::vector<Overlap> overlaps(const UnitSpans& spans) {
  struct Event {
    UnitSpan span;
    std::size_t unit = 0;
  };
  std::vector<Event> events;
  for (std::size_t u = 0; u < spans.size(); ++u) {
    for (const UnitSpan& span : spans.of_unit[u]) events.push_back({span, u});
  }
  std::ranges::stable_sort(events, {}, [](const Event& event) { return event.span.begin; });
  std::map<std::pair<std::size_t, std::size_t>, Overlap> found;
  std::vector<Event> flying;
  for (const Event& event : events) {
    std::erase_if(flying, [&](const Event& other) { return other.span.end <= event.span.begin; });
    for (const Event& other : flying) {
      if (other.unit == event.unit) continue;
      const auto [a, b] = std::minmax(other.unit, event.unit);
      Overlap& pair = found.try_emplace({a, b}, Overlap{UnitId(a), UnitId(b)}).first->second;
      const Micros end = std::min(other.span.end, event.span.end);
      const Micros time = end - event.span.begin;
      pair.time += time;
      if (time > pair.end - pair.begin) std::tie(pair.begin, pair.end) = std::pair(event.span.begin, end);
    }
    flying.push_back(event);
  }
  std::vector<Overlap> result;
  for (auto& [units, pair] : found) result.push_back(pair);
  return result;
}

std::vector<Overlap> at_once(const UnitSpans& spans, const std::vector<Overlap>& found) {
  constexpr double kMuch = 0.5;
  const auto groups = merged_groups(spans);
  std::vector<Micros> times;  // per unit
  for (const auto& list : spans.of_unit) {
    times.emplace_back(0);
    for (const UnitSpan& span : list) times.back() += span.time();
  }
  std::vector<Overlap> result;
  std::ranges::copy_if(found, std::back_inserter(result), [&](const Overlap& pair) {
    const auto& merged = groups[pair.a.index()];
    if (merged && merged == groups[pair.b.index()]) return false;
    return pair.time >= kMuch * std::min(times[pair.a.index()], times[pair.b.index()]);
  });
  return result;
}

std::vector<UnitId> merged_with(const UnitSpans& spans, UnitId unit) {
  std::vector<UnitId> mates;
  for (const std::vector<UnitId>& units : spans.together) {
    if (std::ranges::find(units, unit) == units.end()) continue;
    std::ranges::copy_if(units, std::back_inserter(mates), [unit](UnitId mate) { return mate != unit; });
  }
  std::ranges::sort(mates);
  mates.erase(std::unique(mates.begin(), mates.end()), mates.end());
  return mates;
}

std::vector<std::vector<UnitId>> by_kernel(const UnitSpans& spans, const std::vector<UnitId>& units, Micros at) {
  const auto groups = merged_groups(spans);
  const auto flying = [&](UnitId unit) {
    const auto& list = spans.of_unit[unit.index()];
    const auto found =
        std::ranges::find_if(list, [at](const UnitSpan& span) { return span.begin <= at && at < span.end; });
    return found == list.end() ? std::nullopt : std::optional(*found);
  };
  std::vector<std::vector<UnitId>> kernels;
  for (const UnitId unit : units) {
    const auto& group = groups[unit.index()];
    const auto same = [&](const std::vector<UnitId>& kernel) {
      return group && group == groups[kernel.front().index()] && flying(unit) == flying(kernel.front());
    };
    const auto known = std::ranges::find_if(kernels, same);
    known == kernels.end() ? kernels.push_back({unit}) : known->push_back(unit);
  }
  return kernels;
}

std::vector<Partner> partners(const UnitSpans& spans, UnitId unit) {
  std::vector<Partner> result;
  if (unit.index() >= spans.size()) return result;
  const auto groups = merged_groups(spans);
  std::vector<bool> seen(spans.together.size(), false);
  const auto& own = groups[unit.index()];
  if (own) seen[*own] = true;
  for (std::size_t u = 0; u < spans.size(); ++u) {
    const auto& group = groups[u];
    if (u == unit.index() || (group && seen[*group])) continue;
    if (group) seen[*group] = true;
    const std::vector<UnitId> units = group ? spans.together[*group] : std::vector{UnitId(u)};
    std::vector<UnitSpan> kernels;
    Micros time{0};
    for (const UnitId each : units) {
      for (const UnitSpan& span : spans.of_unit[each.index()]) {
        if (std::ranges::find(kernels, span) != kernels.end()) continue;
        kernels.push_back(span);
        for (const UnitSpan& a : spans.of_unit[unit.index()]) {
          time += std::max(Micros(0), std::min(a.end, span.end) - std::max(a.begin, span.begin));
        }
      }
    }
    if (time > Micros(0)) result.push_back({units, time});
  }
  std::ranges::stable_sort(result, std::ranges::greater{}, &Partner::time);
  return result;
}

}  // namespace iosx
