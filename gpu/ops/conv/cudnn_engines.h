#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gpu/ops/conv/conv_graph.h"
#include "gpu/ops/conv/cudnn_target.h"

namespace iosx::gpu {

// Holds what cuDNN says of an engine.
struct EngineNotes {
  bool tensor_cores = false;
  bool converts_inputs = false;    // to a smaller type
  bool reduced_sums = false;       // below float32
  bool transforms = false;         // Winograd or FFT
  bool nondeterministic = false;   // two runs may differ
  bool runtime_compiled = false;   // building takes 0.1 to 1 s, and the driver
  bool reordered_weights = false;  // wants the filter in an order of its own
};

// Says whether an engine computes what `math` promises, the same at every run. Sums are float32 in all of them, and
// inputs keep their type: half precision has TF32's digits but not its range. Winograd and FFT lose digits by
// transforming their inputs: with kStrict they could miss 1e-4, and with 16 bits they round the transforms; kTf32 may
// use them.
bool keeps_promise(const EngineNotes& notes, Math math);

// A choice is an engine with all its knobs set.
struct EngineChoice {
  Descriptor config;
  std::int64_t engine = 0;  // its number; means something only within one version of cuDNN
  EngineNotes notes;
  std::string knobs;  // "TYPE=VALUE …" in order of types
};

// Returns "cuDNN engine 41 (KNOBS), tensor cores", the same for the same choice in every run.
std::string name_of(const EngineChoice& choice);

// Returns cuDNN's proposals for a graph, the best first: those of its heuristics, then its fallbacks, each once.
// `refusal` becomes what it said if one of the two gave none.
std::vector<EngineChoice> proposed_engines(const ConvGraph& graph, const CudnnTarget& target, std::string& refusal);

}  // namespace iosx::gpu
