#include <algorithm>
#include <array>
#include <cmath>

#include "core/formats/onnx/element_functions.h"
#include "core/formats/onnx/write/export_graph.h"
#include "core/model/graph/attribute_list.h"
#include "core/model/graph/operator_table.h"

namespace iosx::onnx_import {
namespace {

using List = std::vector<std::int64_t>;

List list(const Extent& extent) { return {extent.height, extent.width}; }

List pads(const Extent& begin, const Extent& extra) {
  return {begin.height, begin.width, begin.height + extra.height, begin.width + extra.width};
}

// A sliding window along one axis.
struct Axis {
  std::int64_t in;
  std::int64_t out;
  std::int64_t kernel;
  std::int64_t stride;
  std::int64_t begin;  // padding before
  std::int64_t end;    // and after
  std::int64_t dilation;

  std::int64_t reach() const { return dilation * (kernel - 1) + 1; }
  // Returns how far the last window hangs over the padded input.
  std::int64_t overhang() const { return std::max<std::int64_t>((out - 1) * stride + reach() - (begin + in + end), 0); }
  // Returns the output's size rounded up, without a rule for where the last window may start.
  std::int64_t rounded_up() const { return (begin + in + end - reach() + stride - 1) / stride + 1; }
};

std::array<Axis, 2> window_axes(const Pool& pool, const Shape& in, const Shape& out) {
  return {Axis{in.height(), out.height(), pool.kernel.height, pool.stride.height, pool.padding.height,
               pool.padding.height + pool.end_padding.height, pool.dilation.height},
          Axis{in.width(), out.width(), pool.kernel.width, pool.stride.width, pool.padding.width,
               pool.padding.width + pool.end_padding.width, pool.dilation.width}};
}

// Returns columns [begin, end) of some rows of a matrix, or a part of a vector, with other dims.
Tensor part(const Tensor& tensor, std::int64_t width, std::int64_t begin, std::int64_t end, List dims) {
  std::vector<float> made;
  const auto numbers = tensor.elements();
  const auto rows = static_cast<std::int64_t>(numbers.size()) / width;
  made.reserve(static_cast<std::size_t>(rows * (end - begin)));
  for (std::int64_t row = 0; row < rows; ++row) {
    made.insert(made.end(), numbers.begin() + row * width + begin, numbers.begin() + row * width + end);
  }
  return {std::move(dims), std::move(made)};
}

std::string_view mode_name(PadMode mode) {
  switch (mode) {
    case PadMode::kConstant: break;
    case PadMode::kReflect: return "reflect";
    case PadMode::kEdge: return "edge";
  }
  return "constant";
}

// Returns whether the output's size follows from the scales, in any precision of a runtime.
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

// Returns whether ONNX has the operator for batches of samples only.
bool has_samples_in_onnx(const Attributes& attributes) {
  const auto* const linear = std::get_if<Linear>(&attributes);
  return (linear != nullptr && linear->axis == 0) || std::holds_alternative<Conv>(attributes) ||
         std::holds_alternative<ConvTranspose>(attributes) || std::holds_alternative<Pool>(attributes) ||
         std::holds_alternative<Affine>(attributes) || std::holds_alternative<Lrn>(attributes) ||
         std::holds_alternative<Recurrent>(attributes) || std::holds_alternative<GridSample>(attributes);
}

}  // namespace

// Writes the export's current operator as ONNX nodes.
struct GraphExport::Kinds {
  GraphExport& to;

  template <typename Convolution>
  void convolve(std::string_view type, const Convolution& conv, const List& padding, const List& more) const {
    const std::string weights = to.floats("weights", to.graph_.parameters()->weights(to.id_));
    const std::string bias = to.bias("bias");
    const std::string in = to.in();
    const std::string out = to.before(conv.activation);
    onnx::NodeProto& node = to.main_node(type, {in, weights, bias}, out);
    set(node, "kernel_shape", list(conv.kernel));
    set(node, "strides", list(conv.stride));
    set(node, "pads", padding);
    if (!more.empty()) set(node, "output_padding", more);
    set(node, "dilations", list(conv.dilation));
    set(node, "group", conv.groups);
    to.fused(conv.activation, out);
  }

  void operator()(const Conv& conv) const { convolve("Conv", conv, pads(conv.padding, conv.end_padding), {}); }

