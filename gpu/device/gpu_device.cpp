#include "gpu/device/gpu_device.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/progress.h"
#include "core/devices/device.h"
#include "gpu/device/plan_runner.h"
#include "gpu/exec/way.h"
#include "gpu/measure/stage_tuner.h"
#include "gpu/measure/way_selector.h"
#include "gpu/ops/conv/plan_store.h"
#include "gpu/runtime/errors.h"

namespace iosx::gpu {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kAhead = 16;                     // plans whose convolutions are chosen before a batch
constexpr std::chrono::milliseconds kBatchTakes{100};  // see Sentinel
constexpr int kStageRuns = 9;                          // at most, for the stages within a run
constexpr Sentence kSmallerBatch{"use a smaller batch, or end other programs that use the GPU"};

std::string store_key(const Properties& gpu, const std::string& library, Math math) {
  constexpr const char* kNames[] = {"tf32", "strict", "half", "bfloat16"};
  return fmt::format("{}, {} SMs, compute capability {}, driver {}, CUDA {}, {}, {}, program {}", gpu.name,
                     gpu.multiprocessors, gpu.compute_capability, gpu.driver, gpu.cuda, library,
                     kNames[static_cast<int>(math)], kProgramVersion);
}

// The lock of a GPU: two jobs at once would disturb each other's measurements. Each GPU has one per process,
// shared by all its devices; it is thread-safe.
using Turns = std::shared_ptr<std::mutex>;

Turns turns_of(const std::string& gpu_uuid) {
  static std::mutex guard;
  static std::map<std::string, Turns> all;
  const std::scoped_lock lock(guard);
  Turns& turns = all[gpu_uuid];
  if (!turns) turns = std::make_shared<std::mutex>();
  return turns;
}

// Waits for the turn; owns nothing if the job was stopped first.
std::unique_lock<std::mutex> wait_for_turn(std::mutex& turns, const JobContext& job) {
  // Looks again and again, also for a stop. (GCC 12's thread sanitizer does not know timed mutexes.)
  constexpr std::chrono::milliseconds kLook{5};
  std::unique_lock lock(turns, std::defer_lock);
  while (!job.stopped() && !lock.try_lock()) {
    job.report(message("waiting for the GPU"), 0, 0);
    std::this_thread::sleep_for(kLook);
  }
  return lock;
}

class GpuDevice final : public Device, public OnHardware {
 public:
  GpuDevice(GpuParts parts, DeviceInfo info, Math math)
      : info_(std::move(info)),
        eager_(parts.eager || asked_for_eager()),
        untuned_(parts.untuned || asked_for_untuned()),
        runtime_(std::move(parts.runtime)),
        library_(std::move(parts.library)),
        turns_(turns_of(runtime_->properties().uuid)),
        trials_(parts.plan_folder, store_key(runtime_->properties(), library_->version(), math)),
        store_(std::move(parts.plan_folder), store_key(runtime_->properties(), library_->version(), math)),
        guard_(*runtime_, parts.clock),
        timer_(*runtime_, guard_),
        selector_(*runtime_, *library_, timer_, store_),
        first_way_(*library_),
        exec_context_(*runtime_, untuned_ ? static_cast<WayChooser&>(first_way_) : selector_, math),
        tuner_(exec_context_, timer_, store_),
        sentinel_(*runtime_, guard_, parts.sentinel),
        profiler_(std::move(parts.profiler)) {
    library_->set_effort(untuned_ ? Effort::kQuick : Effort::kAll);
    library_->set_trials(&trials_);
    if (profiler_ != nullptr) sampling_.emplace(*profiler_);
    if (trials_.known() > 0) {
      info_.summary += fmt::format(", {} convolution plans left out that ended earlier runs (listed in {})",
                                   trials_.known(), trials_.file().string());
    }
    note_way(info_, eager_, untuned_);
  }

  const DeviceInfo& info() const override { return info_; }
  std::string hardware() const override { return runtime_->properties().uuid; }

 private:
  // A plan's state on the GPU. Only the thread with the turn uses it, except for `ended`.
  struct Held {
    bool tune = false;
    std::optional<WayRanks> ranks;     // what tuning found, once it is known
    std::optional<PlanRunner> runner;  // none while others need its memory
    std::optional<Millis> replay;      // what one takes, once a profile wanted to know
    bool made_up_inputs = false;       // they are what the plan's inputs hold
    std::atomic<bool> ended{false};    // set by any thread: nobody asks for it any more
  };

