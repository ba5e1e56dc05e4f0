#include "core/graph/work.h"

namespace iosx {
namespace {

std::int64_t weights(const Graph& graph, const Operator& op) {
  if (const auto* linear = op.as<Linear>()) return linear->out_features * graph.shape(op.inputs.front()).elements();
  return 0;
}

std::int64_t biases(const Operator& op) {
  if (const auto* linear = op.as<Linear>()) return linear->out_features;
  return 0;
}

// Each output is a sum of `terms` products and a bias.
double flops_of_sums(const Shape& output, std::int64_t terms) {
  return static_cast<double>(output.elements()) * (2.0 * static_cast<double>(terms) + 1);
}

// FLOPs of one sample: what the arithmetic units do, fused activations left out.
double flops_per_sample(const Graph& graph, const Operator& op) {
  const auto out = static_cast<double>(op.output.elements());
  if (op.as<Linear>() != nullptr) return flops_of_sums(op.output, graph.shape(op.inputs.front()).elements());
  if (const auto* pool = op.as<Pool>()) {
    if (pool->kind == PoolKind::kGlobalAverage || pool->kind == PoolKind::kGlobalMax) {
      return static_cast<double>(graph.shape(op.inputs.front()).elements());
    }
    return out * static_cast<double>(pool->kernel.height * pool->kernel.width);
  }
  if (op.as<Activate>() != nullptr) return out;
  if (op.as<Add>() != nullptr || op.as<Mul>() != nullptr) return out * static_cast<double>(op.inputs.size() - 1);
  return 0;  // input, concat, identity only move data
}

}  // namespace

Work& Work::operator+=(const Work& other) {
  flops += other.flops;
  bytes_read += other.bytes_read;
  bytes_written += other.bytes_written;
  parameters += other.parameters;
  return *this;
}

Work convolution_work(const Conv& conv, const Shape& input, const Shape& output, std::int64_t batch,
                      std::int64_t element_bytes) {
  const std::int64_t terms = input.channels / conv.groups * conv.kernel.height * conv.kernel.width;
  Work result;
  result.flops = flops_of_sums(output, terms) * static_cast<double>(batch);
  result.parameters = output.channels * (terms + 1);  // + 1: the bias
  result.bytes_read = (input.elements() * batch + result.parameters) * element_bytes;
  result.bytes_written = output.elements() * batch * element_bytes;
  return result;
}

Work work(const Graph& graph, OperatorId id, std::int64_t batch, std::int64_t element_bytes) {
  const Operator& op = graph.op(id);
  Work result;
  if (op.is_input()) return result;
  if (const auto* conv = op.as<Conv>()) {
    return convolution_work(*conv, graph.shape(op.inputs.front()), op.output, batch, element_bytes);
  }
  result.flops = flops_per_sample(graph, op) * static_cast<double>(batch);
  result.parameters = weights(graph, op) + biases(op);
  for (const Value& value : op.inputs) result.bytes_read += graph.shape(value).elements() * batch * element_bytes;
  result.bytes_read += result.parameters * element_bytes;
  result.bytes_written = op.output.elements() * batch * element_bytes;
  return result;
}

Work work(const Graph& graph, UnitId id, std::int64_t batch, std::int64_t element_bytes) {
  Work sum;
  for (const OperatorId op : graph.unit(id).operators) sum += work(graph, op, batch, element_bytes);
  return sum;
}

Work total_work(const Graph& graph, std::int64_t batch, std::int64_t element_bytes) {
  Work sum;
  for (std::size_t i = 0; i < graph.units().size(); ++i) sum += work(graph, UnitId(i), batch, element_bytes);
  return sum;
}

}  // namespace iosx
