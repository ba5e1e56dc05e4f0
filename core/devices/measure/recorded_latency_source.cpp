#include "core/devices/measure/recorded_latency_source.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "core/base/check.h"

namespace iosx {
namespace {

std::string text_of(const MeasurementSet& set) {
  return fmt::format("{} with batch {} ({}, {})", set.device_id, set.batch, set.precision, set.fingerprint);
}

}  // namespace

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
    } else if (stored[i]) {
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