  class Loaded final : public LoadedPlan {
   public:
    Loaded(GpuDevice& device, ExecutionPlan plan, std::shared_ptr<Held> held)
        : LoadedPlan(device.info_, std::move(plan)), device_(device), held_(std::move(held)) {}
    ~Loaded() override { held_->ended = true; }
    Loaded(const Loaded&) = delete;
    Loaded& operator=(const Loaded&) = delete;

   private:
    Result<RunResult> do_run(const RunOptions& options, const JobContext& job) override {
      return device_.run(plan(), *held_, options, job);
    }
    Result<Profile> do_timeline(const ProfileOptions& options, const JobContext& job) override {
      if (device_.profiler_ == nullptr) return LoadedPlan::do_timeline(options, job);
      return device_.timeline(plan(), *held_, options, job);
    }
    Result<Profile> do_counters(Profile timeline, const ProfileOptions& options, const JobContext& job) override {
      if (device_.profiler_ == nullptr) return timeline;
      return device_.counters(plan(), *held_, std::move(timeline), options, job);
    }
    GpuDevice& device_;
    std::shared_ptr<Held> held_;
  };

  Result<std::vector<Latency>> do_measure(std::span<const ExecutionPlan> plans, const TimingOptions& timing,
                                          const JobContext& job) override {
    const auto turn = wait_for_turn(*turns_, job);
    if (!turn.owns_lock()) return std::vector<Latency>{};
    end_sampling();
    return caught(job, [&] { return measure_all(plans, timing, job); });
  }

  Result<std::unique_ptr<LoadedPlan>> do_load(ExecutionPlan plan, const LoadOptions& options,
                                              const JobContext& job) override {
    return in_turn(job, [&]() -> Result<std::unique_ptr<LoadedPlan>> {
      end_sampling();
      auto held = std::make_shared<Held>();
      held->tune = options.tune && !untuned_;
      auto loaded = std::make_unique<Loaded>(*this, std::move(plan), held);
      held_.push_back(held);
      IOS_TRY(with_room([&] { return make_ready(loaded->plan(), *held, job); }));
      return loaded;
    });
  }

  Result<RunResult> run(const ExecutionPlan& plan, Held& held, const RunOptions& options, const JobContext& job) {
    return in_turn(job, [&] {
      end_sampling();
      return with_room([&] { return run_held(plan, held, options, job); });
    });
  }

  Result<Profile> timeline(const ExecutionPlan& plan, Held& held, const ProfileOptions& options,
                           const JobContext& job) {
    return in_turn(job, [&] {
      end_sampling();
      return with_room([&]() -> Result<Profile> {
        IOS_TRY(make_ready_to_profile(plan, held, options, job));
        return held.runner->timeline(*profiler_, *held.replay, job);
      });
    });
  }

  // Reads counters; the sampler stays for the next plan's.
  Result<Profile> counters(const ExecutionPlan& plan, Held& held, Profile timeline, const ProfileOptions& options,
                           const JobContext& job) {
    return in_turn(job, [&] {
      return with_room([&]() -> Result<Profile> {
        IOS_TRY(make_ready_to_profile(plan, held, options, job));
        return held.runner->counters(timeline, *sampling_, *held.replay, options, job);
      });
    });
  }

  Result<void> make_ready_to_profile(const ExecutionPlan& plan, Held& held, const ProfileOptions& options,
                                     const JobContext& job) {
    if (auto ready = make_ready(plan, held, job); !ready) return ready;
    if (auto set = set_inputs(plan, held, options.inputs); !set) return set;
    if (held.replay) return {};
    end_sampling();
    held.replay = plan.kernels.empty() ? Millis{0} : held.runner->time_replay();
    return {};
  }

  // Nothing is timed or traced while counters are read.
  void end_sampling() {
    if (sampling_) sampling_->end();
  }

  tl::unexpected<Error> stopped() const { return fail(message("stopped"), info_.id); }

  template <typename Function>
  auto in_turn(const JobContext& job, const Function& function) -> decltype(function()) {
    const auto turn = wait_for_turn(*turns_, job);
    if (!turn.owns_lock()) return stopped();
    return caught(job, function);
  }

