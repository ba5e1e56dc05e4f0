#include "gpu/ops/conv/cudnn_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "gpu/ops/conv/sealed_text.h"
#include "gpu/runtime/errors.h"

namespace iosx::gpu {

std::string cudnn_version() {
  const std::size_t version = cudnnGetVersion();
  return fmt::format("cuDNN {}.{}.{}", version / 10000, version / 100 % 100, version % 100);
}

CudnnPlan::CudnnPlan(const ConvProblem& problem, EngineChoice choice, std::shared_ptr<const ConvGraph> graph,
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

CudnnPlan::CudnnPlan(const ConvProblem& problem, const std::string& serialised,
                     std::shared_ptr<const CudnnTarget> target)
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
  if (problem_.bias) bind(OperandId::kBias, operands.bias);
  if (problem_.residual) bind(OperandId::kResidual, operands.residual);
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
