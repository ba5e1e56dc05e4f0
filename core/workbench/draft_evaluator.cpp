#include "core/workbench/draft_evaluator.h"

#include "core/workbench/request_resources.h"

namespace iosx {

DraftEvaluator::DraftEvaluator(std::shared_ptr<const Graph> graph, DeviceInfo device, std::int64_t batch)
    : graph_(std::move(graph)), info_(std::move(device)), batch_(batch) {}

DraftEvaluator::~DraftEvaluator() = default;

bool DraftEvaluator::is_for(const Graph& graph, const DeviceInfo& device, std::int64_t batch) const {
  return graph_.get() == &graph && info_.fingerprint == device.fingerprint && batch_ == batch;
}

void DraftEvaluator::learn(std::span<const Stage> stages, std::span<const Latency> latencies) {
  for (std::size_t i = 0; i < latencies.size(); ++i) learnt_.emplace_back(stages[i], latencies[i]);
}

DraftEvaluation DraftEvaluator::evaluate(const ScheduleDraft& draft, const ScheduleDraft& start, const Comparison* run,
                                         const Workbench& workbench) {
  if (asked_ != nullptr) return evaluate_draft(draft, start, &asked_->source(), run);
  KnownLatencies known(workbench, *graph_, info_, batch_, run);
  if (known.asks_device()) {
    asked_ = std::make_unique<KnownLatencies>(std::move(known));
    return evaluate_draft(draft, start, &asked_->source(), run);
  }
  for (const auto& [stage, latency] : learnt_) known.give(stage, latency);
  return evaluate_draft(draft, start, &known.source(), run);
}

}  // namespace iosx
