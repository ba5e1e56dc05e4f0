#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/devices/simulated/contention_model.h"

// Launches captured in a graph, as measured: what a launch takes alone, by its family, and what it waits for. The
// formulas are here; their figures, with source, in models/devices/engines/captured.json, which gpu/bench/calibrate.py
// fits to recorded launches.
namespace iosx::simulated {

// Kernels that take time in the same way.
enum class Family {
  kStream,  // each number once, of tensors that lie together: sums, activations, concatenations
  kCopy,    // in another order: slices of columns, transposed tensors
  kResize,
  kDepthwise,       // four channels a thread
  kDepthwiseApart,  // one, where channels are no multiple of four
  kPool,
  kGlobalPool,
  kMatrix,     // products of tensors
  kRows,       // softmax and normalizations
  kVector,     // a matrix of weights times one vector
  kCudaCore,   // convolutions without tensor cores
  kPadding,    // changes of a convolution's tensors before or after it
  kConvert,    // of weights, to another form of TF32
  kSplit,      // sums of the parts of a product
  kSm80,       // convolutions and products with weights on tensor cores
  kSm90,       // the same, a multiprocessor each
  kAttention,  // of float32, on CUDA cores
  kExcitation  // the layers of squeeze and excitation, and the product with the feature map
};
inline constexpr std::size_t kFamilies = 18;
std::string_view name_of(Family family);
std::optional<Family> family_named(std::string_view name);

// The facts of an operator that the time of its launches depends on.
struct LaunchFacts {
  double taps = 0;      // of a window; columns of a thread (kMatrix); tensors that are read (kStream); of a query and
                        // an output (kAttention)
  double channels = 0;  // that an output sums over, for each tap; keys (kAttention); KB of blocks
                        // one after another (kExcitation)
  double columns = 0;   // channels of the output
  double elements = 0;  // of the output, all samples
  double bytes = 0;     // read and written; of weights where the family changes those
  bool cold = false;    // weights come from memory
};

// Says what a figure of a family counts. The figure is in µs for each.
enum class Term {
  kFixed,
  kTap,
  kChannel,
  kDepth,  // channels · taps
  kWave,   // ⌈blocks / multiprocessors⌉
  kMegabyte,
  kMegaelement,
  kMegaelementTap,       // elements · taps
  kCold,                 // once, where weights come from memory
  kFirst,                // once, where a convolution reads at most four channels
  kFirstMegaelementTap,  // elements · taps of such a one
  kStep,                 // of the reduction, at least
  kTileStep,             // of the reduction, for a tile of 64 × 64
  kTile,                 // written, of 64 × 64
};
inline constexpr std::size_t kTerms = 14;
std::string_view name_of(Term term);

// The errors of the figures, as standard deviations of ln(measured / simulated).
struct CapturedSpread {
  double launch = 0;                       // of each figure of launches, waits and issue
  std::array<double, kFamilies> kernel{};  // of a kernel, apart from what its family shares
  std::array<double, kFamilies> family{};  // of what all kernels of a family share in a network
};

// The fitted figures.
struct CapturedFigures {
  double gap_us = 0;                      // from the end of what a launch waits for, to its begin
  double lanes_us = 0;                    // added in plans of several lanes
  double wait_us = 0;                     // added for the first launch of another lane that it waits for
  double more_waits_us = 0;               // for each other one
  double dead_us = 0;                     // of a launch, in which it holds no multiprocessor
  double replay_us = 0;                   // before the first launch
  std::array<double, kFamilies> issue{};  // part of a multiprocessor's issue that a kernel needs alone
  std::array<std::array<double, kTerms>, kFamilies> us{};
  CapturedSpread spread;
};

// Returns the larger of each two.
CapturedSpread wider(CapturedSpread a, const CapturedSpread& b);

// Returns the figures with errors of their spread, the same for the same draw: each figure of launches and of issue has
// a factor, and all terms of a family share one.
CapturedFigures redrawn(const CapturedFigures& figures, std::uint64_t draw);

// Returns the factor of one kernel in that draw, apart from that of its family. `seed` stands for its operator.
double kernel_factor(const CapturedFigures& figures, Family family, std::uint64_t seed, std::uint64_t draw);

// Blocks of a family's kernels.
struct FamilyShape {
  int outputs = 1;  // of one block; of families with tiles: see there
  int warps = 4;
  int blocks_per_sm = 1;
  struct Tile {
    int rows = 0;
    int columns = 0;
    int blocks_per_sm = 1;
  };
  std::vector<Tile> tiles;
  std::vector<Term> terms;             // that its formula has
  double from_compute_capability = 0;  // of families with tiles
};

inline constexpr double kMeasuredStepChannels = 32;

// Says what captured launches take on a device.
struct CapturedModel {
  double sms = 1;
  double step_channels = kMeasuredStepChannels;  // of a tap, in one step of tensor cores
  std::array<FamilyShape, kFamilies> families;
  CapturedFigures figures;
  std::optional<std::uint64_t> draw;  // of errors of kernels; those of the figures are in `figures`

  const FamilyShape& shape(Family family) const { return families[static_cast<std::size_t>(family)]; }
};

// Launches as measured on one device, whose figures others scale.
struct CapturedEngine {
  std::string source;
  std::string prior_source;  // of cards and formats that scale it
  std::uint64_t checksum = 0;
  std::string device;  // id of the one that was measured
  double sms = 1;
  double clock_ghz = 1;
  double tf32_tflops = 1;
  std::array<FamilyShape, kFamilies> families;
  CapturedFigures fitted;                        // to all networks
  std::map<std::string, CapturedFigures> folds;  // to all but the named one
  CapturedFigures prior;                         // where nothing was measured, and where a fit begins

  CapturedModel model(const CapturedFigures& figures) const {
    return {sms, kMeasuredStepChannels, families, figures, std::nullopt};
  }
};

Result<CapturedEngine> parse_captured(std::string_view json, const std::string& origin);
// Returns the figures as JSON in the form that parse_captured() reads.
std::string figures_json(const CapturedEngine& engine, const CapturedFigures& figures);

// The fastest of a family's tiles.
struct TileChoice {
  double us = 0;  // without the terms that all tiles have
  double blocks = 1;
  int blocks_per_sm = 1;
};
// Returns the tile that takes least: waves · (steps · max(step, tile_step · w · on) + tile · w), where w is its size
// over 64 × 64, `on` the blocks of a multiprocessor, and a step is of step_channels channels of a tap. The family needs
// tiles.
TileChoice fastest_tile(const CapturedModel& model, Family family, const LaunchFacts& facts);

// Returns what a launch of so many blocks takes alone: the sum of the family's terms, and what its fastest tile takes.
double alone_us(const CapturedModel& model, Family family, const LaunchFacts& facts, double blocks);

// Returns the load of a launch that takes `us` alone. Beside other kernels it takes longer where they and it together
// need more than a multiprocessor can issue.
KernelLoad timed_load(const Machine& machine, const CapturedFigures& figures, Family family, double us, int blocks,
                      int warps, int blocks_per_sm);

// Returns the time from the end of what a launch waits for to its begin, with so many waits for other lanes.
double wait_us(const CapturedFigures& figures, bool several_lanes, std::size_t waits);

}  // namespace iosx::simulated
