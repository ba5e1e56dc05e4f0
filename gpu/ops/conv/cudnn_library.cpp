#include "gpu/ops/conv/cudnn_library.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>

#include "gpu/ops/conv/conv_graph.h"
#include "gpu/ops/conv/cudnn_engines.h"
#include "gpu/ops/conv/cudnn_plan.h"
#include "gpu/ops/conv/trial_log.h"
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

std::vector<ConvPlanPtr> CudnnLibrary::plans(const ConvProblem& problem) {
  if (problem.transposed && !is_plain(problem)) return {};
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
  std::erase_if(choices, [&](const EngineChoice& choice) { return !keeps_promise(choice.notes, problem.math); });

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
                    (notes.tensor_cores || problem.math == Math::kStrict));
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

ConvPlanPtr CudnnLibrary::restore(const ConvProblem& problem, const std::string& serialised) {
  try {
    target_->make_current();
    return std::make_shared<CudnnPlan>(problem, serialised, target_);
  } catch (const GpuError&) {
    return nullptr;
  }
}

}  // namespace iosx::gpu
