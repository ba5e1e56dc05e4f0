#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/model/plan/execution_plan.h"
#include "gpu/exec/context.h"
#include "gpu/exec/problem_of.h"
#include "gpu/exec/way.h"
#include "gpu/ops/conv/problem.h"

namespace iosx::gpu {

inline constexpr const char* kGpuDevice = "GPU device";  // name in messages

// A kernel of a plan with the data for its steps.
struct KernelSite {
  const Kernel& kernel;
  std::int64_t batch = 1;
  Math math = Math::kTf32;
  int multiprocessors = 0;       // of the GPU
  std::vector<TensorRef> reads;  // a constant has one sample
  TensorRef write;
};

// The source of a kernel's weights.
struct Weights {
  WeightStore& store;
  const std::shared_ptr<const Parameters>& parameters;
  std::int64_t& bytes;  // requested so far, aligned
  // If not null, weights of the same size come from there instead, the first ones at `bytes`.
  const ColdWeights* cold = nullptr;

  // Returns device memory; see WeightStore::get().
  const void* get(std::span<const OperatorId> operators, std::string_view form, DataType type,
                  FunctionRef<Tensor()> make) const {
    const DeviceMemory& memory = store.get({parameters, operators, form}, type, make);
    const std::int64_t begin = bytes;
    bytes += aligned(memory.bytes());
    return cold == nullptr ? memory.data() : cold->data() + begin;
  }
};

// Returns the scratch memory in bytes, from its lane, of a kernel that is not a layer: the scores of attention, or
// partial sums of squeeze and excitation and where a reduction is worth two steps. Of the tensors' addresses only the
// alignment matters.
std::int64_t kernel_scratch_bytes(const KernelSite& site);

// Returns the steps of a kernel that is not a layer, all with our own kernels. Returns an error for a kind without
// any: Input, Constant, Opaque, Recurrent, TopK, GridSample, and layers.
Result<std::vector<Step>> kernel_steps(const KernelSite& site, const Weights& weights, std::byte* scratch);

// Make the steps of Conv, ConvTranspose and Linear kernels.

// Returns the scratch memory in bytes, from its lane, of a layer computed in this way: copies of tensors that the
// library cannot read, and the way's own. The tensors' addresses do not matter.
std::int64_t layer_scratch_bytes(const KernelSite& site, const Problem& problem, const Way& way);

// Returns the layer's steps; uploads missing weights.
std::vector<Step> layer_steps(const KernelSite& site, const Problem& problem, const Way& way, const Weights& weights,
                              std::byte* scratch);

}  // namespace iosx::gpu
