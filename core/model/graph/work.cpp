#include "core/model/graph/work.h"

#include <algorithm>
#include <numeric>

#include "core/model/graph/operator_table.h"

namespace iosx {
namespace {

std::vector<Shape> shapes_of(const Graph& graph, std::span<const Value> values) {
  std::vector<Shape> shapes;
  for (const Value& value : values) shapes.push_back(graph.shape(value));
  return shapes;
}

std::int64_t elements_or_none(std::span<const std::int64_t> dims) {
  return dims.empty() ? 0 : std::accumulate(dims.begin(), dims.end(), std::int64_t{1}, std::multiplies<>());
}

// Products in each output of a convolution.
std::int64_t terms_of(const Conv& conv, const Shape& input) {
  return input.channels() / conv.groups * conv.kernel.height * conv.kernel.width;
}

// Each output is a sum of `terms` products and, unless there is none, a bias.
double flops_of_sums(const Shape& output, std::int64_t terms, bool biased) {
  return static_cast<double>(output.elements()) * (2.0 * static_cast<double>(terms) + (biased ? 1 : 0));
}

// FLOPs of one sample: the arithmetic units' work without fused activations.
struct SampleFlops {
  std::span<const Shape> inputs;
  const Shape& output;
  bool biased;

  double out() const { return static_cast<double>(output.elements()); }
  double in() const { return static_cast<double>(inputs.front().elements()); }
  double combined() const { return out() * static_cast<double>(inputs.size() - 1); }