  // Returns the result of `function`, or the error for its exception.
  template <typename Function>
  auto caught(const JobContext& job, const Function& function) -> decltype(function()) {
    if (!broken_.empty()) return broken();
    release_unused();
    selector_.set_job(&job);
    auto result = converted(function);
    selector_.set_job(nullptr);
    store_.save();
    return result;
  }

  template <typename Function>
  auto converted(const Function& function) -> decltype(function()) {
    try {
      return function();
    } catch (const OutOfMemory& error) {
      forget_all();
      return fail(error.said(), info_.id, kSmallerBatch);
    } catch (const Unsupported& error) {
      return fail(error.said(), info_.id, message("use a smaller batch, or another device, such as cpu"));
    } catch (const GpuError& error) {
      return after_gpu_error(error.what());
    } catch (const std::bad_alloc&) {
      forget_all();
      return fail(message("the computer has not enough memory"), info_.id, message("use a smaller batch"));
    } catch (const std::exception& error) {
      forget_all();
      return fail(verbatim(error.what()), info_.id);
    }
  }

  // After some errors every later call fails too: the process has lost the GPU.
  tl::unexpected<Error> after_gpu_error(const std::string& what) {
    try {
      forget_all();
      runtime_->synchronize(StreamId(0));
    } catch (const std::exception&) {
      broken_ = what;
      return broken();
    }
    return fail(verbatim(what), info_.id,
                message("try again; if it happens again, check that the driver and cuDNN match"));
  }
  tl::unexpected<Error> broken() const {
    return fail(verbatim(broken_), info_.id, message("this program can no longer use the GPU: restart the program"));
  }

  // Calls `function`, and again after freeing the memory of earlier plans where memory is short.
  template <typename Function>
  auto with_room(const Function& function) -> decltype(function()) {
    try {
      return function();
    } catch (const OutOfMemory&) {
      forget_all();
    }
    return function();
  }

  // Gives back all device memory, and what an exception may have left.
  void forget_all() {
    end_sampling();
    runtime_->abandon_capture(StreamId(0));
    for (const std::shared_ptr<Held>& held : held_) held->runner.reset();
    sentinel_.reset();
    exec_context_.clear();
  }

  // Releases graphs of plans that ended, or that cannot run any more.
  void release_unused() {
    std::erase_if(held_, [](const std::shared_ptr<Held>& held) { return held->ended.load(); });
    for (const std::shared_ptr<Held>& held : held_) {
      if (held->runner && !held->runner->usable()) held->runner.reset();
    }
  }

  // Measures in batches, so that the sentinel can tell whether the GPU stayed the same. Convolutions are chosen before.
  Result<std::vector<Latency>> measure_all(std::span<const ExecutionPlan> plans, const TimingOptions& timing,
                                           const JobContext& job) {
    std::vector<Latency> latencies;
    std::size_t chosen = 0;
    while (latencies.size() < plans.size() && !job.stopped()) {
      for (const std::size_t ahead = std::min(plans.size(), latencies.size() + kAhead); chosen < ahead; ++chosen) {
        if (auto ready = choose_convolutions(plans[chosen], job); !ready) {
          if (job.stopped()) return latencies;
          return tl::unexpected(std::move(ready.error()));
        }
      }
      const auto some = plans.subspan(latencies.size(), chosen - latencies.size());
      IOS_TRY(auto measured, with_room([&] { return measure_batch(some, timing, job); }));
      latencies.insert(latencies.end(), measured.begin(), measured.end());
    }
    return latencies;
  }

  Result<void> choose_convolutions(const ExecutionPlan& plan, const JobContext& job) {
    if (plan.kernels.empty()) return {};
    return with_room([&]() -> Result<void> {
      IOS_TRY(PreparedPlan::prepare(plan, exec_context_, {}, job));
      return {};
    });
  }

  // Measures as many of the plans as fit into a batch, at least one; none after a stop.
  Result<std::vector<Latency>> measure_batch(std::span<const ExecutionPlan> plans, const TimingOptions& timing,
                                             const JobContext& job) {
    std::size_t count = plans.size();
    const auto batch = [&]() -> Result<std::vector<Latency>> {
      const auto begin = Clock::now();
      std::vector<Latency> latencies;
      while (latencies.size() < count && !job.stopped()) {
        auto latency = measure_plan(plans[latencies.size()], timing, job);
        if (!latency && job.stopped()) break;
        if (!latency) return tl::unexpected(std::move(latency.error()));
        latencies.push_back(*latency);
        if (Clock::now() - begin >= kBatchTakes) break;
      }
      count = latencies.size();  // the same ones if they have to be measured again
      return latencies;
    };
    return sentinel_.measure_watched(batch, job);
  }

