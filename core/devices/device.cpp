#include "core/devices/device.h"

#include <fmt/format.h>

#include "core/devices/checks.h"

namespace iosx {
namespace {

constexpr Micros kShortestInterval{1};
constexpr Micros kLongestInterval{1000};
constexpr int kFewestReplays = 20;
constexpr int kMostReplays = 5000;
constexpr TimingOptions kOneRun{.warmup = 1, .repeats = 1, .max_repeats = 1, .min_time = Millis{0}};

tl::unexpected<Error> of_device(Error error, const DeviceInfo& device) {
  if (error.where.empty()) error.where = device.id;
  return tl::unexpected<Error>(std::move(error));
}

Result<void> check_options(const ProfileOptions& options) {
  if (options.interval < kShortestInterval || options.interval > kLongestInterval) {
    return fail(message("an interval of {:g} us between samples", options.interval.count()), "interval",
                message("give {:g} to {:g}", kShortestInterval.count(), kLongestInterval.count()));
  }
  if (options.replays < kFewestReplays || options.replays > kMostReplays) {
    return fail(message("{} replays", options.replays), "replays",
                message("give {} to {}", kFewestReplays, kMostReplays));
  }
  return {};
}

// Returns what the device answered, if that is an answer, and else an error.
Result<Profile> checked(Result<Profile> answer, const DeviceInfo& device, const ExecutionPlan& plan) {
  if (!answer) return of_device(std::move(answer.error()), device);
  IOS_TRY(check_profile(device, plan, *answer));
  return answer;
}

}  // namespace

std::vector<Tensor> synthetic_inputs(const ExecutionPlan& plan, ParameterInit init) {
  std::vector<Tensor> tensors;
  for (const BufferId id : plan.inputs) {
    const Buffer& buffer = plan.buffers[id.index()];
    const std::uint64_t seed = synthetic_seed(fmt::format("input {}", buffer.name));
    const Shape shape = filled_shape(buffer);
    tensors.emplace_back(tensor_dims(shape, plan.batch), synthetic_values(seed, plan.batch * shape.elements(), init));
  }
  return tensors;
}

Result<RunResult> LoadedPlan::run(const RunOptions& options, const JobContext& job) {
  auto answer = do_run(options, job);
  if (!answer) return of_device(std::move(answer.error()), device_);
  IOS_TRY(check_run(device_, plan_, options, *answer));
  if (!options.trace) answer->trace = {};  // nobody looked at what was not asked for
  if (!options.outputs || !device_.computes) answer->outputs.clear();
  return answer;
}

Result<Profile> LoadedPlan::profile(const ProfileOptions& options, const JobContext& job) {
  IOS_TRY(auto seen, timeline(options, job));
  return counters(std::move(seen), options, job);
}

Result<Profile> LoadedPlan::timeline(const ProfileOptions& options, const JobContext& job) {
  IOS_TRY(check_options(options));
  return checked(do_timeline(options, job), device_, plan_);
}

Result<Profile> LoadedPlan::counters(Profile timeline, const ProfileOptions& options, const JobContext& job) {
  IOS_TRY(check_options(options));
  return checked(do_counters(std::move(timeline), options, job), device_, plan_);
}

Result<Profile> LoadedPlan::do_counters(Profile timeline, const ProfileOptions& /*options*/,
                                        const JobContext& /*job*/) {
  return timeline;
}

Result<Profile> LoadedPlan::do_timeline(const ProfileOptions& options, const JobContext& job) {
  IOS_TRY(auto run, do_run({.timing = kOneRun, .trace = true, .inputs = options.inputs}, job));
  return Profile{std::move(run.trace)};
}

TimingOptions quick_estimate(const TimingOptions& timing) {
  constexpr int kRuns = 3;
  TimingOptions look = timing;
  look.warmup = std::min(timing.warmup, 1);
  look.repeats = std::min(timing.repeats, kRuns);
  look.min_time = timing.min_time / 4.0;
  look.max_time = std::min(timing.max_time, look.min_time);  // so many runs are enough, however noisy
  return look;
}

Result<std::vector<Latency>> Device::measure(std::span<const ExecutionPlan> plans, const TimingOptions& timing,
                                             const JobContext& job) {
  auto answer = do_measure(plans, timing, job);
  if (!answer) return of_device(std::move(answer.error()), info());
  IOS_TRY(check_latencies(info(), plans, *answer, job.stopped()));
  return answer;
}

Result<std::unique_ptr<LoadedPlan>> Device::load(ExecutionPlan plan, const LoadOptions& options,
                                                 const JobContext& job) {
  auto answer = do_load(std::move(plan), options, job);
  if (!answer) return of_device(std::move(answer.error()), info());
  if (*answer == nullptr)
    return fail(message("the device returned no loaded plan"), info().id, message("this is a bug of the device"));
  return answer;
}

Result<RunResult> load_and_run(Device& device, ExecutionPlan plan, const RunOptions& options, const JobContext& job,
                               const LoadOptions& load) {
  IOS_TRY(const auto loaded, device.load(std::move(plan), load, job));
  return loaded->run(options, job);
}

}  // namespace iosx
