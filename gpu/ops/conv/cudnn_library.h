#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "gpu/ops/conv/conv_plan.h"
#include "gpu/ops/conv/cudnn_target.h"

namespace iosx::gpu {

// How many plans of a problem are built. Engines that are not listed yet come before further settings of others.
struct PlanLimits {
  std::size_t plans = 16;
  // With Effort::kAll, how many plans to try that are compiled at run time. None where a precompiled engine uses the
  // tensor cores, if the math allows them, and needs no workspace large enough for copies of tensors.
  std::size_t runtime_compiled = 1;
};

// cuDNN's convolutions for one GPU. All plans are CudnnPlans. It skips proposals whose plan cannot be built, and
// engines that round more than the math allows or differ from run to run (keeps_promise()). Transposed convolutions
// have plans only without residual, bias and activation: others take seconds to compile and hide the precompiled ones.
class CudnnLibrary final : public ConvLibrary {
 public:
  // Opens the library for an existing GPU. Every call makes it the calling thread's current one. Throws GpuError.
  static std::unique_ptr<CudnnLibrary> open(int device, const PlanLimits& limits = {});
  // Opens it for a GPU that cuDNN's JSON describes (device_description()), without GPU and driver. Its plans can be
  // inspected and stored, not run. Throws GpuError if cuDNN does not understand the description.
  static std::unique_ptr<CudnnLibrary> described(const std::string& json, const PlanLimits& limits = {});

  const std::string& version() const override { return version_; }
  bool fuses(const Activation& activation) const override;
  std::vector<ConvPlanPtr> plans(const ConvProblem& problem) override;
  ConvPlanPtr restore(const ConvProblem& problem, const std::string& serialised) override;

 private:
  CudnnLibrary(std::shared_ptr<const CudnnTarget> target, const PlanLimits& limits);

  std::shared_ptr<const CudnnTarget> target_;
  PlanLimits limits_;
  std::string version_;
};

}  // namespace iosx::gpu
