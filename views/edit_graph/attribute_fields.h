#pragma once

#include <QString>
#include <QStringList>
#include <cstdint>
#include <functional>
#include <optional>
#include <variant>
#include <vector>

#include "core/model/graph/operator.h"

namespace iosx::editor {

enum class FieldKind { kInteger, kNumber, kChoice, kTruth, kList, kText };

// An integer or the index of a choice; a number; a boolean; a list of integers; a text.
using FieldValue = std::variant<std::int64_t, double, bool, std::vector<std::int64_t>, QString>;

// Describes one attribute of an operator, or a part of one, to be looked at and changed.
struct AttributeField {
  QString id;    // for object names
  QString name;  // for display
  FieldKind kind = FieldKind::kInteger;
  QStringList choices = {};
  std::int64_t least = 0;  // of an integer
  std::int64_t most = 0;
  std::function<FieldValue(const Attributes&)> get = {};
  std::function<void(Attributes&, const FieldValue&)> set = {};
};

// Returns the fields in display order. They depend on the kind of operator and on its function.
std::vector<AttributeField> attribute_fields(const Attributes& attributes);

// list_text() writes "3 × 224 × 224", and list_of() reads it; none for a text with anything but whole numbers.
QString list_text(const std::vector<std::int64_t>& list);
std::optional<std::vector<std::int64_t>> list_of(const QString& text);

}  // namespace iosx::editor
