#include "core/devices/cpu/cpu_device.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <dnnl.hpp>
#include <fstream>
#include <limits>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

#include "core/base/memory_limit.h"
#include "core/devices/cpu/cores.h"
#include "core/devices/cpu/prepared_plan.h"
#include "core/devices/cpu/runner.h"
#include "core/devices/cpu/team.h"
#include "core/devices/measure/statistics.h"
#include "core/devices/measure/stop_rule.h"
#include "core/model/plan/lanes/lane_schedule.h"

namespace iosx {
namespace {

using cpu::PreparedPlan;
using cpu::Runner;

constexpr const char* kWhere = "CPU device";
constexpr std::int64_t kWeightCacheBytes = std::int64_t{2} << 30;
constexpr int kPrimitivesKept = 16384;  // a search makes thousands, each for several team sizes
constexpr int kProgramVersion = 4;      // of layouts and kernels: raised when latencies change

#if defined(__x86_64__)
constexpr unsigned kFlushToZero = 0x8000;       // results
constexpr unsigned kDenormalsAreZero = 0x0040;  // operands
constexpr unsigned kInvalid = 0x0001;           // since it was cleared
unsigned control() { return _mm_getcsr(); }
void set_control(unsigned value) { _mm_setcsr(value); }
#else
constexpr unsigned kFlushToZero = 0;
constexpr unsigned kDenormalsAreZero = 0;
constexpr unsigned kInvalid = 0;
unsigned control() { return 0; }
void set_control(unsigned /*value*/) {}
#endif

// Returns what follows "KEY" and a colon in a file of such lines.
std::string line_of(const char* file, std::string_view key) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with(key)) continue;
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos) continue;
    const std::size_t begin = line.find_first_not_of(" \t", colon + 1);
    return begin == std::string::npos ? std::string() : line.substr(begin);
  }
  return {};
}

// Returns the number that a file holds; the largest there is if it holds none ("max").
std::int64_t number_in(const char* file) {
  std::ifstream in(file);
  std::int64_t number = 0;
  return in >> number ? number : std::numeric_limits<std::int64_t>::max();
}

// Returns the bytes that the process's control group may still take.
std::int64_t group_memory() {
  const std::int64_t limit = number_in("/sys/fs/cgroup/memory.max");
  const std::int64_t used = number_in("/sys/fs/cgroup/memory.current");
  constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::max();
  return limit == kNone || used == kNone ? kNone : std::max<std::int64_t>(limit - used, 0);
}

// Returns "25.17.1": family, model and stepping, which distinguish processors whose names a hypervisor hides; empty
// where the system does not tell.
std::string processor_model() {
  const auto number = [](std::string_view key) { return line_of("/proc/cpuinfo", key); };
  const std::string family = number("cpu family");
  if (family.empty()) return number("CPU part");
  return fmt::format("{}.{}.{}", family, number("model\t"), number("stepping"));
}

// Returns "AMD EPYC 9655"; "CPU" where the system does not tell.
std::string processor_name() {
  std::string name = line_of("/proc/cpuinfo", "model name");
  return name.empty() ? "CPU" : name;
}

// Returns the one that oneDNN uses: "AVX-512, bfloat16".
std::string instruction_set() {
  switch (dnnl::get_effective_cpu_isa()) {
    case dnnl::cpu_isa::sse41: return "SSE 4.1";
    case dnnl::cpu_isa::avx: return "AVX";
    case dnnl::cpu_isa::avx2: return "AVX2";
    case dnnl::cpu_isa::avx2_vnni: return "AVX2, VNNI";
    case dnnl::cpu_isa::avx512_core: return "AVX-512";
    case dnnl::cpu_isa::avx512_core_vnni: return "AVX-512, VNNI";
    case dnnl::cpu_isa::avx512_core_bf16: return "AVX-512, bfloat16";
    case dnnl::cpu_isa::avx512_core_amx: return "AVX-512, AMX";
    default: return "other instructions";
  }
}

