#include "core/devices/measure/device_latency_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/devices/measure/store_place.h"

namespace iosx {
namespace {

Method method_of(const TimingOptions& timing, const std::string& program) {
  return {program,         timing.warmup,    timing.repeats, timing.max_repeats,
          timing.min_time, timing.precision, timing.max_time};
}

// Returns whether a measurement made so is thorough enough for a request with `wanted`; always true for a
// deterministic device.
bool thorough_enough(const Method& made, const TimingOptions& wanted) {
  return made.warmup >= wanted.warmup && made.repeats >= wanted.repeats && made.max_repeats >= wanted.max_repeats &&
         made.min_time >= wanted.min_time && made.precision <= wanted.precision && made.max_time >= wanted.max_time;
}

}  // namespace

MeasurementSet measurement_set(const DeviceInfo& device, std::int64_t batch) {
  return {.fingerprint = device.fingerprint,
          .batch = batch,
          .precision = device.precision,
          .origin = device.origin,
          .device_id = device.id,
          .device_name = device.name,
          .terms = DeviceTerms{device.lowering, device.overhead}};
}

DeviceLatencySource::DeviceLatencySource(const Graph& graph, Device& device, std::int64_t batch,
                                         const TimingOptions& timing, Keeping keeping)
    : StageLatencySource(graph, batch, device.info().lowering),
      device_(device),
      timing_(timing),
      keeping_(std::move(keeping)),
      set_(measurement_set(device.info(), batch)) {}

std::vector<Message> DeviceLatencySource::take_notices() {
  if (keeping_.store != nullptr) {
    for (Message& notice : keeping_.store->take_notices()) notices_.push_back(std::move(notice));
  }
  return std::exchange(notices_, {});
}

std::vector<std::optional<StageLatencySource::Known>> DeviceLatencySource::recall(Asked stages) {
  std::vector<std::optional<Known>> latencies(stages.size());
  if (keeping_.store == nullptr || keeping_.anew || stages.empty()) return latencies;
  std::vector<StageKey> keys;
  for (const StagePlanner::Canonical& stage : stages) keys.push_back(stage.key);
  const auto found = keeping_.store->find(set_, keys);
  if (!found) {
    give_up_store(found.error());
    return latencies;
  }
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const std::optional<Measurement>& stored = (*found)[i];
    if (!stored) continue;
    const bool exact = is_modelled(set_.origin);
    if (exact || thorough_enough(stored->method, quick_estimate(timing_))) {
      latencies[i] = Known{stored->latency, exact || thorough_enough(stored->method, timing_)};
    }
  }
  return latencies;
}

// Makes one request after another, so that little is lost if the process ends.
Result<void> DeviceLatencySource::measure(Asked stages, Look look, const JobContext& job, Take take) {
  const TimingOptions timing = look == Look::kQuick ? quick_estimate(timing_) : timing_;
  std::size_t done = 0;
  while (done < stages.size() && !job.stopped()) {
    const std::size_t count = std::min(std::max<std::size_t>(device_.info().plans_at_once, 1), stages.size() - done);
    const Asked some = stages.subspan(done, count);
    const std::vector<ExecutionPlan> plans = planner().plans(some);
    job.report(message("measuring stages"), static_cast<std::int64_t>(done), static_cast<std::int64_t>(stages.size()));
    // The device counts the plans of a request, the caller counts stages.
    const JobContext own{job.stop, [&](const Progress& said) {
                           const bool counts = said.total == static_cast<std::int64_t>(count);
                           job.report(said.phase, counts ? static_cast<std::int64_t>(done) + said.done : said.done,
                                      counts ? static_cast<std::int64_t>(stages.size()) : said.total);
                         }};
    const auto measured = device_.measure(plans, timing, own);
    for (const Device::Answered& answered : device_.take_answered()) {
      if (answered.plan < count) keep(some.subspan(answered.plan, 1), std::span(&answered.latency, 1), timing);
    }
    IOS_TRY(const std::vector<Latency> answers, measured);
    take(answers);
    keep(some.first(answers.size()), answers, timing);
    done += answers.size();
    if (answers.size() < count) break;
  }
  return {};
}

std::vector<double> DeviceLatencySource::guesses(std::span<const Stage> stages) {
  if (guesser_ == nullptr || guesser_->info().lowering != device_.info().lowering) return {};
  const auto plans = planner().plans(planner().canonical(stages));
  const auto answers = guesser_->measure(plans, {}, {});
  if (!answers || answers->size() != stages.size()) return {};
  std::vector<double> ms;
  for (const Latency& answer : *answers) ms.push_back(answer.value.count());
  return ms;
}

std::optional<std::int64_t> DeviceLatencySource::recall_search(const StageKey& search) {
  if (keeping_.store == nullptr || keeping_.anew) return std::nullopt;
  const auto found = keeping_.store->noted_search(set_, search);
  if (found) return *found;
  give_up_store(found.error());
  return std::nullopt;
}

void DeviceLatencySource::keep_search(const StageKey& search, std::int64_t stages) {
  if (keeping_.store == nullptr) return;
  if (const auto kept = keeping_.store->note_search(set_, search, stages); !kept) give_up_store(kept.error());
}

std::string DeviceLatencySource::thoroughness() const {
  return fmt::format("; {} {} {} {} {} {}", timing_.warmup, timing_.repeats, timing_.max_repeats,
                     timing_.min_time.count(), timing_.precision, timing_.max_time.count());
}

void DeviceLatencySource::keep(Asked stages, std::span<const Latency> latencies, const TimingOptions& timing) {
  if (keeping_.store == nullptr || latencies.empty()) return;
  std::vector<Measurement> measurements;
  for (std::size_t i = 0; i < latencies.size(); ++i) {
    if (latencies[i].is_left_out()) continue;  // another day it may be measured
    measurements.push_back({.key = stages[i].key,
                            .latency = latencies[i],
                            .date = date_now(),
                            .method = method_of(timing, keeping_.program)});
  }
  if (const auto kept = keeping_.store->append(set_, measurements); !kept) give_up_store(kept.error());
}

void DeviceLatencySource::give_up_store(const Error& error) {
  notices_.push_back(not_kept(error));
  keeping_.store = nullptr;
}

}  // namespace iosx
