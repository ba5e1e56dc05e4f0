#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/recording/replay.h"
#include "core/model/recording/recording.h"

// Which kernels of a recording could have run at the same time, and what that wins. Times are in µs.
namespace iosx {

enum class OpportunityKind : std::uint8_t {
  kSiblings,  // they wait for exactly the same kernels
  kBackward,  // the gradients of the input and of the weight of one layer
  kBeside,    // they run at once on the predicted lanes
  kAlike,     // direct neighbours on a stream: one function, of one size
};
std::string_view opportunity_kind_name(OpportunityKind kind);  // "siblings", "backward", …

// Kernels that could run at once, with all groups that are equal to them, such as those of equal layers.
struct Opportunity {
  OpportunityKind kind = OpportunityKind::kSiblings;
  bool known = false;                                   // true: they are independent; false: they may be
  std::string what = {};                                // "2 x mm < AddmmBackward0 | sum"
  std::vector<std::vector<std::uint32_t>> groups = {};  // kernels; the first one wins most
  // Of all groups together, at most; none: not known.
  std::optional<double> as_launched = {};  // with the launches of the recording
  std::optional<double> as_graph = {};     // launched as one CUDA graph
  Message why = {};
};

// µs that a schedule wins, or a part of it.
struct RecordedGain {
  double as_launched = 0;
  double as_graph = 0;
};

// Returns the opportunities, the largest gain in a CUDA graph first. Siblings and gradients come from the dependencies:
// no kernel of a group depends on another one of it. What else runs at once on `lanes` wins what these lanes save.
// Kernels of unknown dependencies, collectives and copies from or to the host are in no group, but a collective may run
// beside another kernel. None wins more than `most`, which all of `lanes` win. Those that win nothing are left out. The
// dependencies have no cycle; the memory that it takes is quadratic in the kernels.
std::vector<Opportunity> known_opportunities(const Dependencies& dependencies, const RecordedEdges& edges,
                                             const std::vector<double>& shares, const PlacedRun& lanes,
                                             RecordedGain most);

// Returns what may be independent where only the order of streams is known, with the most time first: gradients of one
// layer, and direct neighbours that are alike. A chain of equal layers looks the same.
std::vector<Opportunity> possible_opportunities(const Recording& recording);

// Returns what a person calls a kernel: its module, and the two innermost operators or annotations around its launch,
// or else the function of its name: "Linear: mm < AddmmBackward0".
std::string kernel_label(const Recording& recording, std::uint32_t kernel);

}  // namespace iosx