std::string onednn_version() {
  const dnnl_version_t& version = *dnnl::version();
  return fmt::format("{}.{}.{}", version.major, version.minor, version.patch);
}

// Returns the bytes that this process may still allocate, as far as the system tells.
std::int64_t available_memory() {
  constexpr std::int64_t kKibibyte = 1024;
  const std::string free = line_of("/proc/meminfo", "MemAvailable");  // "12345 kB"
  const std::int64_t pages = static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
  const std::int64_t system = free.empty() ? pages : std::strtoll(free.c_str(), nullptr, 10) * kKibibyte;
  return std::min(system, group_memory());
}

// Clear and read the calling thread's arithmetic flag: NaN resulted from numbers, or an instruction that loses NaN
// compared one. Only x86-64 has the flag; elsewhere invalid_noted() is true.
void forget_invalid() { set_control(control() & ~kInvalid); }
bool invalid_noted() { return kInvalid == 0 || (control() & kInvalid) != 0; }

// Treats numbers too small for a normal float as zero on the calling thread, while it lives: arithmetic with them
// takes a hundred times as long, and no network needs them.
class FlushDenormals {
 public:
  FlushDenormals() { forever(); }
  ~FlushDenormals() { set_control(before_); }
  FlushDenormals(const FlushDenormals&) = delete;
  FlushDenormals& operator=(const FlushDenormals&) = delete;

  // Does the same for the rest of the calling thread's life.
  static void forever() { set_control(control() | kFlushToZero | kDenormalsAreZero); }

 private:
  unsigned before_ = control();
};

int cores_of(const CpuOptions& options) { return options.cores == 0 ? available_cores() : options.cores; }

std::int64_t memory_limit_of(const CpuOptions& options) {
  if (options.memory_limit > 0) return options.memory_limit;
  return std::min(available_memory(), address_space_left()) / 10 * 9;
}

// Describes the computing code, besides the processor's kind and number of cores.
std::string program_of(const CpuOptions& options) {
  return fmt::format("{}, oneDNN {}, {}, program {}", instruction_set(), onednn_version(),
                     options.precision == DataType::kBfloat16 ? "bf16" : "f32", kProgramVersion);
}

// Fewer cores than this keep one convolution of most networks busy alone.
constexpr int kFewCores = 4;

Message caution_of(int cores) {
  if (cores == 1) {
    return message(
        "The CPU device has one core here: operators of a stage run one after another, so no schedule gains by running "
        "them in parallel. Simulated devices show what a GPU would gain");
  }
  if (cores < kFewCores) {
    return message(
        "The CPU device has {} cores here, and most convolutions alone keep them busy: running operators in parallel "
        "gains little. Simulated devices show what a GPU would gain",
        cores);
  }
  return {};
}

// Returns the result of `function`, or the error for its exception.
template <typename Function>
auto caught(const Function& function) -> decltype(function()) {
  try {
    return function();
  } catch (const cpu::OutOfMemory& error) {
    return fail(error.said(), kWhere, message("use a smaller batch"));
  } catch (const std::bad_alloc&) {
    return tl::unexpected(out_of_memory(kWhere));
  } catch (const dnnl::error& error) {
    if (error.status == dnnl_out_of_memory) return tl::unexpected(out_of_memory(kWhere));
    return fail(message("oneDNN: {}", error.what()), kWhere);
  }
}

tl::unexpected<Error> stopped() { return fail(message("stopped"), kWhere); }

class CpuDevice final : public Device {
 public:
  CpuDevice(const CpuOptions& options, std::unique_ptr<TeamPool> pool)
      : info_(cpu_device_info(options)),
        methods_key_(
            options.accurate ? "" : fmt::format("{} {}, {}", processor_name(), processor_model(), program_of(options))),
        pin_(options.pin && pool->cores() <= available_cores()),
        pool_(std::move(pool)),
        workplace_(options.precision, pool_->cores(), memory_limit_of(options), kWeightCacheBytes) {
    dnnl::set_primitive_cache_capacity(kPrimitivesKept);
    if (options.accurate) workplace_.trials.decide(cpu::ConvolutionWay::kPlain);
    const FlushDenormals flush;  // so that the caller's thread gets its own setting back
    on_each_thread([] { FlushDenormals::forever(); });
  }

