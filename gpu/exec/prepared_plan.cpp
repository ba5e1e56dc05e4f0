#include "gpu/exec/prepared_plan.h"

#include <algorithm>
#include <span>

#include "core/base/check.h"
#include "core/devices/checks.h"
#include "core/model/layout/kernel_weights.h"
#include "core/model/layout/layout.h"
#include "core/model/layout/views.h"
#include "core/model/plan/memory_plan.h"
#include "gpu/exec/problem_of.h"
#include "gpu/exec/steps.h"

namespace iosx::gpu {
namespace {

// Returns the value in the order of its buffer.
Tensor constant_in_order(Tensor value, const Buffer& buffer) {
  if (buffer.row_major) return value;
  const auto elements = value.elements();
  const Tensor row({1, buffer.shape.elements()}, std::vector<float>(elements.begin(), elements.end()));
  return columns_in_device_order(row, buffer.shape);
}

constexpr std::int64_t kChunk = std::int64_t{16} << 20;  // bytes, of an upload

// Returns a view of one float32 number in place of every element of a tensor.
TensorRef everywhere(void* number, const TensorRef& tensor) {
  TensorRef all = tensor;
  all.data = number;
  all.type = DataType::kFloat32;
  all.strides = {};
  return all;
}

}  // namespace

Result<PreparedPlan> PreparedPlan::prepare(const ExecutionPlan& plan, ExecContext& exec_context, const WayRanks& ranks,
                                           const JobContext& job) {
  IOS_TRY(check_executable(plan, kGpuDevice));
  PreparedPlan prepared(plan, exec_context);
  IOS_TRY(prepared.choose_ways(ranks, job));
  IOS_TRY(prepared.place());
  prepared.enter();
  return prepared;
}

bool PreparedPlan::enter() {
  IOS_CHECK(usable());
  if (!exec_context_->hand_over(number_)) return false;
  fill_externals();
  return true;
}

Result<void> PreparedPlan::choose_ways(const WayRanks& ranks, const JobContext& job) {
  problems_ = problems_by_kernel(plan_, exec_context_->math);
  ways_.resize(plan_.kernels.size());
  for (std::size_t k = 0; k < ways_.size(); ++k) {
    if (job.stopped()) return fail(message("stopped"), kGpuDevice);
    if (!problems_[k]) continue;
    const std::vector<Way>& ways = exec_context_->chooser.ways(*problems_[k]);
    IOS_CHECK(!ways.empty());
    const std::size_t rank = k < ranks.size() && ranks[k] < ways.size() ? ranks[k] : 0;
    ways_[k] = ways[rank];
  }
  return {};
}

// Places everything that the plan needs in one block, then makes its steps, which hold addresses.
Result<void> PreparedPlan::place() {
  const MemoryPlan memory = plan_memory(plan_, bytes_of(data_type(exec_context_->math)), kAlignment);
  // Sizes come before addresses: with any that are aligned as the final ones.
  // NOLINTNEXTLINE(performance-no-int-to-ptr): nothing is read there
  buffers_.assign(plan_.buffers.size(), reinterpret_cast<std::byte*>(static_cast<std::uintptr_t>(kAlignment)));
  const std::vector<std::int64_t> lane_scratch = lane_scratch_bytes();
  std::int64_t scratch = 0;
  for (const std::int64_t bytes : lane_scratch) scratch += bytes;
  work_bytes_ = std::max(scratch, staging_bytes());
  peak_bytes_ = memory.peak_bytes + scratch;
  std::byte* const base = exec_context_->arena(memory.peak_bytes + work_bytes_);
  arena_number_ = exec_context_->arena_number();
  work_ = base + memory.peak_bytes;
  for (std::size_t i = 0; i < buffers_.size(); ++i) {
    buffers_[i] = memory.offsets[i] == MemoryPlan::kNone ? nullptr : base + memory.offsets[i];
    if (plan_.buffers[i].constant) place_constant(i);
  }
  std::byte* next = work_;
  for (const std::int64_t bytes : lane_scratch) {
    scratch_.push_back(next);
    next += bytes;
  }
  IOS_TRY(auto kernels, make_steps(Weights{exec_context_->weights, plan_.parameters, weight_bytes_}));
  kernels_ = std::move(kernels);
  return {};
}

// A lane's kernels run one after another and share its memory; lanes may run side by side, in whatever stage.
std::vector<std::int64_t> PreparedPlan::lane_scratch_bytes() const {
  std::vector<std::int64_t> bytes(plan_.lane_count(), 0);
  for (std::size_t k = 0; k < plan_.kernels.size(); ++k) {
    const KernelSite kernel = site(plan_.kernels[k]);
    std::int64_t& of_lane = bytes[plan_.kernels[k].lane];
    of_lane = std::max(
        of_lane, problems_[k] ? layer_scratch_bytes(kernel, *problems_[k], ways_[k]) : kernel_scratch_bytes(kernel));
  }
  return bytes;
}

// Returns room, in bytes, for the largest tensor on its way in or out, and for one number.
std::int64_t PreparedPlan::staging_bytes() const {
  std::int64_t elements = 1;
  for (const BufferId input : plan_.inputs) {
    elements = std::max(elements, plan_.batch * plan_.buffers[input.index()].shape.elements());
  }
  for (const PlanOutput& each : plan_.outputs) elements = std::max(elements, output(each).elements());
  return aligned(elements * bytes_of(DataType::kFloat32));
}

void PreparedPlan::place_constant(std::size_t index) {
  const Buffer& buffer = plan_.buffers[index];
  const std::span<const OperatorId> source(&buffer.source, 1);
  const DeviceMemory& memory = exec_context_->weights.get(
      {plan_.parameters, source, buffer.row_major ? "constant, row-major" : "constant"}, data_type(exec_context_->math),
      [&] { return constant_in_order(plan_.parameters->weights(buffer.source), buffer); });
  buffers_[index] = memory.data();  // nothing writes a constant
}

Result<std::vector<PreparedKernel>> PreparedPlan::make_steps(const Weights& weights) const {
  std::vector<PreparedKernel> kernels;
  for (std::size_t k = 0; k < plan_.kernels.size(); ++k) {
    const Kernel& kernel = plan_.kernels[k];
    PreparedKernel& prepared = kernels.emplace_back();
    prepared.id = KernelId(k);
    if (problems_[k]) {
      prepared.steps = layer_steps(site(kernel), *problems_[k], ways_[k], weights, scratch_[kernel.lane]);
      prepared.implementation = ways_[k].name();
    } else {
      IOS_TRY(auto steps, kernel_steps(site(kernel), weights, scratch_[kernel.lane]));
      prepared.steps = std::move(steps);
    }
  }
  return kernels;
}

void PreparedPlan::spread_weights(int copies) {
  const ColdWeights& cold = exec_context_->cold_weights();
  const std::int64_t room = weight_bytes_ == 0 ? 0 : cold.bytes() / weight_bytes_;
  while (static_cast<std::int64_t>(spread_.size()) < std::min<std::int64_t>(copies, room)) {
    std::int64_t next = static_cast<std::int64_t>(spread_.size()) * weight_bytes_;
    auto kernels = make_steps(Weights{exec_context_->weights, plan_.parameters, next, &cold});
    IOS_CHECK(kernels.has_value());  // as those with the weights did
    spread_.push_back(std::move(*kernels));
  }
}

void PreparedPlan::fill_externals() {
  bool any = false;
  for (std::size_t i = 0; i < plan_.buffers.size(); ++i) {
    const Buffer& buffer = plan_.buffers[i];
    if (!buffer.external || buffer.constant || buffers_[i] == nullptr) continue;
    FillCall call;
    call.out = filled_ref(buffer, plan_.batch, data_type(exec_context_->math), buffers_[i]);
    call.seed = static_cast<std::uint32_t>(i + 1);
    exec_context_->runtime.launch(kOrigin, call);
    if (buffer.blank > 0) clear_blank(i);
    any = true;
  }
  if (any) exec_context_->runtime.synchronize(kOrigin);
}

// Fills the blank channels with copies of a zero in scratch memory.
void PreparedPlan::clear_blank(std::size_t index) {
  const TensorRef blank = blank_ref(plan_.buffers[index], plan_.batch, data_type(exec_context_->math), buffers_[index]);
  const float zero = 0;
  exec_context_->runtime.upload(work_, &zero, sizeof(zero));
  exec_context_->runtime.launch(kOrigin, CopyCall{.in = everywhere(work_, blank), .out = blank});
}

TensorRef PreparedPlan::view(const TensorView& view) const {
  std::byte* const data = buffers_[view.buffer.index()];
  IOS_CHECK(data != nullptr);
  return view_ref(plan_.buffers[view.buffer.index()], view, plan_.batch, data_type(exec_context_->math), data);
}

KernelSite PreparedPlan::site(const Kernel& kernel) const {
  KernelSite site{.kernel = kernel,
                  .batch = plan_.batch,
                  .math = exec_context_->math,
                  .multiprocessors = exec_context_->runtime.properties().multiprocessors,
                  .reads = {},
                  .write = view(kernel.writes)};
  for (const TensorView& read : kernel.reads) site.reads.push_back(view(read));
  return site;
}

Result<void> PreparedPlan::set_inputs(const std::vector<Tensor>& inputs) {
  if (auto fit = check_inputs(plan_, inputs, "GPU device"); !fit) return fit;
  Runtime& runtime = exec_context_->runtime;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const std::size_t index = plan_.inputs[i].index();
    const Buffer& buffer = plan_.buffers[index];
    if (buffers_[index] == nullptr) continue;  // nobody reads it
    const auto elements = inputs[i].elements();
    runtime.upload(work_, elements.data(), static_cast<std::int64_t>(elements.size_bytes()));
    runtime.launch(kOrigin,
                   CopyCall{.in = host_ref(filled_shape(buffer), plan_.batch, work_),
                            .out = filled_ref(buffer, plan_.batch, data_type(exec_context_->math), buffers_[index])});
  }
  runtime.synchronize(kOrigin);
  return {};
}

