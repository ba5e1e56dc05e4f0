#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "core/devices/checks.h"
#include "core/model/graph/operator_table.h"

namespace iosx {

std::vector<std::int64_t> tensor_dims(const Shape& shape, std::int64_t batch) {
  std::vector<std::int64_t> dims{batch};
  dims.insert(dims.end(), shape.dims().begin(), shape.dims().end());
  return dims;
}

std::vector<std::int64_t> output_dims(const ExecutionPlan& plan, const PlanOutput& output) {
  return tensor_dims(shape_of(plan.buffers[output.view.buffer.index()], output.view), plan.batch);
}

tl::unexpected<Error> cannot_execute(const Kernel& kernel, std::string_view device) {
  return fail(message("'{}' is a kernel of kind {}, which the {} cannot execute", kernel.name,
                      kind_name(kernel.attributes), device),
              std::string(device), message("choose another device"));
}

tl::unexpected<Error> inexact_indices(const Kernel& kernel, std::string_view device) {
  return fail(message("'{}' looks up more positions than this precision can count exactly", kernel.name),
              std::string(device), message("run it in float32"));
}

Result<void> check_executable(const ExecutionPlan& plan, std::string_view device) {
  for (const Kernel& kernel : plan.kernels) {
    const OperatorRole role = operator_row(kernel.attributes).role;
    if (role == OperatorRole::kLayer || role == OperatorRole::kKernel) continue;
    if (const auto* opaque = std::get_if<Opaque>(&kernel.attributes)) {
      return fail(message("'{}' has the type {}, which the {} cannot execute", kernel.name, opaque->type, device),
                  opaque->place.empty() ? std::string(device) : opaque->place,
                  message("replace the operator, or use a simulated device, which only estimates it"));
    }
    return cannot_execute(kernel, device);
  }
  return {};
}

Result<void> check_inputs(const ExecutionPlan& plan, std::span<const Tensor> inputs, std::string_view device) {
  if (inputs.size() != plan.inputs.size()) {
    return fail(message("{} inputs are given, but the network has {}", inputs.size(), plan.inputs.size()),
                std::string(device));
  }
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Buffer& buffer = plan.buffers[plan.inputs[i].index()];
    const Shape shape = filled_shape(buffer);
    if (std::ranges::equal(inputs[i].dims(), tensor_dims(shape, plan.batch))) continue;
    return fail(message("input '{}' does not have the dims {} times {}", buffer.name, plan.batch, shape_text(shape)),
                std::string(device));
  }
  return {};
}

bool is_possible(const ExecutionPlan& plan, const Latency& latency) {
  constexpr Millis kMostLost{0.1};  // of a time that is the difference of two, or read from a coarse clock
  if (latency.value > Millis(0) || (latency.spread > Millis(0) && latency.spread <= kMostLost)) return true;
  // Kernels that do not compute may be views of what is there, which take no time.
  return std::ranges::none_of(plan.kernels, [](const Kernel& kernel) { return kernel.work.flops > 0; });
}

namespace {

bool is_time(double value) { return std::isfinite(value) && value >= 0; }

// Keeps the first fault.
class Checker {
 public:
  explicit Checker(const DeviceInfo& device) : device_(device) {}

  bool good() const { return error_.what.empty(); }
  Result<void> result() && {
    if (good()) return {};
    return tl::unexpected(std::move(error_));
  }

  template <typename... Values>
  void require(bool holds, fmt::format_string<Values...> wrong, Values&&... values) {
    if (holds || !good()) return;
    error_ = {message("the device {}", message(wrong, std::forward<Values>(values)...)), device_.id,
              message("this is a bug of the device")};
  }

