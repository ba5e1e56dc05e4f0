#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/model/plan/execution_plan.h"
#include "gpu/exec/weight_store.h"
#include "gpu/ops/conv/conv_problem.h"

namespace iosx::gpu {

inline constexpr const char* kGpuDevice = "GPU device";  // in messages

// A KernelSite has a kernel of a plan with what its steps are made from.
struct KernelSite {
  const Kernel& kernel;
  std::int64_t batch = 1;
  Math math = Math::kTf32;
  int multiprocessors = 0;       // of the GPU
  std::vector<TensorRef> reads;  // of constants one sample
  TensorRef write;
};

// Says where its weights come from.
struct Weights {
  WeightStore& store;
  const std::shared_ptr<const Parameters>& parameters;
};

}  // namespace iosx::gpu
