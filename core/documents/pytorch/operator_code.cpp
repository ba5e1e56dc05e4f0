#include "core/documents/pytorch/network_source.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "core/model/graph/attribute_list.h"
#include "core/model/graph/operator_table.h"

namespace iosx::pytorch {
namespace {

using List = std::vector<std::int64_t>;

std::string pair_of(const Extent& extent) { return pair_text(extent.height, extent.width); }

// Returns what computes a function of {0}; {1} and {2} are its parameters.
std::string_view function_text(ActivationKind kind) {
  switch (kind) {
    case ActivationKind::kIdentity: return "{0}";
    case ActivationKind::kRelu: return "F.relu({0})";
    case ActivationKind::kSigmoid: return "torch.sigmoid({0})";
    case ActivationKind::kTanh: return "torch.tanh({0})";
    case ActivationKind::kLeakyRelu: return "F.leaky_relu({0}, {1})";
    case ActivationKind::kElu: return "F.elu({0}, {1})";
    case ActivationKind::kClip: return "torch.clamp({0}, {1}, {2})";
    case ActivationKind::kHardSigmoid: return "torch.clamp({1} * {0} + {2}, 0, 1)";
    case ActivationKind::kHardSwish: return "F.hardswish({0})";
    case ActivationKind::kSwish: return "F.silu({0})";
    case ActivationKind::kGelu: return "F.gelu({0})";
    case ActivationKind::kGeluTanh: return "F.gelu({0}, approximate='tanh')";
    case ActivationKind::kMish: return "F.mish({0})";
    case ActivationKind::kSelu: return "{2} * F.elu({0}, {1})";
    case ActivationKind::kCelu: return "F.celu({0}, {1})";
    case ActivationKind::kSoftplus: return "F.softplus({0})";
    case ActivationKind::kSoftsign: return "F.softsign({0})";
    case ActivationKind::kThresholdedRelu: return "F.threshold({0}, {1}, 0.0)";
    case ActivationKind::kShrink: return "shrink({0}, {1}, {2})";
    case ActivationKind::kErf: return "torch.erf({0})";
    case ActivationKind::kSqrt: return "torch.sqrt({0})";
    case ActivationKind::kExp: return "torch.exp({0})";
    case ActivationKind::kLog: return "torch.log({0})";
    case ActivationKind::kAbs: return "torch.abs({0})";
    case ActivationKind::kNeg: return "torch.neg({0})";
    case ActivationKind::kReciprocal: return "torch.reciprocal({0})";
    case ActivationKind::kFloor: return "torch.floor({0})";
    case ActivationKind::kCeil: return "torch.ceil({0})";
    case ActivationKind::kRound: return "torch.round({0})";
    case ActivationKind::kTruncate: return "torch.trunc({0})";
    case ActivationKind::kSign: return "torch.sign({0})";
    case ActivationKind::kSin: return "torch.sin({0})";
    case ActivationKind::kCos: return "torch.cos({0})";
    case ActivationKind::kTan: return "torch.tan({0})";
    case ActivationKind::kAsin: return "torch.asin({0})";
    case ActivationKind::kAcos: return "torch.acos({0})";
    case ActivationKind::kAtan: return "torch.atan({0})";
    case ActivationKind::kSinh: return "torch.sinh({0})";
    case ActivationKind::kCosh: return "torch.cosh({0})";
    case ActivationKind::kAsinh: return "torch.asinh({0})";
    case ActivationKind::kAcosh: return "torch.acosh({0})";
    case ActivationKind::kAtanh: return "torch.atanh({0})";
    case ActivationKind::kNot: return "({0} == 0).float()";
    case ActivationKind::kIsNan: return "torch.isnan({0}).float()";
    case ActivationKind::kIsInf: return "is_inf({0}, {1}, {2})";
    case ActivationKind::kFloat16: return "({0}).half().float()";
    case ActivationKind::kBfloat16: return "({0}).bfloat16().float()";
  }
  return "{0}";
}

std::string activated(const Activation& function, const std::string& x) {
  return fmt::format(fmt::runtime(function_text(function.kind)), x, literal(function.alpha), literal(function.beta));
}

// Returns the same for a function of two, {0} and {1}.
std::string_view function_text(BinaryFunction function) {
  switch (function) {
    case BinaryFunction::kAdd: return "{0} + {1}";
    case BinaryFunction::kMul: return "{0} * {1}";
    case BinaryFunction::kSub: return "{0} - {1}";
    case BinaryFunction::kDiv: return "{0} / {1}";
    case BinaryFunction::kPow: return "torch.pow({0}, {1})";
    case BinaryFunction::kMin: return "torch.minimum({0}, {1})";
    case BinaryFunction::kMax: return "torch.maximum({0}, {1})";
    case BinaryFunction::kMod: return "torch.remainder({0}, {1})";
    case BinaryFunction::kFmod: return "torch.fmod({0}, {1})";
    case BinaryFunction::kEqual: return "({0} == {1}).float()";
    case BinaryFunction::kGreater: return "({0} > {1}).float()";
    case BinaryFunction::kGreaterOrEqual: return "({0} >= {1}).float()";
    case BinaryFunction::kLess: return "({0} < {1}).float()";
    case BinaryFunction::kLessOrEqual: return "({0} <= {1}).float()";
    case BinaryFunction::kAnd: return "torch.logical_and({0}, {1}).float()";
    case BinaryFunction::kOr: return "torch.logical_or({0}, {1}).float()";
    case BinaryFunction::kXor: return "torch.logical_xor({0}, {1}).float()";
    case BinaryFunction::kPRelu: return "torch.where({0} < 0, {0} * {1}, {0})";
  }
  return {};
}

std::string_view function_text(ReduceKind kind) {
  switch (kind) {
    case ReduceKind::kMean: return "{0}.mean(dim={1}, keepdim={2})";
    case ReduceKind::kSum: return "{0}.sum(dim={1}, keepdim={2})";
    case ReduceKind::kMax: return "{0}.amax(dim={1}, keepdim={2})";
    case ReduceKind::kMin: return "{0}.amin(dim={1}, keepdim={2})";
    case ReduceKind::kProduct: return "product({0}, {1}, {2})";
    case ReduceKind::kL1: return "{0}.abs().sum(dim={1}, keepdim={2})";
    case ReduceKind::kL2: return "{0}.square().sum(dim={1}, keepdim={2}).sqrt()";
    case ReduceKind::kSumOfSquares: return "{0}.square().sum(dim={1}, keepdim={2})";
    case ReduceKind::kArgMax: return "place_of({0}, {1}, {2}, {3})";
    case ReduceKind::kArgMin: return "place_of(-{0}, {1}, {2}, {3})";
  }
  return {};
}

// Axes count the batch in torch.
std::int64_t torch_axis(std::size_t axis) { return static_cast<std::int64_t>(axis) + 1; }

// Constants are without the batch axis.
std::string read_text(const Graph& graph, const Value& value, const PythonNames& names) {
  const bool constant = graph.op(value.producer).is_constant();
  std::string text = constant ? "self." + names.of(value.producer) : names.of(value.producer);
  if (value == graph.whole(value.producer)) return text;
  return text + fmt::format("[{}{}:{}]", constant ? "" : ":, ", value.begin, value.end);
}

struct Code {
  const Graph& graph;
  const PythonNames& names;
  OperatorId id;
  OperatorCode made = {};
  Message refusal = {};
  Message remedy = {};

