#include "gpu/ops/conv/cudnn_library.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "gpu/ops/conv/conv_graph.h"
#include "gpu/ops/conv/plan_store.h"
#include "gpu/runtime/errors.h"

namespace iosx::gpu {
namespace {

// A workspace below this holds an engine's own notes, 131 bytes in many, and no tensor.
constexpr std::int64_t kLeastCopyBytes = 1024;

bool is_plain(const ConvProblem& problem) {
  return !problem.bias && !problem.residual && problem.activation.kind == ActivationKind::kIdentity;
}

// Returns the order to build choices in: the best of every engine, then the others.
std::vector<std::size_t> engines_first(const std::vector<EngineChoice>& choices) {
  std::set<std::int64_t> engines;
  std::vector<std::size_t> order;
  std::vector<std::size_t> others;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    (engines.insert(choices[i].engine).second ? order : others).push_back(i);
  }
  order.insert(order.end(), others.begin(), others.end());
  return order;
}

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

CudnnLibrary::CudnnLibrary(std::shared_ptr<const CudnnTarget> target, const PlanLimits& limits)
    : target_(std::move(target)), limits_(limits), version_(cudnn_version()) {}

std::unique_ptr<CudnnLibrary> CudnnLibrary::open(int device, const PlanLimits& limits) {
  return std::unique_ptr<CudnnLibrary>(new CudnnLibrary(CudnnTarget::live(device), limits));
}

std::unique_ptr<CudnnLibrary> CudnnLibrary::described(const std::string& json, const PlanLimits& limits) {
  return std::unique_ptr<CudnnLibrary>(new CudnnLibrary(CudnnTarget::described(json), limits));
}

bool CudnnLibrary::fuses(const Activation& activation) const { return expressible(activation); }

std::vector<ConvPlanPtr> CudnnLibrary::plans(const Problem& problem) {
  const auto* const conv = std::get_if<ConvProblem>(&problem);
  if (conv != nullptr && conv->transposed && !is_plain(*conv)) return {};
  const Math math = math_of(problem);
  std::shared_ptr<const ConvGraph> graph;
  std::vector<EngineChoice> choices;
  try {
    target_->make_current();
    graph = std::make_shared<ConvGraph>(problem, target_->handle());
    std::string refusal;
    choices = proposed_engines(*graph, *target_, refusal);
    if (choices.empty()) set_refusal(std::move(refusal));
  } catch (const GpuError& error) {
    set_refusal(error.what());
    return {};
  } catch (const Unsupported& error) {
    set_refusal(error.what());
    return {};
  }
  std::erase_if(choices, [&](const EngineChoice& choice) { return !keeps_promise(choice.notes, math); });

  const std::size_t most = effort() == Effort::kQuick ? 1 : limits_.plans;
  std::vector<std::pair<std::size_t, ConvPlanPtr>> built;  // with the rank that cuDNN gave it
  const auto build = [&](std::size_t rank) {
    if (built.size() == most) return;
    const Trial trial(trials(), fmt::format("build {}: {}", key_of(problem), name_of(choices[rank])));
    if (trial.ended_a_process()) return;
    try {
      built.emplace_back(rank, std::make_shared<CudnnPlan>(problem, std::move(choices[rank]), graph, target_));
    } catch (const GpuError& error) {
      set_refusal(error.what());  // the heuristics propose what the engine then refuses
    }
  };
  const std::vector<std::size_t> order = engines_first(choices);
  std::vector<std::size_t> compiled;
  bool good = false;
  for (const std::size_t rank : order) {
    const EngineNotes notes = choices[rank].notes;
    if (notes.runtime_compiled) {
      compiled.push_back(rank);
      continue;
    }
    const std::size_t before = built.size();
    build(rank);
    good = good || (built.size() > before && built.back().second->workspace_bytes() < kLeastCopyBytes &&
                    (notes.tensor_cores || math == Math::kStrict));
  }
  const std::size_t tries = effort() == Effort::kAll && !good ? limits_.runtime_compiled : 0;
  if (compiled.size() > tries) compiled.resize(tries);
  if (built.size() + compiled.size() > most) built.resize(most - compiled.size());
  for (const std::size_t rank : compiled) build(rank);
  std::sort(built.begin(), built.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<ConvPlanPtr> plans;
  plans.reserve(built.size());
  for (auto& [rank, plan] : built) plans.push_back(std::move(plan));
  return plans;
}

ConvPlanPtr CudnnLibrary::restore(const Problem& problem, const std::string& serialised) {
  try {
    target_->make_current();
    return std::make_shared<CudnnPlan>(problem, serialised, target_);
  } catch (const GpuError&) {
    return nullptr;
  }
}

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

std::string cudnn_version() {
  const std::size_t version = cudnnGetVersion();
  return fmt::format("cuDNN {}.{}.{}", version / 10000, version / 100 % 100, version % 100);
}

CudnnPlan::CudnnPlan(const Problem& problem, EngineChoice choice, std::shared_ptr<const ConvGraph> graph,
                     std::shared_ptr<const CudnnTarget> target)
    : problem_(problem),
      name_(name_of(choice)),
      target_(std::move(target)),
      graph_(std::move(graph)),
      choice_(std::move(choice)),
      plan_(CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR) {
  target_->put_on_plan(plan_);
  plan_.set(CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, choice_->config);
  plan_.finalize();
  read_workspace();
}

CudnnPlan::CudnnPlan(const Problem& problem, const std::string& serialised, std::shared_ptr<const CudnnTarget> target)
    : problem_(problem), target_(std::move(target)), plan_(CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR) {
  const auto text = unsealed(purpose(), serialised);
  const std::size_t end = text ? text->find('\n') : std::string_view::npos;
  if (end == std::string_view::npos)
    throw GpuError("cuDNN, restoring a plan: it is damaged or made for something else");
  name_ = text->substr(0, end);
  const std::string_view json = text->substr(end + 1);
  target_->put_on_plan(plan_);
  plan_.set_all<char>(CUDNN_ATTR_EXECUTION_PLAN_JSON_REPRESENTATION, json);
  plan_.finalize();
  read_workspace();
}

void CudnnPlan::read_workspace() {
  workspace_bytes_ = plan_.get<std::int64_t>(CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE);
  if (workspace_bytes_ < 0) throw GpuError("cuDNN, building a plan: the size of its workspace is unknown");
}

std::int64_t CudnnPlan::shared_bytes() const {
  if (!choice_) return 0;
  try {
    return std::max(choice_->config.get<std::int32_t>(CUDNN_ATTR_ENGINECFG_SHARED_MEMORY_USED), 0);
  } catch (const GpuError&) {
    return 0;  // engines need not tell; without a GPU cuDNN 9.19's do not
  }
}

std::string CudnnPlan::purpose() const {
  return fmt::format("{}, {}, {}", cudnn_version(), target_->identity(), key_of(problem_));
}

std::string CudnnPlan::serialised() const {
  try {
    const std::string json = plan_.text(CUDNN_ATTR_EXECUTION_PLAN_JSON_REPRESENTATION);
    return sealed(purpose(), fmt::format("{}\n{}", name_, json));
  } catch (const GpuError&) {
    return {};  // engines need not support it
  }
}

void CudnnPlan::execute(cudnnHandle_t handle, const ConvOperands& operands) const {
  std::vector<std::int64_t> ids;
  std::vector<void*> addresses;
  const auto bind = [&](OperandId id, const void* address) {
    ids.push_back(static_cast<std::int64_t>(id));
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): cuDNN's interface knows no const; it only reads these
    addresses.push_back(const_cast<void*>(address));
  };
  bind(OperandId::kX, operands.x);
  bind(OperandId::kWeights, operands.weights);
  if (operands.bias != nullptr) bind(OperandId::kBias, operands.bias);
  if (operands.residual != nullptr) bind(OperandId::kResidual, operands.residual);
  bind(OperandId::kY, operands.y);

  Descriptor pack(CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR);
  pack.set_all<std::int64_t>(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, ids);
  pack.set_all<void*>(CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, addresses);
  pack.set(CUDNN_ATTR_VARIANT_PACK_WORKSPACE, operands.workspace);
  pack.finalize();
  const cudnnStatus_t status = cudnnBackendExecute(handle, plan_.raw(), pack.raw());
  if (status != CUDNN_STATUS_SUCCESS) check_cudnn(status, fmt::format("running {}", name_));
}

}  // namespace iosx::gpu