  // Returns an error also after a stop.
  Result<Latency> measure_plan(const ExecutionPlan& plan, const TimingOptions& timing, const JobContext& job) {
    if (plan.kernels.empty()) return Latency{.samples = 1, .origin = Origin::kMeasured};  // nothing is launched
    IOS_TRY(auto runner, PlanRunner::load(plan, exec_context_, {}, timer_, eager_, job));
    const auto latency = runner.copy_latency(timing, job);
    if (!latency) return stopped();
    return *latency;
  }

  // Loads the plan with the ways of its convolutions that are best side by side, if requested.
  Result<void> make_ready(const ExecutionPlan& plan, Held& held, const JobContext& job) {
    if (held.runner && held.runner->usable()) return {};
    held.runner.reset();
    held.made_up_inputs = false;
    if (held.tune && !held.ranks) {
      IOS_TRY(auto ranks, tuner_.tune(plan, job));
      if (job.stopped()) return stopped();
      held.ranks = std::move(ranks);
    }
    IOS_TRY(auto runner, PlanRunner::load(plan, exec_context_, held.ranks.value_or(WayRanks{}), timer_, eager_, job));
    if (job.stopped()) return stopped();
    held.runner.emplace(std::move(runner));
    return {};
  }

  // Sets the inputs, which is not timed, whatever ran before.
  static Result<void> set_inputs(const ExecutionPlan& plan, Held& held, const std::vector<Tensor>& inputs) {
    if (held.runner->enter()) held.made_up_inputs = false;
    if (inputs.empty() && held.made_up_inputs) return {};
    held.made_up_inputs = false;
    auto set = held.runner->set_inputs(inputs.empty() ? synthetic_inputs(plan) : inputs);
    held.made_up_inputs = set && inputs.empty();
    return set;
  }

  Result<RunResult> run_held(const ExecutionPlan& plan, Held& held, const RunOptions& options, const JobContext& job) {
    IOS_TRY(make_ready(plan, held, job));
    IOS_TRY(set_inputs(plan, held, options.inputs));
    PlanRunner& runner = *held.runner;
    guard_.take_throttled();
    const std::int64_t discarded = guard_.discarded();
    RunResult result;
    const auto latency = options.host_clock ? runner.waited_latency(options.timing, job, &result.samples)
                                            : runner.run_latency(options.timing, job, &result.samples);
    if (!latency) return stopped();
    result.latency = *latency;
    result.discarded = guard_.discarded() - discarded;
    result.low_clock = guard_.take_throttled();
    auto stages = runner.stage_latencies(std::clamp(options.timing.repeats, 1, kStageRuns), job);
    if (!stages) return stopped();
    result.stage_latencies = std::move(*stages);
    result.peak_bytes = runner.peak_bytes();
    if (options.trace) {
      IOS_TRY(result.trace, trace_of_run(runner, result.latency.value, job));
    }
    if (options.outputs) result.outputs = runner.outputs();
    return result;
  }

  // Returns launches as the profiler sees them, for marks around every kernel would slow the run down.
  Result<Trace> trace_of_run(PlanRunner& runner, Millis latency, const JobContext& job) {
    if (profiler_ != nullptr && !eager_) {
      IOS_TRY(auto profile, runner.timeline(*profiler_, latency, job));
      return std::move(profile.trace);
    }
    auto trace = runner.typical_trace(latency, job);
    if (!trace) return stopped();
    return std::move(*trace);
  }