  const DeviceInfo& info() const override { return info_; }
  std::string methods_key() const override { return methods_key_; }
  void keep_methods(std::unique_ptr<MethodKeeper> keeper) override { workplace_.trials.set_keeper(std::move(keeper)); }

 private:
  // A plan loaded on the device.
  class Loaded final : public LoadedPlan {
   public:
    Loaded(CpuDevice& device, ExecutionPlan plan) : LoadedPlan(device.info_, std::move(plan)), device_(device) {
      device_.loaded_.push_back(this);
    }
    ~Loaded() override { std::erase(device_.loaded_, this); }
    Loaded(const Loaded&) = delete;
    Loaded& operator=(const Loaded&) = delete;

    std::optional<PreparedPlan> prepared;  // none while others need its memory
    bool made_up_inputs = false;           // they are what the plan's inputs hold

    std::vector<std::string> methods() const override {
      std::vector<std::string> names(plan().kernels.size());
      if (!prepared) return {};
      for (const cpu::PreparedStage& stage : prepared->stages()) {
        for (const auto& lane : stage.lanes) {
          for (const cpu::PreparedKernel& kernel : lane) names[kernel.id.index()] = kernel.implementation;
        }
      }
      return names;
    }

   private:
    Result<RunResult> do_run(const RunOptions& options, const JobContext& job) override {
      return device_.seated([&] { return device_.run(*this, options, job); });
    }
    CpuDevice& device_;
  };

  Result<std::vector<Latency>> do_measure(std::span<const ExecutionPlan> plans, const TimingOptions& timing,
                                          const JobContext& job) override {
    return seated([&] { return measure_all(plans, timing, job); });
  }

  Result<std::unique_ptr<LoadedPlan>> do_load(ExecutionPlan plan, const LoadOptions& /*options*/,
                                              const JobContext& job) override {
    return seated([&]() -> Result<std::unique_ptr<LoadedPlan>> {
      auto loaded = std::make_unique<Loaded>(*this, std::move(plan));
      IOS_TRY(make_ready(*loaded, job));
      return loaded;
    });
  }

  // Calls the function with the calling thread as the pool's core 0.
  template <typename Function>
  auto seated(const Function& function) -> decltype(function()) {
    std::optional<CorePin> pin;
    if (pin_) pin.emplace(0);
    const FlushDenormals flush;
    return caught(function);
  }

  // Other plans make room if they have to: those that are held, and the weights that are kept of earlier ones.
  // Teams of cores are shared out by stage, so that a plan without barriers runs one kernel after another.
  Result<PreparedPlan> prepare(const ExecutionPlan& given, const JobContext& job, bool careful = false) {
    std::optional<ExecutionPlan> line;
    if (given.barrier_free) line = one_after_another(given);
    const ExecutionPlan& plan = line ? *line : given;
    try {
      return PreparedPlan::prepare(plan, workplace_, *pool_, job, careful);
    } catch (const cpu::OutOfMemory&) {
      for (Loaded* const loaded : loaded_) loaded->prepared.reset();
      workplace_.clear();
    }
    return PreparedPlan::prepare(plan, workplace_, *pool_, job, careful);
  }

  Result<void> make_ready(Loaded& loaded, const JobContext& job) {
    if (loaded.prepared && loaded.prepared->usable()) return {};
    loaded.prepared.reset();
    loaded.made_up_inputs = false;
    IOS_TRY(auto prepared, prepare(loaded.plan(), job));
    loaded.prepared.emplace(std::move(prepared));
    return {};
  }

