#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "core/base/check.h"
#include "core/base/hash.h"
#include "core/devices/checks.h"
#include "core/devices/measure/latency_sources.h"
#include "core/devices/measure/store_place.h"

namespace iosx {
namespace {

constexpr std::size_t kStagesAtOnce = 512;  // looked up together

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

// Returns whether what is stored may have been measured of the stage. The store knows no plans.
bool is_of(const Measurement& stored, const StagePlanner::Canonical& stage, StagePlanner& planner) {
  if (stored.latency.value > Millis(0)) return true;
  return is_possible(planner.plans(std::span(&stage, 1)).front(), stored.latency);
}

std::string text_of(const MeasurementSet& set) {
  return fmt::format("{} with batch {} ({}, {})", set.device_id, set.batch, set.precision, set.fingerprint);
}

}  // namespace

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
    if (!stored || !is_of(*stored, stages[i], planner())) continue;
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

Result<MeasurementSet> recorded_set(MeasurementStore& store, const std::string& device, std::int64_t batch) {
  IOS_TRY(const auto info, store.info());
  const std::string where = info.file.string();
  std::vector<MeasurementSet> found;
  std::vector<std::string> others;
  for (const SetInfo& one : info.sets) {
    const MeasurementSet& set = one.set;
    const bool named = device.empty() || device == set.device_id || device == set.fingerprint;
    if (named && set.batch == batch) {
      found.push_back(set);
    } else {
      others.push_back(text_of(set));
    }
  }
  const auto quoted = device.empty() ? std::string("any device") : fmt::format("'{}'", device);
  if (found.empty()) {
    return fail(message("nothing was measured on {} with batch {}", quoted, batch), where,
                others.empty() ? message("iosx store import FILE imports the measurements of another computer")
                               : message("available: {}", fmt::join(others, "; ")));
  }
  if (found.size() > 1) {
    std::vector<std::string> choices;
    choices.reserve(found.size());
    for (const MeasurementSet& set : found) choices.push_back(text_of(set));
    return fail(message("{} sets were measured on {} with batch {}", found.size(), quoted, batch), where,
                message("choose one by its fingerprint with --device: {}", fmt::join(choices, "; ")));
  }
  if (!found.front().terms) {
    return fail(message("the form in which stages run on {} is unknown", text_of(found.front())), where,
                message("measure something on that device again"));
  }
  return found.front();
}

RecordedLatencySource::RecordedLatencySource(const Graph& graph, MeasurementStore* store, MeasurementSet set,
                                             Where where)
    : StageLatencySource(graph, set.batch, set.terms.value_or(DeviceTerms{}).lowering),
      store_(store),
      set_(std::move(set)),
      where_(where) {
  IOS_CHECK(set_.terms.has_value());
}

void RecordedLatencySource::give(const Stage& stage, const Latency& latency) {
  given_.try_emplace(planner().canonical(stage).key, latency);
}

std::vector<std::optional<StageLatencySource::Known>> RecordedLatencySource::recall(Asked stages) {
  std::vector<std::optional<Known>> latencies(stages.size());
  std::vector<StageKey> keys;
  for (const StagePlanner::Canonical& stage : stages) keys.push_back(stage.key);
  std::vector<std::optional<Measurement>> stored(stages.size());
  if (store_ != nullptr) {
    auto found = store_->find(set_, keys);
    if (!found) {
      store_error_ = found.error();
    } else {
      stored = std::move(*found);
    }
  }
  for (std::size_t i = 0; i < stages.size(); ++i) {
    asked_.insert(keys[i]);
    if (const auto given = given_.find(keys[i]); given != given_.end()) {
      latencies[i] = Known{given->second};
    } else if (stored[i] && is_of(*stored[i], stages[i], planner())) {
      latencies[i] = Known{stored[i]->latency};
      if (where_ == Where::kElsewhere && set_.origin == Origin::kMeasured) {
        latencies[i]->latency.origin = Origin::kRecorded;
      }
    } else {
      lacking_.insert(keys[i]);
    }
  }
  return latencies;
}

Result<void> RecordedLatencySource::measure(Asked stages, Look /*look*/, const JobContext& /*job*/, Take /*take*/) {
  if (store_error_) return tl::unexpected(*std::exchange(store_error_, std::nullopt));
  return fail(
      message("{} of the stages that are requested next were never measured on {}", stages.size(), text_of(set_)),
      store_ == nullptr ? std::string() : store_->file().string(),
      message("search on that device first, with the same network and search options; a narrower search needs fewer "
              "stages"));
}

}  // namespace iosx
