#include "core/devices/measure/stage_latency_source.h"

#include <algorithm>
#include <string>
#include <utility>

#include "core/base/check.h"
#include "core/base/hash.h"

namespace iosx {
namespace {

constexpr std::size_t kStagesAtOnce = 512;  // looked up together

}  // namespace

Result<std::vector<Latency>> StageLatencySource::stage_latencies(std::span<const Stage> stages, const JobContext& job) {
  return answer_all(stages, Look::kQuick, job);
}

Result<std::vector<Latency>> StageLatencySource::refined_latencies(std::span<const Stage> stages,
                                                                   const JobContext& job) {
  return answer_all(stages, Look::kThorough, job);
}

Result<std::vector<std::optional<Latency>>> StageLatencySource::known_latencies(std::span<const Stage> stages) {
  std::vector<StageKey> keys;
  std::vector<StagePlanner::Canonical> unknown;
  std::unordered_set<StageKey> asked;
  for (StagePlanner::Canonical& same : planner_.canonical(stages)) {
    keys.push_back(same.key);
    const bool is_new = !known_.contains(same.key) && !nowhere_.contains(same.key);
    if (is_new && asked.insert(same.key).second) unknown.push_back(std::move(same));
  }
  const std::vector<std::optional<Known>> recalled = recall(unknown);
  for (std::size_t i = 0; i < unknown.size(); ++i) {
    if (recalled[i]) {
      known_.try_emplace(unknown[i].key, Answer{recalled[i]->latency, recalled[i]->refined});
    } else {
      nowhere_.insert(unknown[i].key);
    }
  }
  std::vector<std::optional<Latency>> latencies;
  for (const StageKey& key : keys) {
    const auto known = known_.find(key);
    latencies.push_back(known == known_.end() ? std::nullopt : known->second.latency);
    if (!latencies.back()) continue;
    if (std::exchange(known->second.tallied, tally_number_) != tally_number_) ++tally_.needed;
  }
  return latencies;
}

StageKey StageLatencySource::search_key(std::string_view words) {
  std::string text = std::string(words) + thoroughness();
  for (std::size_t u = 0; u < planner_.graph().units().size(); ++u) {
    text += planner_.canonical(single_unit_stage(UnitId(u))).key.text();
  }
  const Hash128 hash = hash128(text);
  return {hash.high, hash.low};
}

std::optional<std::int64_t> StageLatencySource::searched_before(std::string_view words) {
  const StageKey key = search_key(words);
  const auto here = searched_.find(key);
  return here != searched_.end() ? std::optional(here->second) : recall_search(key);
}

void StageLatencySource::note_searched(std::string_view words, std::int64_t stages) {
  const StageKey key = search_key(words);
  if (searched_.insert_or_assign(key, stages).second) keep_search(key, stages);
}

void StageLatencySource::start_tally() {
  ++tally_number_;
  tally_ = {};
}

StageLatencySource::Noise StageLatencySource::noise(double spread) const {
  Noise noise;
  for (const auto& [key, answer] : known_) {
    if (!answer.refined) continue;
    ++noise.known;
    noise.noisy += answer.latency->spread > spread * answer.latency->value ? 1 : 0;
  }
  return noise;
}

Result<std::vector<Latency>> StageLatencySource::answer_all(std::span<const Stage> stages, Look look,
                                                            const JobContext& job) {
  std::vector<Latency> latencies;
  latencies.reserve(stages.size());
  while (latencies.size() < stages.size() && !job.stopped()) {
    const std::size_t next = latencies.size();
    IOS_TRY(answer(stages.subspan(next, std::min(kStagesAtOnce, stages.size() - next)), look, job, latencies));
  }
  return latencies;
}

Result<void> StageLatencySource::answer(std::span<const Stage> stages, Look look, const JobContext& job,
                                        std::vector<Latency>& latencies) {
  std::vector<StageKey> keys;  // of every stage
  std::vector<StagePlanner::Canonical> unknown;
  std::vector<StagePlanner::Canonical> rest;  // to be measured
  std::unordered_set<StageKey> asked;
  for (StagePlanner::Canonical& same : planner_.canonical(stages)) {
    keys.push_back(same.key);
    if (!asked.insert(same.key).second) continue;
    const auto [known, is_new] = known_.try_emplace(same.key);
    if (is_new) {
      unknown.push_back(std::move(same));
    } else if (look == Look::kThorough && !known->second.refined) {
      rest.push_back(std::move(same));
    }
  }

  const std::vector<std::optional<Known>> recalled = recall(unknown);
  IOS_CHECK(recalled.size() == unknown.size());
  for (std::size_t i = 0; i < unknown.size(); ++i) {
    if (recalled[i]) {
      Answer& known = known_.at(unknown[i].key);
      known.latency = recalled[i]->latency;
      known.refined = recalled[i]->refined;
    }
    if (!recalled[i] || (look == Look::kThorough && !recalled[i]->refined)) rest.push_back(std::move(unknown[i]));
  }

  std::size_t done = 0;
  Result<void> outcome;
  if (!rest.empty()) {
    outcome = measure(rest, look, job, [&](std::span<const Latency> some) {
      IOS_CHECK(some.size() <= rest.size() - done);
      for (const Latency& latency : some) {
        Answer& known = known_.at(rest[done++].key);
        if (known.latency) {
          ++refined_;
        } else {
          ++tally_.measured;
        }
        known.latency = latency;
        known.refined = look == Look::kThorough || is_modelled(latency.origin) || latency.is_left_out();
      }
    });
  }

  // The prefix of answers ends at the first stage without a measurement that is thorough enough.
  for (const StageKey& key : keys) {
    Answer& known = known_.at(key);
    if (!known.latency || (look == Look::kThorough && !known.refined)) break;
    latencies.push_back(*known.latency);
    if (std::exchange(known.tallied, tally_number_) != tally_number_) ++tally_.needed;
  }
  for (std::size_t i = done; i < rest.size(); ++i) {
    const auto known = known_.find(rest[i].key);
    if (!known->second.latency) known_.erase(known);
  }
  return outcome;
}

Message left_out_among(std::span<const Latency> latencies, const std::string& schedule) {
  const auto found = std::ranges::find_if(latencies, &Latency::is_left_out);
  if (found == latencies.end()) return {};
  return message("stage {} of '{}' cannot be measured: workers were lost while they measured it",
                 found - latencies.begin() + 1, schedule);
}

}  // namespace iosx
