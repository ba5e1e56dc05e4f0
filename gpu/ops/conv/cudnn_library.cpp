#include "gpu/ops/conv/cudnn_library.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <set>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "gpu/ops/conv/compiled_settings.h"
#include "gpu/ops/conv/cudnn_graph.h"
#include "gpu/ops/conv/plan_store.h"
#include "gpu/runtime/errors.h"

namespace iosx::gpu {
namespace {

// A workspace below this holds an engine's own notes, 131 bytes in many, and no tensor.
constexpr std::int64_t kLeastCopyBytes = 1024;

bool is_plain(const ConvProblem& problem) {
  return !problem.bias && !problem.residual && problem.activation.kind == ActivationKind::kIdentity;
}

// cuDNN's attention reads 16 bytes at once whatever it is told, along the features of each query, key and value, which
// are whole eights. Matrices that repeat for the batch it takes for heads that share keys. It may look for the largest
// score before it multiplies by the scale.
bool is_readable(const AttentionProblem& problem) {
  const MatMulProblem& scores = problem.scores;
  const MatMulProblem& context = problem.context;
  const bool together = scores.a.column == 1 && scores.b.row == 1 && context.b.column == 1 && context.y.column == 1;
  const bool each = std::ranges::all_of(std::array{&scores.a, &scores.b, &context.b, &context.y}, [&](const auto* one) {
    return one->alignment == 16 && (one->batch > 0 || scores.batch == 1);
  });
  return together && each && scores.depth % 8 == 0 && context.columns % 8 == 0 && problem.scale > 0;
}

// The version whose attention of float32 tensors multiplies them on CUDA cores, though it says that it uses tensor
// cores: its machine code has products of float32 alone.
constexpr std::string_view kExactAttention = "cuDNN 9.19.0";

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

std::vector<Descriptor> proposals(const CudnnGraph& graph, const CudnnTarget& target, cudnnBackendHeurMode_t mode,
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

// Returns the best choice of every engine, then the others.
std::vector<EngineChoice> engines_first(std::vector<EngineChoice> choices) {
  std::set<std::int64_t> engines;
  std::vector<EngineChoice> first;
  std::vector<EngineChoice> others;
  for (EngineChoice& choice : choices) {
    (engines.insert(choice.engine).second ? first : others).push_back(std::move(choice));
  }
  std::ranges::move(others, std::back_inserter(first));
  return first;
}

// Moves the choices of compiled engines out. Both parts keep their order.
std::vector<EngineChoice> take_compiled(std::vector<EngineChoice>& choices) {
  const auto end = std::stable_partition(choices.begin(), choices.end(),
                                         [](const EngineChoice& choice) { return !choice.notes.runtime_compiled; });
  std::vector<EngineChoice> compiled(std::make_move_iterator(end), std::make_move_iterator(choices.end()));
  choices.erase(end, choices.end());
  return compiled;
}

// Returns the greatest value of an engine's knob KERNEL_CFG, -1 if it has none or cuDNN does not tell.
std::int64_t last_setting(const EngineChoice& choice) try {
  const std::vector<Descriptor> engines =
      choice.config.descriptors(CUDNN_ATTR_ENGINECFG_ENGINE, CUDNN_BACKEND_ENGINE_DESCRIPTOR);
  for (const Descriptor& knob : engines.at(0).descriptors(CUDNN_ATTR_ENGINE_KNOB_INFO,
                                                          CUDNN_BACKEND_KNOB_INFO_DESCRIPTOR, CUDNN_KNOB_TYPE_COUNTS)) {
    if (knob.get<cudnnBackendKnobType_t>(CUDNN_ATTR_KNOB_INFO_TYPE) == CUDNN_KNOB_TYPE_KERNEL_CFG) {
      return knob.get<std::int64_t>(CUDNN_ATTR_KNOB_INFO_MAXIMUM_VALUE);
    }
  }
  return -1;
} catch (const GpuError&) {
  return -1;
}

// Returns the engine's settings for the problem that differ from the choice's own; at most `room`.
std::vector<EngineChoice> further_settings(const EngineChoice& choice, const Problem& problem, const CudnnGraph& graph,
                                           const CudnnTarget& target, std::size_t room) {
  std::vector<EngineChoice> further;
  const CompiledEngine* const engine = compiled_engine(cudnn_version(), last_setting(choice));
  if (engine == nullptr) return further;
  for (const auto& [setting, split] : compiled_settings(*engine, problem, target.multiprocessors())) {
    if (further.size() == room) break;
    if (choice.knobs.empty() && setting == engine->usual_setting && split == 1) continue;
    std::vector<Knob> knobs{{CUDNN_KNOB_TYPE_KERNEL_CFG, setting}};
    if (split > 1) knobs.push_back({CUDNN_KNOB_TYPE_SPLIT_K_SLC, split});
    try {
      EngineChoice one = choose_engine(graph, target, choice.engine, knobs);
      if (one.knobs != choice.knobs) further.push_back(std::move(one));
    } catch (const GpuError&) {  // too few products to split
    }
  }
  return further;
}

// Returns the choices of compiled engines to try, at most `most`: each engine's first proposal, settings that cuDNN
// does not propose, then its other proposals. Where one uses the tensor cores, those without are among the last.
std::vector<EngineChoice> tries_of(std::vector<EngineChoice> proposed, const Problem& problem, const CudnnGraph& graph,
                                   const CudnnTarget& target, std::size_t most) {
  const bool tensor_cores = std::ranges::any_of(proposed, [](const auto& choice) { return choice.notes.tensor_cores; });
  std::set<std::int64_t> engines;
  std::vector<EngineChoice> tries;
  std::vector<EngineChoice> others;
  for (EngineChoice& choice : proposed) {
    const bool first = (choice.notes.tensor_cores || !tensor_cores) && engines.insert(choice.engine).second;
    (first ? tries : others).push_back(std::move(choice));
  }
  std::set<std::string> names;
  const std::size_t engine_count = tries.size();
  for (std::size_t i = 0; i < engine_count && tries.size() < most; ++i) {
    std::ranges::move(further_settings(tries[i], problem, graph, target, most - tries.size()),
                      std::back_inserter(tries));
  }
  for (const EngineChoice& choice : tries) names.insert(name_of(choice));
  for (EngineChoice& choice : others) {
    if (names.insert(name_of(choice)).second) tries.push_back(std::move(choice));
  }
  if (tries.size() > most) tries.erase(tries.begin() + static_cast<std::ptrdiff_t>(most), tries.end());
  return tries;
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

std::vector<LibraryPlanPtr> CudnnLibrary::plans(const Problem& problem) {
  const auto* const conv = std::get_if<ConvProblem>(&problem);
  if (conv != nullptr && conv->transposed && !is_plain(*conv)) return {};
  const auto* const attention = std::get_if<AttentionProblem>(&problem);
  if (attention != nullptr && !is_readable(*attention)) {
    set_refusal("attention of another scale, or of tensors that do not lie in 16 bytes along the features");
    return {};
  }
  const Math math = math_of(problem);
  std::shared_ptr<const CudnnGraph> graph;
  std::vector<EngineChoice> choices;
  try {
    target_->make_current();
    graph = std::make_shared<CudnnGraph>(problem, target_->handle());
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
  if (attention != nullptr && data_type(math) == DataType::kFloat32 && version_ == kExactAttention) {
    for (EngineChoice& choice : choices) choice.notes.tensor_cores = false;
  }
  std::erase_if(choices, [&](const EngineChoice& choice) { return !keeps_promise(choice.notes, math); });
  for (std::size_t i = 0; i < choices.size(); ++i) choices[i].rank = i;
  choices = engines_first(std::move(choices));
  std::vector<EngineChoice> compiled = take_compiled(choices);

  const std::size_t most = effort() == Effort::kQuick ? 1 : limits_.plans;
  std::vector<std::pair<std::size_t, LibraryPlanPtr>> built;  // with the choice's rank
  const auto build = [&](EngineChoice& choice) {
    const Trial trial(trials(), fmt::format("build {}: {}", key_of(problem), name_of(choice)));
    if (trial.ended_a_process()) return;
    try {
      const std::size_t rank = choice.rank;
      built.emplace_back(rank, std::make_shared<CudnnPlan>(problem, std::move(choice), graph, target_));
    } catch (const GpuError& error) {
      set_refusal(error.what());  // the heuristics propose what the engine then refuses
    }
  };
  bool good = false;
  for (EngineChoice& choice : choices) {
    if (built.size() == most) break;
    const std::size_t before = built.size();
    const EngineNotes notes = choice.notes;
    build(choice);
    good = good || (built.size() > before && built.back().second->workspace_bytes() < kLeastCopyBytes &&
                    (notes.tensor_cores || math == Math::kStrict));
  }
  if (effort() == Effort::kAll && !(good && (conv == nullptr || fuses_well(conv->activation)))) {
    compiled = tries_of(std::move(compiled), problem, *graph, *target_, std::min(limits_.runtime_compiled, most));
    if (built.size() + compiled.size() > most) built.resize(most - compiled.size());
    for (EngineChoice& choice : compiled) build(choice);
  }
  std::ranges::stable_sort(built, {}, [](const auto& one) { return one.first; });
  std::vector<LibraryPlanPtr> plans;
  plans.reserve(built.size());
  for (auto& [rank, plan] : built) plans.push_back(std::move(plan));
  return plans;
}

LibraryPlanPtr CudnnLibrary::restore(const Problem& problem, const std::string& serialised) {
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

EngineChoice choose_engine(const CudnnGraph& graph, const CudnnTarget& target, std::int64_t engine,
                           std::span<const Knob> knobs) {
  Descriptor numbered(CUDNN_BACKEND_ENGINE_DESCRIPTOR);
  numbered.set(CUDNN_ATTR_ENGINE_OPERATION_GRAPH, graph.operations());
  numbered.set(CUDNN_ATTR_ENGINE_GLOBAL_INDEX, engine);
  target.put_on_engine(numbered);
  numbered.finalize();
  Descriptor config(CUDNN_BACKEND_ENGINECFG_DESCRIPTOR);
  config.set(CUDNN_ATTR_ENGINECFG_ENGINE, numbered);
  std::vector<Descriptor> choices;
  std::vector<cudnnBackendDescriptor_t> raw;
  for (const Knob& knob : knobs) {
    Descriptor& choice = choices.emplace_back(CUDNN_BACKEND_KNOB_CHOICE_DESCRIPTOR);
    choice.set(CUDNN_ATTR_KNOB_CHOICE_KNOB_TYPE, knob.type);
    choice.set(CUDNN_ATTR_KNOB_CHOICE_KNOB_VALUE, knob.value);
    choice.finalize();
    raw.push_back(choice.raw());
  }
  if (!raw.empty()) config.set_descriptors(CUDNN_ATTR_ENGINECFG_KNOB_CHOICES, raw);
  config.finalize();
  return choice_of(std::move(config));
}

std::string name_of(const EngineChoice& choice) {
  return fmt::format("cuDNN engine {} ({}){}{}", choice.engine, hex(hash_of(choice.knobs)).substr(0, 8),
                     choice.notes.tensor_cores ? ", tensor cores" : "",
                     choice.notes.runtime_compiled ? ", runtime compiled" : "");
}

std::vector<EngineChoice> proposed_engines(const CudnnGraph& graph, const CudnnTarget& target, std::string& refusal) {
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

CudnnPlan::CudnnPlan(const Problem& problem, EngineChoice choice, std::shared_ptr<const CudnnGraph> graph,
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

void CudnnPlan::execute(cudnnHandle_t handle, const Operands& operands) const {
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
  if (operands.values != nullptr) bind(OperandId::kValues, operands.values);
  if (const auto* const attention = std::get_if<AttentionProblem>(&problem_)) {
    bind(OperandId::kScale, &attention->scale);
  }
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