  const Operator& op() const { return graph.op(id); }
  Shape shape(std::size_t input) const { return graph.shape(op().inputs[input]); }
  const std::string& name() const { return names.of(id); }
  bool has_batch(const Value& value) const { return !graph.op(value.producer).is_constant(); }
  std::string read(std::size_t input) const { return read_text(graph, op().inputs[input], names); }
  std::string in(std::size_t input = 0) { return input_text(graph, op().inputs[input], names, made.uses_batch); }

  // Returns operands of which torch's broadcasting gives the output: with axes of 1 between the batch and the others.
  std::vector<std::string> aligned() {
    std::size_t rank = 0;
    bool any_batch = false;
    for (const Value& value : op().inputs) {
      rank = std::max(rank, graph.shape(value).rank());
      any_batch = any_batch || has_batch(value);
    }
    std::vector<std::string> operands;
    for (std::size_t i = 0; i < op().inputs.size(); ++i) {
      const Value& value = op().inputs[i];
      const bool batched = has_batch(value) || (!any_batch && i == 0);
      operands.push_back(batched ? in(i) : read(i));
      const Shape own = graph.shape(value);
      if (!batched || own.rank() == rank) continue;
      List dims(rank - own.rank(), 1);
      dims.insert(dims.end(), own.dims().begin(), own.dims().end());
      operands.back() += fmt::format(".reshape(-1, {})", fmt::join(dims, ", "));
    }
    return operands;
  }

