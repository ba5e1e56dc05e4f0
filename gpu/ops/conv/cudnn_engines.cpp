#include "gpu/ops/conv/cudnn_engines.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "gpu/ops/conv/sealed_text.h"
#include "gpu/runtime/errors.h"

namespace iosx::gpu {
namespace {

EngineNotes notes_of(const Descriptor& engine) {
  EngineNotes notes;
  for (const auto note : engine.get_all<cudnnBackendNumericalNote_t>(CUDNN_ATTR_ENGINE_NUMERICAL_NOTE)) {
    switch (note) {
      case CUDNN_NUMERICAL_NOTE_TENSOR_CORE: notes.tensor_cores = true; break;
      case CUDNN_NUMERICAL_NOTE_DOWN_CONVERT_INPUTS: notes.converts_inputs = true; break;
      case CUDNN_NUMERICAL_NOTE_REDUCED_PRECISION_REDUCTION: notes.reduced_sums = true; break;
      case CUDNN_NUMERICAL_NOTE_NONDETERMINISTIC: notes.nondeterministic = true; break;
      case CUDNN_NUMERICAL_NOTE_FFT:
      case CUDNN_NUMERICAL_NOTE_WINOGRAD:
      case CUDNN_NUMERICAL_NOTE_WINOGRAD_TILE_4x4:
      case CUDNN_NUMERICAL_NOTE_WINOGRAD_TILE_6x6:
      case CUDNN_NUMERICAL_NOTE_WINOGRAD_TILE_13x13: notes.transforms = true; break;
      default: break;
    }
  }
  for (const auto note : engine.get_all<cudnnBackendBehaviorNote_t>(CUDNN_ATTR_ENGINE_BEHAVIOR_NOTE)) {
    switch (note) {
      case CUDNN_BEHAVIOR_NOTE_RUNTIME_COMPILATION: notes.runtime_compiled = true; break;
      case CUDNN_BEHAVIOR_NOTE_REQUIRES_FILTER_INT8x32_REORDER:
      case CUDNN_BEHAVIOR_NOTE_REQUIRES_BIAS_INT8x32_REORDER: notes.reordered_weights = true; break;
      default: break;
    }
  }
  return notes;
}

std::string knobs_of(const Descriptor& config) {
  std::vector<std::pair<int, std::int64_t>> knobs;
  for (const Descriptor& knob : config.descriptors(CUDNN_ATTR_ENGINECFG_KNOB_CHOICES,
                                                   CUDNN_BACKEND_KNOB_CHOICE_DESCRIPTOR, CUDNN_KNOB_TYPE_COUNTS)) {
    knobs.emplace_back(static_cast<int>(knob.get<cudnnBackendKnobType_t>(CUDNN_ATTR_KNOB_CHOICE_KNOB_TYPE)),
                       knob.get<std::int64_t>(CUDNN_ATTR_KNOB_CHOICE_KNOB_VALUE));
  }
  std::sort(knobs.begin(), knobs.end());
  std::string text;
  for (const auto& [type, value] : knobs) text += fmt::format("{}{}={}", text.empty() ? "" : " ", type, value);
  return text;
}

EngineChoice choice_of(Descriptor config) {
  const std::vector<Descriptor> engines =
      config.descriptors(CUDNN_ATTR_ENGINECFG_ENGINE, CUDNN_BACKEND_ENGINE_DESCRIPTOR);
  if (engines.empty()) throw GpuError("cuDNN, reading a proposal: it has no engine");
  const Descriptor& engine = engines.front();
  const auto number = engine.get<std::int64_t>(CUDNN_ATTR_ENGINE_GLOBAL_INDEX);
  std::string knobs = knobs_of(config);
  return {std::move(config), number, notes_of(engine), std::move(knobs)};
}

std::vector<Descriptor> proposals(const ConvGraph& graph, const CudnnTarget& target, cudnnBackendHeurMode_t mode,
                                  std::string& refusal) {
  try {
    Descriptor heuristics(CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR);
    heuristics.set(CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, graph.operations());
    heuristics.set(CUDNN_ATTR_ENGINEHEUR_MODE, mode);
    target.put_on_heuristics(heuristics);
    heuristics.finalize();
    return heuristics.descriptors(CUDNN_ATTR_ENGINEHEUR_RESULTS, CUDNN_BACKEND_ENGINECFG_DESCRIPTOR);
  } catch (const GpuError& error) {
    refusal = error.what();  // how it says that it knows no engine
    return {};
  }
}

}  // namespace

bool keeps_promise(const EngineNotes& notes, Math math) {
  if (notes.reduced_sums || notes.converts_inputs || notes.nondeterministic || notes.reordered_weights) return false;
  switch (math) {
    case Math::kStrict: return !notes.tensor_cores && !notes.transforms;
    case Math::kTf32: return true;
    case Math::kHalf:
    case Math::kBfloat16: return !notes.transforms;
  }
  return false;
}

std::string name_of(const EngineChoice& choice) {
  return fmt::format("cuDNN engine {} ({}){}{}", choice.engine, hex(hash_of(choice.knobs)).substr(0, 8),
                     choice.notes.tensor_cores ? ", tensor cores" : "",
                     choice.notes.runtime_compiled ? ", runtime compiled" : "");
}

std::vector<EngineChoice> proposed_engines(const ConvGraph& graph, const CudnnTarget& target, std::string& refusal) {
  std::vector<EngineChoice> choices;
  std::set<std::string> known;
  for (const cudnnBackendHeurMode_t mode : {CUDNN_HEUR_MODE_A, CUDNN_HEUR_MODE_FALLBACK}) {
    for (Descriptor& config : proposals(graph, target, mode, refusal)) {
      EngineChoice choice = choice_of(std::move(config));
      if (known.insert(name_of(choice)).second) choices.push_back(std::move(choice));
    }
  }
  return choices;
}

}  // namespace iosx::gpu
