#include "views/text/attribute_properties.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>

#include "core/graph/operator_table.h"
#include "views/text/format.h"
#include "views/text/qstring.h"

namespace iosx {
namespace {

QString tr(const char* text) { return QCoreApplication::translate("iosx::Inspector", text); }
QString number(float value) { return QString::number(static_cast<double>(value), 'g', 6); }

template <typename Numbers>
QString list(const Numbers& numbers) {
  QStringList texts;
  for (const auto value : numbers) texts << QString::number(value);
  return texts.join(QStringLiteral(", "));
}

// "leaky relu, α = 0.01"
QString activation_text(const Activation& activation) {
  QString name = qstring(activation_name(activation));
  if (activation.kind == ActivationKind::kClip) {
    return tr("%1 to %2 \u2026 %3").arg(name, number(activation.alpha), number(activation.beta));
  }
  const int parameters = activation_row(activation.kind).parameters;
  if (parameters == 0) return name;
  if (parameters == 1) return tr("%1, \u03B1 = %2").arg(name, number(activation.alpha));
  return tr("%1, \u03B1 = %2, \u03B2 = %3").arg(name, number(activation.alpha), number(activation.beta));
}

QString text_of(PadMode mode) {
  switch (mode) {
    case PadMode::kConstant: return tr("constant");
    case PadMode::kReflect: return tr("reflect");
    case PadMode::kEdge: return tr("edge");
  }
  return {};
}

QString text_of(ResizeCoordinates coordinates) {
  switch (coordinates) {
    case ResizeCoordinates::kHalfPixel: return tr("half pixel");
    case ResizeCoordinates::kPytorchHalfPixel: return tr("half pixel, as PyTorch");
    case ResizeCoordinates::kAlignCorners: return tr("corners aligned");
    case ResizeCoordinates::kAsymmetric: return tr("asymmetric");
  }
  return {};
}

QString text_of(ResizeRounding rounding) {
  switch (rounding) {
    case ResizeRounding::kPreferFloor: return tr("to the nearest, halves down");
    case ResizeRounding::kPreferCeil: return tr("to the nearest, halves up");
    case ResizeRounding::kFloor: return tr("down");
    case ResizeRounding::kCeil: return tr("up");
  }
  return {};
}

class Describe {
 public:
  std::vector<Property> take() { return std::move(lines_); }