  // Sets the inputs untimed, whatever ran before.
  static Result<void> set_inputs(Loaded& loaded, const std::vector<Tensor>& inputs) {
    if (loaded.prepared->enter()) loaded.made_up_inputs = false;
    if (inputs.empty() && loaded.made_up_inputs) return {};
    loaded.made_up_inputs = false;
    auto set = loaded.prepared->set_inputs(inputs.empty() ? synthetic_inputs(loaded.plan()) : inputs);
    loaded.made_up_inputs = set && inputs.empty();
    return set;
  }

  Result<std::vector<Latency>> measure_all(std::span<const ExecutionPlan> plans, const TimingOptions& timing,
                                           const JobContext& job) {
    std::vector<Latency> latencies;
    latencies.reserve(plans.size());
    StopRule rule(timing, Origin::kMeasured);
    for (const ExecutionPlan& plan : plans) {
      if (job.stopped()) break;
      auto prepared = prepare(plan, job);
      if (job.stopped()) break;
      if (!prepared) return tl::unexpected(prepared.error());
      Runner runner(*prepared, *pool_);
      if (!time(runner, rule, job, nullptr)) break;
      latencies.push_back(rule.latency());
    }
    return latencies;
  }

  // Returns false if stopped. Every timed run's stage times go to `stages`, if not null.
  static bool time(Runner& runner, StopRule& rule, const JobContext& job, std::vector<std::vector<Millis>>* stages) {
    rule.start();
    while (!rule.done()) {
      const std::optional<Millis> sample = runner.run(job);
      if (!sample) return false;
      const bool counts = !rule.warming_up();
      rule.add(*sample);
      if (!counts || stages == nullptr) continue;
      const std::vector<Millis> times = runner.stage_times();
      for (std::size_t i = 0; i < times.size(); ++i) (*stages)[i].push_back(times[i]);
    }
    return true;
  }

  // Returns the trace of the one of a few runs whose duration is nearest to the latency; nothing if stopped.
  static std::optional<Trace> typical_trace(Runner& runner, Millis latency, const JobContext& job) {
    constexpr int kRuns = 5;
    constexpr std::chrono::milliseconds kLongEnough{200};
    const auto begin = std::chrono::steady_clock::now();
    std::optional<Trace> best;
    for (int run = 0; run < kRuns && std::chrono::steady_clock::now() - begin < kLongEnough; ++run) {
      auto trace = runner.trace(job);
      if (!trace) return trace;
      const auto off = [&](const Trace& other) { return std::abs((other.duration - latency).count()); };
      if (!best || off(*trace) < off(*best)) best = std::move(trace);
    }
    return best;
  }

  // Sets every kernel's lane and stage of origin for a barrier-free plan.
  static void place_spans(Trace& trace, const ExecutionPlan& plan) {
    for (KernelSpan& span : trace.kernels) {
      span.lane = plan.kernel(span.kernel).lane;
      span.stage = plan.kernel(span.kernel).stage;
    }
    trace.lanes = plan.lane_count();
    trace.stages = overlapping_stages(plan, trace.kernels);
  }

  // Calls the function on every thread of the pool.
  void on_each_thread(FunctionRef<void()> function) {
    const std::array<int, 1> all{pool_->cores()};
    pool_->run(all, [&](int) { Team::current().parallel(0, [&](int) { function(); }); });
  }

  // Returns whether the last run, which began with forget_invalid() on each thread, may have lost NaN or
  // infinities.
  bool may_have_lost(const std::vector<Tensor>& inputs, const std::vector<Tensor>& outputs) {
    std::atomic<bool> noted{false};
    on_each_thread([&] {
      if (invalid_noted()) noted.store(true);
    });
    const auto finite = [](const Tensor& tensor) {
      return std::ranges::all_of(tensor.elements(), [](float element) { return std::isfinite(element); });
    };
    return noted || !std::ranges::all_of(inputs, finite) || !std::ranges::all_of(outputs, finite);
  }

