#pragma once

#include <cstddef>
#include <span>
#include <vector>

// A fluid model of kernels that share a GPU. It uses plain numbers without a graph: times in µs, work in FLOPs and
// bytes.
namespace iosx::simulated {

// A device and its host, as the model sees them.
struct Machine {
  double sms = 1;  // streaming multiprocessors
  double warp_slots_per_sm = 64;
  double blocks_per_sm = 32;
  double flops_per_us = 1;       // peak of the whole device
  double dram_bytes_per_us = 1;  // device memory
  double l2_bytes_per_us = 1;    // second-level cache
  double l2_bytes = 1;           // size of that cache
  double memory_latency_us = 0;  // from a request to its data; 0: hidden
  double half_issue_warps = 0;   // warps on a multiprocessor at half its peak; 0: one is enough
  double start_us = 0;           // from when a kernel is ready to its first block
  // For a host that launches kernel by kernel:
  double launch_us = 0;  // host time of one launch
  double sync_us = 0;    // host time from the last kernel's end to the next launch after a synchronisation
  // For launches captured in a graph:
  double replay_us = 0;  // from the start of a replay to its first ready kernel
};

// The demand of one kernel. All of its blocks are alike.
struct KernelLoad {
  int blocks = 1;
  int warps = 1;               // of one block
  int blocks_per_sm = 1;       // at most, on one multiprocessor
  double parallelism = 1;      // issue slots that one of its warps fills, relative to Machine::half_issue_warps
  double efficiency = 1;       // share of the peak with full issue slots
  double flops = 0;            // of one block
  double dram_bytes = 0;       // of one block
  double l2_bytes = 0;         // of one block
  double chain_us = 0;         // of one block: dependent steps, independent of the number of warps
  double fixed_us = 0;         // of one block, in addition to its arithmetic: filling its pipeline
  double epilogue_us = 0;      // added to that per block of the kernel on the same multiprocessor: writing tiles
  double dead_us = 0;          // of the kernel, before its blocks take room
  double bytes_in_flight = 0;  // of one warp; with Machine::memory_latency_us its largest memory rate; 0: any
};

// A kernel on a lane. Kernels of one lane run in order.
struct Launch {
  KernelLoad load;
  std::size_t lane = 0;
  bool synchronise = false;             // the host waits for everything before this launch
  std::vector<std::size_t> waits = {};  // earlier launches on other lanes that must end first
  double wait_us = 0;  // added to start_us until its first block: the wait for an event, or for other lanes
  double host_us = 0;  // added to Machine::launch_us of the host: events before it
};

struct LaunchSpan {
  double begin = 0;  // first block starts
  double end = 0;    // last block ends
};

struct WarpSample {
  double time = 0;
  double warps = 0;  // resident from then on
};

struct Simulation {
  double end = 0;  // last kernel's end
  std::vector<LaunchSpan> spans;
  std::vector<WarpSample> warps;  // empty unless requested
};

// Simulates the launches in the host's launch order, from an idle device at time 0. A launch waits for earlier ones on
// its lane, for its `waits`, and for the host.
//
// Blocks: the kernel launched first places all blocks that fit, then the next; blocks stay until they end. Issue: a
// multiprocessor with x filled issue slots runs at x / (x + half_issue_warps) of its peak, shared by kernels in
// proportion to their slots; blocks spread over idle multiprocessors first, and the one with most of a kernel's blocks
// sets the pace of all. A block takes fixed_us, epilogue_us for each block on its multiprocessor including itself, and
// then the longer of its arithmetic and chain_us. Memory: demand beyond a bandwidth is shared fairly, by warps.
//
// Example: a multiprocessor does 100 FLOPs a µs at its peak and reaches half with 4 warps (half_issue_warps);
// a kernel starts 2 µs after it is ready. A kernel of one block has 4 warps and 500 FLOPs:
//
//   alone                     4 / (4 + 4) of the peak is 50 FLOPs a µs: 10 µs
//   two, one after another    2 to 12, then 14 to 24: 24 µs
//   two, side by side         8 / (8 + 4) of the peak, half for each, is 33.3 FLOPs a µs: 2 to 17, so 17 µs
//
// If each also moves 1000 bytes and memory gives 100 bytes a µs, one alone still takes 10 µs. Side by side they
// would demand 133 bytes a µs: each gets 50, so they end after 20 µs, at 22.
Simulation simulate(const Machine& machine, std::span<const Launch> launches, bool record_warps = false);

// Returns how many blocks of the kernel one multiprocessor holds.
double blocks_on_sm(const Machine& machine, const KernelLoad& load);

// Returns the µs from first to last block of the kernel alone on the device: the result of simulate() in closed
// form. Full waves of blocks take a full device's time, the rest takes its own.
//
// Example: 10 multiprocessors hold 2 blocks each; a block alone takes 5 µs, two on one take 10. 47 blocks are two
// waves of 20 and a rest of 7 on 7 multiprocessors: 10 + 10 + 5 = 25 µs.
double solo_duration(const Machine& machine, const KernelLoad& load);

}  // namespace iosx::simulated
