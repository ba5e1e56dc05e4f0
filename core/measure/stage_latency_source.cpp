#include "core/measure/stage_latency_source.h"

#include <algorithm>
#include <utility>

#include "core/base/check.h"

namespace iosx {
namespace {

constexpr std::size_t kStagesAtOnce = 512;  // looked up together

}  // namespace

Result<std::vector<Latency>> StageLatencySource::stage_latencies(std::span<const Stage> stages, const JobContext& job) {
  std::vector<Latency> latencies;
  latencies.reserve(stages.size());
  while (latencies.size() < stages.size() && !job.stopped()) {
    const std::size_t next = latencies.size();
    auto answered = answer(stages.subspan(next, std::min(kStagesAtOnce, stages.size() - next)), job, latencies);
    if (!answered) return tl::unexpected(std::move(answered.error()));
  }
  return latencies;
}

void StageLatencySource::start_tally() {
  ++tally_number_;
  tally_ = {};
}

Result<void> StageLatencySource::measure_anew(std::span<const Stage> stages, const JobContext& job) {
  std::vector<StagePlanner::Canonical> again;
  for (const Stage& stage : stages) {
    StagePlanner::Canonical same = planner_.canonical(stage);
    const auto known = known_.find(same.key);
    if (known == known_.end() || !std::exchange(known->second.may_be_lucky, false)) continue;
    again.push_back(std::move(same));
  }
  if (again.empty()) return {};
  std::size_t done = 0;
  return measure(again, job, [&](std::span<const Latency> some) {
    IOS_CHECK(some.size() <= again.size() - done);
    for (const Latency& latency : some) known_.at(again[done++].key).latency = latency;
  });
}

StageLatencySource::Noise StageLatencySource::noise(double spread) const {
  Noise noise;
  for (const auto& [key, answer] : known_) {
    if (!answer.latency) continue;
    ++noise.known;
    noise.noisy += answer.latency->spread > spread * answer.latency->value ? 1 : 0;
  }
  return noise;
}

Result<void> StageLatencySource::answer(std::span<const Stage> stages, const JobContext& job,
                                        std::vector<Latency>& latencies) {
  std::vector<StageKey> keys;  // of every stage
  std::vector<StagePlanner::Canonical> unknown;
  for (const Stage& stage : stages) {
    StagePlanner::Canonical same = planner_.canonical(stage);
    keys.push_back(same.key);
    if (known_.try_emplace(same.key).second) unknown.push_back(std::move(same));
  }

  const std::vector<std::optional<Latency>> recalled = recall(unknown);
  IOS_CHECK(recalled.size() == unknown.size());
  std::vector<StagePlanner::Canonical> rest;
  for (std::size_t i = 0; i < unknown.size(); ++i) {
    if (recalled[i]) {
      known_.at(unknown[i].key).latency = recalled[i];
    } else {
      rest.push_back(std::move(unknown[i]));
    }
  }

  std::size_t done = 0;
  Result<void> outcome;
  if (!rest.empty()) {
    outcome = measure(rest, job, [&](std::span<const Latency> some) {
      IOS_CHECK(some.size() <= rest.size() - done);
      for (const Latency& latency : some) {
        Answer& known = known_.at(rest[done++].key);
        known.latency = latency;
        known.may_be_lucky = latency.origin != Origin::kSimulated;
      }
    });
  }
  tally_.measured += static_cast<std::int64_t>(done);

  // The prefix of answers ends at the first stage that was not measured.
  for (const StageKey& key : keys) {
    Answer& known = known_.at(key);
    if (!known.latency) break;
    latencies.push_back(*known.latency);
    if (std::exchange(known.tallied, tally_number_) != tally_number_) ++tally_.needed;
  }
  for (std::size_t i = done; i < rest.size(); ++i) known_.erase(rest[i].key);
  return outcome;
}

}  // namespace iosx
