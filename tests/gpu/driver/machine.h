#pragma once

#include <cstdint>
#include <span>
#include <string_view>

// The GPU that the driver and the runtime made up for tests speak of, and what goes wrong with it. Both come from the
// environment, because they must be known before anything loads CUDA.
namespace iosx::gpu::test {

// A Chip holds facts of a GPU from its data sheet and from CUDA's table of compute capabilities. Sizes are in bytes,
// clocks in kHz.
struct Chip {
  std::string_view id;    // "H100": what $IOS_MADE_UP_GPU names
  const char* name = "";  // as its driver says it
  int capability = 0;     // × 10
  int multiprocessors = 0;
  std::int64_t memory = 0;
  int clock = 0;
  int memory_clock = 0;
  int l2 = 0;
  int shared = 0;        // of a multiprocessor
  int block_shared = 0;  // most of a block that asks for it
  int threads = 2048;    // of a multiprocessor
  int blocks = 32;       // of a multiprocessor
  // These are the same for all.
  static constexpr int kRegisters = 65536;                             // of a multiprocessor, and of a block
  static constexpr int kUsualShared = 49152;                           // of a block
  int reserved_shared() const { return capability >= 80 ? 1024 : 0; }  // of a block
};

std::span<const Chip> chips();  // H100, H200, A100, T4
const Chip& chip(std::string_view id);

// Returns the chip that $IOS_MADE_UP_GPU names, the H100 without it. An unknown name ends the process with a line.
const Chip& machine();

// $IOS_MADE_UP_FAILURE is one of "driver-too-old", "memory=MIB" (there is only so much), "illegal-address=N" (of the
// N-th launch outside of captures), "capture=N" (the N-th is not allowed) and "captures=N" (nor any after it). Nothing
// else goes wrong, and an unknown one ends the process with a line.
struct Failure {
  bool driver_too_old = false;
  std::int64_t memory_mib = 0;       // 0: there is the chip's
  std::int64_t illegal_address = 0;  // 0: never
  std::int64_t first_capture = 0;    // that is not allowed; 0: all are
  std::int64_t last_capture = 0;
};
const Failure& failure();

// Returns the newest CUDA that the driver knows, as CUDA writes it: 13000, or 12040 of a driver that is too old.
int driver_cuda();

}  // namespace iosx::gpu::test
