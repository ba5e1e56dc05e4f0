#include "views/tables/inspector_model.h"

#include <QFont>
#include <utility>

#include "views/style/theme.h"
#include "views/tables/cell_roles.h"
#include "views/text/qstring.h"

namespace iosx {
namespace {

// A longer layout would block the window, and is too much to read.
constexpr qsizetype kMostLetters = 3000;

QString bounded(const QString& text) {
  if (text.size() <= kMostLetters) return text;
  return InspectorModel::tr("%1… (%2 letters)").arg(text.left(kMostLetters)).arg(text.size());
}

}  // namespace

void InspectorModel::setProperties(std::vector<Property> properties) {
  if (properties == properties_) return;
  beginResetModel();
  properties_ = std::move(properties);
  endResetModel();
}

int InspectorModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(properties_.size());
}

int InspectorModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : kColumnCount; }

QVariant InspectorModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
  const Property& property = properties_[static_cast<std::size_t>(index.row())];
  switch (role) {
    case Qt::DisplayRole:
      if (property.form == Property::Form::kProse) {
        return index.column() == kName ? tr("%1: %2").arg(property.name, bounded(property.value)) : QString();
      }
      return bounded(index.column() == kName ? property.name : property.value);
    case Qt::ToolTipRole:
      if (property.form != Property::Form::kAlternative) return {};
      return plain_tip(QStringLiteral("%1: %2").arg(bounded(property.name), property.value));
    case Qt::AccessibleTextRole:
      if (property.form != Property::Form::kAlternative) return {};
      return QStringLiteral("%1: %2").arg(bounded(property.name), property.value);
    case cell::kCost: return property.form == Property::Form::kAlternative ? QVariant(property.bar) : QVariant();
    case cell::kFigure: return property.form == Property::Form::kAlternative ? QVariant(property.value) : QVariant();
    case Qt::TextAlignmentRole: return QVariant::fromValue(Qt::AlignTop | Qt::AlignLeft);
    case Qt::FontRole: return property.heading ? QVariant(bold_font(true)) : QVariant();
    default: return {};
  }
}

QVariant InspectorModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= kColumnCount) return {};
  if (role == Qt::DisplayRole) return section == kName ? tr("Property") : tr("Value");
  if (role == Qt::TextAlignmentRole) return QVariant::fromValue(Qt::AlignVCenter | Qt::AlignLeft);
  return {};
}

}  // namespace iosx

#include "moc_inspector_model.cpp"
