#include "gpu/device/gpu_device.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <map>
#include <new>
#include <string_view>
#include <utility>

#include "gpu/device/plan_key.h"
#include "gpu/device/plan_runner.h"
#include "gpu/device/turn.h"
#include "gpu/exec/first_way.h"
#include "gpu/measure/conv_selector.h"
#include "gpu/measure/stage_tuner.h"
#include "gpu/runtime/errors.h"

namespace iosx::gpu {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kTunedKept = 256;                // plans whose ranks are kept in memory
constexpr std::size_t kAhead = 16;                     // plans whose convolutions are chosen before a batch
constexpr std::chrono::milliseconds kBatchTakes{100};  // see Sentinel
constexpr int kStageRuns = 9;                          // at most, for the stages within a run
constexpr const char* kSmallerBatch = "use a smaller batch, or end other programs that use the GPU";

std::string store_key(const Properties& gpu, const std::string& library, Math math) {
  constexpr const char* kNames[] = {"tf32", "strict", "half", "bfloat16"};
  return fmt::format("{}, {} SMs, compute capability {}, driver {}, CUDA {}, {}, {}, program {}", gpu.name,
                     gpu.multiprocessors, gpu.compute_capability, gpu.driver, gpu.cuda, library,
                     kNames[static_cast<int>(math)], kProgramVersion);
}

bool is_set(const char* variable) {
  const char* const value = std::getenv(variable);
  return value != nullptr && std::string_view(value) == "1";
}

class GpuDevice final : public Device {
 public:
  GpuDevice(GpuParts parts, DeviceInfo info, Math math)
      : info_(std::move(info)),
        eager_(parts.eager || is_set("IOS_GPU_EAGER")),
        untuned_(parts.untuned || is_set("IOS_GPU_UNTUNED")),
        runtime_(std::move(parts.runtime)),
        library_(std::move(parts.library)),
        turns_(turns_of(runtime_->properties().uuid)),
        store_(std::move(parts.plan_folder), store_key(runtime_->properties(), library_->version(), math)),
        guard_(*runtime_, parts.clock),
        timer_(*runtime_, guard_),
        selector_(*runtime_, *library_, timer_, store_),
        first_way_(*library_),
        workplace_(*runtime_, untuned_ ? static_cast<ConvChooser&>(first_way_) : selector_, math),
        tuner_(workplace_, timer_, store_),
        sentinel_(*runtime_, guard_, parts.sentinel) {
    for (const auto& [is, words] : {std::pair(eager_, ", launch by launch"), std::pair(untuned_, ", untuned")}) {
      if (!is) continue;
      info_.summary += words;
      info_.fingerprint += words;
    }
  }

  const DeviceInfo& info() const override { return info_; }

  Result<std::vector<Latency>> measure(std::span<const ExecutionPlan> plans, const TimingOptions& timing,
                                       const JobContext& job) override {
    const auto turn = wait_for_turn(*turns_, job);
    if (!turn.owns_lock()) return std::vector<Latency>{};
    return caught(job, [&] { return measure_all(plans, timing, job); });
  }

  Result<RunResult> run(const ExecutionPlan& plan, const RunOptions& options, const JobContext& job) override {
    const auto turn = wait_for_turn(*turns_, job);
    if (!turn.owns_lock()) return stopped();
    return caught(job, [&] { return with_room([&] { return run_plan(plan, options, job); }); });
  }

 private:
  // What is known of a plan that ran.
  struct Tuned {
    std::shared_ptr<const Parameters> parameters;  // kept, so that nobody else gets their address
    ConvRanks ranks;
  };

  tl::unexpected<Error> stopped() const { return fail("stopped", info_.id); }

  // What `function` returns, or the error that an exception stands for.
  template <typename Function>
  auto caught(const JobContext& job, const Function& function) -> decltype(function()) {
    if (!broken_.empty()) return broken();
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
      return fail(error.what(), info_.id, kSmallerBatch);
    } catch (const Unsupported& error) {
      return fail(error.what(), info_.id, "use a smaller batch, or another device, such as cpu");
    } catch (const GpuError& error) {
      return after_gpu_error(error.what());
    } catch (const std::bad_alloc&) {
      forget_all();
      return fail("the computer has not enough memory", info_.id, "use a smaller batch");
    } catch (const std::exception& error) {
      forget_all();
      return fail(error.what(), info_.id);
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
    return fail(what, info_.id, "try again; if it comes back, check that driver and cuDNN belong together");
  }
  tl::unexpected<Error> broken() const {
    return fail(broken_, info_.id, "the GPU cannot be used by this program any more: restart it");
  }

  // Once more with everything given back that earlier plans left, where memory is short.
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
    runtime_->abandon_capture(StreamId(0));
    loaded_.reset();
    sentinel_.reset();
    workplace_.clear();
  }

  Result<PlanRunner> load(const ExecutionPlan& plan, const ConvRanks& ranks, const JobContext& job) {
    loaded_.reset();  // its memory is the next one's
    return PlanRunner::load(plan, workplace_, ranks, timer_, eager_, job);
  }

