#include "core/devices/simulated/contention_model.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace iosx::simulated {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr double kTinyWork = 1e-9;        // of a block: rounding
constexpr double kShortestBlock = 1e-9;   // µs, for kernels without work
constexpr double kWavesAtOnce = 3;        // more full waves than this are advanced together
constexpr double kWorthRecalling = 0.05;  // free room, over what a kernel holds, for which they are parted again

// A kernel that is on the device or next on its lane.
struct RunningKernel {
  const KernelLoad* load = nullptr;
  std::size_t launch = 0;
  double ready = 0;
  double pending = 0;   // blocks not yet placed
  double resident = 0;  // blocks
  double rate = 0;      // of each resident block, in blocks a µs
  double limit = 1;     // blocks that one multiprocessor holds
};

// Blocks that were placed together. `left` counts block durations: more than one for consecutive full waves.
struct Cohort {
  std::size_t lane = 0;
  double blocks = 0;
  double left = 0;
};

// Returns how many of the blocks run on the multiprocessor that has most of them.
double blocks_on_fullest(const Machine& machine, double resident) {
  const double spread = std::min(machine.sms, resident);
  return std::ceil(resident / spread - 1e-6);
}

// Returns what a block takes where bandwidth is no limit: `on_sm` blocks of its kernel are on its multiprocessor, and
// other kernels fill `other_slots` issue slots there.
double block_us(const Machine& machine, const KernelLoad& load, double on_sm, double other_slots) {
  const double own = on_sm * load.warps * load.parallelism;
  const double share = own / (own + other_slots + machine.half_issue_warps);
  double work = kShortestBlock;
  if (load.flops > 0) {
    work = std::max(work, on_sm * load.flops * machine.sms / (load.efficiency * machine.flops_per_us * share));
  }
  double us = load.fixed_us + load.epilogue_us * on_sm + std::max(work, load.chain_us);
  if (load.bytes_in_flight > 0) {
    const double latency = machine.memory_latency_us * (load.dram_bytes + load.l2_bytes);
    us = std::max(us, latency / (load.warps * load.bytes_in_flight));
  }
  return us;
}

// Lowers the rates of those that ask for more than their fair part of a bandwidth; `bytes` is a member of KernelLoad.
void share_bandwidth(std::vector<RunningKernel*>& running, double capacity, double KernelLoad::*bytes) {
  const auto demand = [&](const RunningKernel& kernel) { return kernel.resident * kernel.rate * kernel.load->*bytes; };
  const auto weight = [](const RunningKernel& kernel) { return kernel.resident * kernel.load->warps; };
  double wanted = 0;
  double weights = 0;
  for (const RunningKernel* kernel : running) {
    wanted += demand(*kernel);
    weights += weight(*kernel);
  }
  if (wanted <= capacity) return;
  // The least demand relative to its weight comes first: demand below the level leaves the rest to the others.
  std::ranges::sort(running, [&](const RunningKernel* a, const RunningKernel* b) {
    return demand(*a) * weight(*b) < demand(*b) * weight(*a);
  });
  for (RunningKernel* kernel : running) {
    const double wants = demand(*kernel);
    const double part = capacity * weight(*kernel) / weights;
    weights -= weight(*kernel);
    if (wants > part) kernel->rate *= part / wants;
    capacity -= std::min(wants, part);
  }
}

class Simulator {
 public:
  Simulator(const Machine& machine, std::span<const Launch> launches, bool record_warps)
      : machine_(machine), launches_(launches), record_warps_(record_warps) {
    std::size_t lanes = 0;
    for (const Launch& launch : launches) lanes = std::max(lanes, launch.lane + 1);
    queues_.resize(lanes);
    heads_.resize(lanes);
    host_ = machine.replay_us;
    issued_at_.assign(launches.size(), kNever);
    result_.spans.assign(launches.size(), LaunchSpan{kNever, kNever});
    for (std::size_t i = 0; i < launches.size(); ++i) queues_[launches[i].lane].launches.push_back(i);
  }

  Simulation run() {
    issue();
    for (std::size_t lane = 0; lane < heads_.size(); ++lane) load_head(lane);
    while (ended_ < launches_.size()) {
      place_blocks();
      set_rates();
      advance();
    }
    set_rates();  // the last sample: nothing is resident
    result_.end = now_;
    return std::move(result_);
  }

