#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/model/plan/execution_plan.h"
#include "gpu/exec/cold_weights.h"
#include "gpu/exec/layer_tensors.h"
#include "gpu/exec/weight_store.h"
#include "gpu/ops/conv/conv_problem.h"

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

}  // namespace iosx::gpu
