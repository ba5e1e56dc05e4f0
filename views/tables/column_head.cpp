#include "views/tables/column_head.h"

namespace iosx {

QVariant column_alignment(bool words) {
  return QVariant::fromValue(Qt::AlignVCenter | (words ? Qt::AlignLeft : Qt::AlignRight));
}

QVariant column_head_data(const ColumnHead& head, bool words, int role) {
  switch (role) {
    case Qt::DisplayRole: return head.title;
    case Qt::ToolTipRole: return head.help;
    case Qt::TextAlignmentRole: return column_alignment(words);
    default: return {};
  }
}

}  // namespace iosx