  // The members stand in the order in which they need one another.
  DeviceInfo info_;
  bool eager_;
  bool untuned_;
  std::unique_ptr<Runtime> runtime_;
  std::unique_ptr<KernelLibrary> library_;
  Turns turns_;
  TrialLog trials_;
  PlanStore store_;
  ClockGuard guard_;
  ReplayTimer timer_;
  WaySelector selector_;
  FirstWay first_way_;  // where untuned_
  ExecContext exec_context_;
  StageTuner tuner_;
  Sentinel sentinel_;
  std::unique_ptr<Profiler> profiler_;  // may be null
  std::string broken_;                  // why the GPU is lost; empty: it is not
  std::vector<std::shared_ptr<Held>> held_;
  std::optional<Sampling> sampling_;  // where there is a profiler
};

constexpr int kFirstWithTensorFloats = 80;  // compute capability

struct Words {
  const char* suffix;     // of the id
  const char* name;       // in the device's name
  const char* precision;  // DeviceInfo::precision
};

Words words_of(Math math, int compute_capability) {
  switch (math) {
    case Math::kTf32:
      if (compute_capability < kFirstWithTensorFloats) return {"", "float32", "f32"};
      return {"", "float32 (TF32)", "tf32"};
    case Math::kStrict: return {"-f32", "float32 (strict)", "f32"};
    case Math::kHalf: return {"-f16", "float16", "f16"};
    case Math::kBfloat16: break;
  }
  return {"-bf16", "bfloat16", "bf16"};
}

bool has_tensor_cores(Math math, int compute_capability) {
  return math != Math::kStrict && (math != Math::kTf32 || compute_capability >= kFirstWithTensorFloats);
}

// Returns how many channels of a pixel tensor cores take at once: 16 bytes. It is 1 without them.
std::int64_t tensor_core_channels(Math math, int compute_capability) {
  constexpr std::int64_t kBytes = 16;
  return has_tensor_cores(math, compute_capability) ? kBytes / bytes_of(data_type(math)) : 1;
}

std::string summary_of(const Properties& gpu, const std::string& library_version) {
  std::string text = fmt::format("{} SMs", gpu.multiprocessors);
  if (gpu.max_clock_mhz > 0) text += fmt::format(", {:.0f} MHz at most", gpu.max_clock_mhz);
  text += fmt::format(", {:.0f} GB, compute capability {}.{}", static_cast<double>(gpu.memory_bytes) / 1e9,
                      gpu.compute_capability / 10, gpu.compute_capability % 10);
  return text + fmt::format(", driver {}, CUDA {}, {}, {}", gpu.driver, gpu.cuda, library_version, gpu.uuid);
}

bool is_set(const char* variable) {
  const char* const value = std::getenv(variable);
  return value != nullptr && std::string_view(value) == "1";
}

}  // namespace

std::unique_ptr<Device> make_gpu_device(GpuParts parts, DeviceInfo info, Math math) {
  return std::make_unique<GpuDevice>(std::move(parts), std::move(info), math);
}

bool asked_for_eager() { return is_set("IOS_GPU_EAGER"); }
bool asked_for_untuned() { return is_set("IOS_GPU_UNTUNED"); }

void note_way(DeviceInfo& info, bool eager, bool untuned) {
  for (const auto& [is, words] : {std::pair(eager, ", launch by launch"), std::pair(untuned, ", untuned")}) {
    if (!is || info.fingerprint.find(words) != std::string::npos) continue;
    info.summary += words;
    info.fingerprint += words;
  }
}

DeviceInfo gpu_device_info(const Properties& properties, int number, Math math, const std::string& library_version) {
  const Words words = words_of(math, properties.compute_capability);
  DeviceInfo info;
  info.id = number == 0 ? fmt::format("gpu{}", words.suffix) : fmt::format("gpu{}{}", number, words.suffix);
  info.name = fmt::format("{}, {}", properties.name, words.name);
  info.summary = summary_of(properties, library_version);
  // Without the UUID: what one card measured holds for another one of its model as well as for itself tomorrow, and who
  // rents one gets another every time. Which card it was says the summary.
  info.fingerprint = fmt::format("{}, {} SMs, driver {}, CUDA {}, {}, {}, NHWC, program {}", properties.name,
                                 properties.multiprocessors, properties.driver, properties.cuda, library_version,
                                 words.name, kProgramVersion);
  info.origin = Origin::kMeasured;
  info.lowering = {.fuse = true, .fuse_sums = true, .fuse_before = true, .concat_in_place = true, .free_columns = true};
  info.lowering.fuse_attention = info.lowering.fuse_excitation = true;
  info.lowering.strided_products = has_tensor_cores(math, properties.compute_capability);
  info.lowering.input_channel_multiple = tensor_core_channels(math, properties.compute_capability);
  info.lowering.cached_weights = properties.l2_bytes / 2 / bytes_of(data_type(math));  // half is for what flows
  info.plans_at_once = 16;  // a batch or two of those that the sentinel watches
  info.computes = true;
  info.barrier_free = true;
  info.precision = words.precision;
  return info;
}

}  // namespace iosx::gpu
