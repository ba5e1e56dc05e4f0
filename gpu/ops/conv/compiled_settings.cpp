#include "gpu/ops/conv/compiled_settings.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace iosx::gpu {
namespace {

// The engine has number 52 for a convolution with bias and rectifier, 71 for one alone, 7 for all other graphs. The
// tiles stand in the names of its kernels ("fort_native_sm80_…_knob_41_32x32x16_8_0"), and the workspaces of split ones
// show that the first number counts pixels (compiled_plans_test.cpp). Each shape is here once, with loads of 64 bytes a
// row, as in most of cuDNN's own choices. The other settings have the same shapes with loads of 32 or 128 bytes, or
// with fewer or more of them under way.
constexpr std::array kTiles919{CompiledTile{13, 256, 128}, CompiledTile{14, 128, 256}, CompiledTile{15, 256, 64},
                               CompiledTile{16, 64, 256},  CompiledTile{21, 128, 128}, CompiledTile{22, 128, 64},
                               CompiledTile{23, 64, 128},  CompiledTile{24, 64, 64},   CompiledTile{25, 128, 32},
                               CompiledTile{37, 16, 128},  CompiledTile{38, 128, 16},  CompiledTile{39, 16, 64},
                               CompiledTile{40, 64, 16},   CompiledTile{41, 32, 32}};

constexpr std::array kEngines{CompiledEngine{"cuDNN 9.19.0", 41, 21, kTiles919}};

std::int64_t parts(std::int64_t whole, std::int64_t part) { return (whole + part - 1) / part; }

// Says what a problem's tiles cover: results of each group (or matrix of a batch), each the sum of `depth` products.
struct Covered {
  std::int64_t groups = 1;
  std::int64_t pixels = 1;  // rows of matrices
  std::int64_t channels = 1;
  std::int64_t depth = 1;
};

Covered covered(const ConvProblem& problem) {
  return {.groups = problem.groups,
          .pixels = problem.batch * problem.output.height * problem.output.width,
          .channels = problem.out_channels / problem.groups,
          .depth = problem.channels / problem.groups * problem.kernel.height * problem.kernel.width};
}

Covered covered(const MatMulProblem& problem) {
  return {.groups = problem.batch, .pixels = problem.rows, .channels = problem.columns, .depth = problem.depth};
}

// Counts what a problem's tiles cost.
struct TileCosts {
  Covered covered;
  std::int64_t multiprocessors;

  std::int64_t blocks(const CompiledTile& tile) const {
    return covered.groups * parts(covered.pixels, tile.pixels) * parts(covered.channels, tile.channels);
  }
  // Returns the elements that the busiest multiprocessor moves: rows of pixels and filters, the tile's results, and
  // sums from block to block if it is split. It is an assumption that these kernels wait for loads more than for
  // products; cuDNN's choices on an A100 agree with it.
  std::int64_t moved(const CompiledTile& tile, std::int64_t split) const {
    const std::int64_t loads = (tile.pixels + tile.channels) * parts(covered.depth, split);
    const std::int64_t results = tile.pixels * tile.channels * (split > 1 ? 3 : 1);
    return parts(blocks(tile) * split, multiprocessors) * (loads + results);
  }
};

}  // namespace

const CompiledEngine* compiled_engine(std::string_view version, std::int64_t last_setting) {
  const auto* const found = std::ranges::find_if(kEngines, [&](const CompiledEngine& engine) {
    return engine.version == version && engine.last_setting == last_setting;
  });
  return found == kEngines.end() ? nullptr : found;
}

std::vector<CompiledSetting> compiled_settings(const CompiledEngine& engine, const Problem& problem,
                                               std::int64_t multiprocessors) {
  const auto* const conv = std::get_if<ConvProblem>(&problem);
  const auto* const product = std::get_if<MatMulProblem>(&problem);
  if (conv == nullptr ? product == nullptr : conv->transposed) return {};
  const TileCosts costs{conv == nullptr ? covered(*product) : covered(*conv), multiprocessors};
  std::vector<std::pair<std::int64_t, CompiledSetting>> whole;  // by cost
  std::vector<std::pair<std::int64_t, CompiledSetting>> split;
  for (const CompiledTile& tile : engine.tiles) {
    whole.push_back({costs.moved(tile, 1), {tile.setting, 1}});
    if (2 * costs.blocks(tile) >= multiprocessors) continue;
    for (const std::int64_t parts : {2, 4}) split.push_back({costs.moved(tile, parts), {tile.setting, parts}});
  }
  std::ranges::stable_sort(whole, {}, [](const auto& one) { return one.first; });
  std::ranges::stable_sort(split, {}, [](const auto& one) { return one.first; });
  std::vector<CompiledSetting> settings;
  for (std::size_t i = 0; i < std::max(whole.size(), split.size()); ++i) {
    if (i < whole.size()) settings.push_back(whole[i].second);
    if (i < split.size()) settings.push_back(split[i].second);
  }
  return settings;
}

}  // namespace iosx::gpu
