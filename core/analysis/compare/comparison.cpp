#include "core/analysis/compare/comparison.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/base/check.h"
#include "core/model/graph/work.h"
#include "core/model/plan/memory_plan.h"

namespace iosx {
namespace {

constexpr Millis kTooSmallToTell{1e-9};

bool has_known_cost(const Graph& graph, const Stage& stage) {
  return std::ranges::all_of(stage.units(), [&](UnitId unit) { return iosx::has_known_cost(graph, unit); });
}

}  // namespace

std::size_t Comparison::best() const {
  IOS_CHECK(!results.empty());
  const auto better = [this](const ScheduleResult& one, const ScheduleResult& other) {
    if (fits(one) != fits(other)) return fits(one);
    if (!fits(one)) return one.planned_bytes < other.planned_bytes;
    // IOS-Flow tries these lanes too, so that both are often the same.
    const bool has_lanes =
        other.schedule_kind == ScheduleKind::kList || other.schedule_kind == ScheduleKind::kSideBySide;
    const bool gives_way =
        row_of(other.schedule_kind).on_request || (has_lanes && one.schedule_kind == ScheduleKind::kIosFlow);
    return one.latency.value < other.latency.value || (gives_way && one.latency.value == other.latency.value);
  };
  const auto fastest = static_cast<std::size_t>(std::ranges::min_element(results, better) - results.begin());
  std::size_t best = fastest;
  for (std::size_t i = 0; i < results.size() && !alone.empty() && fits(results[fastest]); ++i) {
    const bool hardly_slower = results[i].latency.value <= results[fastest].latency.value * (1 + kFairTie);
    if (hardly_slower && fits(results[i]) && is_fairer(results[i], results[best])) best = i;
  }
  return best;
}

bool Comparison::is_fairer(const ScheduleResult& one, const ScheduleResult& other) const {
  if (alone.empty() || one.latency.value > other.latency.value * (1 + kFairTie)) return false;
  const auto own = mean_slowdown(*this, one);
  const auto others = mean_slowdown(*this, other);
  return own && others && *own < *others * (1 - kSumRounding);
}

bool Comparison::knows_latencies() const {
  return !is_modelled(device.origin) || graph == nullptr || graph->has_known_cost();
}

bool Comparison::knows_latency(const Stage& stage) const { return knows_latencies() || has_known_cost(*graph, stage); }

void forget_unknown(const Graph& graph, const DeviceInfo& device, ScheduleResult& result) {
  if (!is_modelled(device.origin) || graph.has_known_cost()) return;
  for (std::size_t i = 0; i < result.stage_latencies.size(); ++i) {
    if (!has_known_cost(graph, result.schedule.stages[i])) result.stage_latencies[i] = {.origin = device.origin};
  }
  result.stage_sum = result.between_stages = Millis{0};
  result.rounds.clear();
  result.samples.clear();
  result.trace = {};
  if (!std::ranges::all_of(graph.operators(), &Operator::sized)) result.planned_bytes = 0;
  result.sensitivity.reset();
  if (!result.search) return;
  result.search->stage_sum = Millis{0};
  result.search->cut = true;
  for (PartSummary& part : result.search->parts) part.cost = Millis{0};
  if (result.search->warm_start) result.search->warm_start->cost = Millis{0};
  if (!result.search->lazy) return;
  LazyReport& lazy = *result.search->lazy;
  lazy.bound = Millis{0};
  lazy.certified_gap = lazy.estimated_gap = std::numeric_limits<double>::infinity();
  lazy.history.clear();
  lazy.tasks.clear();
  lazy.joined.clear();
}

void forget_unknown(Comparison& comparison) {
  if (comparison.knows_latencies()) return;
  for (ScheduleResult& result : comparison.results) forget_unknown(*comparison.graph, comparison.device, result);
  comparison.one_by_one.reset();
  comparison.own_lanes.reset();
}

const ScheduleResult* Comparison::find(const ScheduleId& id) const {
  const auto index = index_of(id);
  return index ? &results[*index] : nullptr;
}

const ScheduleResult* Comparison::find(ScheduleKind schedule_kind) const {
  const auto at = std::ranges::find(results, schedule_kind, &ScheduleResult::schedule_kind);
  return at == results.end() ? nullptr : &*at;
}

std::optional<std::size_t> Comparison::index_of(const ScheduleId& id) const {
  const auto at = std::ranges::find(results, id, &ScheduleResult::id);
  if (at == results.end()) return std::nullopt;
  return static_cast<std::size_t>(at - results.begin());
}

ScheduleResult& Comparison::add(ScheduleKind schedule_kind, Schedule schedule) {
  ScheduleId id =
      unused_id(schedule_kind, schedule.name, [this](const ScheduleId& other) { return find(other) != nullptr; });
  ScheduleResult& result = results.emplace_back();
  result.id = std::move(id);
  result.schedule_kind = schedule_kind;
  result.schedule = std::move(schedule);
  return result;
}

Speedup Comparison::speedup(const ScheduleResult& result) const {
  const ScheduleResult* sequential = find(ScheduleKind::kSequential);
  if (sequential == nullptr || !knows_latencies()) return {0, 0, 0};
  return iosx::speedup(sequential->latency, sequential->rounds, result.latency, result.rounds);
}

std::optional<Saving> Comparison::saving(const ScheduleResult& result) const {
  const ScheduleResult* sequential = find(ScheduleKind::kSequential);
  const ScheduleResult* found = find(ScheduleKind::kOneByOne);
  const std::optional<Latency> unfused = found != nullptr ? std::optional(found->latency) : one_by_one;
  if (sequential == nullptr || !unfused || row_of(result.schedule_kind).baseline() || !knows_latencies())
    return std::nullopt;
  const Saving saving{.fusion = unfused->value - sequential->latency.value,
                      .concurrency = sequential->latency.value - result.latency.value};
  const Millis noise = unfused->spread + sequential->latency.spread + result.latency.spread;
  if (saving.concurrency < Millis{0} || saving.fusion <= noise + kTooSmallToTell) return std::nullopt;
  return saving;
}

const ScheduleResult* Comparison::staged(const ScheduleResult& result) const {
  if (!result.lanes) return nullptr;
  if (own_lanes) return find(own_lanes->of);
  const ScheduleResult* fastest = nullptr;
  for (const ScheduleResult& other : results) {
    if (other.lanes || row_of(other.schedule_kind).barrier_free) continue;
    if (fastest == nullptr || other.latency.value < fastest->latency.value) fastest = &other;
  }
  return fastest;
}

const ScheduleResult& Comparison::kernels_of(const ScheduleResult& result) const {
  if (!result.lanes) return result;
  const auto at = std::ranges::find_if(results, [&](const ScheduleResult& other) {
    return !other.lanes && !row_of(other.schedule_kind).barrier_free && other.schedule.name == result.schedule.name;
  });
  return at == results.end() ? result : *at;
}

std::optional<LaneGain> Comparison::lane_gain(const ScheduleResult& result) const {
  const ScheduleResult* const staged = this->staged(result);
  if (staged == nullptr || !own_lanes || !knows_latencies()) return std::nullopt;
  const auto& [of, latency, rounds] = *own_lanes;
  return LaneGain{.staged = of,
                  .barriers = staged->latency.value - latency.value,
                  .order = latency.value - result.latency.value,
                  .same_kernels = staged->schedule.stages == result.schedule.stages,
                  .barriers_in_noise = iosx::speedup(staged->latency, staged->rounds, latency, rounds).within_noise(),
                  .order_in_noise = iosx::speedup(latency, rounds, result.latency, result.rounds).within_noise()};
}

bool Comparison::failed_verification() const {
  return std::ranges::any_of(
      results, [](const ScheduleResult& result) { return result.verification && !result.verification->passed(); });
}

Result<void> check_batch(std::int64_t batch) {
  if (batch >= 1 && batch <= kMaxBatch) return {};
  return fail(message("a batch of {}", batch), "batch", message("give 1 to {}", kMaxBatch));
}

const ScheduleResult* best_search(const Comparison& comparison) {
  const ScheduleResult* best = nullptr;
  for (const ScheduleResult& result : comparison.results) {
    if (!result.search || row_of(result.schedule_kind).given()) continue;
    if (best == nullptr || result.stage_sum <= best->stage_sum) best = &result;
  }
  return best;
}

bool has_search(const Comparison& comparison) {
  return std::ranges::any_of(comparison.results,
                             [](const ScheduleResult& result) { return result.search.has_value(); });
}

Millis spread_of(std::span<const Latency> stages) {
  double variance = 0;
  for (const Latency& stage : stages) variance += stage.spread.count() * stage.spread.count();
  return Millis(std::sqrt(variance));
}

bool beats(Millis sum, Millis spread, const ScheduleResult& search) {
  return sum + spread < search.stage_sum * (1 - kSumRounding);
}

std::vector<NetworkTime> network_times(const Graph& graph, const ScheduleResult& result) {
  if (graph.networks().empty() || result.trace.kernels.empty()) return {};
  std::vector<NetworkTime> times;
  for (const std::string& name : graph.networks()) {
    times.push_back({name, Millis(std::numeric_limits<double>::infinity()), Millis(0)});
  }
  Micros whole{0};
  for (const KernelSpan& span : result.trace.kernels) whole = std::max(whole, span.end);
  if (whole <= Micros(0)) return {};
  const double scale = result.latency.value / Millis(whole);
  for (const KernelSpan& span : result.trace.kernels) {
    for (const UnitId unit : result.plan.kernel(span.kernel).units) {
      NetworkTime& time = times[graph.network(unit).index()];
      time.begins = std::min(time.begins, Millis(span.begin) * scale);
      time.ends = std::max(time.ends, Millis(span.end) * scale);
    }
  }
  for (NetworkTime& time : times) time.begins = std::min(time.begins, time.ends);  // of one without kernels
  return times;
}

std::vector<std::optional<Millis>> alone_times(const Comparison& comparison) {
  if (comparison.alone.empty()) return {};
  std::vector<std::optional<Millis>> times;
  for (const std::string& name : comparison.graph->networks()) {
    const auto known = std::ranges::find(comparison.alone, name, &NetworkAlone::name);
    times.push_back(known == comparison.alone.end() ? std::nullopt : std::optional(known->latency.value));
  }
  return times;
}

std::optional<double> mean_slowdown(const Comparison& comparison, const ScheduleResult& result) {
  const auto alone = alone_times(comparison);
  const std::vector<NetworkTime> times = network_times(*comparison.graph, result);
  if (alone.empty() || times.empty()) return std::nullopt;
  double sum = 0;
  for (std::size_t n = 0; n < times.size(); ++n) {
    if (!alone[n] || *alone[n] <= Millis(0)) return std::nullopt;
    sum += times[n].ends / *alone[n];
  }
  return sum / static_cast<double>(times.size());
}

MemoryBudget memory_budget(const DeviceInfo& device, std::int64_t bytes) {
  constexpr std::int64_t kAlignment = 256;  // of CUDA's allocations
  const bool half = device.precision == "f16" || device.precision == "bf16";
  return {.bytes = bytes, .element_bytes = half ? 2 : 4, .alignment = kAlignment};
}

std::int64_t planned_peak(const ExecutionPlan& plan, const DeviceInfo& device) {
  const MemoryBudget as = memory_budget(device, 0);
  return plan_memory(plan, as.element_bytes, as.alignment).peak_bytes;
}

}  // namespace iosx