  void operator()(const Conv& conv) {
    window(conv);
    if (conv.dilation != Extent{}) add(tr("Dilation"), format::extent(conv.dilation));
    if (conv.groups != 1) add(tr("Channel groups"), format::count(conv.groups));
    add(tr("Activation"), activation_text(conv.activation));
    if (conv.merged_from.empty()) return;
    QStringList names;
    for (const std::string& name : conv.merged_from) names << shown_name(name);
    add(tr("Merged from"), names.join(QStringLiteral(" + ")));
  }
  void operator()(const ConvTranspose& conv) {
    window(conv);
    if (conv.output_padding != Extent{0, 0}) add(tr("Output padding"), format::extent(conv.output_padding));
    if (conv.dilation != Extent{}) add(tr("Dilation"), format::extent(conv.dilation));
    if (conv.groups != 1) add(tr("Channel groups"), format::count(conv.groups));
    add(tr("Activation"), activation_text(conv.activation));
  }
  void operator()(const Pool& pool) {
    if (pool.kind == PoolKind::kGlobalMax || pool.kind == PoolKind::kGlobalAverage) return;
    window(pool, tr("Window"));
    if (pool.dilation != Extent{}) add(tr("Dilation"), format::extent(pool.dilation));
    if (pool.ceil_mode) add(tr("Output size"), tr("rounded up"));
    if (pool.kind == PoolKind::kAverage && pool.padding != Extent{0, 0}) {
      add(tr("Mean"), pool.count_padding ? tr("counts the padding") : tr("leaves the padding out"));
    }
  }
  void operator()(const Activate& activate) { add(tr("Function"), activation_text(activate.function)); }
  void operator()(const Affine& affine) {
    add(tr("Computes"), tr("scale \u00B7 x + shift, per channel"));
    add(tr("Activation"), activation_text(affine.activation));
  }
  void operator()(const Linear& linear) {
    if (linear.axis != 0) add(tr("Features from axis"), axis(linear.axis));
    add(tr("Activation"), activation_text(linear.activation));
  }
  void operator()(const Concat& concat) { add(tr("Axis"), axis(concat.axis)); }
  void operator()(const Transpose& transpose) { add(tr("Axes"), list(transpose.axes)); }
  void operator()(const Slice& slice) {
    add(tr("Begins"), list(slice.begins));
    const bool unit = std::all_of(slice.steps.begin(), slice.steps.end(), [](std::int64_t s) { return s == 1; });
    if (!unit) add(tr("Steps"), list(slice.steps));
  }
  void operator()(const Pad& pad) {
    add(tr("Mode"), pad.mode == PadMode::kConstant ? tr("constant %1").arg(number(pad.value)) : text_of(pad.mode));
    add(tr("Before"), list(pad.begins));
    add(tr("After"), list(pad.ends));
  }
  void operator()(const Resize& resize) {
    const bool nearest = resize.mode == ResizeMode::kNearest;
    add(tr("Mode"), nearest ? tr("nearest") : tr("linear"));
    add(tr("Scales"), list(resize.scales));
    add(tr("Coordinates"), text_of(resize.coordinates));
    if (nearest) add(tr("Rounding"), text_of(resize.rounding));
  }
  void operator()(const Recurrent& recurrent) {
    add(tr("Hidden units"), format::count(recurrent.hidden));
    switch (recurrent.direction) {
      case RecurrentDirection::kForward: add(tr("Direction"), tr("forwards")); break;
      case RecurrentDirection::kReverse: add(tr("Direction"), tr("backwards")); break;
      case RecurrentDirection::kBoth: add(tr("Direction"), tr("both")); break;
    }
    if (recurrent.linear_before_reset) add(tr("Reset gate"), tr("after the product with the hidden state"));
    if (recurrent.peepholes) add(tr("Peepholes"), tr("yes"));
    if (recurrent.last_cell) add(tr("Output"), tr("hidden states, then the last cell state"));
  }
  void operator()(const TopK& top) {
    add(tr("Elements"),
        top.largest ? tr("the %1 largest").arg(format::count(top.k)) : tr("the %1 smallest").arg(format::count(top.k)));
    add(tr("Axis"), axis(top.axis));
    add(tr("Output"), top.output == TopKOutput::kValues ? tr("their values") : tr("their places"));
  }
  void operator()(const GridSample& sample) {
    switch (sample.mode) {
      case GridMode::kNearest: add(tr("Mode"), tr("nearest")); break;
      case GridMode::kLinear: add(tr("Mode"), tr("linear")); break;
      case GridMode::kCubic: add(tr("Mode"), tr("cubic")); break;
    }
    switch (sample.padding) {
      case GridPadding::kZeros: add(tr("Outside"), tr("zeros")); break;
      case GridPadding::kBorder: add(tr("Outside"), tr("the border")); break;
      case GridPadding::kReflection: add(tr("Outside"), tr("reflected")); break;
    }
    if (sample.align_corners) add(tr("Coordinates"), tr("corners aligned"));
  }
  void operator()(const Softmax& softmax) { add(tr("Axis"), axis(softmax.axis)); }
  void operator()(const Lrn& lrn) {
    add(tr("Channels"), format::count(lrn.size));
    add(tr("Parameters"),
        tr("\u03B1 = %1, \u03B2 = %2, bias %3").arg(number(lrn.alpha), number(lrn.beta), number(lrn.bias)));
  }
  void operator()(const Binary& binary) { add(tr("Function"), qstring(binary_row(binary.function).name)); }
  void operator()(const Where& /*where*/) {
    add(tr("Computes"), tr("the second input where the first is not 0, otherwise the third"));
  }
  void operator()(const Gather& gather) {
    add(tr("Takes"), gather.kind == GatherKind::kSlices ? tr("slices") : tr("elements"));
    add(tr("Axis"), axis(gather.axis));
  }
  void operator()(const Normalize& normalize) {
    add(tr("Computes"),
        normalize.centred ? tr("(x - mean) / \u221A(variance + \u03B5)") : tr("x / \u221A(mean of x\u00B2 + \u03B5)"));
    add(tr("From axis"), axis(normalize.axis));
    add(tr("\u03B5"), number(normalize.epsilon));
    add(tr("Scale and bias"), normalize.scaled ? tr("for each element") : tr("none"));
  }
  void operator()(const Reduce& reduce) {
    add(tr("Computes"), qstring(reduce_name(reduce.kind)));
    add(tr("Axes"), list(reduce.axes));
    add(tr("Reduced axes"), reduce.keep_dims ? tr("kept, of size 1") : tr("left out"));
    if (is_arg(reduce.kind)) add(tr("Of equal elements"), reduce.last ? tr("the last") : tr("the first"));
  }
  void operator()(const Opaque& opaque) {
    add(tr("Type"), shown_name(opaque.type));
    if (!opaque.place.empty()) add(tr("Place"), shown_name(opaque.place));
    add(tr("Execution"), tr("no device can run it; its cost is an estimate"));
  }
  // Their shapes say it all.
  void operator()(const OneOf<Input, Constant, Add, Mul, Identity, MatMul, Reshape, Expand> auto& /*plain*/) {}

 private:
  void add(const QString& name, const QString& value) { lines_.push_back({name, value, false}); }
  static QString axis(std::size_t index) { return index == 0 ? tr("0 (channels)") : QString::number(index); }
  template <typename Windowed>
  void window(const Windowed& op, const QString& name = tr("Kernel")) {
    add(name, format::extent(op.kernel));
    add(tr("Stride"), format::extent(op.stride));
    if (op.end_padding == Extent{0, 0}) return add(tr("Padding"), format::extent(op.padding));
    add(tr("Padding"), tr("%1 before, %2 after")
                           .arg(format::extent(op.padding), format::extent({op.padding.height + op.end_padding.height,
                                                                            op.padding.width + op.end_padding.width})));
  }

  std::vector<Property> lines_;
};

}  // namespace

std::vector<Property> attribute_properties(const Operator& op) {
  Describe describe;
  visit_kind(describe, op.attributes);
  return describe.take();
}

}  // namespace iosx