  void expression(std::string text) { made.expression = std::move(text); }
  void layer(const std::string& module) { made.layer = fmt::format("self.{} = {}", name(), module); }
  void joined(std::string_view sign) { expression(fmt::format("{}", fmt::join(aligned(), sign))); }

  void operator()(const Input& /*input*/) {}
  void operator()(const Constant& constant) {
    made.layer = fmt::format("self.register_buffer({}, torch.empty({}))", string_text(name()),
                             tuple_text(constant.shape.dims()));
  }

  void operator()(const Conv& conv) {
    std::string text = fmt::format("Conv2d({}, {}, {}", shape(0).channels(), conv.out_channels, pair_of(conv.kernel));
    if (conv.stride != Extent{}) text += fmt::format(", stride={}", pair_of(conv.stride));
    if (conv.padding != Extent{0, 0}) text += fmt::format(", padding={}", pair_of(conv.padding));
    if (conv.dilation != Extent{}) text += fmt::format(", dilation={}", pair_of(conv.dilation));
    if (conv.groups != 1) text += fmt::format(", groups={}", conv.groups);
    if (conv.end_padding == Extent{0, 0}) {
      layer(fmt::format("nn.{})", text));
    } else {
      layer(fmt::format("Padded{}, end_padding={})", text, pair_of(conv.end_padding)));
    }
    expression(activated(conv.activation, fmt::format("self.{}({})", name(), in())));
  }

  void operator()(const ConvTranspose& conv) {
    std::string text =
        fmt::format("nn.ConvTranspose2d({}, {}, {}", shape(0).channels(), conv.out_channels, pair_of(conv.kernel));
    if (conv.stride != Extent{}) text += fmt::format(", stride={}", pair_of(conv.stride));
    if (conv.groups != 1) text += fmt::format(", groups={}", conv.groups);
    if (conv.dilation != Extent{}) text += fmt::format(", dilation={}", pair_of(conv.dilation));
    // Less cropping at the end adds to the output's size.
    const Extent extra{conv.output_padding.height - conv.end_padding.height,
                       conv.output_padding.width - conv.end_padding.width};
    const auto fits = [](std::int64_t more, std::int64_t stride, std::int64_t dilation) {
      return more >= 0 && more < std::max(stride, dilation);
    };
    if (fits(extra.height, conv.stride.height, conv.dilation.height) &&
        fits(extra.width, conv.stride.width, conv.dilation.width)) {
      if (conv.padding != Extent{0, 0}) text += fmt::format(", padding={}", pair_of(conv.padding));
      if (extra != Extent{0, 0}) text += fmt::format(", output_padding={}", pair_of(extra));
      layer(text + ")");
      expression(activated(conv.activation, fmt::format("self.{}({})", name(), in())));
      return;
    }
    // Torch has no such cropping: crop or enlarge what has no bias yet.
    layer(text + ")");
    const std::string self = "self." + name();
    const std::string whole = fmt::format("F.conv_transpose2d({}, {}.weight, None, {}, 0, 0, {}, {})", in(), self,
                                          pair_of(conv.stride), conv.groups, pair_of(conv.dilation));
    const List amounts{-conv.padding.width, extra.width - conv.padding.width, -conv.padding.height,
                       extra.height - conv.padding.height};
    expression(activated(conv.activation,
                         fmt::format("(F.pad({}, {}) + {}.bias.view(-1, 1, 1))", whole, tuple_text(amounts), self)));
  }

