#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/device/simulated/contention_model.h"

namespace iosx::simulated {

// One way in which the library cuts a convolution into thread blocks: each computes pixels × channels outputs.
struct Tile {
  int pixels = 0;
  int channels = 0;
  int warps = 0;                 // of one block
  int blocks_per_sm = 0;         // that registers and shared memory allow
  double parallelism = 1;        // independent instructions of one warp, relative to the others
  double efficiency = 1;         // share of the peak that a full multiprocessor reaches
  double bytes_in_flight = 512;  // memory requests that one warp has open
};

// How the device's library turns an operator into kernels. It picks the fastest of its convolution kernels.
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
  Tile linear;                                 // pixels = 1
  bool bias_apart_without_activation = false;  // a convolution without activation adds its bias in a second kernel
  bool copies_slices = false;  // with more than one sample, a slice of channels is copied before it is read
  int max_addends = 2;         // of one addition kernel
};

// What a device description file holds.
struct DeviceDescription {
  std::string id;
  std::string name;
  std::string source;          // where the figures come from
  std::uint64_t checksum = 0;  // of the file: a changed description is another device
  double fp32_tflops = 0;
  double clock_ghz = 0;
  double memory_bandwidth_gb_per_s = 0;
  Machine machine;
  LibraryModel library;
};

// Reads a JSON description. Every key is required, unknown keys and values out of range are errors that name the key.
// `origin` leads every message.
Result<DeviceDescription> parse_description(std::string_view json, const std::string& origin);

}  // namespace iosx::simulated
