#include "views/text/attribute_properties.h"

#include <QStringList>
#include <algorithm>

#include "core/model/graph/operator_table.h"
#include "views/text/format.h"
#include "views/text/qstring.h"
#include "views/text/translate.h"

namespace iosx {
namespace {

QString number(float value) { return QString::number(static_cast<double>(value), 'g', 6); }

template <typename Numbers>
QString list(const Numbers& numbers) {
  QStringList texts;
  for (const auto value : numbers) texts << QString::number(value);
  return texts.join(QStringLiteral(", "));
}

// Returns "leaky relu, α = 0.01".
QString activation_text(const Activation& activation) {
  QString name = qstring(activation_name(activation));
  if (activation.kind == ActivationKind::kClip) {
    return Inspector::tr("%1 to %2 \u2026 %3").arg(name, number(activation.alpha), number(activation.beta));
  }
  const int parameters = activation_row(activation.kind).parameters;
  if (parameters == 0) return name;
  if (parameters == 1) return Inspector::tr("%1, \u03B1 = %2").arg(name, number(activation.alpha));
  return Inspector::tr("%1, \u03B1 = %2, \u03B2 = %3").arg(name, number(activation.alpha), number(activation.beta));
}

QString text_of(PadMode mode) {
  switch (mode) {
    case PadMode::kConstant: return Inspector::tr("constant");
    case PadMode::kReflect: return Inspector::tr("reflect");
    case PadMode::kEdge: return Inspector::tr("edge");
  }
  return {};
}

QString text_of(ResizeCoordinates coordinates) {
  switch (coordinates) {
    case ResizeCoordinates::kHalfPixel: return Inspector::tr("half pixel");
    case ResizeCoordinates::kPytorchHalfPixel: return Inspector::tr("half pixel, as PyTorch");
    case ResizeCoordinates::kAlignCorners: return Inspector::tr("corners aligned");
    case ResizeCoordinates::kAsymmetric: return Inspector::tr("asymmetric");
  }
  return {};
}

QString text_of(ResizeRounding rounding) {
  switch (rounding) {
    case ResizeRounding::kPreferFloor: return Inspector::tr("to the nearest, halves down");
    case ResizeRounding::kPreferCeil: return Inspector::tr("to the nearest, halves up");
    case ResizeRounding::kFloor: return Inspector::tr("down");
    case ResizeRounding::kCeil: return Inspector::tr("up");
  }
  return {};
}

class Describe {
 public:
  std::vector<Property> take() { return std::move(lines_); }

