#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gpu/ops/conv/conv_graph.h"
#include "gpu/ops/conv/cudnn_target.h"

namespace iosx::gpu {

// cuDNN's properties of an engine.
struct EngineNotes {
  bool tensor_cores = false;
  bool converts_inputs = false;    // to a smaller type
  bool reduced_sums = false;       // below float32
  bool transforms = false;         // Winograd or FFT
  bool nondeterministic = false;   // two runs may differ
  bool runtime_compiled = false;   // takes 0.1 to 1 s to build, and needs the driver
  bool reordered_weights = false;  // needs its own order of the filter
};

// Returns whether an engine computes what `math` promises, the same in every run. All sum in float32 and keep the
// inputs' type: half precision has TF32's digits but not its range. Winograd and FFT lose digits in transforms of
// their inputs: with kStrict they could miss 1e-4, and with 16 bits they round the transforms; kTf32 may use them.
bool keeps_promise(const EngineNotes& notes, Math math);

// An engine with all its knobs set.
struct EngineChoice {
  Descriptor config;
  std::int64_t engine = 0;  // its number; meaningful within one version of cuDNN only
  EngineNotes notes;
  std::string knobs;  // "TYPE=VALUE …", sorted by type
};

// Returns "cuDNN engine 41 (KNOBS), tensor cores", equal for the same choice in every run.
std::string name_of(const EngineChoice& choice);

// Returns cuDNN's proposals for a graph, the best first: those of its heuristics, then its fallbacks, each once.
// If one of the two gave none, `refusal` receives its message.
std::vector<EngineChoice> proposed_engines(const ConvGraph& graph, const CudnnTarget& target, std::string& refusal);

}  // namespace iosx::gpu
