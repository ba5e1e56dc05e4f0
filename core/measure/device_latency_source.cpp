#include "core/measure/device_latency_source.h"

#include <algorithm>
#include <utility>

#include "core/base/check.h"
#include "core/plan/lower.h"

namespace iosx {
namespace {

constexpr std::size_t kBatch = 64;  // plans of one request: they stay in the cache, and a stop is soon seen

}  // namespace

DeviceLatencySource::DeviceLatencySource(const Graph& graph, Device& device, std::int64_t batch,
                                         const TimingOptions& timing)
    : graph_(graph), device_(device), batch_(batch), timing_(timing) {
  const LowerOptions lowering = device.info().lowering;
  structure_.fuse = lowering.fuse;
  if (!lowering.concat_in_place) return;
  places_ = ConcatPlaces(graph);
  structure_.places = &places_;
}

Result<std::vector<Latency>> DeviceLatencySource::stage_latencies(std::span<const Stage> stages,
                                                                  const JobContext& job) {
  std::vector<Latency> latencies;
  latencies.reserve(stages.size());
  for (std::size_t next = 0; next < stages.size() && !job.stopped(); next += kBatch) {
    auto answered = answer(stages.subspan(next, std::min(kBatch, stages.size() - next)), job, latencies);
    if (!answered) return tl::unexpected(std::move(answered.error()));
  }
  return latencies;
}

void DeviceLatencySource::start_tally() {
  ++tally_number_;
  tally_ = {};
}

Result<void> DeviceLatencySource::answer(std::span<const Stage> stages, const JobContext& job,
                                         std::vector<Latency>& latencies) {
  std::vector<Known::iterator> places;  // of every stage
  std::vector<Known::iterator> unknown;
  std::vector<ExecutionPlan> plans;
  for (const Stage& stage : stages) {
    CanonicalStage same = canonical(graph_, stage, structure_);
    const auto [place, added] = known_.try_emplace(std::move(same.signature));
    places.push_back(place);
    if (!added) continue;
    unknown.push_back(place);
    plans.push_back(lower_stage(graph_, same.stage, batch_, device_.info().lowering));
  }

  auto measured = plans.empty() ? Result<std::vector<Latency>>() : device_.measure(plans, timing_, job);
  const std::size_t count = measured ? std::min(measured->size(), unknown.size()) : 0;
  for (std::size_t i = 0; i < count; ++i) unknown[i]->second.latency = (*measured)[i];
  measurements_ += static_cast<std::int64_t>(count);
  tally_.measured += static_cast<std::int64_t>(count);
  // The prefix of answers ends at the first stage that was not measured.
  for (const auto& place : places) {
    Answer& known = place->second;
    if (!known.latency) break;
    latencies.push_back(*known.latency);
    if (std::exchange(known.tallied, tally_number_) != tally_number_) ++tally_.structures;
  }
  for (std::size_t i = count; i < unknown.size(); ++i) known_.erase(unknown[i]);
  if (!measured) return tl::unexpected(std::move(measured.error()));
  IOS_CHECK(count == unknown.size() || job.stopped());
  return {};
}

}  // namespace iosx