  void operator()(const Conv& conv) {
    window(conv);
    if (conv.dilation != Extent{}) add(Inspector::tr("Dilation"), format::extent(conv.dilation));
    if (conv.groups != 1) add(Inspector::tr("Channel groups"), format::count(conv.groups));
    add(Inspector::tr("Activation"), activation_text(conv.activation));
    if (conv.merged_from.empty()) return;
    QStringList names;
    for (const std::string& name : conv.merged_from) names << shown_name(name);
    add(Inspector::tr("Merged from"), names.join(QStringLiteral(" + ")));
  }
  void operator()(const ConvTranspose& conv) {
    window(conv);
    if (conv.output_padding != Extent{0, 0}) add(Inspector::tr("Output padding"), format::extent(conv.output_padding));
    if (conv.dilation != Extent{}) add(Inspector::tr("Dilation"), format::extent(conv.dilation));
    if (conv.groups != 1) add(Inspector::tr("Channel groups"), format::count(conv.groups));
    add(Inspector::tr("Activation"), activation_text(conv.activation));
  }
  void operator()(const Pool& pool) {
    if (pool.kind == PoolKind::kGlobalMax || pool.kind == PoolKind::kGlobalAverage) return;
    window(pool, Inspector::tr("Window"));
    if (pool.dilation != Extent{}) add(Inspector::tr("Dilation"), format::extent(pool.dilation));
    if (pool.ceil_mode) add(Inspector::tr("Output size"), Inspector::tr("rounded up"));
    if (pool.kind == PoolKind::kAverage && pool.padding != Extent{0, 0}) {
      add(Inspector::tr("Mean"),
          pool.count_padding ? Inspector::tr("includes the padding") : Inspector::tr("excludes the padding"));
    }
  }
  void operator()(const Activate& activate) { add(Inspector::tr("Function"), activation_text(activate.function)); }
  void operator()(const Affine& affine) {
    add(Inspector::tr("Computes"), Inspector::tr("scale \u00B7 x + shift, per channel"));
    add(Inspector::tr("Activation"), activation_text(affine.activation));
  }
  void operator()(const Linear& linear) {
    if (linear.axis != 0) add(Inspector::tr("Features from axis"), axis(linear.axis));
    add(Inspector::tr("Activation"), activation_text(linear.activation));
  }
  void operator()(const Concat& concat) { add(Inspector::tr("Axis"), axis(concat.axis)); }
  void operator()(const Transpose& transpose) { add(Inspector::tr("Axes"), list(transpose.axes)); }
  void operator()(const Slice& slice) {
    add(Inspector::tr("Begins"), list(slice.begins));
    const bool unit = std::all_of(slice.steps.begin(), slice.steps.end(), [](std::int64_t s) { return s == 1; });
    if (!unit) add(Inspector::tr("Steps"), list(slice.steps));
  }
  void operator()(const Pad& pad) {
    add(Inspector::tr("Mode"),
        pad.mode == PadMode::kConstant ? Inspector::tr("constant %1").arg(number(pad.value)) : text_of(pad.mode));
    add(Inspector::tr("Before"), list(pad.begins));
    add(Inspector::tr("After"), list(pad.ends));
  }
  void operator()(const Resize& resize) {
    const bool nearest = resize.mode == ResizeMode::kNearest;
    add(Inspector::tr("Mode"), nearest ? Inspector::tr("nearest") : Inspector::tr("linear"));
    add(Inspector::tr("Scales"), list(resize.scales));
    add(Inspector::tr("Coordinates"), text_of(resize.coordinates));
    if (nearest) add(Inspector::tr("Rounding"), text_of(resize.rounding));
  }
  void operator()(const Recurrent& recurrent) {
    add(Inspector::tr("Hidden units"), format::count(recurrent.hidden));
    switch (recurrent.direction) {
      case RecurrentDirection::kForward: add(Inspector::tr("Direction"), Inspector::tr("forwards")); break;
      case RecurrentDirection::kReverse: add(Inspector::tr("Direction"), Inspector::tr("backwards")); break;
      case RecurrentDirection::kBoth: add(Inspector::tr("Direction"), Inspector::tr("both")); break;
    }
    if (recurrent.linear_before_reset)
      add(Inspector::tr("Reset gate"), Inspector::tr("after the product with the hidden state"));
    if (recurrent.peepholes) add(Inspector::tr("Peepholes"), Inspector::tr("yes"));
    if (recurrent.last_cell) add(Inspector::tr("Output"), Inspector::tr("hidden states, then the last cell state"));
  }
  void operator()(const TopK& top) {
    add(Inspector::tr("Elements"), top.largest ? Inspector::tr("the %1 largest").arg(format::count(top.k))
                                               : Inspector::tr("the %1 smallest").arg(format::count(top.k)));
    add(Inspector::tr("Axis"), axis(top.axis));
    add(Inspector::tr("Output"),
        top.output == TopKOutput::kValues ? Inspector::tr("their values") : Inspector::tr("their places"));
  }
  void operator()(const GridSample& sample) {
    switch (sample.mode) {
      case GridMode::kNearest: add(Inspector::tr("Mode"), Inspector::tr("nearest")); break;
      case GridMode::kLinear: add(Inspector::tr("Mode"), Inspector::tr("linear")); break;
      case GridMode::kCubic: add(Inspector::tr("Mode"), Inspector::tr("cubic")); break;
    }
    switch (sample.padding) {
      case GridPadding::kZeros: add(Inspector::tr("Outside"), Inspector::tr("zeros")); break;
      case GridPadding::kBorder: add(Inspector::tr("Outside"), Inspector::tr("the border")); break;
      case GridPadding::kReflection: add(Inspector::tr("Outside"), Inspector::tr("reflected")); break;
    }
    if (sample.align_corners) add(Inspector::tr("Coordinates"), Inspector::tr("corners aligned"));
  }
  void operator()(const Softmax& softmax) { add(Inspector::tr("Axis"), axis(softmax.axis)); }
  void operator()(const Lrn& lrn) {
    add(Inspector::tr("Channels"), format::count(lrn.size));
    add(Inspector::tr("Parameters"),
        Inspector::tr("\u03B1 = %1, \u03B2 = %2, bias %3").arg(number(lrn.alpha), number(lrn.beta), number(lrn.bias)));
  }
  void operator()(const Binary& binary) { add(Inspector::tr("Function"), qstring(binary_row(binary.function).name)); }
  void operator()(const Where& /*where*/) {
    add(Inspector::tr("Computes"), Inspector::tr("the second input where the first is not 0, otherwise the third"));
  }
  void operator()(const Gather& gather) {
    add(Inspector::tr("Takes"),
        gather.kind == GatherKind::kSlices ? Inspector::tr("slices") : Inspector::tr("elements"));
    add(Inspector::tr("Axis"), axis(gather.axis));
  }
  void operator()(const Normalize& normalize) {
    add(Inspector::tr("Computes"), normalize.centred ? Inspector::tr("(x - mean) / \u221A(variance + \u03B5)")
                                                     : Inspector::tr("x / \u221A(mean of x\u00B2 + \u03B5)"));
    add(Inspector::tr("From axis"), axis(normalize.axis));
    add(Inspector::tr("\u03B5"), number(normalize.epsilon));
    add(Inspector::tr("Scale and bias"), normalize.scaled ? Inspector::tr("for each element") : Inspector::tr("none"));
  }
  void operator()(const Reduce& reduce) {
    add(Inspector::tr("Computes"), qstring(reduce_name(reduce.kind)));
    add(Inspector::tr("Axes"), list(reduce.axes));
    add(Inspector::tr("Reduced axes"), reduce.keep_dims ? Inspector::tr("kept, of size 1") : Inspector::tr("removed"));
    if (is_arg(reduce.kind))
      add(Inspector::tr("Of equal elements"), reduce.last ? Inspector::tr("the last") : Inspector::tr("the first"));
  }
  void operator()(const Opaque& opaque) {
    add(Inspector::tr("Type"), shown_name(opaque.type));
    if (!opaque.place.empty()) add(Inspector::tr("Place"), shown_name(opaque.place));
    add(Inspector::tr("Execution"), Inspector::tr("no device can run it; its cost is an estimate"));
  }
  // Their shapes say it all.
  void operator()(const OneOf<Input, Constant, Add, Mul, Identity, MatMul, Reshape, Expand> auto& /*plain*/) {}

 private:
  void add(const QString& name, const QString& value) { lines_.push_back({name, value, false}); }
  static QString axis(std::size_t index) { return index == 0 ? Inspector::tr("0 (channels)") : QString::number(index); }
  template <typename Windowed>
  void window(const Windowed& op, const QString& name = Inspector::tr("Kernel")) {
    add(name, format::extent(op.kernel));
    add(Inspector::tr("Stride"), format::extent(op.stride));
    if (op.end_padding == Extent{0, 0}) return add(Inspector::tr("Padding"), format::extent(op.padding));
    add(Inspector::tr("Padding"),
        Inspector::tr("%1 before, %2 after")
            .arg(format::extent(op.padding),
                 format::extent({op.padding.height + op.end_padding.height, op.padding.width + op.end_padding.width})));
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
