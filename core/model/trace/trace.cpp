#include "core/model/trace/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace iosx {

double Counter::area(Micros begin, Micros end) const {
  double sum = 0;
  for (std::size_t i = 0; i < times.size() && i < values.size(); ++i) {
    const Micros from = std::max(begin, times[i]);
    const Micros to = i + 1 < times.size() ? std::min(end, times[i + 1]) : end;
    if (to > from) sum += values[i] * (to - from).count();
  }
  return sum;
}

double Counter::mean(Micros begin, Micros end) const {
  return end > begin ? area(begin, end) / (end - begin).count() : 0;
}

std::vector<StageSpan> overlapping_stages(const ExecutionPlan& plan, const std::vector<KernelSpan>& kernels) {
  std::vector<StageSpan> stages(plan.stages.size());
  std::vector<bool> begun(stages.size(), false);
  for (const KernelSpan& span : kernels) {
    StageSpan& stage = stages[span.stage];
    stage.begin = begun[span.stage] ? std::min(stage.begin, span.begin) : span.begin;
    stage.end = std::max(stage.end, span.end);
    begun[span.stage] = true;
  }
  return stages;
}

const Counter* main_counter(const Trace& trace) {
  const auto found =
      std::ranges::find_if(trace.counters, [](const Counter& counter) { return !counter.times.empty(); });
  return found == trace.counters.end() ? nullptr : &*found;
}

Result<void> check_trace(const Trace& trace, const ExecutionPlan& plan) {
  if (trace.lanes > plan.lane_count()) {
    return fail(message("has {} lanes, but the plan has {}", trace.lanes, plan.lane_count()), "lanes");
  }
  if (!trace.stages.empty() && trace.stages.size() != plan.stages.size()) {
    return fail(message("has {} stages, but the plan has {}", trace.stages.size(), plan.stages.size()), "stages");
  }
  for (std::size_t i = 0; i < trace.stages.size(); ++i) {
    if (trace.stages[i].end < trace.stages[i].begin)
      return fail(message("ends before it begins"), fmt::format("stages[{}]", i));
  }
  for (std::size_t i = 0; i < trace.kernels.size(); ++i) {
    const KernelSpan& span = trace.kernels[i];
    const auto refuse = [&](Message what) { return fail(std::move(what), fmt::format("kernels[{}]", i)); };
    if (!span.kernel.valid() || span.kernel.index() >= plan.kernels.size())
      return refuse(message("is not a kernel of the plan"));
    if (span.lane >= trace.lanes || span.stage >= plan.stages.size())
      return refuse(message("is in no lane or stage of the plan"));
    if (span.end < span.begin) return refuse(message("ends before it begins"));
    for (const LaunchSpan& launch : span.launches) {
      if (launch.begin < span.begin || launch.end < launch.begin || launch.end > span.end) {
        return refuse(message("has a launch outside its own time"));
      }
    }
    if (i > 0 && span.begin < trace.kernels[i - 1].begin) return refuse(message("begins before the previous one"));
  }
  for (std::size_t i = 0; i < trace.counters.size(); ++i) {
    const Counter& counter = trace.counters[i];
    const std::string place = fmt::format("counters[{}]", i);
    if (counter.times.size() != counter.values.size()) return fail(message("does not have one value per time"), place);
    if (!counter.errors.empty() && counter.errors.size() != counter.values.size()) {
      return fail(message("does not have one error per value"), place);
    }
    if (!counter.stage_errors.empty() && counter.stage_errors.size() != trace.stages.size()) {
      return fail(message("does not have one error per stage"), place);
    }
    if (!std::ranges::is_sorted(counter.times)) return fail(message("its times do not ascend"), place);
  }
  return {};
}

}  // namespace iosx