  // Returns the outputs of one run in which NaN and infinities are as they have to be.
  Result<std::vector<Tensor>> careful_outputs(const ExecutionPlan& plan, const std::vector<Tensor>& inputs,
                                              const JobContext& job) {
    IOS_TRY(auto prepared, prepare(plan, job, true));
    prepared.enter();
    IOS_TRY(prepared.set_inputs(inputs.empty() ? synthetic_inputs(plan) : inputs));
    if (!Runner(prepared, *pool_).run(job)) return stopped();
    return prepared.outputs();
  }

  Result<RunResult> run(Loaded& loaded, const RunOptions& options, const JobContext& job) {
    IOS_TRY(make_ready(loaded, job));
    IOS_TRY(set_inputs(loaded, options.inputs));
    Runner runner(*loaded.prepared, *pool_);
    if (options.outputs) on_each_thread([] { forget_invalid(); });
    StopRule rule(options.timing, Origin::kMeasured);
    std::vector<std::vector<Millis>> stages(loaded.prepared->stages().size());
    if (!time(runner, rule, job, &stages)) return stopped();
    RunResult result;
    result.latency = rule.latency();
    result.samples = rule.samples();
    for (const auto& samples : stages) {
      if (!loaded.plan().barrier_free) result.stage_latencies.push_back(latency_of(samples, Origin::kMeasured));
    }
    result.peak_bytes = loaded.prepared->peak_bytes();
    if (options.trace) {
      auto trace = typical_trace(runner, result.latency.value, job);
      if (!trace) return stopped();
      result.trace = std::move(*trace);
      if (loaded.plan().barrier_free) place_spans(result.trace, loaded.plan());
    }
    if (options.outputs) {
      result.outputs = loaded.prepared->outputs();
      if (may_have_lost(options.inputs, result.outputs)) {
        IOS_TRY(result.outputs, careful_outputs(loaded.plan(), options.inputs, job));
      }
    }
    return result;
  }

  DeviceInfo info_;
  std::string methods_key_;
  bool pin_;
  std::unique_ptr<TeamPool> pool_;
  cpu::Workplace workplace_;
  std::vector<Loaded*> loaded_;  // those that live
};

}  // namespace

bool cpu_has_bfloat16() {
  const dnnl::cpu_isa isa = dnnl::get_effective_cpu_isa();
  return isa == dnnl::cpu_isa::avx512_core_bf16 || isa == dnnl::cpu_isa::avx512_core_amx;
}

DeviceInfo cpu_device_info(const CpuOptions& options) {
  const bool half = options.precision == DataType::kBfloat16;
  const int cores = cores_of(options);
  DeviceInfo info;
  info.id = half ? "cpu-bf16" : options.accurate ? "cpu-accurate" : "cpu";
  const char* const kind = half ? ", bfloat16" : options.accurate ? ", direct methods" : "";
  info.name = fmt::format("CPU{} ({})", kind, processor_name());
  info.summary =
      fmt::format("{} core{}, {}, oneDNN {}", cores, cores == 1 ? "" : "s", instruction_set(), onednn_version());
  info.precision = half ? "bf16" : "f32";
  info.fingerprint = fmt::format("{} {}, {} cores, {}{}", processor_name(), processor_model(), cores,
                                 program_of(options), options.accurate ? ", direct methods" : "");
  info.origin = Origin::kMeasured;
  info.lowering = {.fuse = true, .concat_in_place = true};
  info.plans_at_once = 1;  // it measures one after the other, as long as each takes
  info.computes = true;
  info.threads = cores;
  info.caution = caution_of(cores);
  return info;
}

Result<std::unique_ptr<Device>> open_cpu_device(const CpuOptions& options) {
  if (options.precision == DataType::kBfloat16 && !cpu_has_bfloat16()) {
    return fail(message("this processor does not compute in bfloat16"), kWhere, message("use float32"));
  }
  return caught([&]() -> Result<std::unique_ptr<Device>> {
    IOS_TRY(auto pool, TeamPool::create(cores_of(options), {.pin = options.pin}));
    return std::make_unique<CpuDevice>(options, std::move(pool));
  });
}

}  // namespace iosx