// Poisons scratch memory directly, then everything that kernels write with copies of a NaN from there.
void PreparedPlan::poison() {
  Runtime& runtime = exec_context_->runtime;
  const std::vector<unsigned char> ones(static_cast<std::size_t>(std::min(work_bytes_, kChunk)), 0xFF);
  for (std::int64_t begin = 0; begin < work_bytes_; begin += kChunk) {
    runtime.upload(work_ + begin, ones.data(), std::min(kChunk, work_bytes_ - begin));
  }
  for (const Kernel& kernel : plan_.kernels) {
    const TensorRef out = view(kernel.writes);
    runtime.launch(kOrigin, CopyCall{.in = everywhere(work_, out), .out = out});
  }
  runtime.synchronize(kOrigin);
}

// A constant that is an output repeats for every sample.
TensorRef PreparedPlan::output(const PlanOutput& output) const { return repeated(view(output.view), plan_.batch); }

std::vector<Tensor> PreparedPlan::outputs() const {
  Runtime& runtime = exec_context_->runtime;
  std::vector<Tensor> tensors;
  for (const PlanOutput& each : plan_.outputs) {
    const TensorRef from = output(each);
    const Shape shape(std::span(from.dims.data() + 1, from.rank - 1));
    std::vector<float> values(static_cast<std::size_t>(from.elements()));
    runtime.launch(kOrigin, CopyCall{.in = from, .out = host_ref(shape, plan_.batch, work_)});
    runtime.download(values.data(), work_, from.elements() * bytes_of(DataType::kFloat32));
    tensors.emplace_back(tensor_dims(shape, plan_.batch), std::move(values));
  }
  return tensors;
}

}  // namespace iosx::gpu