  // Sources need no computation; the others only move data.
  double operator()(const OneOf<Input, Constant> auto& /*source*/) const { return 0; }
  double operator()(
      const OneOf<Concat, Identity, Reshape, Expand, Transpose, Slice, Pad, Gather> auto& /*move*/) const {
    return 0;
  }
  double operator()(const Conv& conv) const { return flops_of_sums(output, terms_of(conv, inputs.front()), biased); }
  double operator()(const Linear& linear) const {
    return flops_of_sums(output, inputs.front().elements_from(linear.axis), biased);
  }
  double operator()(const MatMul& /*matmul*/) const {
    return 2 * out() * static_cast<double>(inputs.front()[inputs.front().rank() - 1]);
  }
  double operator()(const Recurrent& recurrent) const {
    const std::int64_t terms = inputs.front()[2] + recurrent.hidden;
    const std::int64_t states = output.elements() / output[0] * inputs.front()[0];  // without the last cell state
    const double others = biased ? 4 : 2;  // two biases, and what gates do to states
    return static_cast<double>(states * gates_of(recurrent.kind)) * (2.0 * static_cast<double>(terms) + others);
  }
  double operator()(const TopK& /*top*/) const { return in(); }
  double operator()(const GridSample& sample) const {
    return out() * (sample.mode == GridMode::kNearest ? 1.0 : sample.mode == GridMode::kLinear ? 8.0 : 32.0);
  }
  double operator()(const ConvTranspose& conv) const {
    const auto terms = conv.out_channels / conv.groups * conv.kernel.height * conv.kernel.width;
    return 2 * in() * static_cast<double>(terms) + (biased ? out() : 0);
  }
  double operator()(const Pool& pool) const {
    if (pool.kind == PoolKind::kGlobalAverage || pool.kind == PoolKind::kGlobalMax) return in();
    return out() * static_cast<double>(pool.kernel.height * pool.kernel.width);
  }
  double operator()(const Activate& /*activate*/) const { return out(); }
  double operator()(const Affine& /*affine*/) const { return (biased ? 2 : 1) * out(); }
  double operator()(const OneOf<Add, Mul, Binary> auto& /*arithmetic*/) const { return combined(); }
  double operator()(const Where& /*where*/) const { return out(); }
  // Sum, sum of squares, difference and quotient, scale and shift.
  double operator()(const Normalize& normalize) const {
    return out() * ((normalize.centred ? 6 : 3) + (normalize.scaled ? (biased ? 2 : 1) : 0));
  }
  double operator()(const Softmax& /*softmax*/) const { return 4 * out(); }  // maximum, exponential, sum, quotient
  double operator()(const Lrn& lrn) const { return out() * static_cast<double>(2 * lrn.size + 3); }
  double operator()(const Reduce& /*reduce*/) const { return in(); }
  double operator()(const Resize& resize) const { return resize.mode == ResizeMode::kLinear ? 8 * out() : 0; }
  double operator()(const Opaque& opaque) const {
    if (opaque.costed) return static_cast<double>(opaque.flops);
    return inputs.empty() ? out() : in() + out();  // an estimate
  }
};

Work work(const Graph& graph, const Attributes& attributes, std::span<const Value> inputs, const Shape& output,
          bool biased, std::int64_t batch, std::int64_t element_bytes) {
  const std::vector<Shape> shapes = shapes_of(graph, inputs);
  Work result;
  result.flops = visit_kind(SampleFlops{shapes, output, biased}, attributes) * static_cast<double>(batch);
  const ParameterDims dims = parameter_dims(attributes, shapes);
  result.parameters = elements_or_none(dims.weights) + (biased ? elements_or_none(dims.bias) : 0);
  result.bytes_read = result.parameters * element_bytes;
  if (const auto* const opaque = std::get_if<Opaque>(&attributes)) {
    result.parameters = opaque->parameters;
    result.bytes_read = opaque->weight_bytes;
  }
  for (const Value& value : inputs) {
    const bool constant = graph.op(value.producer).is_constant();
    std::int64_t elements = graph.shape(value).elements();
    // A constant factor of a matrix product is a weight, although it is an input.
    if (constant) result.parameters += elements;
    // Only the looked-up part of a table is read.
    const bool table = std::holds_alternative<Gather>(attributes) && value == inputs.front();
    if (table) elements = std::min(elements, output.elements());
    result.bytes_read += elements * (constant ? 1 : batch) * element_bytes;
  }
  result.bytes_written = output.elements() * batch * element_bytes;
  return result;
}

Work work(const Graph& graph, OperatorId id, bool biased, std::int64_t batch, std::int64_t element_bytes) {
  const Operator& op = graph.op(id);
  if (op.is_source()) return {};
  Work result = work(graph, op.attributes, op.inputs, op.output, biased, batch, element_bytes);
  result.known = op.has_known_cost();
  return result;
}

}  // namespace

Work& Work::operator+=(const Work& other) {
  flops += other.flops;
  bytes_read += other.bytes_read;
  bytes_written += other.bytes_written;
  parameters += other.parameters;
  known = known && other.known;
  return *this;
}

Work layer_work(const Graph& graph, const Attributes& layer, const Value& input, const Shape& output,
                std::int64_t batch, std::int64_t element_bytes) {
  return work(graph, layer, std::span(&input, 1), output, true, batch, element_bytes);
}

Work work(const Graph& graph, OperatorId id, std::int64_t batch, std::int64_t element_bytes) {
  return work(graph, id, graph.parameters()->has_bias(id), batch, element_bytes);
}

Work kernel_work(const Graph& graph, OperatorId id, std::int64_t batch, std::int64_t element_bytes) {
  return work(graph, id, true, batch, element_bytes);
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

bool has_known_cost(const Graph& graph, UnitId id) {
  return std::ranges::all_of(graph.unit(id).operators, [&](OperatorId op) { return graph.op(op).has_known_cost(); });
}

OperatorId dominant_operator(const Graph& graph, UnitId unit) {
  const Unit& info = graph.unit(unit);
  OperatorId best = info.output();
  double most = -1;
  for (const OperatorId id : info.operators) {
    const Operator& op = graph.op(id);
    const OperatorClass what = operator_class(op.attributes);
    if (what == OperatorClass::kOpaque) return id;
    if (what == OperatorClass::kConcat || what == OperatorClass::kArithmetic || what == OperatorClass::kActivation) {
      continue;
    }
    const double flops = work(graph, id, 1).flops;
    if (flops < most) continue;
    most = flops;
    best = id;
  }
  return best;
}

}  // namespace iosx