  // A negative crop at the end adds to the output's size.
  void operator()(const ConvTranspose& conv) const {
    List crop = pads(conv.padding, conv.end_padding);
    List extra = list(conv.output_padding);
    for (std::size_t axis = 0; axis < 2; ++axis) {
      extra[axis] -= std::min<std::int64_t>(crop[axis + 2], 0);
      crop[axis + 2] = std::max<std::int64_t>(crop[axis + 2], 0);
    }
    convolve("ConvTranspose", conv, crop, extra);
  }

  // ONNX's runtimes do not agree on ceil_mode where the last window would start in the padding at the end, nor on what
  // count_include_pad counts of a window that hangs over the padding. Such a pool is written without them, with padding
  // at the end that makes the output as large as ours, and with padding that counts as a node of its own.
  void operator()(const Pool& pool) const {
    std::string in = to.in();
    if (pool.kind == PoolKind::kGlobalMax || pool.kind == PoolKind::kGlobalAverage) {
      to.main_node(pool.kind == PoolKind::kGlobalMax ? "GlobalMaxPool" : "GlobalAveragePool", {in}, to.result_);
      return;
    }
    const bool average = pool.kind == PoolKind::kAverage;
    const auto [height, width] = window_axes(pool, to.shape(0), to.op_->output);
    const bool hangs_over = height.overhang() > 0 || width.overhang() > 0;
    const bool agreed = !pool.ceil_mode || (height.rounded_up() == height.out && width.rounded_up() == width.out);
    const bool padded = height.begin + height.end + width.begin + width.end > 0;
    bool counts = average && pool.count_padding && padded;
    List amounts{height.begin, width.begin, height.end, width.end};
    if (counts && hangs_over) {
      const List around{0, 0, height.begin, width.begin, 0, 0, height.end, width.end};
      in = to.helper("Pad", {in, to.integers("pads", around)}, "padded");
      amounts = {0, 0, 0, 0};
      counts = false;
    }
    const bool spelled_out = !agreed;
    if (spelled_out) {
      amounts[2] += height.overhang();
      amounts[3] += width.overhang();
      if (amounts[2] >= pool.kernel.height || amounts[3] >= pool.kernel.width) {
        to.refuse(message("rounds its output size up over a dilated window, which ONNX cannot do"),
                  message("set ceil_mode to false"));
      }
    }
    onnx::NodeProto& node = to.main_node(average ? "AveragePool" : "MaxPool", {in}, to.result_);
    set(node, "kernel_shape", list(pool.kernel));
    set(node, "strides", list(pool.stride));
    set(node, "pads", amounts);
    set(node, "ceil_mode", std::int64_t{pool.ceil_mode && !spelled_out ? 1 : 0});
    if (average) {
      set(node, "count_include_pad", std::int64_t{counts ? 1 : 0});
    } else {
      set(node, "dilations", list(pool.dilation));
    }
  }

