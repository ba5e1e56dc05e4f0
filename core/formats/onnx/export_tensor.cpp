#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/formats/onnx/element_functions.h"
#include "core/formats/onnx/export_kinds.h"
#include "core/model/graph/onnx_names.h"

// This file writes operators without a window as ONNX nodes. Axes of ours count from ONNX's axis 1.
namespace iosx::onnx_import {
namespace {

using List = std::vector<std::int64_t>;

std::int64_t onnx_axis(std::size_t axis) { return static_cast<std::int64_t>(axis) + 1; }

List onnx_axes(std::span<const std::size_t> axes) {
  List all;
  for (const std::size_t axis : axes) all.push_back(onnx_axis(axis));
  return all;
}

std::string_view mode_name(PadMode mode) {
  switch (mode) {
    case PadMode::kConstant: break;
    case PadMode::kReflect: return "reflect";
    case PadMode::kEdge: return "edge";
  }
  return "constant";
}

// Says whether the output's size follows from the scales, in whichever precision a runtime multiplies.
bool scales_give(const Resize& resize, const Shape& in) {
  for (std::size_t axis = 0; axis < in.rank(); ++axis) {
    const auto size = static_cast<double>(resize.shape[axis]);
    const double exact = std::floor(static_cast<double>(in[axis]) * resize.scales[axis]);
    const float rounded = std::floor(static_cast<float>(in[axis]) * resize.scales[axis]);
    if (exact != size || static_cast<double>(rounded) != size) return false;
  }
  return true;
}

bool scales_are_ratios(const Resize& resize, const Shape& in) {
  for (std::size_t axis = 0; axis < in.rank(); ++axis) {
    const float ratio = static_cast<float>(resize.shape[axis]) / static_cast<float>(in[axis]);
    if (std::abs(ratio - resize.scales[axis]) > 1e-6F * ratio) return false;
  }
  return true;
}

}  // namespace

void GraphExport::Kinds::operator()(const Input& /*input*/) const { to.declare(*to.out_.add_input(), to.id_); }

void GraphExport::Kinds::operator()(const Constant& /*constant*/) const {
  to.store(to.op_->name, to.graph_.parameters()->weights(to.id_));
}

void GraphExport::Kinds::operator()(const Activate& activate) const {
  to.activation(activate.function, to.in(), to.op_->name, true);
}

// It is written with mean 0 and variance 1, exactly: scale · (x - 0) / sqrt(1 + 0) + shift.
void GraphExport::Kinds::operator()(const Affine& affine) const {
  const std::int64_t channels = to.shape(0).channels();
  const auto all = [&](float value) {
    return Tensor({channels}, std::vector<float>(static_cast<std::size_t>(channels), value));
  };
  const std::string scale = to.floats("scale", to.graph_.parameters()->weights(to.id_));
  const std::string shift = to.floats("shift", to.graph_.parameters()->bias(to.id_));
  const std::string mean = to.floats("mean", all(0));
  const std::string variance = to.floats("variance", all(1));
  const std::string in = to.in();
  const std::string out = to.before(affine.activation);
  set(to.main_node("BatchNormalization", {in, scale, shift, mean, variance}, out), "epsilon", 0.0F);
  to.fused(affine.activation, out);
}

void GraphExport::Kinds::operator()(const Add& /*add*/) const {
  const Names terms = to.aligned();
  to.main_node(terms.size() == 2 ? "Add" : "Sum", terms, to.op_->name);
}

void GraphExport::Kinds::operator()(const Mul& /*mul*/) const {
  const Names factors = to.aligned();
  std::string product = factors.front();
  for (std::size_t i = 1; i + 1 < factors.size(); ++i) product = to.helper("Mul", {product, factors[i]}, "product");
  to.main_node("Mul", {product, factors.back()}, to.op_->name);
}

void GraphExport::Kinds::operator()(const Binary& binary) const {
  Names operands = to.aligned();
  const bool fmod = binary.function == BinaryFunction::kFmod;
  const BinaryOperator& row = *binary_operator(fmod ? BinaryFunction::kMod : binary.function);
  if (binary.function == BinaryFunction::kMod) {
    // ONNX's of floats has the sign of the dividend: a - floor(a / b) b.
    const std::string floor = to.helper("Floor", {to.helper("Div", operands, "quotient")}, "floor");
    to.main_node("Sub", {operands[0], to.helper("Mul", {floor, operands[1]}, "multiple")}, to.op_->name);
    return;
  }
  if (row.logical) {
    for (std::string& operand : operands) operand = to.cast(operand, onnx::TensorProto::BOOL, "bool");
  }
  if (row.result == ElementType::kBool) {
    return to.cast_back(to.helper(row.op_type, operands, "truth"), to.op_->name, true);
  }
  onnx::NodeProto& node = to.main_node(row.op_type, operands, to.op_->name);
  if (fmod) set(node, "fmod", std::int64_t{1});
}

void GraphExport::Kinds::operator()(const Where& /*where*/) const {
  Names operands = to.aligned();
  operands[0] = to.cast(operands[0], onnx::TensorProto::BOOL, "bool");
  to.main_node("Where", operands, to.op_->name);
}

void GraphExport::Kinds::operator()(const Expand& expand) const {
  const Shape own = to.shape(0);
  std::string in = to.in();
  List axes;
  for (std::size_t axis = 1; axis + own.rank() <= expand.shape.rank(); ++axis) {
    axes.push_back(static_cast<std::int64_t>(axis));
  }
  if (!axes.empty()) in = to.helper("Unsqueeze", {in, to.integers("axes", axes)}, "unsqueezed");
  to.main_node("Expand", {in, to.dims_with_batch(expand.shape.dims())}, to.op_->name);
}

void GraphExport::Kinds::operator()(const Gather& gather) const {
  const bool table = !to.has_batch(to.op_->inputs[0]);
  const bool slices = gather.kind == GatherKind::kSlices;
  if (slices && !(table && gather.axis == 0)) {
    return to.refuse(message("looks up in each sample by itself, for which ONNX has no operator"),
                     message("export the part of the model without it"));
  }
  const std::string data = slices ? to.read(to.op_->inputs[0]) : to.read_with_batch(to.op_->inputs[0]);
  const std::string indices = to.cast(to.read_with_batch(to.op_->inputs[1]), onnx::TensorProto::INT64, "indices");
  set(to.main_node(slices ? "Gather" : "GatherElements", {data, indices}, to.op_->name), "axis",
      slices ? std::int64_t{0} : onnx_axis(gather.axis));
}

void GraphExport::Kinds::operator()(const Normalize& normalize) const {
  const std::string in = to.in();
  const Shape shape = to.shape(0);
  const List dims(shape.dims().begin() + static_cast<std::ptrdiff_t>(normalize.axis), shape.dims().end());
  const auto all = [&](float value) {
    const auto count = static_cast<std::size_t>(Shape(dims).elements());
    return Tensor(dims, std::vector<float>(count, value));
  };
  const std::string scale = to.floats("scale", normalize.scaled ? to.graph_.parameters()->weights(to.id_) : all(1));
  const std::string bias = to.bias("bias");
  if (normalize.centred) {
    onnx::NodeProto& node = to.main_node("LayerNormalization", {in, scale, bias}, to.op_->name);
    set(node, "axis", onnx_axis(normalize.axis));
    set(node, "epsilon", normalize.epsilon);
    return;
  }
  const std::string mean = to.helper("ReduceMean", {to.helper("Mul", {in, in}, "squares")}, "mean");
  List axes;
  for (std::size_t axis = normalize.axis; axis < shape.rank(); ++axis) axes.push_back(onnx_axis(axis));
  set(*to.out_.mutable_node(to.out_.node_size() - 1), "axes", axes);
  const std::string sum = to.helper("Add", {mean, to.scalar("epsilon", normalize.epsilon)}, "sum");
  const std::string normal = to.helper("Div", {in, to.helper("Sqrt", {sum}, "root")}, "normal");
  if (bias.empty()) {
    to.main_node("Mul", {normal, scale}, to.op_->name);
  } else {
    to.main_node("Add", {to.helper("Mul", {normal, scale}, "scaled"), bias}, to.op_->name);
  }
}

void GraphExport::Kinds::operator()(const Concat& concat) const {
  Names parts;
  for (const Value& value : to.op_->inputs) parts.push_back(to.read_with_batch(value));
  set(to.main_node("Concat", parts, to.op_->name), "axis", onnx_axis(concat.axis));
}

void GraphExport::Kinds::operator()(const Identity& /*identity*/) const {
  to.main_node("Identity", {to.in()}, to.op_->name);
}

namespace {

Tensor turned(const Tensor& matrix) {
  const std::int64_t rows = matrix.dims()[0];
  const std::int64_t columns = matrix.dims()[1];
  std::vector<float> made;
  made.reserve(matrix.elements().size());
  for (std::int64_t column = 0; column < columns; ++column) {
    for (std::int64_t row = 0; row < rows; ++row) {
      made.push_back(matrix.elements()[static_cast<std::size_t>(row * columns + column)]);
    }
  }
  return {{columns, rows}, std::move(made)};
}

}  // namespace

void GraphExport::Kinds::operator()(const Linear& linear) const {
  if (linear.axis > 0) return linear_by_place(linear);
  const std::string weights = to.floats("weights", to.graph_.parameters()->weights(to.id_));
  const std::string bias = to.bias("bias");
  std::string in = to.in();
  if (to.shape(0).rank() != 1) in = to.helper("Flatten", {in}, "flatten");  // axis 1
  const std::string out = to.before(linear.activation);
  set(to.main_node("Gemm", {in, weights, bias}, out), "transB", std::int64_t{1});
  to.fused(linear.activation, out);
}

// Gemm takes matrices only.
void GraphExport::Kinds::linear_by_place(const Linear& linear) const {
  std::string in = to.in();
  if (to.shape(0).rank() != linear.axis + 1) {
    List dims(linear.axis + 1, 0);  // as the input's
    dims.push_back(-1);
    in = to.helper("Reshape", {in, to.integers("shape", dims)}, "features");
  }
  const std::string out = to.before(linear.activation);
  const std::string weights = to.floats("weights", turned(to.graph_.parameters()->weights(to.id_)));
  if (to.graph_.parameters()->has_bias(to.id_)) {
    to.main_node("Add", {to.helper("MatMul", {in, weights}, "product"), to.bias("bias")}, out);
  } else {
    to.main_node("MatMul", {in, weights}, out);
  }
  to.fused(linear.activation, out);
}

void GraphExport::Kinds::operator()(const MatMul& /*matmul*/) const {
  to.main_node("MatMul", to.aligned(), to.op_->name);
}

void GraphExport::Kinds::operator()(const Reshape& reshape) const {
  List dims{0};  // as the input's: the batch
  dims.insert(dims.end(), reshape.shape.dims().begin(), reshape.shape.dims().end());
  const std::string in = to.in();
  to.main_node("Reshape", {in, to.integers("shape", dims)}, to.op_->name);
}

void GraphExport::Kinds::operator()(const Transpose& transpose) const {
  List order{0};
  for (const std::int64_t axis : onnx_axes(transpose.axes)) order.push_back(axis);
  set(to.main_node("Transpose", {to.in()}, to.op_->name), "perm", order);
}

void GraphExport::Kinds::operator()(const Slice& slice) const {
  List ends;
  List axes;
  for (std::size_t axis = 0; axis < slice.begins.size(); ++axis) {
    const std::int64_t size = to.shape(0)[axis];
    const std::int64_t end = slice.begins[axis] + slice.shape[axis] * slice.steps[axis];
    // Negative ends count from the size: one that lies before the first element is as many more below.
    ends.push_back(end < 0 ? -size - 1 : std::min(end, size));
    axes.push_back(onnx_axis(axis));
  }
  const std::string in = to.in();
  const std::string from = to.integers("from", slice.begins);
  const std::string until = to.integers("to", ends);
  const std::string along = to.integers("axes", axes);
  to.main_node("Slice", {in, from, until, along, to.integers("steps", slice.steps)}, to.op_->name);
}

void GraphExport::Kinds::operator()(const Pad& pad) const {
  List amounts{0};
  amounts.insert(amounts.end(), pad.begins.begin(), pad.begins.end());
  amounts.push_back(0);
  amounts.insert(amounts.end(), pad.ends.begin(), pad.ends.end());
  const std::string in = to.in();
  const std::string pads = to.integers("pads", amounts);
  set(to.main_node("Pad", {in, pads, to.scalar("value", pad.value)}, to.op_->name), "mode", mode_name(pad.mode));
}

void GraphExport::Kinds::operator()(const Resize& resize) const {
  const std::string in = to.in();
  Names inputs{in, ""};
  if (scales_give(resize, to.shape(0))) {
    std::vector<float> scales{1};
    scales.insert(scales.end(), resize.scales.begin(), resize.scales.end());
    const auto count = static_cast<std::int64_t>(scales.size());
    inputs.push_back(to.floats("scales", Tensor({count}, std::move(scales))));
  } else if (scales_are_ratios(resize, to.shape(0))) {
    inputs.insert(inputs.end(), {"", to.dims_with_batch(resize.shape.dims())});
  } else {
    to.refuse(message("its scales do not lead from {} to {}, and ONNX takes only one of both", shape_text(to.shape(0)),
                      shape_text(resize.shape)));
  }
  onnx::NodeProto& node = to.main_node("Resize", inputs, to.op_->name);
  set(node, "mode", resize.mode == ResizeMode::kLinear ? "linear" : "nearest");
  set(node, "coordinate_transformation_mode", onnx_name(resize.coordinates));
  if (resize.mode == ResizeMode::kNearest) set(node, "nearest_mode", onnx_name(resize.rounding));
}

void GraphExport::Kinds::operator()(const Softmax& softmax) const {
  set(to.main_node("Softmax", {to.in()}, to.op_->name), "axis", onnx_axis(softmax.axis));
}

void GraphExport::Kinds::operator()(const Lrn& lrn) const {
  onnx::NodeProto& node = to.main_node("LRN", {to.in()}, to.op_->name);
  set(node, "size", lrn.size);
  set(node, "alpha", lrn.alpha);
  set(node, "beta", lrn.beta);
  set(node, "bias", lrn.bias);
}

void GraphExport::Kinds::operator()(const Reduce& reduce) const {
  const std::string_view type = reduce_op_type(reduce.kind);
  if (is_arg(reduce.kind)) {
    const std::string place = to.helper(type, {to.in()}, "place");
    onnx::NodeProto& node = *to.out_.mutable_node(to.out_.node_size() - 1);
    set(node, "axis", onnx_axis(reduce.axes.front()));
    set(node, "keepdims", std::int64_t{reduce.keep_dims});
    set(node, "select_last_index", std::int64_t{reduce.last});
    return to.cast_back(place, to.op_->name, true);
  }
  if (reduce.axes.empty()) {  // ONNX reduces all of none
    const bool squares = reduce.kind == ReduceKind::kSumOfSquares;
    const bool magnitude = reduce.kind == ReduceKind::kL1 || reduce.kind == ReduceKind::kL2;
    const std::string in = to.in();
    to.main_node(squares ? "Mul" : magnitude ? "Abs" : "Identity", squares ? Names{in, in} : Names{in}, to.op_->name);
    return;
  }
  const bool takes_input = reduce.kind == ReduceKind::kSum;  // of axes, since opset 13; the others since 18
  Names inputs{to.in()};
  if (takes_input) inputs.push_back(to.integers("axes", onnx_axes(reduce.axes)));
  onnx::NodeProto& node = to.main_node(type, inputs, to.op_->name);
  if (!takes_input) set(node, "axes", onnx_axes(reduce.axes));
  set(node, "keepdims", std::int64_t{reduce.keep_dims ? 1 : 0});
}

void GraphExport::Kinds::operator()(const Opaque& opaque) const {
  to.refuse(message("is of type {}, which this program does not know enough of to write it", opaque.type),
            message("export the part of the model without it"));
}

}  // namespace iosx::onnx_import