  // Batches, so that the sentinel can tell whether the GPU stayed the same. Convolutions are chosen before.
  Result<std::vector<Latency>> measure_all(std::span<const ExecutionPlan> plans, const TimingOptions& timing,
                                           const JobContext& job) {
    library_->set_effort(untuned_ ? Effort::kQuick : Effort::kPrecompiled);  // a search asks for thousands of stages
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
      auto measured = with_room([&] { return measure_batch(some, timing, job); });
      if (!measured) return tl::unexpected(std::move(measured.error()));
      latencies.insert(latencies.end(), measured->begin(), measured->end());
    }
    return latencies;
  }

  Result<void> choose_convolutions(const ExecutionPlan& plan, const JobContext& job) {
    if (plan.kernels.empty()) return {};
    return with_room([&]() -> Result<void> {
      loaded_.reset();
      auto prepared = PreparedPlan::prepare(plan, workplace_, {}, job);
      if (!prepared) return tl::unexpected(std::move(prepared.error()));
      return {};
    });
  }

  // As many of the plans as fit into a batch, at least one; none after a stop.
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

  // An error also after a stop.
  Result<Latency> measure_plan(const ExecutionPlan& plan, const TimingOptions& timing, const JobContext& job) {
    if (plan.kernels.empty()) return Latency{.origin = Origin::kMeasured};
    auto runner = load(plan, {}, job);
    if (!runner) return tl::unexpected(std::move(runner.error()));
    const auto latency = runner->copy_latency(timing, job);
    if (!latency) return stopped();
    return *latency;
  }

  Result<RunResult> run_plan(const ExecutionPlan& plan, const RunOptions& options, const JobContext& job) {
    const bool may_tune = !untuned_ && options.timing.max_repeats > 1;  // who wants one run does not wait for that
    if (auto ready = load_tuned(plan, may_tune, job); !ready) return tl::unexpected(std::move(ready.error()));
    const auto set = loaded_->set_inputs(options.inputs.empty() ? synthetic_inputs(plan) : options.inputs);
    if (!set) return tl::unexpected(set.error());
    guard_.take_clock_mhz();  // of other plans
    guard_.take_throttled();
    const std::int64_t discarded = guard_.discarded();
    RunResult result;
    const auto latency = loaded_->run_latency(options.timing, job);
    if (!latency) return stopped();
    result.latency = *latency;
    result.clock_mhz = guard_.take_clock_mhz();
    result.discarded = guard_.discarded() - discarded;
    result.low_clock = guard_.take_throttled();
    auto stages = loaded_->stage_latencies(std::clamp(options.timing.repeats, 1, kStageRuns), job);
    if (!stages) return stopped();
    result.stage_latencies = std::move(*stages);
    result.peak_bytes = loaded_->peak_bytes();
    if (options.trace) {
      auto trace = loaded_->typical_trace(result.latency.value, job);
      if (!trace) return stopped();
      result.trace = std::move(*trace);
    }
    if (options.outputs) result.outputs = loaded_->outputs();
    return result;
  }

  // With the ways of its convolutions that are best side by side, if that is known or may be found out. What was loaded
  // last stays for the next request.
  Result<void> load_tuned(const ExecutionPlan& plan, bool may_tune, const JobContext& job) {
    const std::string key = plan_key(plan);
    const bool thorough = may_tune || tuned_.contains(key);
    library_->set_effort(untuned_ ? Effort::kQuick : thorough ? Effort::kAll : Effort::kPrecompiled);
    if (loaded_ && loaded_key_ == key && (loaded_tuned_ || !may_tune)) return {};
    loaded_.reset();
    auto known = tuned_.find(key);
    if (known == tuned_.end() && may_tune) {
      auto ranks = tuner_.tune(plan, job);
      if (!ranks) return tl::unexpected(std::move(ranks.error()));
      if (job.stopped()) return stopped();
      if (tuned_.size() >= kTunedKept) tuned_.clear();
      known = tuned_.emplace(key, Tuned{plan.parameters, std::move(*ranks)}).first;
    }
    const bool is_tuned = known != tuned_.end();
    auto runner = load(plan, is_tuned ? known->second.ranks : ConvRanks{}, job);
    if (!runner) return tl::unexpected(std::move(runner.error()));
    if (job.stopped()) return stopped();
    loaded_.emplace(std::move(*runner));
    loaded_key_ = key;
    loaded_tuned_ = is_tuned;
    return {};
  }

  // In the order in which they need one another.
  DeviceInfo info_;
  bool eager_;
  bool untuned_;
  std::unique_ptr<Runtime> runtime_;
  std::unique_ptr<ConvLibrary> library_;
  Turns turns_;
  PlanStore store_;
  ClockGuard guard_;
  ReplayTimer timer_;
  ConvSelector selector_;
  FirstWay first_way_;  // where untuned_
  Workplace workplace_;
  StageTuner tuner_;
  Sentinel sentinel_;
  std::map<std::string, Tuned> tuned_;  // by plan_key()
  std::string broken_;                  // why the GPU is lost; empty: it is not
  std::string loaded_key_;
  bool loaded_tuned_ = false;
  std::optional<PlanRunner> loaded_;
};

}  // namespace

std::unique_ptr<Device> make_gpu_device(GpuParts parts, DeviceInfo info, Math math) {
  return std::make_unique<GpuDevice>(std::move(parts), std::move(info), math);
}

}  // namespace iosx::gpu
