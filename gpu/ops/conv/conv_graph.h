#pragma once

#include <cstdint>
#include <deque>
#include <optional>

#include "gpu/ops/conv/conv_problem.h"
#include "gpu/ops/conv/cudnn_descriptor.h"

namespace iosx::gpu {

// These are the ids by which cuDNN's plans call the operands.
enum class OperandId : std::int64_t { kX = 1, kWeights, kBias, kResidual, kY };

// Says whether cuDNN has exactly this function, whether or not one of its engines takes it.
bool expressible(const Activation& activation);

// Returns the padding behind an axis of `image` pixels with which exactly `windows` windows fit: of all that do (what
// no window reaches does not matter) the one nearest to `begin`, because more engines take equal paddings. It may be
// negative.
std::int64_t fitting_end_padding(std::int64_t image, std::int64_t windows, std::int64_t kernel, std::int64_t stride,
                                 std::int64_t dilation, std::int64_t begin);

// A ConvGraph is a problem as cuDNN's operation graph: convolution (or the gradient of one), + residual, + bias,
// activation; what lies between is float32 and never in memory.
class ConvGraph {
 public:
  // `handle` is the GPU's, or null if plans are made for a described one. Throws GpuError or Unsupported if cuDNN
  // cannot express it.
  ConvGraph(const ConvProblem& problem, cudnnHandle_t handle);

  const Descriptor& operations() const { return *operations_; }

 private:
  Descriptor& add(cudnnBackendDescriptorType_t type) { return parts_.emplace_back(type); }
  const Descriptor& convolution(const ConvProblem& problem, bool last);
  const Descriptor& pointwise(const ConvProblem& problem, const Descriptor& function, const Descriptor& x,
                              const Descriptor* b, bool last);
  const Descriptor& function(const Activation& activation);
  const Descriptor& addition();
  const Descriptor& result(const ConvProblem& problem, bool last);

  std::deque<Descriptor> parts_;  // deque: references stay
  std::vector<cudnnBackendDescriptor_t> steps_;
  std::int64_t next_id_ = 100;  // of what lies between
  std::optional<Descriptor> operations_;
};

}  // namespace iosx::gpu
