#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/analysis/draft/draft_evaluation.h"
#include "core/devices/device.h"
#include "core/devices/measure/device_latency_source.h"
#include "core/devices/measure/store_place.h"
#include "core/devices/registry.h"

namespace iosx {

// Evaluates the drafts of one graph on one device with one batch size, without measuring anything. A simulated device
// is asked, and its answers stay known. Of a device that measures counts what the store has, what the run knows, and
// what was learnt here.
class DraftEvaluator {
 public:
  // A device that the registry has no more, or has another one by that name, is not asked.
  DraftEvaluator(std::shared_ptr<const Graph> graph, DeviceInfo device, std::int64_t batch,
                 const DeviceRegistry& devices);

  bool is_for(const Graph& graph, const DeviceInfo& device, std::int64_t batch) const;

  // What was measured for a draft, one latency a stage.
  void learn(std::span<const Stage> stages, std::span<const Latency> latencies);

  // As evaluate_draft(). `run` is of this device and batch, or null.
  DraftEvaluation evaluate(const ScheduleDraft& draft, const ScheduleDraft& start, const Comparison* run,
                           const StorePlace& store);

 private:
  std::shared_ptr<const Graph> graph_;
  DeviceInfo info_;
  std::int64_t batch_;
  std::unique_ptr<Device> device_;               // simulated; else null
  std::unique_ptr<DeviceLatencySource> source_;  // of it
  std::vector<std::pair<Stage, Latency>> learnt_;
};

}  // namespace iosx