 private:
  struct Queue {
    std::vector<std::size_t> launches;
    std::size_t next = 0;
    double free_at = 0;  // when the kernel before ended
  };

  // The host launches until it has to wait.
  void issue() {
    for (; issued_ < launches_.size(); ++issued_) {
      if (launches_[issued_].synchronise && issued_ > 0) {
        if (ended_ < issued_) return;
        host_ = std::max(host_, now_ + machine_.sync_us);
      }
      host_ += machine_.launch_us + launches_[issued_].host_us;
      issued_at_[issued_] = host_;
    }
  }

  void load_head(std::size_t lane) {
    const Queue& queue = queues_[lane];
    RunningKernel& head = heads_[lane];
    head = RunningKernel{};
    head.ready = kNever;
    if (queue.next == queue.launches.size()) return;
    head.launch = queue.launches[queue.next];
    head.load = &launches_[head.launch].load;
    head.pending = std::max(1, head.load->blocks);
    head.limit = blocks_on_sm(machine_, *head.load);
    const Launch& launch = launches_[head.launch];
    double from = std::max(issued_at_[head.launch], queue.free_at);
    for (const std::size_t before : launch.waits) from = std::max(from, result_.spans[before].end);
    if (from < kNever) head.ready = from + machine_.start_us + head.load->dead_us + launch.wait_us;
  }

  void place_blocks() {
    waiting_.clear();
    double used = 0;  // multiprocessors
    for (std::size_t lane = 0; lane < heads_.size(); ++lane) {
      const RunningKernel& head = heads_[lane];
      if (head.ready == kNever) continue;
      used += head.resident / head.limit;
      if (head.pending + ahead(lane) > 0 && head.ready <= now_) waiting_.push_back(lane);
    }
    std::ranges::sort(waiting_, [&](std::size_t a, std::size_t b) {
      return heads_[a].ready != heads_[b].ready ? heads_[a].ready < heads_[b].ready
                                                : heads_[a].launch < heads_[b].launch;
    });
    for (const std::size_t lane : waiting_) {
      RunningKernel& head = heads_[lane];
      const double fit = std::floor((machine_.sms - used) * head.limit + 1e-6);
      if (ahead(lane) > 0 && fit >= std::max(1.0, kWorthRecalling * head.resident)) recall(lane);
      const double placed = std::min(head.pending, fit);
      if (placed >= 1) place(lane, placed);
      used += std::max(0.0, placed) / head.limit;
      if (head.pending + ahead(lane) > 0) break;
    }
  }

  static double waves_ahead(const Cohort& cohort) { return std::max(0.0, std::ceil(cohort.left - kTinyWork) - 1); }

  // Returns how many blocks cohorts of the lane's kernel hold but have not begun.
  double ahead(std::size_t lane) const {
    double blocks = 0;
    for (const Cohort& cohort : cohorts_) {
      if (cohort.lane == lane) blocks += waves_ahead(cohort) * cohort.blocks;
    }
    return blocks;
  }

  // Takes those blocks back: there is room for them elsewhere.
  void recall(std::size_t lane) {
    for (Cohort& cohort : cohorts_) {
      if (cohort.lane != lane) continue;
      const double waves = waves_ahead(cohort);
      cohort.left -= waves;
      heads_[lane].pending += waves * cohort.blocks;
    }
  }

  void place(std::size_t lane, double blocks) {
    RunningKernel& head = heads_[lane];
    if (head.resident == 0 && head.pending == std::max(1, head.load->blocks)) result_.spans[head.launch].begin = now_;
    head.resident += blocks;
    const double full_waves = std::floor(head.pending / head.resident);
    const double waves = full_waves > kWavesAtOnce ? full_waves - 1 : 1;
    cohorts_.push_back(Cohort{lane, blocks, waves});
    head.pending -= blocks * waves;
    sample_due_ = true;
  }

  // Returns the issue slots that the other kernels fill on a multiprocessor where `kernel` runs: blocks go to idle ones
  // first.
  double other_slots(const RunningKernel& kernel) const {
    const double own = std::min(machine_.sms, kernel.resident);
    double spread = 0;
    double slots = 0;
    for (const RunningKernel* other : running_) {
      if (other == &kernel) continue;
      spread += std::min(machine_.sms, other->resident);
      slots += other->resident * other->load->warps * other->load->parallelism;
    }
    const double shared = std::min(spread, std::max(0.0, own + spread - machine_.sms));
    return spread > 0 ? slots * shared / spread / own : 0;
  }

