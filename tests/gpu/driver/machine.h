#pragma once

#include <cstdint>
#include <span>
#include <string_view>

// The GPU of the made-up driver and runtime, and its faults. Both come from the environment, because they must be
// known before anything loads CUDA.
namespace iosx::gpu::test {

// Facts of a GPU from its data sheet and from CUDA's table of compute capabilities. Sizes are in bytes, clocks in
// kHz.
struct Chip {
  std::string_view id;    // "H100": the value of $IOS_MADE_UP_GPU
  const char* name = "";  // its driver's name for it
  int capability = 0;     // × 10
  int multiprocessors = 0;
  std::int64_t memory = 0;
  int clock = 0;
  int memory_clock = 0;
  int l2 = 0;
  int shared = 0;        // of a multiprocessor
  int block_shared = 0;  // the most of a block on request
  int threads = 2048;    // of a multiprocessor
  int blocks = 32;       // of a multiprocessor
  // The same for all.
  static constexpr int kRegisters = 65536;                             // of a multiprocessor, and of a block
  static constexpr int kUsualShared = 49152;                           // of a block
  int reserved_shared() const { return capability >= 80 ? 1024 : 0; }  // of a block
};

std::span<const Chip> chips();  // H100, H200, A100, T4
const Chip& chip(std::string_view id);

// Returns the chip named by $IOS_MADE_UP_GPU, by default the H100. An unknown name ends the process with a line.
const Chip& machine();

// $IOS_MADE_UP_FAILURE is one of "driver-too-old", "memory=MIB" (the only memory), "illegal-address=N" (of the N-th
// launch outside of captures), "capture=N" (the N-th is not allowed) and "captures=N" (nor any after it). There are no
// other faults, and an unknown one ends the process with a line.
struct Failure {
  bool driver_too_old = false;
  std::int64_t memory_mib = 0;       // 0: the chip's
  std::int64_t illegal_address = 0;  // 0: never
  std::int64_t first_capture = 0;    // the first one not allowed; 0: all are
  std::int64_t last_capture = 0;
};
const Failure& failure();

// Returns the newest CUDA that the driver supports, in CUDA's form: 13000, or 12040 for a driver that is too old.
int driver_cuda();

}  // namespace iosx::gpu::test
