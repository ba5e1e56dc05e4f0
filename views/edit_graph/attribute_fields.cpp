#include "views/edit_graph/attribute_fields.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <algorithm>
#include <type_traits>
#include <utility>

#include "core/model/graph/operator_table.h"
#include "views/text/qstring.h"

namespace iosx::editor {
namespace {

struct FieldWords {
  Q_DECLARE_TR_FUNCTIONS(iosx::Attributes)
};

using Integers = std::vector<std::int64_t>;

Shape shape_of(const Integers& dims) { return Shape(std::span(dims.data(), std::min(dims.size(), Shape::kMaxRank))); }
Integers dims_of(const Shape& shape) { return {shape.dims().begin(), shape.dims().end()}; }

// Makes the fields of one kind of operator, by its members.
class Fields {
 public:
  std::vector<AttributeField> take() { return std::move(fields_); }

  void operator()(const Input& /*of*/) { shape(&Input::shape); }
  void operator()(const Constant& /*of*/) { shape(&Constant::shape); }
  void operator()(const Conv& conv) {
    window(conv);
    extent("dilation", FieldWords::tr("Dilation"), &Conv::dilation);
    integer("groups", FieldWords::tr("Channel groups"), &Conv::groups);
    activation(conv, &Conv::activation, true);
  }
  void operator()(const ConvTranspose& conv) {
    window(conv);
    extent("output-padding", FieldWords::tr("Output padding"), &ConvTranspose::output_padding);
    extent("dilation", FieldWords::tr("Dilation"), &ConvTranspose::dilation);
    integer("groups", FieldWords::tr("Channel groups"), &ConvTranspose::groups);
    activation(conv, &ConvTranspose::activation, true);
  }
  void operator()(const Pool& pool) {
    choice("kind", FieldWords::tr("Pooling"), &Pool::kind,
           {FieldWords::tr("maximum"), FieldWords::tr("average"), FieldWords::tr("maximum of the whole map"),
            FieldWords::tr("average of the whole map")});
    if (pool.kind == PoolKind::kGlobalMax || pool.kind == PoolKind::kGlobalAverage) return;
    extent("kernel", FieldWords::tr("Window"), &Pool::kernel);
    extent("stride", FieldWords::tr("Stride"), &Pool::stride);
    extent("padding", FieldWords::tr("Padding"), &Pool::padding);
    extent("end-padding", FieldWords::tr("More padding after"), &Pool::end_padding);
    truth("ceil", FieldWords::tr("Round sizes up"), &Pool::ceil_mode);
    if (pool.kind == PoolKind::kMax) extent("dilation", FieldWords::tr("Dilation"), &Pool::dilation);
    if (pool.kind == PoolKind::kAverage)
      truth("count-padding", FieldWords::tr("Count the padding"), &Pool::count_padding);
  }
  void operator()(const Activate& activate) { activation(activate, &Activate::function, false); }
  void operator()(const Affine& affine) { activation(affine, &Affine::activation, true); }
  void operator()(const Binary& /*of*/) {
    QStringList names;
    for (const auto& row : binary_rows()) names << qstring(row.name);
    choice("function", FieldWords::tr("Function"), &Binary::function, names);
  }
  void operator()(const Concat& /*of*/) { axis(&Concat::axis); }
  void operator()(const Linear& linear) {
    integer("out-features", FieldWords::tr("Output features"), &Linear::out_features);
    integer("axis", FieldWords::tr("Features from axis"), &Linear::axis);
    activation(linear, &Linear::activation, true);
  }
  void operator()(const Recurrent& /*of*/) {
    choice("kind", FieldWords::tr("Cell"), &Recurrent::kind,
           {QStringLiteral("RNN"), QStringLiteral("GRU"), QStringLiteral("LSTM")});
    choice("direction", FieldWords::tr("Direction"), &Recurrent::direction,
           {FieldWords::tr("forwards"), FieldWords::tr("backwards"), FieldWords::tr("both")});
    integer("hidden", FieldWords::tr("Hidden units"), &Recurrent::hidden);
    truth("reset", FieldWords::tr("Reset after the product"), &Recurrent::linear_before_reset);
    truth("peepholes", FieldWords::tr("Peepholes"), &Recurrent::peepholes);
    truth("last-cell", FieldWords::tr("Give the last cell state"), &Recurrent::last_cell);
  }
  void operator()(const TopK& /*of*/) {
    integer("k", FieldWords::tr("Elements"), &TopK::k);
    axis(&TopK::axis);
    truth("largest", FieldWords::tr("Largest"), &TopK::largest);
    choice("output", FieldWords::tr("Output"), &TopK::output, {FieldWords::tr("values"), FieldWords::tr("places")});
  }
  void operator()(const GridSample& /*of*/) {
    choice("mode", FieldWords::tr("Mode"), &GridSample::mode,
           {FieldWords::tr("nearest"), FieldWords::tr("linear"), FieldWords::tr("cubic")});
    choice("outside", FieldWords::tr("Outside"), &GridSample::padding,
           {FieldWords::tr("zeros"), FieldWords::tr("the border"), FieldWords::tr("reflected")});
    truth("corners", FieldWords::tr("Align corners"), &GridSample::align_corners);
  }
  void operator()(const Reshape& /*of*/) { shape(&Reshape::shape); }
  void operator()(const Expand& /*of*/) { shape(&Expand::shape); }
  void operator()(const Transpose& /*of*/) { list("axes", FieldWords::tr("Axes"), &Transpose::axes); }
  void operator()(const Slice& /*of*/) {
    list("begins", FieldWords::tr("Begins"), &Slice::begins);
    list("steps", FieldWords::tr("Steps"), &Slice::steps);
    shape(&Slice::shape);
  }
  void operator()(const Pad& pad) {
    choice("mode", FieldWords::tr("Mode"), &Pad::mode,
           {FieldWords::tr("constant"), FieldWords::tr("reflect"), FieldWords::tr("edge")});
    list("begins", FieldWords::tr("Before"), &Pad::begins);
    list("ends", FieldWords::tr("After"), &Pad::ends);
    if (pad.mode == PadMode::kConstant) number("value", FieldWords::tr("Value"), &Pad::value);
  }
  void operator()(const Resize& /*of*/) {
    choice("mode", FieldWords::tr("Mode"), &Resize::mode, {FieldWords::tr("nearest"), FieldWords::tr("linear")});
    choice("coordinates", FieldWords::tr("Coordinates"), &Resize::coordinates,
           {FieldWords::tr("half pixel"), FieldWords::tr("half pixel, as PyTorch"), FieldWords::tr("corners aligned"),
            FieldWords::tr("asymmetric")});
    choice("rounding", FieldWords::tr("Rounding"), &Resize::rounding,
           {FieldWords::tr("to the nearest, halves down"), FieldWords::tr("to the nearest, halves up"),
            FieldWords::tr("down"), FieldWords::tr("up")});
    resized();
  }
  void operator()(const Gather& /*of*/) {
    choice("kind", FieldWords::tr("Takes"), &Gather::kind, {FieldWords::tr("slices"), FieldWords::tr("elements")});
    axis(&Gather::axis);
  }
  void operator()(const Softmax& /*of*/) { axis(&Softmax::axis); }
  void operator()(const Normalize& /*of*/) {
    integer("axis", FieldWords::tr("From axis"), &Normalize::axis);
    number("epsilon", QStringLiteral("ε"), &Normalize::epsilon);
    truth("centred", FieldWords::tr("Take the mean off"), &Normalize::centred);
    truth("scaled", FieldWords::tr("Scale and bias"), &Normalize::scaled);
  }
  void operator()(const Lrn& /*of*/) {
    integer("size", FieldWords::tr("Channels"), &Lrn::size);
    number("alpha", QStringLiteral("α"), &Lrn::alpha);
    number("beta", QStringLiteral("β"), &Lrn::beta);
    number("bias", FieldWords::tr("Bias"), &Lrn::bias);
  }
  void operator()(const Reduce& /*of*/) {
    QStringList names;
    for (int kind = 0; kind <= static_cast<int>(ReduceKind::kArgMin); ++kind)
      names << qstring(reduce_name(static_cast<ReduceKind>(kind)));
    choice("kind", FieldWords::tr("Function"), &Reduce::kind, names);
    list("axes", FieldWords::tr("Axes"), &Reduce::axes);
    truth("keep", FieldWords::tr("Keep the axes"), &Reduce::keep_dims);
  }
  void operator()(const Opaque& /*of*/) {
    AttributeField field{.id = QStringLiteral("type"), .name = FieldWords::tr("Type"), .kind = FieldKind::kText};
    field.get = [](const Attributes& a) -> FieldValue { return qstring(std::get<Opaque>(a).type); };
    field.set = [](Attributes& a, const FieldValue& v) {
      std::get<Opaque>(a).type = std::get<QString>(v).toStdString();
    };
    fields_.push_back(std::move(field));
    shape(&Opaque::shape);
  }
  // There is nothing to choose.
  void operator()(const OneOf<Add, Mul, Where, Identity, MatMul> auto& /*plain*/) {}

