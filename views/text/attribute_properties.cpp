#include "views/text/attribute_properties.h"

#include <QStringList>

#include "core/model/graph/attribute_list.h"
#include "core/model/graph/operator_table.h"
#include "views/text/format.h"
#include "views/text/messages.h"
#include "views/text/qstring.h"
#include "views/text/translate.h"

namespace iosx {
namespace {

// Writes the value of an attribute.
struct ValueText {
  const AttributeEntry& entry;

  QString operator()(std::int64_t value) const {
    if (!entry.words.empty()) return message_text(entry.words.at(static_cast<std::size_t>(value)));
    return format::count(value);
  }
  QString operator()(double value) const { return QString::number(value, 'g', 6); }
  QString operator()(bool value) const { return value ? Inspector::tr("yes") : Inspector::tr("no"); }
  QString operator()(const std::string& value) const { return shown_name(value); }
  QString operator()(const Extent& value) const { return format::extent(value); }
  QString operator()(const Shape& value) const { return format::shape(value); }
  // Returns "leaky relu, α = 0.01".
  QString operator()(const Activation& value) const {
    const QString name = qstring(activation_name(value));
    const QString alpha = (*this)(static_cast<double>(value.alpha));
    const QString beta = (*this)(static_cast<double>(value.beta));
    if (value.kind == ActivationKind::kClip) return Inspector::tr("%1 to %2 \u2026 %3").arg(name, alpha, beta);
    const int parameters = activation_row(value.kind).parameters;
    if (parameters == 0) return name;
    if (parameters == 1) return Inspector::tr("%1, \u03B1 = %2").arg(name, alpha);
    return Inspector::tr("%1, \u03B1 = %2, \u03B2 = %3").arg(name, alpha, beta);
  }
  QString operator()(const std::vector<std::string>& names) const {
    QStringList words;
    for (const std::string& name : names) words << shown_name(name);
    return words.join(QStringLiteral(" + "));
  }
  template <typename Number>
  QString operator()(const std::vector<Number>& list) const {
    QStringList words;
    for (const Number value : list) words << QString::number(value);
    return words.join(QStringLiteral(", "));
  }
};

// Says what the kind computes, where neither its name nor its attributes do.
struct Meaning {
  using Line = std::pair<QString, QString>;

  Line otherwise() const { return {}; }
  Line operator()(const Affine& affine) const {
    return {Inspector::tr("Computes"), affine.shift_first ? Inspector::tr("scale \u00B7 (x + shift), per channel")
                                                          : Inspector::tr("scale \u00B7 x + shift, per channel")};
  }
  Line operator()(const Where& /*where*/) const {
    return {Inspector::tr("Computes"), Inspector::tr("the second input where the first is not 0, otherwise the third")};
  }
  Line operator()(const Normalize& normalize) const {
    return {Inspector::tr("Computes"), normalize.centred ? Inspector::tr("(x - mean) / \u221A(variance + \u03B5)")
                                                         : Inspector::tr("x / \u221A(mean of x\u00B2 + \u03B5)")};
  }
  Line operator()(const Opaque& opaque) const {
    return {Inspector::tr("Execution"), opaque.costed ? Inspector::tr("no device can run it; its cost is known")
                                                      : Inspector::tr("no device can run it; its cost is unknown")};
  }
};

}  // namespace

std::vector<Property> attribute_properties(const Operator& op) {
  std::vector<Property> lines;
  if (auto [name, value] = visit_kind(Meaning{}, op.attributes); !name.isEmpty()) lines.push_back({name, value});
  for (const AttributeEntry& entry : attribute_list(op.attributes)) {
    const bool said = entry.usual || entry.in_name || std::holds_alternative<Shape>(entry.value);
    if (said || entry.title.pattern.empty() || !entry.means_something) continue;
    lines.push_back({message_text(entry.title), std::visit(ValueText{entry}, entry.value)});
  }
  return lines;
}

}  // namespace iosx