  void operator()(const Pool& pool) {
    if (pool.kind == PoolKind::kGlobalMax) return expression(fmt::format("F.adaptive_max_pool2d({}, 1)", in()));
    if (pool.kind == PoolKind::kGlobalAverage) return expression(fmt::format("F.adaptive_avg_pool2d({}, 1)", in()));
    const bool average = pool.kind == PoolKind::kAverage;
    const auto half = [](std::int64_t padding, std::int64_t kernel) { return padding <= kernel / 2; };
    const bool usual = pool.end_padding == Extent{0, 0} && half(pool.padding.height, pool.kernel.height) &&
                       half(pool.padding.width, pool.kernel.width) && (!average || pool.dilation == Extent{});
    if (!usual) return unusual_pool(pool);
    std::string text = fmt::format("F.{}_pool2d({}, {}, {}", average ? "avg" : "max", in(), pair_of(pool.kernel),
                                   pair_of(pool.stride));
    if (pool.padding != Extent{0, 0}) text += fmt::format(", {}", pair_of(pool.padding));
    if (pool.dilation != Extent{}) text += fmt::format(", dilation={}", pair_of(pool.dilation));
    if (pool.ceil_mode) text += ", ceil_mode=True";
    if (average && !pool.count_padding && pool.padding != Extent{0, 0}) text += ", count_include_pad=False";
    expression(text + ")");
  }

  // Torch pads both sides alike, by half a kernel at most.
  void unusual_pool(const Pool& pool) {
    const List padding{pool.padding.width, pool.padding.width + pool.end_padding.width, pool.padding.height,
                       pool.padding.height + pool.end_padding.height};
    const bool average = pool.kind == PoolKind::kAverage;
    expression(fmt::format("{}_pool({}, {}, {}, {}, {}, {}{})", average ? "average" : "max", in(), pair_of(pool.kernel),
                           pair_of(pool.stride), tuple_text(padding), pair_of(pool.dilation),
                           !average             ? ""
                           : pool.count_padding ? "True, "
                                                : "False, ",
                           pair_text(op().output.height(), op().output.width())));
  }

  void operator()(const Activate& activate) { expression(activated(activate.function, in())); }
  void operator()(const Affine& affine) {
    layer(fmt::format("Affine({}{})", shape(0).channels(), affine.shift_first ? ", shift_first=True" : ""));
    expression(activated(affine.activation, fmt::format("self.{}({})", name(), in())));
  }

  void operator()(const Add& /*add*/) { joined(" + "); }
  void operator()(const Mul& /*mul*/) { joined(" * "); }
  void operator()(const Binary& binary) {
    const auto operands = aligned();
    expression(fmt::format(fmt::runtime(function_text(binary.function)), operands[0], operands[1]));
  }
  void operator()(const Where& /*where*/) {
    const auto operands = aligned();
    expression(fmt::format("torch.where({} != 0, {}, {})", operands[0], operands[1], operands[2]));
  }

  void operator()(const Concat& concat) {
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < op().inputs.size(); ++i) parts.push_back(in(i));
    expression(fmt::format("torch.cat(({}{}), dim={})", fmt::join(parts, ", "), parts.size() == 1 ? "," : "",
                           torch_axis(concat.axis)));
  }
  void operator()(const Identity& /*identity*/) { expression(in()); }

