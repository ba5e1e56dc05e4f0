#pragma once

#include <cstdint>
#include <deque>
#include <optional>

#include "gpu/ops/conv/cudnn_descriptor.h"
#include "gpu/ops/conv/problem.h"

namespace iosx::gpu {

// The ids of the operands in cuDNN's plans.
enum class OperandId : std::int64_t { kX = 1, kWeights, kBias, kResidual, kY, kValues, kScale };

// Returns whether cuDNN has exactly this function, whether or not one of its engines supports it.
bool expressible(const Activation& activation);

// Returns the padding after an axis of `image` pixels for exactly `windows` windows. Of all possible ones (pixels
// outside all windows do not matter) it is the closest to `begin`, because more engines support equal paddings. It
// may be negative.
std::int64_t fitting_end_padding(std::int64_t image, std::int64_t windows, std::int64_t kernel, std::int64_t stride,
                                 std::int64_t dilation, std::int64_t begin);

// A problem as cuDNN's operation graph: a matrix product, attention, or a function of the input, convolution (or the
// gradient of one), + residual, + bias, activation. Intermediate values are float32 and never in memory.
class CudnnGraph {
 public:
  // `handle` is the GPU's, or null for plans of a described GPU. Throws GpuError or Unsupported if cuDNN cannot
  // express it.
  CudnnGraph(const Problem& problem, cudnnHandle_t handle);

  const Descriptor& operations() const { return *operations_; }

 private:
  Descriptor& add(cudnnBackendDescriptorType_t type) { return parts_.emplace_back(type); }
  void add_steps(const ConvProblem& problem);
  void add_steps(const MatMulProblem& problem);
  void add_steps(const AttentionProblem& problem);
  const Descriptor& input(const ConvProblem& problem, const Extent& pixels);
  const Descriptor& convolution(const ConvProblem& problem, bool last);
  const Descriptor& pointwise(const ConvProblem& problem, const Descriptor& function, const Descriptor& x,
                              const Descriptor* b, bool last);
  void add_pointwise(const Descriptor& function, const Descriptor& x, const Descriptor* b, const Descriptor& y);
  const Descriptor& function(const Activation& activation);
  const Descriptor& addition();
  const Descriptor& result(const ConvProblem& problem, bool last);

  std::deque<Descriptor> parts_;  // deque: references stay valid
  std::vector<cudnnBackendDescriptor_t> steps_;
  std::int64_t next_id_ = 100;  // of intermediate values
  std::optional<Descriptor> operations_;
};

}  // namespace iosx::gpu
