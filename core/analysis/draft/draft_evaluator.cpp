#include "core/analysis/draft/draft_evaluator.h"

#include <utility>

#include "core/devices/measure/recorded_latency_source.h"
#include "core/devices/store/measurement_store.h"

namespace iosx {

DraftEvaluator::DraftEvaluator(std::shared_ptr<const Graph> graph, DeviceInfo device, std::int64_t batch,
                               const DeviceRegistry& devices)
    : graph_(std::move(graph)), info_(std::move(device)), batch_(batch) {
  if (info_.origin != Origin::kSimulated || devices.find(info_.id) == nullptr) return;
  auto opened = devices.open(info_.id);
  if (!opened || (*opened)->info().fingerprint != info_.fingerprint) return;
  device_ = *std::move(opened);
  source_ = std::make_unique<DeviceLatencySource>(*graph_, *device_, batch_);
}

bool DraftEvaluator::is_for(const Graph& graph, const DeviceInfo& device, std::int64_t batch) const {
  return graph_.get() == &graph && info_.fingerprint == device.fingerprint && batch_ == batch;
}

void DraftEvaluator::learn(std::span<const Stage> stages, std::span<const Latency> latencies) {
  for (std::size_t i = 0; i < latencies.size(); ++i) learnt_.emplace_back(stages[i], latencies[i]);
}

DraftEvaluation DraftEvaluator::evaluate(const ScheduleDraft& draft, const ScheduleDraft& start, const Comparison* run,
                                         const StorePlace& store) {
  if (source_) return evaluate_draft(draft, start, source_.get(), run);
  std::unique_ptr<MeasurementStore> kept;
  if (const auto file = store.path(); store.kept && file) {
    if (auto opened = MeasurementStore::open(*file, MeasurementStore::Access::kReadOnly)) kept = *std::move(opened);
  }
  RecordedLatencySource source(*graph_, kept.get(), measurement_set(info_, batch_),
                               RecordedLatencySource::Where::kHere);
  if (run != nullptr && run->complete) {
    for (const ScheduleResult& result : run->results) {
      for (std::size_t i = 0; i < result.stage_latencies.size(); ++i) {
        Latency latency = result.stage_latencies[i];
        if (!run->recorded.empty() && latency.origin == Origin::kMeasured) latency.origin = Origin::kRecorded;
        source.give(result.schedule.stages[i], latency);
      }
    }
  }
  for (const auto& [stage, latency] : learnt_) source.give(stage, latency);
  return evaluate_draft(draft, start, &source, run);
}

}  // namespace iosx
