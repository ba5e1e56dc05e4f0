#pragma once

#include <cstddef>
#include <span>
#include <vector>

// This is a fluid model of kernels that share a GPU. It works with plain numbers, without a graph: times are in µs,
// work in FLOPs and bytes.
namespace iosx::simulated {

// Holds what the model knows of a device and its host.
struct Machine {
  double sms = 1;  // streaming multiprocessors
  double warp_slots_per_sm = 64;
  double blocks_per_sm = 32;
  double flops_per_us = 1;       // peak of the whole device
  double dram_bytes_per_us = 1;  // device memory
  double l2_bytes_per_us = 1;    // second-level cache
  double l2_bytes = 1;           // its size
  double memory_latency_us = 0;  // from a request to its data; 0: hidden
  double half_issue_warps = 0;   // warps on a multiprocessor at which it reaches half its peak; 0: one is enough
  double start_us = 0;           // from a kernel's being ready to its first block
  // These count where the host launches kernel by kernel.
  double launch_us = 0;  // host time of one launch
  double sync_us = 0;    // host time from the last kernel's end to the next launch after a synchronisation
  // These count where all launches were captured in a graph, and wait for one another on the device.
  double join_us = 0;    // more than start_us for the first kernels of a stage that waits across lanes
  double replay_us = 0;  // from the start of a replay until its first kernel is ready
};

// Holds the demand of one kernel. Every block is alike.
struct KernelLoad {
  int blocks = 1;
  int warps = 1;               // of one block
  int blocks_per_sm = 1;       // at most this many on one multiprocessor
  double parallelism = 1;      // issue slots that one of its warps fills, relative to Machine::half_issue_warps
  double efficiency = 1;       // share of the peak reached when issue slots are full
  double flops = 0;            // of one block
  double dram_bytes = 0;       // of one block
  double l2_bytes = 0;         // of one block
  double chain_us = 0;         // of one block: steps that wait for one another, however many warps there are
  double fixed_us = 0;         // of one block, beside its arithmetic: until its pipeline is full
  double epilogue_us = 0;      // more of that for each block of the kernel on the same multiprocessor: writing tiles
  double bytes_in_flight = 0;  // of one warp: with Machine::memory_latency_us, its largest memory rate; 0: any
};

// A launch is a kernel on a lane. Kernels of one lane run in order.
struct Launch {
  KernelLoad load;
  std::size_t lane = 0;
  bool synchronise = false;             // the host waits for everything before it launches this
  bool joins = false;                   // costs Machine::join_us: it waits for other lanes, or what ran before did
  std::vector<std::size_t> waits = {};  // earlier launches on other lanes that end before this one starts
  double wait_us = 0;                   // more than start_us until its first block: it waits for an event
  double host_us = 0;                   // more than Machine::launch_us of the host: events before it
};

struct LaunchSpan {
  double begin = 0;  // first block starts
  double end = 0;    // last block ends
};

struct WarpSample {
  double time = 0;
  double warps = 0;  // resident from here on
};

struct Simulation {
  double end = 0;  // last kernel's end
  std::vector<LaunchSpan> spans;
  std::vector<WarpSample> warps;  // empty unless asked for
};

// Runs the launches, in the order in which the host makes them, from an idle device at time 0. A launch waits for those
// before it on its lane, for its `waits`, and for the host.
//
// Blocks: the kernel launched first places all the blocks that fit, then the next; blocks stay until they end. Issue: a
// multiprocessor with x filled issue slots runs at x / (x + half_issue_warps) of its peak, each kernel having the part
// of its own slots; blocks spread over idle multiprocessors first, and the one with most of a kernel's blocks sets the
// pace of all of them. A block takes fixed_us, epilogue_us for each block beside it and itself, and then its arithmetic
// or its chain_us, whichever is longer. Memory: what the kernels ask for beyond a bandwidth is shared fairly, by warps.
//
// Example: one multiprocessor does 100 FLOPs a µs at its peak, of which it reaches half with 4 warps
// (half_issue_warps); a kernel starts 2 µs after it is ready. A kernel of one block has 4 warps and 500 FLOPs:
//
//   alone                     4 / (4 + 4) of the peak is 50 FLOPs a µs: 10 µs
//   two, one after another    2 to 12, then 14 to 24: 24 µs
//   two, side by side         8 / (8 + 4) of the peak, half for each, is 33.3 FLOPs a µs: 2 to 17, so 17 µs
//
// If each of them also moves 1000 bytes where memory gives 100 bytes a µs, one alone still takes 10 µs. Side by side
// they would ask for 133 bytes a µs: each gets 50, which ends them after 20 µs, at 22.
Simulation simulate(const Machine& machine, std::span<const Launch> launches, bool record_warps = false);

// Returns the µs from first block to last block of the kernel alone on the device: what simulate() of it gives, in
// closed form. Full waves of blocks take the time of a device that is full, the rest takes its own.
//
// Example: 10 multiprocessors that hold 2 blocks each; a block alone takes 5 µs, two on one take 10. 47 blocks are two
// waves of 20 and a rest of 7 on 7 multiprocessors: 10 + 10 + 5 = 25 µs.
double solo_duration(const Machine& machine, const KernelLoad& load);

}  // namespace iosx::simulated