 private:
  AttributeField& add(const char* id, const QString& name, FieldKind kind) {
    fields_.push_back({.id = QString::fromLatin1(id), .name = name, .kind = kind});
    return fields_.back();
  }

  template <typename Kind, typename Member>
  void integer(const char* id, const QString& name, Member Kind::*member) {
    AttributeField& field = add(id, name, FieldKind::kInteger);
    field.get = [member](const Attributes& a) -> FieldValue {
      return static_cast<std::int64_t>(std::get<Kind>(a).*member);
    };
    field.set = [member](Attributes& a, const FieldValue& v) {
      std::get<Kind>(a).*member = static_cast<Member>(std::get<std::int64_t>(v));
    };
  }
  template <typename Kind>
  void axis(std::size_t Kind::*member) {
    integer("axis", FieldWords::tr("Axis"), member);
  }
  template <typename Kind>
  void number(const char* id, const QString& name, float Kind::*member) {
    AttributeField& field = add(id, name, FieldKind::kNumber);
    field.get = [member](const Attributes& a) -> FieldValue { return static_cast<double>(std::get<Kind>(a).*member); };
    field.set = [member](Attributes& a, const FieldValue& v) {
      std::get<Kind>(a).*member = static_cast<float>(std::get<double>(v));
    };
  }
  template <typename Kind>
  void truth(const char* id, const QString& name, bool Kind::*member) {
    AttributeField& field = add(id, name, FieldKind::kTruth);
    field.get = [member](const Attributes& a) -> FieldValue { return std::get<Kind>(a).*member; };
    field.set = [member](Attributes& a, const FieldValue& v) { std::get<Kind>(a).*member = std::get<bool>(v); };
  }
  template <typename Kind, typename Enum>
  void choice(const char* id, const QString& name, Enum Kind::*member, const QStringList& choices) {
    AttributeField& field = add(id, name, FieldKind::kChoice);
    field.choices = choices;
    field.get = [member](const Attributes& a) -> FieldValue {
      return static_cast<std::int64_t>(std::get<Kind>(a).*member);
    };
    field.set = [member](Attributes& a, const FieldValue& v) {
      std::get<Kind>(a).*member = static_cast<Enum>(std::get<std::int64_t>(v));
    };
  }
  template <typename Kind, typename Number>
  void list(const char* id, const QString& name, std::vector<Number> Kind::*member) {
    AttributeField& field = add(id, name, FieldKind::kList);
    field.get = [member](const Attributes& a) -> FieldValue {
      const auto& all = std::get<Kind>(a).*member;
      return Integers(all.begin(), all.end());
    };
    field.set = [member](Attributes& a, const FieldValue& v) {
      const auto& all = std::get<Integers>(v);
      (std::get<Kind>(a).*member).assign(all.begin(), all.end());
    };
  }
  template <typename Kind>
  void shape(Shape Kind::*member) {
    AttributeField& field = add("shape", FieldWords::tr("Shape"), FieldKind::kList);
    field.get = [member](const Attributes& a) -> FieldValue { return dims_of(std::get<Kind>(a).*member); };
    field.set = [member](Attributes& a, const FieldValue& v) {
      std::get<Kind>(a).*member = shape_of(std::get<Integers>(v));
    };
  }
  // Height and width; one number sets both.
  template <typename Kind>
  void extent(const char* id, const QString& name, Extent Kind::*member) {
    AttributeField& field = add(id, name, FieldKind::kList);
    field.get = [member](const Attributes& a) -> FieldValue {
      const Extent& of = std::get<Kind>(a).*member;
      return Integers{of.height, of.width};
    };
    field.set = [member](Attributes& a, const FieldValue& v) {
      const auto& all = std::get<Integers>(v);
      if (!all.empty()) std::get<Kind>(a).*member = {all.front(), all.size() > 1 ? all[1] : all.front()};
    };
  }
  template <typename Kind>
  void window(const Kind& /*of*/) {
    integer("out-channels", FieldWords::tr("Output channels"), &Kind::out_channels);
    extent("kernel", FieldWords::tr("Kernel"), &Kind::kernel);
    extent("stride", FieldWords::tr("Stride"), &Kind::stride);
    extent("padding", FieldWords::tr("Padding"), &Kind::padding);
    extent("end-padding", FieldWords::tr("More padding after"), &Kind::end_padding);
  }
  template <typename Kind>
  void activation(const Kind& of, Activation Kind::*member, bool fused) {
    std::vector<ActivationKind> kinds;
    QStringList names;
    for (const ActivationRow& row : activation_rows()) {
      if (fused && !row.fuses && row.kind != ActivationKind::kIdentity) continue;
      kinds.push_back(row.kind);
      names << (row.kind == ActivationKind::kIdentity ? FieldWords::tr("none") : qstring(row.name));
    }
    AttributeField& field =
        add("activation", fused ? FieldWords::tr("Activation") : FieldWords::tr("Function"), FieldKind::kChoice);
    field.choices = names;
    field.get = [member, kinds](const Attributes& a) -> FieldValue {
      const auto at = std::ranges::find(kinds, (std::get<Kind>(a).*member).kind);
      return static_cast<std::int64_t>(at - kinds.begin());
    };
    field.set = [member, kinds](Attributes& a, const FieldValue& v) {
      const auto at = static_cast<std::size_t>(std::get<std::int64_t>(v));
      if (at < kinds.size()) std::get<Kind>(a).*member = Activation{kinds[at], 0, 0};
    };
    const int parameters = activation_row((of.*member).kind).parameters;
    if (parameters > 0) parameter("alpha", QStringLiteral("α"), member, &Activation::alpha);
    if (parameters > 1) parameter("beta", QStringLiteral("β"), member, &Activation::beta);
  }
  template <typename Kind>
  void parameter(const char* id, const QString& name, Activation Kind::*member, float Activation::*value) {
    AttributeField& field = add(id, name, FieldKind::kNumber);
    field.get = [=](const Attributes& a) -> FieldValue {
      return static_cast<double>(std::get<Kind>(a).*member.*value);
    };
    field.set = [=](Attributes& a, const FieldValue& v) {
      std::get<Kind>(a).*member.*value = static_cast<float>(std::get<double>(v));
    };
  }
  // A new size is one that was not read off given scales: these follow.
  void resized() {
    AttributeField& field = add("shape", FieldWords::tr("Shape"), FieldKind::kList);
    field.get = [](const Attributes& a) -> FieldValue { return dims_of(std::get<Resize>(a).shape); };
    field.set = [](Attributes& a, const FieldValue& v) {
      auto& resize = std::get<Resize>(a);
      const Shape wanted = shape_of(std::get<Integers>(v));
      if (wanted.rank() == resize.shape.rank() && resize.scales.size() == wanted.rank()) {
        for (std::size_t i = 0; i < wanted.rank(); ++i) {
          if (resize.shape[i] > 0)
            resize.scales[i] *= static_cast<float>(wanted[i]) / static_cast<float>(resize.shape[i]);
        }
      }
      resize.shape = wanted;
    };
  }

  std::vector<AttributeField> fields_;
};

}  // namespace

std::vector<AttributeField> attribute_fields(const Attributes& attributes) {
  Fields fields;
  visit_kind(fields, attributes);
  return fields.take();
}

QString list_text(const std::vector<std::int64_t>& list) {
  QStringList words;
  for (const std::int64_t each : list) words << QString::number(each);
  return words.join(QStringLiteral(" × "));
}

std::optional<std::vector<std::int64_t>> list_of(const QString& text) {
  static const QRegularExpression kBetween(QStringLiteral("[\\s,;×xX]+"));
  std::vector<std::int64_t> list;
  for (const QString& word : text.split(kBetween, Qt::SkipEmptyParts)) {
    bool ok = false;
    list.push_back(word.toLongLong(&ok));
    if (!ok) return std::nullopt;
  }
  return list;
}

}  // namespace iosx::editor