  void set_rates() {
    running_.clear();
    for (RunningKernel& head : heads_) {
      if (head.resident > 0) running_.push_back(&head);
    }
    for (RunningKernel* kernel : running_) {
      const double on_sm = blocks_on_fullest(machine_, kernel->resident);
      kernel->rate = 1 / block_us(machine_, *kernel->load, on_sm, other_slots(*kernel));
    }
    share_bandwidth(running_, machine_.dram_bytes_per_us, &KernelLoad::dram_bytes);
    share_bandwidth(running_, machine_.l2_bytes_per_us, &KernelLoad::l2_bytes);
    if (record_warps_ && sample_due_) sample_warps();
    sample_due_ = false;
  }

  void sample_warps() {
    double warps = 0;
    for (const RunningKernel* kernel : running_) warps += kernel->resident * kernel->load->warps;
    if (!result_.warps.empty() && result_.warps.back().time == now_) {
      result_.warps.back().warps = warps;
    } else {
      result_.warps.push_back(WarpSample{now_, warps});
    }
  }

  // Goes to the next moment at which something changes: blocks end, or a kernel gets ready.
  void advance() {
    double next = kNever;
    for (const Cohort& cohort : cohorts_) next = std::min(next, now_ + cohort.left / heads_[cohort.lane].rate);
    for (const RunningKernel& head : heads_) {
      if (head.ready > now_) next = std::min(next, head.ready);
    }
    const double step = next - now_;
    std::erase_if(cohorts_, [&](Cohort& cohort) {
      RunningKernel& kernel = heads_[cohort.lane];
      const bool done = now_ + cohort.left / kernel.rate <= next;  // also where the step vanishes in rounding
      cohort.left -= step * kernel.rate;
      if (!done && cohort.left > kTinyWork) return false;
      kernel.resident -= cohort.blocks;
      sample_due_ = true;
      return true;
    });
    now_ = next;
    if (sample_due_) retire();
  }

  void retire() {
    for (std::size_t lane = 0; lane < heads_.size(); ++lane) {
      const RunningKernel& head = heads_[lane];
      if (head.ready > now_ || head.pending > 0 || head.resident > 0) continue;
      result_.spans[head.launch].end = now_;
      ++ended_;
      queues_[lane].free_at = now_;
      ++queues_[lane].next;
      load_head(lane);
    }
    issue();
    // Loads kernels that waited for the host, or for ended kernels.
    for (std::size_t lane = 0; lane < heads_.size(); ++lane) {
      if (heads_[lane].ready == kNever) load_head(lane);
    }
  }

  const Machine& machine_;
  std::span<const Launch> launches_;
  bool record_warps_;
  bool sample_due_ = false;
  double now_ = 0;
  double host_ = 0;
  std::size_t issued_ = 0;
  std::size_t ended_ = 0;
  std::vector<double> issued_at_;
  std::vector<Queue> queues_;         // by lane
  std::vector<RunningKernel> heads_;  // by lane; ready = kNever: none, or not yet launched
  std::vector<Cohort> cohorts_;
  std::vector<RunningKernel*> running_;
  std::vector<std::size_t> waiting_;
  Simulation result_;
};

}  // namespace

double blocks_on_sm(const Machine& machine, const KernelLoad& load) {
  const double by_warps = std::floor(machine.warp_slots_per_sm / std::max(1, load.warps));
  return std::max(1.0, std::min({static_cast<double>(load.blocks_per_sm), machine.blocks_per_sm, by_warps}));
}

Simulation simulate(const Machine& machine, std::span<const Launch> launches, bool record_warps) {
  return Simulator(machine, launches, record_warps).run();
}

double solo_duration(const Machine& machine, const KernelLoad& load) {
  const double blocks = std::max(1, load.blocks);
  const double room = std::floor(machine.sms * blocks_on_sm(machine, load) + 1e-6);
  const auto wave_us = [&](double resident) {
    const double computed = block_us(machine, load, blocks_on_fullest(machine, resident), 0);
    return std::max({computed, resident * load.dram_bytes / machine.dram_bytes_per_us,
                     resident * load.l2_bytes / machine.l2_bytes_per_us});
  };
  const double waves = std::floor(blocks / room);
  const double rest = blocks - waves * room;
  return (waves > 0 ? waves * wave_us(room) : 0) + (rest > 0 ? wave_us(rest) : 0);
}

}  // namespace iosx::simulated
