#include "views/edit_graph/attribute_fields.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <algorithm>
#include <utility>

#include "core/model/graph/attribute_list.h"
#include "views/text/messages.h"
#include "views/text/qstring.h"

namespace iosx::editor {
namespace {

struct FieldWords {
  Q_DECLARE_TR_FUNCTIONS(iosx::Attributes)
};

using Integers = std::vector<std::int64_t>;

AttributeValue value_now(const Attributes& attributes, std::string_view name) {
  const auto all = attribute_list(attributes);
  return std::ranges::find(all, name, &AttributeEntry::name)->value;
}

Activation activation_now(const Attributes& attributes, std::string_view name) {
  return std::get<Activation>(value_now(attributes, name));
}

// A new size is one that was not read off given scales: these follow.
void follow_shape(Attributes& attributes, const Shape& before) {
  auto* const resize = std::get_if<Resize>(&attributes);
  if (resize == nullptr || resize->shape.rank() != before.rank() || resize->scales.size() != before.rank()) return;
  for (std::size_t i = 0; i < before.rank(); ++i) {
    if (before[i] > 0) resize->scales[i] *= static_cast<float>(resize->shape[i]) / static_cast<float>(before[i]);
  }
}

// Makes the fields of the rows that people may change.
class Fields {
 public:
  std::vector<AttributeField> take() { return std::move(fields_); }

  void add(const AttributeEntry& entry) {
    entry_ = &entry;
    name_ = message_text(entry.title);
    std::visit([this](const auto& value) { add_value(value); }, entry.value);
  }

 private:
  AttributeField& put(FieldKind kind) {
    fields_.push_back({.id = qstring(entry_->name).replace(QLatin1Char('_'), QLatin1Char('-')),
                       .name = name_,
                       .kind = kind,
                       .choices = {},
                       .least = entry_->least,
                       .most = entry_->most});
    return fields_.back();
  }
  // A field whose value is the attribute's.
  template <typename Value>
  void same(FieldKind kind) {
    AttributeField& field = put(kind);
    field.get = [name = entry_->name](const Attributes& a) -> FieldValue {
      return std::get<Value>(value_now(a, name));
    };
    field.set = [name = entry_->name](Attributes& a, const FieldValue& v) {
      set_attribute(a, name, std::get<Value>(v));
    };
  }

  void add_value(std::int64_t /*integer*/) {
    same<std::int64_t>(entry_->words.empty() ? FieldKind::kInteger : FieldKind::kChoice);
    for (const Sentence& word : entry_->words) fields_.back().choices << message_text(word);
  }
  void add_value(double /*number*/) { same<double>(FieldKind::kNumber); }
  void add_value(bool /*truth*/) { same<bool>(FieldKind::kTruth); }
  void add_value(const Integers& /*list*/) { same<Integers>(FieldKind::kList); }
  void add_value(const std::string& /*text*/) {
    AttributeField& field = put(FieldKind::kText);
    field.get = [name = entry_->name](const Attributes& a) -> FieldValue {
      return qstring(std::get<std::string>(value_now(a, name)));
    };
    field.set = [name = entry_->name](Attributes& a, const FieldValue& v) {
      set_attribute(a, name, std::get<QString>(v).toStdString());
    };
  }
  // Height and width; one number is both.
  void add_value(const Extent& /*extent*/) {
    AttributeField& field = put(FieldKind::kList);
    field.get = [name = entry_->name](const Attributes& a) -> FieldValue {
      const auto of = std::get<Extent>(value_now(a, name));
      return Integers{of.height, of.width};
    };
    field.set = [name = entry_->name](Attributes& a, const FieldValue& v) {
      Integers sides = std::get<Integers>(v);
      if (sides.size() > 2) sides.resize(2);
      set_attribute(a, name, sides);
    };
  }
  void add_value(const Shape& /*shape*/) {
    AttributeField& field = put(FieldKind::kList);
    field.get = [name = entry_->name](const Attributes& a) -> FieldValue {
      const auto of = std::get<Shape>(value_now(a, name));
      return Integers(of.dims().begin(), of.dims().end());
    };
    field.set = [name = entry_->name](Attributes& a, const FieldValue& v) {
      const auto before = std::get<Shape>(value_now(a, name));
      set_attribute(a, name, Shape(std::span(std::get<Integers>(v))));
      follow_shape(a, before);
    };
  }
  // The function, and its parameters where it has such.
  void add_value(const Activation& activation) {
    std::vector<ActivationKind> kinds;
    AttributeField& field = put(FieldKind::kChoice);
    for (const ActivationRow& row : activation_rows()) {
      if (entry_->fused && !row.fuses && row.kind != ActivationKind::kIdentity) continue;
      kinds.push_back(row.kind);
      field.choices << (row.kind == ActivationKind::kIdentity ? FieldWords::tr("none") : qstring(row.name));
    }
    field.get = [name = entry_->name, kinds](const Attributes& a) -> FieldValue {
      return static_cast<std::int64_t>(std::ranges::find(kinds, activation_now(a, name).kind) - kinds.begin());
    };
    field.set = [name = entry_->name, kinds](Attributes& a, const FieldValue& v) {
      const auto at = static_cast<std::size_t>(std::get<std::int64_t>(v));
      if (at < kinds.size()) set_attribute(a, name, Activation{kinds[at], 0, 0});
    };
    const int parameters = activation_row(activation.kind).parameters;
    if (parameters > 0) add_parameter("alpha", QStringLiteral("α"), &Activation::alpha);
    if (parameters > 1) add_parameter("beta", QStringLiteral("β"), &Activation::beta);
  }
  void add_parameter(const char* id, const QString& name, float Activation::*member) {
    AttributeField& field = put(FieldKind::kNumber);
    field.id = QString::fromLatin1(id);
    field.name = name;
    field.get = [name = entry_->name, member](const Attributes& a) -> FieldValue {
      return static_cast<double>(activation_now(a, name).*member);
    };
    field.set = [name = entry_->name, member](Attributes& a, const FieldValue& v) {
      Activation now = activation_now(a, name);
      now.*member = static_cast<float>(std::get<double>(v));
      set_attribute(a, name, now);
    };
  }
  // Nobody changes these by hand.
  void add_value(const std::vector<double>& /*list*/) {}
  void add_value(const std::vector<std::string>& /*names*/) {}

  const AttributeEntry* entry_ = nullptr;
  QString name_;
  std::vector<AttributeField> fields_;
};

}  // namespace

std::vector<AttributeField> attribute_fields(const Attributes& attributes) {
  Fields fields;
  for (const AttributeEntry& entry : attribute_list(attributes)) {
    if (!entry.title.pattern.empty() && entry.means_something && !entry.fixed) fields.add(entry);
  }
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