  // ONNX has no batch besides the sequences: all samples' sequences become those of one layer, and then samples again.
  void operator()(const Recurrent& recurrent) const {
    const Shape in = to.shape(0);
    const std::int64_t directions = directions_of(recurrent.direction);
    const std::int64_t hidden = recurrent.hidden;
    const std::int64_t rows = gates_of(recurrent.kind) * hidden;
    const auto turned = [&](const std::string& name, const List& order, std::string_view suffix) {
      std::string made = to.fresh(suffix);
      set(to.node("Transpose", {name}, made), "perm", order);
      return made;
    };
    const auto joined = [&](std::size_t input, std::string_view suffix) {
      const std::string leading = turned(to.read_with_batch(to.op_->inputs[input]), {1, 0, 2, 3}, suffix);
      const Shape shape = to.shape(input);
      const std::string dims = to.integers(suffix, List{shape[0], -1, shape[2]});
      return to.helper("Reshape", {leading, dims}, suffix);
    };
    const Tensor weights = to.graph_.parameters()->weights(to.id_);
    const Tensor bias = to.graph_.parameters()->bias(to.id_);
    const std::int64_t width = in[2] + hidden;
    const std::int64_t each = static_cast<std::int64_t>(bias.elements().size()) / directions;
    const std::string x = joined(0, "sequences");
    const std::string w = to.floats("W", part(weights, width, 0, in[2], {directions, rows, in[2]}));
    const std::string r = to.floats("R", part(weights, width, in[2], width, {directions, rows, hidden}));
    const bool biased = to.graph_.parameters()->has_bias(to.id_);
    const std::string b = biased ? to.floats("B", part(bias, each, 0, 2 * rows, {directions, 2 * rows})) : "";
    Names inputs{x, w, r, b, ""};
    for (std::size_t i = 1; i < to.op_->inputs.size(); ++i) inputs.push_back(joined(i, "state"));
    if (recurrent.peepholes) {
      inputs.resize(7);
      inputs.push_back(to.floats("P", part(bias, each, 2 * rows, each, {directions, 3 * hidden})));
    }
    std::string y = to.fresh("Y");
    const char* const type = recurrent.kind == RecurrentKind::kLstm  ? "LSTM"
                             : recurrent.kind == RecurrentKind::kGru ? "GRU"
                                                                     : "RNN";
    onnx::NodeProto& layer = to.node(type, inputs, y);
    set(layer, "hidden_size", hidden);
    set(layer, "direction",
        recurrent.direction == RecurrentDirection::kForward   ? "forward"
        : recurrent.direction == RecurrentDirection::kReverse ? "reverse"
                                                              : "bidirectional");
    if (recurrent.kind == RecurrentKind::kGru) {
      set(layer, "linear_before_reset", std::int64_t{recurrent.linear_before_reset ? 1 : 0});
    }
    if (recurrent.last_cell) {
      layer.add_output("");
      const std::string cell = to.fresh("Y_c");
      layer.add_output(cell);
      const std::string axis = to.integers("axis", List{0});
      const std::string apart = to.helper("Unsqueeze", {cell, axis}, "cell");
      const std::string both = to.fresh("states");
      set(to.node("Concat", {y, apart}, both), "axis", std::int64_t{0});
      y = both;
    }
    const std::string dims = to.integers("samples", List{to.op_->output[0], directions, -1, in[1], hidden});
    const std::string apart = to.helper("Reshape", {y, dims}, "samples");
    set(to.main_node("Transpose", {apart}, to.result_), "perm", List{2, 0, 1, 3, 4});
  }

  void operator()(const TopK& top) const {
    const std::string in = to.in();
    const std::string k = to.integers("k", List{top.k});
    const bool values = top.output == TopKOutput::kValues;
    const std::string other = to.fresh(values ? "indices" : "values");
    const std::string places = values ? other : to.fresh("indices");
    onnx::NodeProto& node = values ? to.main_node("TopK", {in, k}, to.result_) : to.node("TopK", {in, k}, other);
    node.add_output(places);
    set(node, "axis", to.axis(top.axis));
    set(node, "largest", std::int64_t{top.largest ? 1 : 0});
    if (!values) set(to.main_node("Cast", {places}, to.result_), "to", std::int64_t{onnx::TensorProto::FLOAT});
  }

  void operator()(const GridSample& sample) const {
    constexpr std::array kModes{"nearest", "bilinear", "bicubic"};
    constexpr std::array kPaddings{"zeros", "border", "reflection"};
    const std::string in = to.in();
    onnx::NodeProto& node = to.main_node("GridSample", {in, to.read_with_batch(to.op_->inputs[1])}, to.result_);
    set(node, "mode", kModes[static_cast<std::size_t>(sample.mode)]);
    set(node, "padding_mode", kPaddings[static_cast<std::size_t>(sample.padding)]);
    set(node, "align_corners", std::int64_t{sample.align_corners ? 1 : 0});
  }

  void operator()(const Input& /*input*/) const { to.declare_input(); }

  void operator()(const Constant& /*constant*/) const { to.store(to.result_, to.graph_.parameters()->weights(to.id_)); }

  void operator()(const Activate& activate) const { to.activation(activate.function, to.in(), to.result_, true); }

  // It is written with variance 1, exactly: scale · (x - mean) / sqrt(1 + 0) + shift. What is added first is -mean.
  void operator()(const Affine& affine) const {
    const std::int64_t channels = to.shape(0).channels();
    const auto all = [&](float value) {
      return Tensor({channels}, std::vector<float>(static_cast<std::size_t>(channels), value));
    };
    const Tensor& bias = to.graph_.parameters()->bias(to.id_);
    std::vector<float> negative(bias.elements().begin(), bias.elements().end());
    for (float& value : negative) value = -value;
    const std::string scale = to.floats("scale", to.graph_.parameters()->weights(to.id_));
    const std::string shift = to.floats("shift", affine.shift_first ? all(0) : bias);
    const std::string mean = to.floats("mean", affine.shift_first ? Tensor({channels}, std::move(negative)) : all(0));
    const std::string variance = to.floats("variance", all(1));
    const std::string in = to.in();
    const std::string out = to.before(affine.activation);
    set(to.main_node("BatchNormalization", {in, scale, shift, mean, variance}, out), "epsilon", 0.0F);
    to.fused(affine.activation, out);
  }

