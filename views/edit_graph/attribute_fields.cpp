#include "views/edit_graph/attribute_form.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <algorithm>
#include <type_traits>
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
  // `read` makes what the field shows of the attribute's value, `write` the value of what it was given and the one
  // before.
  template <typename Value, typename Read, typename Write>
  AttributeField& put(FieldKind kind, Read read, Write write) {
    fields_.push_back({.id = qstring(entry_->name).replace(QLatin1Char('_'), QLatin1Char('-')),
                       .name = name_,
                       .kind = kind,
                       .choices = {},
                       .least = entry_->least,
                       .most = entry_->most});
    AttributeField& field = fields_.back();
    const auto now = [name = entry_->name](const Attributes& a) { return std::get<Value>(value_now(a, name)); };
    field.get = [now, read](const Attributes& a) -> FieldValue { return read(now(a)); };
    field.set = [now, write, name = entry_->name](Attributes& a, const FieldValue& v) {
      const Value before = now(a);
      set_attribute(a, name, write(v, before));
      if constexpr (std::is_same_v<Value, Shape>) follow_shape(a, before);
    };
    return field;
  }
  // A field whose value is the attribute's.
  template <typename Value>
  AttributeField& same(FieldKind kind) {
    return put<Value>(
        kind, [](const Value& now) { return now; },
        [](const FieldValue& v, const Value&) { return std::get<Value>(v); });
  }

  void add_value(std::int64_t /*integer*/) {
    AttributeField& field = same<std::int64_t>(entry_->words.empty() ? FieldKind::kInteger : FieldKind::kChoice);
    for (const Sentence& word : entry_->words) field.choices << message_text(word);
  }
  void add_value(double /*number*/) { same<double>(FieldKind::kNumber); }
  void add_value(bool /*truth*/) { same<bool>(FieldKind::kTruth); }
  void add_value(const Integers& /*list*/) { same<Integers>(FieldKind::kList); }
  void add_value(const std::string& /*text*/) {
    put<std::string>(
        FieldKind::kText, [](const std::string& now) { return qstring(now); },
        [](const FieldValue& v, const std::string&) { return std::get<QString>(v).toStdString(); });
  }
  // Height and width; one number is both.
  void add_value(const Extent& /*extent*/) {
    put<Extent>(
        FieldKind::kList,
        [](const Extent& now) {
          return Integers{now.height, now.width};
        },
        [](const FieldValue& v, const Extent&) {
          Integers sides = std::get<Integers>(v);
          if (sides.size() > 2) sides.resize(2);
          return sides;
        });
  }
  void add_value(const Shape& /*shape*/) {
    put<Shape>(
        FieldKind::kList, [](const Shape& now) { return Integers(now.dims().begin(), now.dims().end()); },
        [](const FieldValue& v, const Shape&) { return Shape(std::span(std::get<Integers>(v))); });
  }
  // The function, and its parameters where it has such.
  void add_value(const Activation& activation) {
    std::vector<ActivationKind> kinds;
    QStringList choices;
    for (const ActivationRow& row : activation_rows()) {
      if (entry_->fused && !row.fuses && row.kind != ActivationKind::kIdentity) continue;
      kinds.push_back(row.kind);
      choices << (row.kind == ActivationKind::kIdentity ? FieldWords::tr("none") : qstring(row.name));
    }
    put<Activation>(
        FieldKind::kChoice,
        [kinds](const Activation& now) {
          return static_cast<std::int64_t>(std::ranges::find(kinds, now.kind) - kinds.begin());
        },
        [kinds](const FieldValue& v, const Activation& now) {
          const auto at = static_cast<std::size_t>(std::get<std::int64_t>(v));
          return at < kinds.size() ? Activation{kinds[at], 0, 0} : now;
        })
        .choices = choices;
    const int parameters = activation_row(activation.kind).parameters;
    if (parameters > 0) add_parameter("alpha", QStringLiteral("α"), &Activation::alpha);
    if (parameters > 1) add_parameter("beta", QStringLiteral("β"), &Activation::beta);
  }
  void add_parameter(const char* id, const QString& name, float Activation::*member) {
    AttributeField& field = put<Activation>(
        FieldKind::kNumber, [member](const Activation& now) { return static_cast<double>(now.*member); },
        [member](const FieldValue& v, Activation now) {
          now.*member = static_cast<float>(std::get<double>(v));
          return now;
        });
    field.id = QString::fromLatin1(id);
    field.name = name;
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
