#include "core/analysis/compare/reliability.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <cstdint>

#include "core/model/graph/work.h"
#include "core/model/plan/memory_plan.h"

namespace iosx {
namespace {

constexpr Sentence kRemedy{
    "another program used the device at the same time, or its clock changed; measure again while the device is idle, "
    "without stored measurements (--remeasure; in the window: Schedule, Kept measurements)"};

}  // namespace

std::vector<Message> reliability_warnings(const Comparison& comparison, const StageLatencySource::Noise& noise) {
  std::vector<Message> sentences;
  if (is_modelled(comparison.device.origin)) return sentences;

  Message apart;
  for (const ScheduleResult& result : comparison.results) {
    if (result.lanes) continue;  // its stages do not run one after another
    const double gap = result.stage_sum / result.latency.value - 1;
    if (std::abs(gap) > kUnreliableGap) {
      const Message one = gap < 0 ? message("{} ({:.0f} % less)", result.title(), -gap * 100)
                                  : message("{} ({:.0f} % more)", result.title(), gap * 100);
      apart = apart.empty() ? one : message("{}, {}", apart, one);
    }
  }
  if (!apart.empty()) {
    sentences.push_back(
        message("The stage latencies do not add up to the latency of the run in {}: {}", apart, Message(kRemedy)));
  }
  if (static_cast<double>(noise.noisy) > kUnreliableShare * static_cast<double>(noise.known)) {
    sentences.push_back(message("{} of {} stage latencies spread over more than {:.0f} % of their median: {}",
                                noise.noisy, noise.known, kUnreliableSpread * 100, Message(kRemedy)));
  }
  return sentences;
}

Message does_not_fit(const Device& device, const ExecutionPlan& plan, const Graph& graph) {
  const auto rates = device.peak_rates();
  if (!is_modelled(device.info().origin) || !rates || rates->memory_bytes == 0) return {};
  constexpr std::int64_t kAlignment = 256;  // of CUDA's allocations
  constexpr double kGigabyte = 1e9;
  const auto has = static_cast<double>(rates->memory_bytes);
  const auto element = static_cast<double>(rates->element_bytes);
  const double weights = static_cast<double>(total_work(graph, 1).parameters) * element;
  double together = weights;  // if no two tensors shared bytes: what fits then need not be packed
  for (const Buffer& buffer : plan.buffers) {
    together += static_cast<double>(buffer.shape.elements()) * static_cast<double>(plan.batch) * element;
  }
  if (together <= has) return {};
  const auto tensors = static_cast<double>(plan_memory(plan, rates->element_bytes, kAlignment).peak_bytes);
  if (tensors + weights <= has) return {};
  return message(
      "A {} with {:.0f} GB cannot run this: batch {} needs {:.1f} GB for tensors and {:.1f} GB for weights. The "
      "latency is simulated without this limit; a smaller batch fits",
      device.info().name, has / kGigabyte, plan.batch, tensors / kGigabyte, weights / kGigabyte);
}

}  // namespace iosx