  void operator()(const Add& /*add*/) const {
    const Names terms = to.aligned();
    to.main_node(terms.size() == 2 ? "Add" : "Sum", terms, to.result_);
  }

  void operator()(const Mul& /*mul*/) const {
    const Names factors = to.aligned();
    std::string product = factors.front();
    for (std::size_t i = 1; i + 1 < factors.size(); ++i) product = to.helper("Mul", {product, factors[i]}, "product");
    to.main_node("Mul", {product, factors.back()}, to.result_);
  }

  void operator()(const Binary& binary) const {
    Names operands = to.aligned();
    const bool fmod = binary.function == BinaryFunction::kFmod;
    const BinaryOperator& row = *binary_operator(fmod ? BinaryFunction::kMod : binary.function);
    if (binary.function == BinaryFunction::kMod) {
      // ONNX's of floats has the sign of the dividend: a - floor(a / b) b.
      const std::string floor = to.helper("Floor", {to.helper("Div", operands, "quotient")}, "floor");
      to.main_node("Sub", {operands[0], to.helper("Mul", {floor, operands[1]}, "multiple")}, to.result_);
      return;
    }
    if (row.logical) {
      for (std::string& operand : operands) operand = to.cast(operand, onnx::TensorProto::BOOL, "bool");
    }
    if (row.result == ElementType::kBool)
      return to.cast_back(to.helper(row.op_type, operands, "truth"), to.result_, true);
    onnx::NodeProto& node = to.main_node(row.op_type, operands, to.result_);
    if (fmod) set(node, "fmod", std::int64_t{1});
  }

  void operator()(const Where& /*where*/) const {
    Names operands = to.aligned();
    operands[0] = to.cast(operands[0], onnx::TensorProto::BOOL, "bool");
    to.main_node("Where", operands, to.result_);
  }

  void operator()(const Expand& expand) const {
    const Shape own = to.shape(0);
    std::string in = to.in();
    List axes;
    for (std::size_t axis = 0; axis + own.rank() < expand.shape.rank(); ++axis) axes.push_back(to.axis(axis));
    if (!axes.empty()) in = to.helper("Unsqueeze", {in, to.integers("axes", axes)}, "unsqueezed");
    to.main_node("Expand", {in, to.dims_with_batch(expand.shape.dims())}, to.result_);
  }

  // ONNX's Gather knows no samples. It serves where the data or the indices are the same for all of them; otherwise
  // GatherND does, which looks up along the first axis of each sample.
  void operator()(const Gather& gather) const {
    const Value& from = to.op_->inputs[0];
    const Value& at = to.op_->inputs[1];
    const auto places = [&](const std::string& read) { return to.cast(read, onnx::TensorProto::INT64, "indices"); };
    const auto turned = [&](const std::string& in, const List& order, const std::string& out) {
      set(to.node("Transpose", {in}, out), "perm", order);
      return out;
    };
    if (gather.kind == GatherKind::kElements) {
      const std::string data = to.read_with_batch(from);
      set(to.main_node("GatherElements", {data, places(to.read_with_batch(at))}, to.result_), "axis",
          to.axis(gather.axis));
      return;
    }
    const std::size_t named = to.shape(1).rank();
    const std::size_t rank = to.op_->output.rank();
    const bool each_data = to.lead_ == 1 && to.has_batch(from);
    const bool each_place = to.lead_ == 1 && to.has_batch(at);
    if (!each_place) {
      const std::string data = to.read_with_batch(from);
      set(to.main_node("Gather", {data, places(to.read(at))}, to.result_), "axis", to.axis(gather.axis));
      return;
    }
    // Writes axes so that the batch, the axes before the one that is looked up along and those of the indices stand in
    // our order.
    const auto in_order = [&](std::string_view type, const Names& inputs, List order) -> onnx::NodeProto& {
      for (std::size_t axis = order.size(); axis < rank + 1; ++axis) order.push_back(static_cast<std::int64_t>(axis));
      if (std::ranges::is_sorted(order)) return to.main_node(type, inputs, to.result_);
      const std::string made = to.fresh("gathered");
      const int node = to.out_.node_size();
      to.node(type, inputs, made);
      to.out_.mutable_node(node)->set_name(to.op_->name);
      turned(made, order, to.result_);
      to.out_.mutable_node(node + 1)->set_name(to.fresh("ordered"));
      return *to.out_.mutable_node(node);
    };
    const auto before = static_cast<std::int64_t>(gather.axis);
    const auto count = static_cast<std::int64_t>(named);
    List order;
    if (!each_data) {  // it yields the axes before, the batch, and those of the indices
      order.push_back(before);
      for (std::int64_t axis = 0; axis < before; ++axis) order.push_back(axis);
      set(in_order("Gather", {to.read(from), places(to.read(at))}, order), "axis", before);
      return;
    }
    std::string data = to.read(from);
    if (before > 0) {
      List first{0, before + 1};
      for (std::size_t axis = 0; axis < to.shape(0).rank(); ++axis) {
        if (axis != gather.axis) first.push_back(to.axis(axis));
      }
      data = turned(data, first, to.fresh("looked_up_first"));
    }
    const std::string apart = to.helper("Unsqueeze", {places(to.read(at)), to.integers("axis", List{-1})}, "places");
    order.push_back(0);  // it yields the batch, the axes of the indices, and those before
    for (std::int64_t axis = 0; axis < before; ++axis) order.push_back(1 + count + axis);
    for (std::int64_t axis = 0; axis < count; ++axis) order.push_back(1 + axis);
    set(in_order("GatherND", {data, apart}, order), "batch_dims", std::int64_t{1});
  }

