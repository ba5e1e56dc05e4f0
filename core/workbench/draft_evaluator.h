#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/analysis/draft/draft_evaluation.h"
#include "core/devices/device.h"
#include "core/workbench/workbench.h"

namespace iosx {

class KnownLatencies;

// Evaluates the drafts of one graph on one device with one batch size without measuring: KnownLatencies. A simulated
// device's latencies stay known; for another one latencies learnt here count too.
class DraftEvaluator {
 public:
  DraftEvaluator(std::shared_ptr<const Graph> graph, DeviceInfo device, std::int64_t batch);
  DraftEvaluator(const DraftEvaluator&) = delete;
  DraftEvaluator& operator=(const DraftEvaluator&) = delete;
  DraftEvaluator(DraftEvaluator&&) = delete;
  DraftEvaluator& operator=(DraftEvaluator&&) = delete;
  ~DraftEvaluator();

  bool is_for(const Graph& graph, const DeviceInfo& device, std::int64_t batch) const;

  // Adds a draft's measurements, one latency per stage.
  void learn(std::span<const Stage> stages, std::span<const Latency> latencies);

  // Calls evaluate_draft(). `run` is of this device and batch, or null. `workbench` has the current store; its
  // registry, always the same, must outlive the object.
  DraftEvaluation evaluate(const ScheduleDraft& draft, const ScheduleDraft& start, const Comparison* run,
                           const Workbench& workbench);

 private:
  std::shared_ptr<const Graph> graph_;
  DeviceInfo info_;
  std::int64_t batch_;
  std::unique_ptr<KnownLatencies> asked_;  // of a simulated device
  std::vector<std::pair<Stage, Latency>> learnt_;
};

}  // namespace iosx
