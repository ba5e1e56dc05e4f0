#include "core/devices/simulated/simulated_device.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

#include "core/base/parallel.h"

namespace iosx::simulated {
namespace {

constexpr std::size_t kPlansAtOnce = 16;                          // that a thread takes of many
constexpr std::array kRateNames{"FP32", "TF32", "FP16", "BF16"};  // in the order of NumberFormat

Latency simulated(double microseconds) { return Latency{Micros(microseconds), Millis(0), 1, Origin::kSimulated}; }

// The host's time for events between lanes, and for a kernel that waits for one, where the host launches: assumed
// as half and a third of a launch. The version rises when the same description gives other latencies, so that a
// store's older ones no longer count.
constexpr int kModelVersion = 2;
constexpr double kRecordUs = 2.3;
constexpr double kWaitUs = 1.4;
constexpr double kEventUs = 1.0;

bool waits_across_lanes(const ExecutionPlan& plan, const PlanStage& stage) {
  return std::ranges::any_of(stage.lanes, [&](const std::vector<KernelId>& lane) {
    return std::ranges::any_of(lane, [&](KernelId id) { return !plan.kernel(id).waits.empty(); });
  });
}

// Returns when the last kernel of each stage ended; a stage without launches ends with the one before.
std::vector<double> stage_ends(const ExecutionPlan& plan, const std::vector<std::size_t>& first,
                               const Simulation& simulation) {
  std::vector<double> ends(plan.stages.size(), 0);
  for (std::size_t k = 0; k < plan.kernels.size(); ++k) {
    for (std::size_t i = first[k]; i < first[k + 1]; ++i) {
      double& end = ends[plan.kernels[k].stage];
      end = std::max(end, simulation.spans[i].end);
    }
  }
  for (std::size_t i = 1; i < ends.size(); ++i) ends[i] = std::max(ends[i], ends[i - 1]);
  return ends;
}

// Kernel k made launches [first[k], first[k + 1]).
Trace trace_of(const ExecutionPlan& plan, const std::vector<std::size_t>& first, const Machine& machine,
               const Simulation& simulation, const std::vector<double>& stage_ends) {
  Trace result;
  result.lanes = plan.lane_count();
  result.duration = Micros(simulation.end);
  std::vector<double> lane_ends(result.lanes, 0);
  std::vector<double> kernel_ends(plan.kernels.size(), 0);
  for (std::size_t k = 0; k < plan.kernels.size(); ++k) {
    const Kernel& kernel = plan.kernels[k];
    KernelSpan span{kernel.name, KernelId(k), kernel.lane, kernel.stage, Micros(0), Micros(0)};
    const std::size_t begin = first[k];
    const std::size_t end = first[k + 1];
    if (begin == end) {  // only another view: takes no time
      double before = plan.barrier_free || kernel.stage == 0 ? 0 : stage_ends[kernel.stage - 1];
      if (plan.barrier_free) {
        for (const KernelId wait : kernel.waits) before = std::max(before, kernel_ends[wait.index()]);
      }
      span.begin = span.end = Micros(std::max(before, lane_ends[kernel.lane]));
    } else {
      span.begin = Micros(simulation.spans[begin].begin);
      span.end = Micros(simulation.spans[end - 1].end);
    }
    lane_ends[kernel.lane] = kernel_ends[k] = span.end.count();
    result.kernels.push_back(std::move(span));
  }
  std::ranges::stable_sort(result.kernels, std::less<>{}, &KernelSpan::begin);
  if (plan.barrier_free) result.stages = overlapping_stages(plan, result.kernels);
  for (std::size_t i = 0; i < stage_ends.size() && !plan.barrier_free; ++i) {
    result.stages.push_back(StageSpan{Micros(i == 0 ? 0 : stage_ends[i - 1]), Micros(stage_ends[i])});
  }
  result.source = "simulated";
  Counter warps{said("active warps"), said("warps"), machine.sms * machine.warp_slots_per_sm, {}, {}, "simulated"};
  warps.times.emplace_back(0);
  warps.values.push_back(0);
  for (const WarpSample& sample : simulation.warps) {
    warps.times.emplace_back(sample.time);
    warps.values.push_back(sample.warps);
  }
  result.counters.push_back(std::move(warps));
  return result;
}

}  // namespace

DeviceInfo device_info(const DeviceDescription& description) {
  DeviceInfo info;
  info.id = description.id;
  info.name = description.name;
  info.precision = name_of(description.format);
  info.summary = fmt::format("{:g} SMs at {:g} GHz, {:g} TFLOP/s {}, {:g} GB/s{}", description.machine.sms,
                             description.clock_ghz, description.fp32_tflops * description.convolution_speedup,
                             kRateNames.at(static_cast<std::size_t>(description.format)),
                             description.memory_bandwidth_gb_per_s, description.captured ? ", captured graphs" : "");
  info.fingerprint =
      fmt::format("simulated {} {} {:016x} {}", description.id, info.precision, description.checksum, kModelVersion);
  info.origin = Origin::kSimulated;
  info.grade = grade_words(description);
  info.barrier_free = true;
  if (description.captured) {
    // The GPU back end's but for blank channels, of which the model knows nothing.
    info.lowering = {
        .fuse = true, .fuse_sums = true, .fuse_before = true, .concat_in_place = true, .free_columns = true};
    info.lowering.fuse_attention = info.lowering.fuse_excitation = true;
    info.lowering.strided_products = description.format != NumberFormat::kFloat32;
    // A stage of several lanes is measured with each waiting for all others. In a run they wait for one lane, or for
    // none at its start, and the lane after them waits for all: one more wait in all, whatever their number.
    const Micros wait(wait_us(description.launches->figures, false, 1));
    const Micros replay(description.machine.replay_us);
    info.overhead.first = {replay, replay - wait};
    info.overhead.between = {InterStageOverhead::ByWidth{Millis{0}, Millis{0}},
                             InterStageOverhead::ByWidth{wait, Millis{0}}};
    return info;
  }
  info.lowering.free_slices = description.kernels.copies_slices ? FreeSlices::kOneSample : FreeSlices::kAlways;
  // A stage of one lane is measured back to back, its launches hidden; one of several lanes on an idle device. Where
  // either of two neighbours has several lanes the host waits for the device in between.
  const Micros launch(description.machine.launch_us);
  const Micros wait(description.machine.sync_us);
  info.overhead.first = {launch, Millis{0}};
  info.overhead.between = {InterStageOverhead::ByWidth{Millis{0}, wait},
                           InterStageOverhead::ByWidth{wait + launch, wait}};
  return info;
}

SimulatedDevice::SimulatedDevice(DeviceDescription description, std::optional<std::uint64_t> draw)
    : description_(draw ? simulated::redrawn(std::move(description), *draw) : std::move(description)),
      info_(device_info(description_)),
      model_(description_, draw) {}

std::unique_ptr<Device> SimulatedDevice::redrawn(std::uint64_t draw) const {
  return std::make_unique<SimulatedDevice>(description_, draw);
}

std::optional<PeakRates> SimulatedDevice::peak_rates() const {
  return PeakRates{.flops_per_s = description_.fp32_tflops * description_.convolution_speedup * 1e12,
                   .bytes_per_s = description_.memory_bandwidth_gb_per_s * 1e9,
                   .element_bytes = static_cast<std::int64_t>(description_.element_bytes),
                   .memory_bytes = static_cast<std::int64_t>(description_.memory_gb * 1e9)};
}

// Where a stage waits for another, captured launches wait for one another on the device, and else the host waits;
// kernels of a barrier-free plan that the host launches wait on the device, for events.
SimulatedDevice::Program SimulatedDevice::program(const ExecutionPlan& plan) {
  using Launches = std::vector<std::size_t>;
  const bool captured = description_.captured;
  const bool events = plan.barrier_free && !captured;
  Program result;
  result.first.reserve(plan.kernels.size() + 1);
  std::vector<bool> waited(plan.kernels.size(), false);  // somebody waits for its event
  for (const Kernel& kernel : plan.kernels) {
    for (const KernelId wait : kernel.waits) waited[wait.index()] = events;
  }
  std::vector<Launches> lanes(plan.lane_count());      // what has ended where the lane has come to
  std::vector<Launches> kernels(plan.kernels.size());  // what has ended when the kernel has
  std::size_t stage = 0;
  bool synchronise = false;
  double host_us = 0;  // more than a launch, before the next one
  for (std::size_t k = 0; k < plan.kernels.size(); ++k) {
    const Kernel& kernel = plan.kernels[k];
    Launches& lane = lanes[kernel.lane];
    if (!plan.barrier_free && kernel.stage != stage) {
      stage = kernel.stage;
      synchronise = synchronise || waits_across_lanes(plan, plan.stages[stage]);
    }
    for (const KernelId wait : kernel.waits) {
      lane.insert(lane.end(), kernels[wait.index()].begin(), kernels[wait.index()].end());
      if (events) host_us += kWaitUs;
    }
    double event_us = events && !kernel.waits.empty() ? kEventUs : 0;
    result.first.push_back(result.launches.size());
    for (const KernelLoad& load : model_.loads(plan, kernel)) {
      std::erase_if(lane, [&](std::size_t before) { return result.launches[before].lane == kernel.lane; });
      if (captured) event_us = wait_us(description_.launches->figures, plan.lane_count() > 1, lane.size());
      result.launches.push_back({.load = load,
                                 .lane = kernel.lane,
                                 .synchronise = !captured && std::exchange(synchronise, false),
                                 .waits = captured || events ? std::move(lane) : Launches(),
                                 .wait_us = std::exchange(event_us, 0.0),
                                 .host_us = std::exchange(host_us, 0.0)});
      lane = {result.launches.size() - 1};
    }
    kernels[k] = lane;
    if (waited[k]) host_us += kRecordUs;
  }
  result.first.push_back(result.launches.size());
  return result;
}

double SimulatedDevice::back_to_back_us(const Program& program) const {
  const Machine& machine = description_.machine;
  double device = 0;
  for (const Launch& launch : program.launches)
    device += machine.start_us + launch.load.dead_us + launch.wait_us + solo_duration(machine, launch.load);
  return std::max(device, static_cast<double>(program.launches.size()) * machine.launch_us);
}

double SimulatedDevice::latency_us(const ExecutionPlan& plan) {
  Program made = program(plan);
  if (made.launches.empty()) return 0;
  if (plan.stages.size() == 1 && plan.lane_count() == 1) return back_to_back_us(made);
  if (plan.stages.size() > 1 || !description_.captured) return simulate(description_.machine, made.launches).end;
  // As if the same stage ran before it: the first launch of each lane waits for all others.
  std::vector<bool> begun(plan.lane_count(), false);
  for (Launch& launch : made.launches) {
    if (!begun[launch.lane]) {
      launch.wait_us = wait_us(description_.launches->figures, begun.size() > 1, begun.size() - 1);
    }
    begun[launch.lane] = true;
  }
  return simulate(description_.machine, made.launches).end - description_.machine.replay_us;
}

Result<std::vector<Latency>> SimulatedDevice::do_measure(std::span<const ExecutionPlan> plans,
                                                         const TimingOptions& /*timing*/, const JobContext& job) {
  constexpr double kNotMeasured = -1;
  std::vector<double> us(plans.size(), kNotMeasured);
  const auto measure = [&](std::size_t i) {
    if (!job.stopped()) us[i] = latency_us(plans[i]);
  };
  parallel_for(plans.size(), measure, kPlansAtOnce);
  std::vector<Latency> latencies;
  latencies.reserve(plans.size());
  for (std::size_t i = 0; i < us.size() && us[i] != kNotMeasured; ++i) latencies.push_back(simulated(us[i]));
  return latencies;
}

class SimulatedDevice::Loaded final : public LoadedPlan {
 public:
  Loaded(SimulatedDevice& device, ExecutionPlan plan)
      : LoadedPlan(device.info(), std::move(plan)),
        machine_(device.description_.machine),
        program_(device.program(this->plan())) {}

 private:
  Result<RunResult> do_run(const RunOptions& options, const JobContext& /*job*/) override {
    const Simulation simulation = simulate(machine_, program_.launches, options.trace);
    const std::vector<double> ends =
        plan().barrier_free ? std::vector<double>() : stage_ends(plan(), program_.first, simulation);
    RunResult result;
    result.latency = simulated(simulation.end);
    for (std::size_t i = 0; i < ends.size(); ++i) {
      result.stage_latencies.push_back(simulated(ends[i] - (i == 0 ? 0 : ends[i - 1])));
    }
    if (options.trace) result.trace = trace_of(plan(), program_.first, machine_, simulation, ends);
    return result;
  }

  const Machine& machine_;
  Program program_;
};

Result<std::unique_ptr<LoadedPlan>> SimulatedDevice::do_load(ExecutionPlan plan, const LoadOptions& /*options*/,
                                                             const JobContext& /*job*/) {
  return std::make_unique<Loaded>(*this, std::move(plan));
}

}  // namespace iosx::simulated
