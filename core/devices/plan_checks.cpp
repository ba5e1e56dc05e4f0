#include "core/devices/plan_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "core/model/graph/operator_table.h"

namespace iosx {

std::vector<std::int64_t> tensor_dims(const Shape& shape, std::int64_t batch) {
  std::vector<std::int64_t> dims{batch};
  dims.insert(dims.end(), shape.dims().begin(), shape.dims().end());
  return dims;
}

std::vector<std::int64_t> output_dims(const ExecutionPlan& plan, const PlanOutput& output) {
  return tensor_dims(shape_of(plan.buffers[output.view.buffer.index()], output.view), plan.batch);
}

tl::unexpected<Error> cannot_execute(const Kernel& kernel, std::string_view device) {
  return fail(message("'{}' is a kernel of kind {}, which the {} cannot execute", kernel.name,
                      kind_name(kernel.attributes), device),
              std::string(device), message("choose another device"));
}

tl::unexpected<Error> inexact_indices(const Kernel& kernel, std::string_view device) {
  return fail(message("'{}' looks up more positions than this precision can count exactly", kernel.name),
              std::string(device), message("run it in float32"));
}

Result<void> check_executable(const ExecutionPlan& plan, std::string_view device) {
  for (const Kernel& kernel : plan.kernels) {
    const OperatorRole role = operator_row(kernel.attributes).role;
    if (role == OperatorRole::kLayer || role == OperatorRole::kKernel) continue;
    if (const auto* opaque = std::get_if<Opaque>(&kernel.attributes)) {
      return fail(message("'{}' has the type {}, which the {} cannot execute", kernel.name, opaque->type, device),
                  opaque->place.empty() ? std::string(device) : opaque->place,
                  message("replace the operator, or use a simulated device, which only estimates it"));
    }
    return cannot_execute(kernel, device);
  }
  return {};
}

Result<void> check_inputs(const ExecutionPlan& plan, std::span<const Tensor> inputs, std::string_view device) {
  if (inputs.size() != plan.inputs.size()) {
    return fail(message("{} inputs are given, but the network has {}", inputs.size(), plan.inputs.size()),
                std::string(device));
  }
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Buffer& buffer = plan.buffers[plan.inputs[i].index()];
    const Shape shape = filled_shape(buffer);
    if (std::ranges::equal(inputs[i].dims(), tensor_dims(shape, plan.batch))) continue;
    return fail(message("input '{}' does not have the dims {} times {}", buffer.name, plan.batch, shape_text(shape)),
                std::string(device));
  }
  return {};
}

}  // namespace iosx