  // Checks what was measured of a plan.
  void latency(const ExecutionPlan& plan, const Latency& latency) {
    require(is_possible(plan, latency), "returned a latency of {} ms +- {} ms", latency.value.count(),
            latency.spread.count());
    require(latency.samples >= 1, "returned a latency of {} samples at {} MHz", latency.samples, latency.clock_mhz);
    this->latency(latency);
  }
  void latency(const Latency& latency) {
    const double value = latency.value.count();
    require((value == 0 || std::isnormal(value)) && is_time(value) && is_time(latency.spread.count()),
            "returned a latency of {} ms +- {} ms", value, latency.spread.count());
    require(latency.samples >= 0 && is_time(latency.clock_mhz), "returned a latency of {} samples at {} MHz",
            latency.samples, latency.clock_mhz);
    require(latency.origin == device_.origin, "returned a latency that is not {}", origin_name(device_.origin));
  }

  void trace(const ExecutionPlan& plan, const Trace& trace) {
    require(trace.lanes == plan.lane_count(), "returned a trace of {} lanes for a plan of {}", trace.lanes,
            plan.lane_count());
    require(is_time(trace.duration.count()), "returned a trace of {} us", trace.duration.count());
    stages(plan, trace);
    kernels(plan, trace);
    for (const Counter& counter : trace.counters) {
      this->counter(counter);
      require(counter.stage_errors.empty() || counter.stage_errors.size() == trace.stages.size(),
              "returned a counter with {} stage errors for {} stages", counter.stage_errors.size(),
              trace.stages.size());
    }
  }

  void outputs(const ExecutionPlan& plan, const std::vector<Tensor>& outputs) {
    require(outputs.size() == plan.outputs.size(), "returned {} outputs, but the network has {}", outputs.size(),
            plan.outputs.size());
    for (std::size_t i = 0; good() && i < outputs.size(); ++i) {
      const std::vector<std::int64_t> dims = output_dims(plan, plan.outputs[i]);
      std::int64_t elements = 1;
      for (const std::int64_t dim : dims) elements *= dim;
      require(!outputs[i].empty() && std::ranges::equal(outputs[i].dims(), dims),
              "returned output '{}' as {} instead of {}", plan.outputs[i].name, fmt::join(outputs[i].dims(), " x "),
              fmt::join(dims, " x "));
      require(static_cast<std::int64_t>(outputs[i].elements().size()) == elements,
              "returned output '{}' with {} numbers instead of {}", plan.outputs[i].name, outputs[i].elements().size(),
              elements);
    }
  }

 private:
  void span(Micros begin, Micros end, std::string_view of) {
    require(is_time(begin.count()) && is_time(end.count()) && begin <= end, "returned a trace with {} from {} to {} us",
            of, begin.count(), end.count());
  }

  void stages(const ExecutionPlan& plan, const Trace& trace) {
    require(trace.stages.size() == plan.stages.size(), "returned a trace of {} stages for a plan of {}",
            trace.stages.size(), plan.stages.size());
    for (std::size_t i = 0; good() && i < trace.stages.size(); ++i) {
      const StageSpan& stage = trace.stages[i];
      const std::size_t lanes = plan.stages[i].lanes.size();
      span(stage.begin, stage.end, "a stage");
      require(stage.lane_threads.empty() || stage.lane_threads.size() == lanes,
              "returned a trace with the threads of {} lanes for a stage of {} lanes", stage.lane_threads.size(),
              lanes);
    }
  }

