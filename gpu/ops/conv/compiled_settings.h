#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "gpu/ops/conv/problem.h"

// Knows settings of engines that cuDNN compiles when it builds a plan. cuDNN itself proposes one to three of them,
// the same for every problem.
namespace iosx::gpu {

// A setting computes a tile of the output in each thread block.
struct CompiledTile {
  std::int64_t setting = 0;  // the value of cuDNN's knob KERNEL_CFG
  std::int64_t pixels = 0;
  std::int64_t channels = 0;
};

// A kind of compiled engine. Its number depends on the operation graph, its settings do not.
struct CompiledEngine {
  std::string_view version;  // "cuDNN 9.19.0": settings have a meaning within one version only
  std::int64_t last_setting = 0;
  std::int64_t usual_setting = 0;  // what cuDNN takes if it is not told
  std::span<const CompiledTile> tiles;
};

// Returns the engine with this greatest value of KERNEL_CFG; null if its settings are unknown.
const CompiledEngine* compiled_engine(std::string_view version, std::int64_t last_setting);

struct CompiledSetting {
  std::int64_t setting = 0;
  std::int64_t split = 1;  // the knob SPLIT_K_SLC: so many blocks share the products of a tile
  friend bool operator==(const CompiledSetting&, const CompiledSetting&) = default;
};

// Returns the engine's settings for a problem on a GPU with that many multiprocessors, the most promising first: those
// with which the busiest multiprocessor moves the fewest elements. Where whole tiles leave more than half of the
// multiprocessors idle, every second one has tiles split in 2 or 4. Empty for transposed convolutions and attention.
std::vector<CompiledSetting> compiled_settings(const CompiledEngine& engine, const Problem& problem,
                                               std::int64_t multiprocessors);

}  // namespace iosx::gpu
