#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/message.h"
#include "core/base/result.h"
#include "core/devices/simulated/contention_model.h"
#include "core/devices/simulated/library.h"

namespace iosx::simulated {

// Describes a kernel of an engine's own in which each thread makes outputs apart from the others.
struct ThreadKernel {
  int outputs = 0;               // of one block
  int warps = 0;                 // of one block
  int blocks_per_sm = 0;         // that registers and shared memory allow
  double parallelism = 1;        // independent instructions of one warp, relative to Machine::half_issue_warps
  double efficiency = 1;         // share of the peak that a full multiprocessor reaches
  double bytes_in_flight = 512;  // memory requests that one warp has open; 0: as many as it takes
};

// Describes the kernels that an engine itself has, and how it cuts operators into kernels.
struct EngineKernels {
  int max_split = 1;                        // of the reduction of a convolution
  ThreadKernel direct;                      // depthwise convolutions and other narrow groups
  double direct_traffic = 1;                // bytes that a direct convolution reads, over those of its input
  std::optional<ThreadKernel> elementwise;  // without: as the library's streams
  ThreadKernel pool;
  int global_pool_outputs = 256;  // of a block of a global pool: fewer than other pools' where threads share one out
  int max_window_splits = 1;      // of a pool's window among blocks; a second kernel adds their parts
  ThreadKernel linear;
  bool bias_apart_without_activation = false;  // a convolution without activation adds its bias in a second kernel
  bool copies_slices = false;         // with more than one sample, a slice of channels is copied before it is read
  bool concatenates_at_once = false;  // one kernel copies all inputs of a concatenation
  int max_addends = 2;                // of one addition kernel
  bool adds_in_turns = false;  // longer sums take up to max_addends a kernel, the sum so far among them; else one each
};

// Says what convolutions multiply: float32, float32 with mantissas of 10 bits, or numbers of 16 bits. All but the first
// are multiplied on tensor cores.
enum class NumberFormat { kFloat32, kTf32, kFloat16, kBfloat16 };

// Returns the name as in DeviceInfo::precision.
std::string_view name_of(NumberFormat format);

// Says what the figures for one number format were compared with, and how far they were off.
struct Grade {
  enum class Use {
    kFitted,             // the model's constants were fitted to measured operators of the device
    kPredicted,          // they were compared with measured operators of the device, and not fitted to them
    kNetworks,           // fitted to published latencies of networks
    kPredictedNetworks,  // compared with measured latencies of networks, and not fitted to them
  };
  Use use = Use::kFitted;
  int count = 0;  // of operators or latencies
  // Mean absolute error on what nothing was fitted to: of operators that of convolutions, of networks that of
  // latencies.
  std::optional<double> error_percent = {};
};

// Holds what a device description file holds, and with_engine() the library and an engine with it.
struct DeviceDescription {
  std::string id;
  std::string name;
  std::string source;          // where the figures come from
  std::uint64_t checksum = 0;  // of the files: a changed description is another device
  double fp32_tflops = 0;
  double clock_ghz = 0;  // boost, as fp32_tflops
  // These are the parts of the boost clock that dense float32 and tensor cores run at.
  double sustained_clock = 1;
  double sustained_tensor_clock = 1;
  double memory_gb = 0;  // of 10^9 bytes
  double memory_bandwidth_gb_per_s = 0;
  double memory_share = 1;           // of that bandwidth, which streams reach
  double l2_bandwidth_gb_per_s = 0;  // at the boost clock
  double l1_bytes = 0;               // of the first-level cache of a multiprocessor
  double compute_capability = 0;
  std::map<NumberFormat, double> tensor_tflops;  // dense; those that its tensor cores have
  std::map<NumberFormat, Grade> grades;          // by format; the others are of the data sheet alone
  Machine machine;
  LibraryModel library;
  EngineKernels kernels;
  // Launches are captured in a graph, in the form of plan that our GPU back end runs; else the host makes them one by
  // one, as the paper's engine did.
  bool captured = false;
  NumberFormat format = NumberFormat::kFloat32;
  double element_bytes = 4;
  double convolution_speedup = 1;  // of its multiplications, over fp32_tflops

  // Returns what the device really has: FLOPs a µs of its CUDA cores and of what multiplies in convolutions, cycles a
  // µs.
  double multiply_flops_per_us() const;
  double cycles_per_us() const { return clock_ghz * sustained_clock * 1e3; }
  // Returns the cycles a µs of what mostly waits, and so has power to spare.
  double boost_cycles_per_us() const { return clock_ghz * std::max(1.0, sustained_clock) * 1e3; }
  const Multiplier& multiplier() const { return format == NumberFormat::kFloat32 ? library.float32 : library.tensor; }
};

// Holds what an engine file holds: how launches reach a device, and the kernels that are the engine's own.
struct EngineDescription {
  std::string source;
  std::uint64_t checksum = 0;
  bool captured = false;
  // These are the figures of the same names of Machine; join, replay and memory latency where launches are
  // captured, launch and sync where the host makes them.
  double start_us = 0;
  double join_us = 0;
  double replay_us = 0;
  double memory_latency_us = 0;
  double launch_us = 0;
  double sync_us = 0;
  EngineKernels kernels;
};

// These read JSON descriptions. Every key is required, those of tensor_tflops and measured, and elementwise excepted;
// unknown keys and values out of range are errors that name the key. `origin` leads every message.
Result<DeviceDescription> parse_description(std::string_view json, const std::string& origin);
Result<EngineDescription> parse_engine(std::string_view json, const std::string& origin);

// Returns the formats that captured graphs can have on the device, what the GPU back end takes by default first; none
// on what is older than it supports.
std::vector<NumberFormat> captured_formats(const DeviceDescription& device);

// Returns the device with the library and the engine. Ids and names of what is captured are as the GPU back end makes
// them: "h200" for the first of captured_formats(), "h200-f16", …; where the host launches, the format is float32, and
// the id "h200-streams" where there are captured formats as well.
DeviceDescription with_engine(DeviceDescription device, const LibraryModel& library, const EngineDescription& engine,
                              NumberFormat format = NumberFormat::kFloat32);

// Returns the device's grade in its format as words: "fitted to 4000 operators, others off by 7.4 %", …, "data sheet
// only".
Message grade_words(const DeviceDescription& device);

// Sets the figures of Machine that follow from the others: peak, bandwidths. Who changes one of those calls it.
void derive_machine(DeviceDescription& device);

}  // namespace iosx::simulated