  void kernels(const ExecutionPlan& plan, const Trace& trace) {
    require(trace.kernels.size() == plan.kernels.size(), "returned a trace of {} kernels for a plan of {}",
            trace.kernels.size(), plan.kernels.size());
    std::vector<bool> seen(plan.kernels.size(), false);
    Micros before{0};
    for (std::size_t i = 0; good() && i < trace.kernels.size(); ++i) {
      const KernelSpan& one = trace.kernels[i];
      require(one.kernel.index() < plan.kernels.size(), "returned a trace with a kernel that is not in the plan, '{}'",
              one.name);
      if (!good()) return;
      const Kernel& kernel = plan.kernel(one.kernel);
      require(!seen[one.kernel.index()], "returned a trace with kernel '{}' twice", kernel.name);
      require(one.lane == kernel.lane && one.stage == kernel.stage,
              "returned a trace with kernel '{}' in the wrong stage or lane", kernel.name);
      span(one.begin, one.end, "a kernel");
      for (const LaunchSpan& launch : one.launches) {
        span(launch.begin, launch.end, "a launch");
        require(launch.begin >= one.begin && launch.end <= one.end && launch.shared_bytes >= 0 &&
                    launch.occupancy >= 0 && launch.occupancy <= 1,
                "returned a trace with an invalid launch of '{}'", kernel.name);
      }
      require(one.begin >= before, "returned a trace whose kernels are not ordered by start time");
      seen[one.kernel.index()] = true;
      before = one.begin;
    }
  }

  void counter(const Counter& counter) {
    require(counter.times.size() == counter.values.size(), "returned a counter of {} times but {} values",
            counter.times.size(), counter.values.size());
    require(counter.errors.empty() || counter.errors.size() == counter.values.size(),
            "returned a counter of {} values but {} errors", counter.values.size(), counter.errors.size());
    // Errors are like times: numbers of at least 0.
    const bool errors = std::ranges::all_of(counter.errors, is_time) &&
                        std::ranges::all_of(counter.stage_errors, is_time) && is_time(counter.error);
    const bool values = std::ranges::all_of(counter.values, [](double value) { return std::isfinite(value); });
    const bool times = std::ranges::all_of(counter.times, [](Micros time) { return is_time(time.count()); });
    require(values && errors && times && is_time(counter.peak) && std::ranges::is_sorted(counter.times),
            "returned a counter '{}' with invalid times or values", counter.name);
  }

  const DeviceInfo& device_;
  Error error_;
};

}  // namespace

Result<void> check_latencies(const DeviceInfo& device, std::span<const ExecutionPlan> plans,
                             std::span<const Latency> latencies, bool stopped) {
  Checker checker(device);
  checker.require(latencies.size() == plans.size() || (stopped && latencies.size() < plans.size()),
                  "returned {} latencies for {} plans", latencies.size(), plans.size());
  for (std::size_t i = 0; checker.good() && i < latencies.size(); ++i) {
    if (latencies[i] != Latency::left_out(device.origin)) checker.latency(plans[i], latencies[i]);
  }
  return std::move(checker).result();
}

Result<void> check_profile(const DeviceInfo& device, const ExecutionPlan& plan, const Profile& profile) {
  Checker checker(device);
  checker.trace(plan, profile.trace);
  return std::move(checker).result();
}

Result<void> check_run(const DeviceInfo& device, const ExecutionPlan& plan, const RunOptions& options,
                       const RunResult& run) {
  Checker checker(device);
  checker.latency(plan, run.latency);
  const std::size_t stages = plan.barrier_free ? 0 : plan.stages.size();
  checker.require(run.stage_latencies.size() == stages, "returned {} stage latencies for {} stages",
                  run.stage_latencies.size(), stages);
  for (const Latency& latency : run.stage_latencies) checker.latency(latency);
  checker.require(run.peak_bytes >= 0 && run.discarded >= 0, "returned {} bytes of memory and {} discarded samples",
                  run.peak_bytes, run.discarded);
  const bool times = std::ranges::all_of(run.samples, [](Millis sample) { return is_time(sample.count()); });
  checker.require(run.samples.empty() || (std::cmp_equal(run.samples.size(), run.latency.samples) && times),
                  "returned {} samples of a latency of {}, or some that are not times", run.samples.size(),
                  run.latency.samples);
  if (options.trace) checker.trace(plan, run.trace);
  if (options.outputs && device.computes) checker.outputs(plan, run.outputs);
  return std::move(checker).result();
}

}  // namespace iosx