  void operator()(const Linear& linear) {
    layer(fmt::format("nn.Linear({}, {})", shape(0).elements_from(linear.axis), linear.out_features));
    const std::string flat = flattening(linear, shape(0));
    expression(activated(linear.activation, fmt::format("self.{}({}{})", name(), in(), flat)));
  }
  void operator()(const MatMul& /*matmul*/) { joined(" @ "); }

  void operator()(const Reshape& reshape) {
    expression(fmt::format("{}.reshape(-1{}{})", in(), reshape.shape.rank() > 0 ? ", " : "",
                           fmt::join(reshape.shape.dims(), ", ")));
  }
  void operator()(const Transpose& transpose) {
    List order{0};
    for (const std::size_t axis : transpose.axes) order.push_back(torch_axis(axis));
    expression(fmt::format("{}.permute({})", in(), fmt::join(order, ", ")));
  }

  void operator()(const Slice& slice) {
    std::vector<std::string> ranges{":"};
    List flipped;
    for (std::size_t axis = 0; axis < slice.begins.size(); ++axis) {
      const std::int64_t step = slice.steps[axis];
      const std::int64_t last = slice.begins[axis] + (slice.shape[axis] - 1) * step;
      const std::int64_t low = std::min(slice.begins[axis], last);
      const std::int64_t high = std::max(slice.begins[axis], last);
      if (step < 0) flipped.push_back(torch_axis(axis));  // torch has no negative steps
      ranges.push_back(fmt::format("{}:{}", low, high + 1));
      if (step != 1 && step != -1) ranges.back() += fmt::format(":{}", std::abs(step));
      if (low == 0 && high + 1 == shape(0)[axis] && std::abs(step) == 1) ranges.back() = ":";
    }
    std::string text = fmt::format("{}[{}]", in(), fmt::join(ranges, ", "));
    if (!flipped.empty()) text += fmt::format(".flip({})", fmt::join(flipped, ", "));
    expression(std::move(text));
  }

  void operator()(const Pad& pad) {
    if (pad.mode == PadMode::kConstant) {
      List amounts;  // the last axis first
      for (std::size_t axis = pad.begins.size(); axis-- > 0;) {
        amounts.insert(amounts.end(), {pad.begins[axis], pad.ends[axis]});
      }
      if (amounts.empty()) return expression(in());
      return expression(fmt::format("F.pad({}, {}, value={})", in(), tuple_text(amounts), literal(pad.value)));
    }
    std::vector<std::string> axes;
    for (std::size_t axis = 0; axis < pad.begins.size(); ++axis) {
      if (pad.begins[axis] == 0 && pad.ends[axis] == 0) continue;
      axes.push_back(fmt::format("{}: {}({}, {}, {})", torch_axis(axis),
                                 pad.mode == PadMode::kEdge ? "edge" : "mirrored", shape(0)[axis], pad.begins[axis],
                                 pad.ends[axis]));
    }
    with_tables(fmt::format("Pick({{{}}})", fmt::join(axes, ", ")));
  }

  void with_tables(const std::string& module) {
    layer(module);
    made.has_tables = true;
    expression(fmt::format("self.{}({})", name(), in()));
  }

  void operator()(const Resize& resize) {
    const Shape from = shape(0);
    if (const std::string_view mode = native_mode(resize, from); !mode.empty()) {
      return expression(fmt::format(
          "F.interpolate({}, size={}, mode={}{})", in(), pair_text(resize.shape.height(), resize.shape.width()),
          string_text(mode), resize.coordinates == ResizeCoordinates::kAlignCorners ? ", align_corners=True" : ""));
    }
    std::vector<std::string> axes;
    for (std::size_t axis = 0; axis < from.rank(); ++axis) {
      if (from[axis] == resize.shape[axis] && resize.scales[axis] == 1) continue;
      axes.push_back(fmt::format("{}: ({}, {}, {})", torch_axis(axis), from[axis], resize.shape[axis],
                                 literal(resize.scales[axis])));
    }
    const bool nearest = resize.mode == ResizeMode::kNearest;
    with_tables(fmt::format("Resize({{{}}}, {}, {}{})", fmt::join(axes, ", "),
                            string_text(nearest ? "nearest" : "linear"), string_text(onnx_name(resize.coordinates)),
                            nearest ? fmt::format(", {}", string_text(onnx_name(resize.rounding))) : ""));
  }

