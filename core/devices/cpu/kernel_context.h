#pragma once

#include <dnnl.hpp>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/devices/cpu/convolution_trials.h"
#include "core/devices/cpu/kernels/kernels.h"
#include "core/devices/cpu/memory.h"
#include "core/devices/cpu/onednn.h"
#include "core/model/layout/layout.h"
#include "core/model/plan/execution_plan.h"

namespace iosx::cpu {

// The state that the kernels of a plan share while they become steps.
struct Workshop {
  dnnl::engine engine;
  dnnl::stream stream;
  WeightStore& weights;
  ConvolutionTrials& trials;
  WinogradLayers& winograd_layers;
  const JobContext& job;
  DataType type = DataType::kFloat32;
  bool careful = false;  // treats NaN and infinities as IEEE 754 does: see PreparedPlan::prepare()
};

// One kernel while it becomes steps, for a team of the size that will execute it.
struct KernelContext {
  const Kernel& kernel;
  const std::shared_ptr<const Parameters>& parameters;
  Workshop& shop;
  Scratch& scratch;  // the team's
  std::vector<TensorRef> reads;
  TensorRef write;
  std::vector<Step> steps = {};
  std::string implementation = {};  // oneDNN's name or kWinogradName; empty: another kernel of our own

  const TensorRef& read() const { return reads.front(); }
  // Returns the tensor itself where it is dense, else temporary memory that an added step fills from it.
  TensorRef dense_source(const TensorRef& tensor) {
    if (is_dense(tensor)) return tensor;
    const TensorRef dense = scratch.take_like(tensor);
    steps.emplace_back([tensor, dense] { copy(tensor, dense); });
    return dense;
  }
  // Returns the tensor itself where it is dense, else temporary memory, which the step of deliver() copies out.
  TensorRef dense_target() { return is_dense(write) ? write : scratch.take_like(write); }
  void deliver(const TensorRef& target) {
    if (target.data != write.data) steps.emplace_back([target, out = write] { copy(target, out); });
  }

  // Adds the step that executes a primitive, with a scratchpad in scratch memory.
  template <typename Description>
  void add(const dnnl::primitive& primitive, const Description& description, std::vector<Argument> arguments) {
    implementation = description.impl_info_str();
    arguments.push_back({DNNL_ARG_SCRATCHPAD, scratch_memory(description.scratchpad_desc())});
    steps.push_back(call(primitive, shop.stream, std::move(arguments)));
  }
  dnnl::memory memory(const TensorRef& tensor) const { return memory_of(tensor, shop.engine); }
  dnnl::memory scratch_memory(const dnnl::memory::desc& desc) {
    return {desc, shop.engine, scratch.take(static_cast<std::int64_t>(desc.get_size()))};
  }
  void reorder(const dnnl::memory& from, const dnnl::memory& to) {
    check_room_for_primitive();
    steps.push_back(call(dnnl::reorder(from, to), shop.stream, {{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, to}}));
  }
};

// Returns the description of an operation; none where oneDNN has no implementation of it.
template <typename Primitive>
std::optional<typename Primitive::primitive_desc> describe(const typename Primitive::desc& operation,
                                                           const dnnl::primitive_attr& attributes,
                                                           const dnnl::engine& engine) {
  const bool allow_empty = true;
  typename Primitive::primitive_desc description(operation, attributes, engine, allow_empty);
  if (!description) return std::nullopt;
  return description;
}

// Add the steps of one kind of kernel; add_kernel_steps() chooses.
void add_steps(KernelContext& context, const Conv& conv);
void add_steps(KernelContext& context, const ConvTranspose& conv);
void add_steps(KernelContext& context, const Linear& linear);
void add_steps(KernelContext& context, const Pool& pool);
void add_steps(KernelContext& context, const MatMul& matmul);
void add_steps(KernelContext& context, const Recurrent& recurrent);

inline constexpr const char* kCpuDevice = "CPU device";  // name in messages

// Turns the kernel into steps. Returns an error where this device cannot execute its kind.
Result<void> add_kernel_steps(KernelContext& context);

}  // namespace iosx::cpu
