#pragma once

#include <cstdint>
#include <string>

namespace iosx::gpu {

struct Properties {
  std::string name;            // "NVIDIA H200"
  std::string uuid;            // "GPU-8f2c…", distinguishes two GPUs of one model
  int multiprocessors = 0;     // SMs
  int compute_capability = 0;  // 90 for 9.0
  std::int64_t memory_bytes = 0;
  std::int64_t l2_bytes = 0;
  // Limits of one multiprocessor; the last is the system's share of each block's shared memory. 0: unknown.
  int warps_per_sm = 0;
  int blocks_per_sm = 0;
  int registers_per_sm = 0;
  std::int64_t shared_bytes_per_sm = 0;
  std::int64_t reserved_shared_bytes = 0;
  double max_clock_mhz = 0;  // of the SMs; 0: unknown
  std::string driver;        // "580.65", or the CUDA version that it supports where only that is known
  std::string cuda;          // "13.0": the linked runtime
};

}  // namespace iosx::gpu
