#include "core/analysis/compare/why.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/model/trace/in_flight.h"

namespace iosx {
namespace {

// Returns whether the ratio is shown as 1.00.
bool is_one(double ratio) { return std::abs(ratio - 1) < 0.005; }

// Returns whether less work explains the speed, as with merged layers, and not more kernels in flight.
bool is_less_work(const Why& why) { return why.kernel_time < 0.97 && std::abs(why.in_flight - 1) < 0.05; }

Message ratios_text(const Why& why) {
  const bool same_time = is_one(why.kernel_time);
  if (same_time && is_one(why.in_flight)) return Sentence{"as many kernels in flight, of the same kernel time"};
  if (same_time) return message("{:.2f} times as many kernels in flight, of the same kernel time", why.in_flight);
  if (is_one(why.in_flight)) return message("{:.2f} times the kernel time, as many kernels in flight", why.kernel_time);
  if (is_less_work(why))
    return message("{:.2f} times the kernel time, about as many kernels in flight", why.kernel_time);
  if (why.as_many_kernels && why.kernel_time > 1)
    return message("{:.2f} times as many kernels in flight, on average each {:.2f} times as long", why.in_flight,
                   why.kernel_time);
  return message("{:.2f} times as many kernels in flight, {:.2f} times the kernel time", why.in_flight,
                 why.kernel_time);
}

}  // namespace

std::optional<Why> why(const Trace& baseline, const Trace& run) {
  const auto before = kernels_in_flight(baseline);
  const auto after = kernels_in_flight(run);
  if (!before || !after) return std::nullopt;
  return Why{.kernel_time = after->kernel_time() / before->kernel_time(),
             .in_flight = after->mean() / before->mean(),
             .idle = after->share_of_none(),
             .baseline_idle = before->share_of_none(),
             .as_many_kernels = run.kernels.size() == baseline.kernels.size()};
}

std::optional<Why> why(const Comparison& comparison, const ScheduleResult& result) {
  const ScheduleResult* const baseline = comparison.find(ScheduleKind::kSequential);
  if (baseline == nullptr || baseline == &result || !comparison.knows_latencies()) return std::nullopt;
  return why(baseline->trace, result.trace);
}

Message why_text(const Why& why) {
  return message("{}; no kernel in flight {:.1f} % → {:.1f} % of the time", ratios_text(why), 100 * why.baseline_idle,
                 100 * why.idle);
}

nlohmann::ordered_json why_json(const Why& why) {
  return {{"kernel_time_ratio", why.kernel_time},
          {"in_flight_ratio", why.in_flight},
          {"idle_share", why.idle},
          {"baseline_idle_share", why.baseline_idle},
          {"text", why_text(why).text()}};
}

}  // namespace iosx