  void operator()(const Normalize& normalize) const {
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
      onnx::NodeProto& node = to.main_node("LayerNormalization", {in, scale, bias}, to.result_);
      set(node, "axis", to.axis(normalize.axis));
      set(node, "epsilon", normalize.epsilon);
      return;
    }
    const std::string mean = to.helper("ReduceMean", {to.helper("Mul", {in, in}, "squares")}, "mean");
    List axes;
    for (std::size_t axis = normalize.axis; axis < shape.rank(); ++axis) axes.push_back(to.axis(axis));
    set(*to.out_.mutable_node(to.out_.node_size() - 1), "axes", axes);
    const std::string sum = to.helper("Add", {mean, to.scalar("epsilon", normalize.epsilon)}, "sum");
    const std::string normal = to.helper("Div", {in, to.helper("Sqrt", {sum}, "root")}, "normal");
    if (bias.empty()) {
      to.main_node("Mul", {normal, scale}, to.result_);
    } else {
      to.main_node("Add", {to.helper("Mul", {normal, scale}, "scaled"), bias}, to.result_);
    }
  }

  void operator()(const Concat& concat) const {
    Names parts;
    for (const Value& value : to.op_->inputs) parts.push_back(to.read_with_batch(value));
    set(to.main_node("Concat", parts, to.result_), "axis", to.axis(concat.axis));
  }

  void operator()(const Identity& /*identity*/) const { to.main_node("Identity", {to.in()}, to.result_); }

