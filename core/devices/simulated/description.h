#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/devices/simulated/contention_model.h"

namespace iosx::simulated {

// A tile is one way in which the library cuts a convolution into thread blocks: each computes pixels × channels
// outputs.
struct Tile {
  int pixels = 0;
  int channels = 0;
  int warps = 0;                 // of one block
  int blocks_per_sm = 0;         // that registers and shared memory allow
  double parallelism = 1;        // independent instructions of one warp, relative to the others
  double efficiency = 1;         // share of the peak that a full multiprocessor reaches
  double bytes_in_flight = 512;  // memory requests that one warp has open
};

// Describes how the device's library turns an operator into kernels. It picks the fastest of its convolution kernels.
struct LibraryModel {
  std::vector<Tile> gemm_tiles;
  int gemm_prologue_depth = 0;       // cost of filling the pipeline and writing the tile, in steps of the reduction
  int max_split_k = 1;               // 1: never splits the reduction among blocks
  std::vector<Tile> winograd_tiles;  // for 3×3 kernels of stride 1; may be empty
  double winograd_reduction = 1;     // multiplications of the direct convolution over those of Winograd's
  Tile direct;                       // depthwise convolutions and other narrow groups; channels = 1
  double direct_traffic = 1;         // bytes that a direct convolution reads, over those of its input
  Tile elementwise;                  // pixels = elements of a block
  Tile pool;
  int global_pool_outputs = 256;  // of a block of a global pool: fewer than other pools' where threads share one out
  Tile linear;                    // pixels = 1
  bool bias_apart_without_activation = false;  // a convolution without activation adds its bias in a second kernel
  bool copies_slices = false;         // with more than one sample, a slice of channels is copied before it is read
  bool concatenates_at_once = false;  // one kernel copies all inputs of a concatenation
  int max_addends = 2;                // of one addition kernel
};

// Says what convolutions multiply: float32, float32 with mantissas of 10 bits, or numbers of 16 bits. All but the first
// are multiplied on tensor cores.
enum class NumberFormat { kFloat32, kTf32, kFloat16, kBfloat16 };

// Returns the name as in DeviceInfo::precision.
std::string_view name_of(NumberFormat format);

// Holds what a device description file holds, or that with another engine in it.
struct DeviceDescription {
  std::string id;
  std::string name;
  std::string source;          // where the figures come from
  std::uint64_t checksum = 0;  // of the file: a changed description is another device
  double fp32_tflops = 0;
  double clock_ghz = 0;
  double memory_gb = 0;  // of 10^9 bytes
  double memory_bandwidth_gb_per_s = 0;
  double compute_capability = 0;
  std::map<NumberFormat, double> tensor_tflops;  // dense; those that its tensor cores have
  Machine machine;
  LibraryModel library;
  // Launches are captured in a graph, in the form of plan that our GPU back end runs; else the host makes them one by
  // one, as the paper's engine did.
  bool captured = false;
  NumberFormat format = NumberFormat::kFloat32;
  double element_bytes = 4;
  double convolution_speedup = 1;  // of its multiplications, over Machine::flops_per_us
};

// Holds what an engine file holds: another way to launch, and another library, for devices of some kind.
struct EngineDescription {
  std::string source;
  std::uint64_t checksum = 0;
  double start_us = 0;  // these replace what the device's Machine has
  double join_us = 0;
  double replay_us = 0;
  double memory_latency_us = 0;
  LibraryModel library;
};

// These read JSON descriptions. Every key is required, those of tensor_tflops excepted; unknown keys and values out of
// range are errors that name the key. `origin` leads every message.
Result<DeviceDescription> parse_description(std::string_view json, const std::string& origin);
Result<EngineDescription> parse_engine(std::string_view json, const std::string& origin);

// Returns the formats that captured graphs can have on the device, what the GPU back end takes by default first; none
// on what is older than it supports.
std::vector<NumberFormat> captured_formats(const DeviceDescription& device);

// captured() returns the device with that engine in place of its own; launched_by_host() returns the one with its own,
// which is then "ID-streams". Ids and names are as the GPU back end makes them: "h200" for the first of
// captured_formats(), "h200-f16", …
DeviceDescription captured(DeviceDescription device, const EngineDescription& engine, NumberFormat format);
DeviceDescription launched_by_host(DeviceDescription device);

}  // namespace iosx::simulated
