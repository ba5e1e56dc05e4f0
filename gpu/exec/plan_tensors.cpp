// The part of PreparedPlan that moves tensors between the host and the device.

#include <algorithm>
#include <span>

#include "core/base/check.h"
#include "core/device/plan_checks.h"
#include "core/layout/layout.h"
#include "core/layout/views.h"
#include "gpu/exec/layer_tensors.h"
#include "gpu/exec/prepared_plan.h"

namespace iosx::gpu {
namespace {

constexpr StreamId kOrigin{0};
constexpr std::int64_t kChunk = std::int64_t{16} << 20;  // bytes, of an upload

TensorRef repeated(const TensorRef& tensor, std::int64_t batch) {
  TensorRef all = tensor;
  all.dims[0] = batch;
  return broadcast(tensor, std::span(all.dims.data(), all.rank));
}

}  // namespace

Result<void> PreparedPlan::set_inputs(const std::vector<Tensor>& inputs) {
  if (auto fit = check_inputs(plan_, inputs, "GPU device"); !fit) return fit;
  Runtime& runtime = workplace_->runtime;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const std::size_t index = plan_.inputs[i].index();
    const Buffer& buffer = plan_.buffers[index];
    if (buffers_[index] == nullptr) continue;  // nobody reads it
    const auto elements = inputs[i].elements();
    runtime.upload(work_, elements.data(), static_cast<std::int64_t>(elements.size_bytes()));
    runtime.launch(
        kOrigin, CopyCall{.in = host_ref(buffer.shape, plan_.batch, work_),
                          .out = tensor_ref(buffer.shape, plan_.batch, data_type(workplace_->math), buffers_[index])});
  }
  runtime.synchronize(kOrigin);
  return {};
}

// Scratch memory directly, then everything that kernels write with copies of a NaN from there.
void PreparedPlan::poison() {
  Runtime& runtime = workplace_->runtime;
  const std::vector<unsigned char> ones(static_cast<std::size_t>(std::min(work_bytes_, kChunk)), 0xFF);
  for (std::int64_t begin = 0; begin < work_bytes_; begin += kChunk) {
    runtime.upload(work_ + begin, ones.data(), std::min(kChunk, work_bytes_ - begin));
  }
  for (const Kernel& kernel : plan_.kernels) {
    const TensorRef out = view(kernel.writes);
    TensorRef nan = out;
    nan.data = work_;
    nan.type = DataType::kFloat32;
    nan.strides = {};
    runtime.launch(kOrigin, CopyCall{.in = nan, .out = out});
  }
  runtime.synchronize(kOrigin);
}

// A constant that is an output repeats for every sample.
TensorRef PreparedPlan::output(const PlanOutput& output) const { return repeated(view(output.view), plan_.batch); }

std::vector<Tensor> PreparedPlan::outputs() const {
  Runtime& runtime = workplace_->runtime;
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