  void operator()(const Linear& linear) const {
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
  void linear_by_place(const Linear& linear) const {
    std::string in = to.in();
    if (to.shape(0).rank() != linear.axis + 1) {
      List dims(static_cast<std::size_t>(to.axis(linear.axis)), 0);  // as the input's
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

  void operator()(const MatMul& /*matmul*/) const { to.main_node("MatMul", to.aligned(), to.result_); }

  void operator()(const Reshape& reshape) const {
    const std::string in = to.in();
    const List dims = to.with_lead(0, reshape.shape.dims());  // the batch is as the input's
    to.main_node("Reshape", {in, to.integers("shape", dims)}, to.result_);
  }

  void operator()(const Transpose& transpose) const {
    set(to.main_node("Transpose", {to.in()}, to.result_), "perm", to.with_lead(0, to.axes(transpose.axes)));
  }

  void operator()(const Slice& slice) const {
    List ends;
    List axes;
    for (std::size_t axis = 0; axis < slice.begins.size(); ++axis) {
      const std::int64_t size = to.shape(0)[axis];
      const std::int64_t end = slice.begins[axis] + slice.shape[axis] * slice.steps[axis];
      // Negative ends count from the size: one that lies before the first element is as many more below.
      ends.push_back(end < 0 ? -size - 1 : std::min(end, size));
      axes.push_back(to.axis(axis));
    }
    const std::string in = to.in();
    const std::string from = to.integers("from", slice.begins);
    const std::string until = to.integers("to", ends);
    const std::string along = to.integers("axes", axes);
    to.main_node("Slice", {in, from, until, along, to.integers("steps", slice.steps)}, to.result_);
  }

  void operator()(const Pad& pad) const {
    List amounts = to.with_lead(0, pad.begins);
    const List ends = to.with_lead(0, pad.ends);
    amounts.insert(amounts.end(), ends.begin(), ends.end());
    const std::string in = to.in();
    const std::string pads = to.integers("pads", amounts);
    set(to.main_node("Pad", {in, pads, to.scalar("value", pad.value)}, to.result_), "mode", mode_name(pad.mode));
  }

  void operator()(const Resize& resize) const {
    const std::string in = to.in();
    Names inputs{in, ""};
    if (scales_give(resize, to.shape(0))) {
      std::vector<float> scales(to.lead_, 1);
      scales.insert(scales.end(), resize.scales.begin(), resize.scales.end());
      const auto count = static_cast<std::int64_t>(scales.size());
      inputs.push_back(to.floats("scales", Tensor({count}, std::move(scales))));
    } else if (scales_are_ratios(resize, to.shape(0))) {
      inputs.insert(inputs.end(), {"", to.dims_with_batch(resize.shape.dims())});
    } else {
      to.refuse(message("its scales do not lead from {} to {}, and ONNX accepts scales or sizes, not both",
                        shape_text(to.shape(0)), shape_text(resize.shape)));
    }
    onnx::NodeProto& node = to.main_node("Resize", inputs, to.result_);
    set(node, "mode", resize.mode == ResizeMode::kLinear ? "linear" : "nearest");
    set(node, "coordinate_transformation_mode", onnx_name(resize.coordinates));
    if (resize.mode == ResizeMode::kNearest) set(node, "nearest_mode", onnx_name(resize.rounding));
  }

  void operator()(const Softmax& softmax) const {
    set(to.main_node("Softmax", {to.in()}, to.result_), "axis", to.axis(softmax.axis));
  }

  void operator()(const Lrn& lrn) const {
    onnx::NodeProto& node = to.main_node("LRN", {to.in()}, to.result_);
    set(node, "size", lrn.size);
    set(node, "alpha", lrn.alpha);
    set(node, "beta", lrn.beta);
    set(node, "bias", lrn.bias);
  }

  void operator()(const Reduce& reduce) const {
    const std::string_view type = reduce_op_type(reduce.kind);
    if (is_arg(reduce.kind)) {
      const std::string place = to.helper(type, {to.in()}, "place");
      onnx::NodeProto& node = *to.out_.mutable_node(to.out_.node_size() - 1);
      set(node, "axis", to.axis(reduce.axes.front()));
      set(node, "keepdims", std::int64_t{reduce.keep_dims});
      set(node, "select_last_index", std::int64_t{reduce.last});
      return to.cast_back(place, to.result_, true);
    }
    if (reduce.axes.empty()) {  // ONNX reduces all of none
      const bool squares = reduce.kind == ReduceKind::kSumOfSquares;
      const bool magnitude = reduce.kind == ReduceKind::kL1 || reduce.kind == ReduceKind::kL2;
      const std::string in = to.in();
      to.main_node(squares ? "Mul" : magnitude ? "Abs" : "Identity", squares ? Names{in, in} : Names{in}, to.result_);
      return;
    }
    const bool takes_input = reduce.kind == ReduceKind::kSum;  // of axes, since opset 13; the others since 18
    Names inputs{to.in()};
    if (takes_input) inputs.push_back(to.integers("axes", to.axes(reduce.axes)));
    onnx::NodeProto& node = to.main_node(type, inputs, to.result_);
    if (!takes_input) set(node, "axes", to.axes(reduce.axes));
    set(node, "keepdims", std::int64_t{reduce.keep_dims ? 1 : 0});
  }

  void otherwise() const {
    const auto* const opaque = to.op_->as<Opaque>();
    const std::string_view type = opaque != nullptr ? opaque->type : kind_name(to.op_->attributes);
    to.refuse(message("has the type {}, which this program cannot write", type),
              message("export the part of the model without it"));
  }
};

void GraphExport::write() {
  const bool sample = whole_ && has_samples_in_onnx(op_->attributes);
  lead_ = whole_ && !sample ? 0 : 1;
  result_ = sample ? fresh("sample") : tensors_[id_.index()];
  visit_kind(Kinds{*this}, op_->attributes);
  if (!sample || !status_) return;
  const std::int64_t first = 0;
  node("Squeeze", {result_, integers("axis", std::span(&first, 1))}, tensors_[id_.index()])
      .set_name(fresh("of_one_sample"));
}

}  // namespace iosx::onnx_import