  // Returns the mode of torch's interpolate that computes the same, or nothing: of feature maps enlarged by whole
  // numbers, where no rounding can differ.
  static std::string_view native_mode(const Resize& resize, const Shape& from) {
    if (!from.is_feature_map() || from[0] != resize.shape[0] || resize.scales[0] != 1) return {};
    for (const std::size_t axis : {1, 2}) {
      const std::int64_t times = resize.shape[axis] / from[axis];
      const bool whole = times * from[axis] == resize.shape[axis] && resize.scales[axis] == static_cast<float>(times);
      if (!whole || resize.shape[axis] < 2) return {};
    }
    if (resize.mode == ResizeMode::kNearest) {
      const bool floors =
          resize.coordinates == ResizeCoordinates::kAsymmetric && resize.rounding == ResizeRounding::kFloor;
      return floors ? "nearest" : "";
    }
    return resize.coordinates == ResizeCoordinates::kAsymmetric ? "" : "bilinear";
  }

  // Gates are in ONNX's order, which is none of torch's.
  void operator()(const Recurrent& recurrent) {
    const std::int64_t directions = directions_of(recurrent.direction);
    const std::int64_t rows = gates_of(recurrent.kind) * recurrent.hidden;
    const std::int64_t peepholes = recurrent.peepholes ? 3 * recurrent.hidden : 0;
    const char* const direction = recurrent.direction == RecurrentDirection::kForward   ? "forward"
                                  : recurrent.direction == RecurrentDirection::kReverse ? "reverse"
                                                                                        : "both";
    layer(fmt::format("Recurrent({}, {}, {}, {}, {}{}{}{})", string_text(kind_name(recurrent)), string_text(direction),
                      shape(0)[2], recurrent.hidden, directions * (2 * rows + peepholes),
                      recurrent.linear_before_reset ? ", linear_before_reset=True" : "",
                      recurrent.peepholes ? ", peepholes=True" : "", recurrent.last_cell ? ", last_cell=True" : ""));
    std::vector<std::string> inputs;
    for (std::size_t i = 0; i < op().inputs.size(); ++i) inputs.push_back(in(i));
    expression(fmt::format("self.{}({})", name(), fmt::join(inputs, ", ")));
  }
  void operator()(const TopK& top) {
    expression(fmt::format("top_k({}, {}, {}, {}, {})", in(), top.k, torch_axis(top.axis),
                           top.largest ? "True" : "False", top.output == TopKOutput::kIndices ? "True" : "False"));
  }
  void operator()(const GridSample& sample) {
    const char* const mode = sample.mode == GridMode::kNearest  ? "nearest"
                             : sample.mode == GridMode::kLinear ? "bilinear"
                                                                : "bicubic";
    const char* const padding = sample.padding == GridPadding::kZeros    ? "zeros"
                                : sample.padding == GridPadding::kBorder ? "border"
                                                                         : "reflection";
    const std::string map = in(0);
    expression(fmt::format("F.grid_sample({}, {}, {}, {}, {})", map, in(1), string_text(mode), string_text(padding),
                           sample.align_corners ? "True" : "False"));
  }
  void operator()(const Softmax& softmax) {
    expression(fmt::format("F.softmax({}, dim={})", in(), torch_axis(softmax.axis)));
  }
  void operator()(const Lrn& lrn) {
    const bool odd = lrn.size % 2 != 0 && shape(0).rank() >= 2;
    expression(fmt::format("{}local_response_norm({}, {}, {}, {}, {})", odd ? "F." : "", in(), lrn.size,
                           literal(lrn.alpha), literal(lrn.beta), literal(lrn.bias)));
  }
  void operator()(const Normalize& normalize) {
    const Shape in_shape = shape(0);
    const auto dims = in_shape.dims().subspan(normalize.axis);
    layer(fmt::format("{}({}, eps={}{})", normalize.centred ? "nn.LayerNorm" : "RootMeanSquareNorm", tuple_text(dims),
                      literal(normalize.epsilon), normalize.scaled ? "" : ", elementwise_affine=False"));
    expression(fmt::format("self.{}({})", name(), in()));
  }
  void operator()(const Reduce& reduce) {
    if (reduce.axes.empty()) {  // torch reduces all of none
      const bool squares = reduce.kind == ReduceKind::kSumOfSquares;
      const bool magnitude = reduce.kind == ReduceKind::kL1 || reduce.kind == ReduceKind::kL2;
      return expression(in() + (squares ? ".square()" : magnitude ? ".abs()" : ""));
    }
    List axes;
    for (const std::size_t axis : reduce.axes) axes.push_back(torch_axis(axis));
    const auto truth = [](bool is) { return is ? "True" : "False"; };
    const std::string along = is_arg(reduce.kind) ? fmt::to_string(axes.front()) : tuple_text(axes);
    expression(fmt::format(fmt::runtime(function_text(reduce.kind)), in(), along, truth(reduce.keep_dims),
                           truth(reduce.last)));
  }
  void operator()(const Expand& expand) {
    const Shape own = shape(0);
    List dims(expand.shape.rank() - own.rank(), 1);
    dims.insert(dims.end(), own.dims().begin(), own.dims().end());
    std::string text = in();
    if (own.rank() != expand.shape.rank()) text += fmt::format(".reshape(-1, {})", fmt::join(dims, ", "));
    expression(expand.shape.rank() == 0 ? text
                                        : fmt::format("{}.expand(-1, {})", text, fmt::join(expand.shape.dims(), ", ")));
  }
  void operator()(const Gather& gather) {
    const bool table = !has_batch(op().inputs[0]) && gather.kind == GatherKind::kSlices && gather.axis == 0;
    if (table) return expression(fmt::format("look_up({}, {})", read(0), in(1)));
    expression(fmt::format("gather_{}({}, {}, {})", gather.kind == GatherKind::kSlices ? "slices" : "elements", in(0),
                           in(1), torch_axis(gather.axis)));
  }

