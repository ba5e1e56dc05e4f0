#pragma once

#include <memory>
#include <optional>
#include <string>

#include "gpu/ops/conv/conv_graph.h"
#include "gpu/ops/conv/conv_plan.h"
#include "gpu/ops/conv/cudnn_engines.h"
#include "gpu/ops/conv/cudnn_target.h"

namespace iosx::gpu {

// A CudnnPlan owns a built plan of cuDNN.
class CudnnPlan final : public ConvPlan {
 public:
  // Builds the plan, which takes 0.01 ms, or a second where the engine is compiled at run time. Throws GpuError if the
  // engine cannot do it.
  CudnnPlan(const ConvProblem& problem, EngineChoice choice, std::shared_ptr<const ConvGraph> graph,
            std::shared_ptr<const CudnnTarget> target);
  // Restores the plan from serialised(). Throws GpuError if this library did not write the text.
  CudnnPlan(const ConvProblem& problem, const std::string& serialised, std::shared_ptr<const CudnnTarget> target);

  const ConvProblem& problem() const override { return problem_; }
  const std::string& name() const override { return name_; }
  std::int64_t workspace_bytes() const override { return workspace_bytes_; }
  std::int64_t shared_bytes() const override;  // of a built plan, not a restored one
  std::string serialised() const override;
  bool compiled() const override { return choice_ && choice_->notes.runtime_compiled; }

  // Enqueues it on the handle's stream. The handle belongs to the plan's GPU and is used exclusively meanwhile; the
  // plan may run on several at once. Throws GpuError.
  void execute(cudnnHandle_t handle, const ConvOperands& operands) const;

 private:
  std::string purpose() const;  // of its serialised form
  void read_workspace();

  ConvProblem problem_;
  std::string name_;
  std::int64_t workspace_bytes_ = 0;
  std::shared_ptr<const CudnnTarget> target_;
  std::shared_ptr<const ConvGraph> graph_;  // the plan refers to it and to its choice; a restored one has neither
  std::optional<EngineChoice> choice_;
  Descriptor plan_;
};

// Returns the version of the loaded library, "cuDNN 9.19.0".
std::string cudnn_version();

}  // namespace iosx::gpu
