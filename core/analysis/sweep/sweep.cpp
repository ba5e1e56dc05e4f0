#include "core/analysis/sweep/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "core/analysis/sweep/resized.h"
#include "core/base/check.h"
#include "core/base/progress.h"

namespace iosx {
namespace {

// Replaces values that are so close that they are equivalent.
void add_present(std::vector<std::int64_t>& values, std::int64_t present) {
  std::erase_if(values, [&](std::int64_t value) { return std::abs(value - present) * 50 < present; });
  if (present > 0) values.push_back(present);
  std::ranges::sort(values);
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

// Halves to doubles of it, in steps that sizes of networks usually have.
std::vector<std::int64_t> around(std::int64_t present, std::int64_t step) {
  std::vector<std::int64_t> values;
  for (const std::int64_t eighths : {4, 5, 6, 7, 8, 10, 12, 14, 16}) {
    const std::int64_t value = (present * eighths / 8 + step / 2) / step * step;
    if (value > 0) values.push_back(value);
  }
  return values;
}

}  // namespace

std::int64_t present_value(const SweepBase& base, const Sweep& sweep) {
  switch (sweep.parameter) {
    case SweepParameter::kBatch: return base.options.batch;
    case SweepParameter::kDevice: return std::ranges::find(base.devices, base.device) - base.devices.begin();
    case SweepParameter::kR: return static_cast<std::int64_t>(base.options.search.pruning.r);
    case SweepParameter::kS: return static_cast<std::int64_t>(base.options.search.pruning.s);
    case SweepParameter::kStreams: return static_cast<std::int64_t>(base.options.max_streams);
    case SweepParameter::kInputSize: return input_size(*base.graph);
    case SweepParameter::kChannels: return sweep.op.valid() ? channels_of(*base.graph, sweep.op) : 0;
    case SweepParameter::kKernel: break;
  }
  return sweep.op.valid() ? kernel_of(*base.graph, sweep.op) : 0;
}

std::vector<std::int64_t> usual_values(const SweepBase& base, const Sweep& sweep) {
  const std::int64_t present = present_value(base, sweep);
  std::vector<std::int64_t> values;
  switch (sweep.parameter) {
    case SweepParameter::kBatch: values = {1, 2, 4, 8, 16, 32, 64, 128}; break;
    case SweepParameter::kDevice:
      for (std::size_t i = 0; i < base.devices.size(); ++i) values.push_back(static_cast<std::int64_t>(i));
      return values;
    case SweepParameter::kR: values = {1, 2, 3, 4}; break;
    case SweepParameter::kS: values = {1, 2, 3, 4, 6, 8}; break;
    case SweepParameter::kStreams: values = {1, 2, 3, 4, 6, 8, 10}; break;
    case SweepParameter::kInputSize: values = around(present, present >= 64 ? 32 : 1); break;
    case SweepParameter::kChannels: values = around(present, present >= 32 ? 8 : 1); break;
    case SweepParameter::kKernel: values = {1, 3, 5, 7}; break;
  }
  add_present(values, present);
  return values;
}

std::string value_text(const SweepBase& base, const Sweep& sweep, std::int64_t value) {
  if (sweep.parameter == SweepParameter::kDevice) {
    const auto index = static_cast<std::size_t>(value);
    return index < base.devices.size() ? base.devices[index] : std::string();
  }
  const bool limit = sweep.parameter == SweepParameter::kR || sweep.parameter == SweepParameter::kS;
  return limit && value == 0 ? "unlimited" : fmt::format("{}", value);
}

Result<SweepBase> with_value(const SweepBase& base, const Sweep& sweep, std::int64_t value) {
  SweepBase next = base;
  const auto take = [&](Result<Graph> graph) -> Result<SweepBase> {
    if (!graph) return tl::unexpected(std::move(graph.error()));
    next.graph = std::make_shared<const Graph>(std::move(*graph));
    return std::move(next);
  };
  const SweepParameterRow& row = row_of(sweep.parameter);
  if (!row.bounds.hold(value)) {
    return fail(message("{} {}", row.title, value), {}, message("give {} to {}", row.bounds.least, row.bounds.most));
  }
  switch (sweep.parameter) {
    case SweepParameter::kBatch: next.options.batch = value; break;
    case SweepParameter::kDevice:
      if (static_cast<std::size_t>(value) >= base.devices.size()) return fail(message("there is no such device"));
      next.device = base.devices[static_cast<std::size_t>(value)];
      break;
    case SweepParameter::kR: next.options.search.pruning.r = static_cast<std::size_t>(value); break;
    case SweepParameter::kS: next.options.search.pruning.s = static_cast<std::size_t>(value); break;
    case SweepParameter::kStreams:
      next.options.max_streams = static_cast<std::size_t>(value);
      next.options.search.pruning.s = static_cast<std::size_t>(value);
      break;
    case SweepParameter::kInputSize: return take(with_input_size(*base.graph, value));
    case SweepParameter::kChannels: return take(with_channels(*base.graph, sweep.op, value));
    case SweepParameter::kKernel: return take(with_kernel(*base.graph, sweep.op, value));
  }
  return next;
}

Result<SweepPoint> sweep_point(const SweepBase& base, const Sweep& sweep, std::int64_t value,
                               const SweepEvaluator& evaluate, const JobContext& job) {
  SweepPoint point{.value = value, .text = value_text(base, sweep, value), .latencies = {}, .problem = {}};
  // The value as it is leaves everything as it is: weights too.
  const auto setting = value == present_value(base, sweep) && sweep.parameter != SweepParameter::kStreams
                           ? Result<SweepBase>(base)
                           : with_value(base, sweep, value);
  if (!setting) {
    point.problem = setting.error().what;
    return point;
  }
  const auto comparison = evaluate(*setting, named(job, fmt::format("{} {}", row_of(sweep.parameter).id, point.text)));
  if (job.stopped()) return fail(message("stopped"));
  if (!comparison) {
    point.problem = comparison.error().line();
    return point;
  }
  for (const ScheduleResult& result : comparison->results) {
    point.latencies.push_back(
        {result.id, result.schedule_kind, result.title(), result.latency, result.schedule.stages.size()});
  }
  return point;
}

}  // namespace iosx