  void otherwise() {
    const auto* const opaque = op().as<Opaque>();
    const std::string_view type = opaque != nullptr ? opaque->type : kind_name(op().attributes);
    refusal = message("has the type {}, which this program cannot write", type);
    remedy = message("export the part of the model without it");
  }
};

}  // namespace

std::string input_text(const Graph& graph, const Value& value, const PythonNames& names, bool& uses_batch) {
  std::string text = read_text(graph, value, names);
  if (!graph.op(value.producer).is_constant()) return text;
  uses_batch = true;
  text += ".expand(batch";
  const Shape shape = graph.shape(value);
  for (const std::int64_t size : shape.dims()) text += fmt::format(", {}", size);
  return text + ")";
}

std::string flattening(const Linear& linear, const Shape& input) {
  if (input.rank() == 0) return ".unsqueeze(1)";
  return input.rank() == linear.axis + 1 ? std::string() : fmt::format(".flatten({})", torch_axis(linear.axis));
}

std::string activation_function(const Activation& activation) {
  if (activation == Activation::kIdentity) return {};
  std::string call = activated(activation, "x");
  if (call.ends_with("(x)")) return call.substr(0, call.size() - 3);
  return "lambda x: " + call;
}

Result<OperatorCode> operator_code(const Graph& graph, OperatorId id, const PythonNames& names) {
  Code code{.graph = graph, .names = names, .id = id};
  visit_kind(code, graph.op(id).attributes);
  if (!code.refusal.empty()) return fail(std::move(code.refusal), graph.op(id).name, std::move(code.remedy));
  return std::move(code.made);
}

}  // namespace iosx::pytorch
