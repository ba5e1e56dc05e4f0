#include "views/tables/word_filter.h"

#include <algorithm>

#include "views/tables/cell_roles.h"

namespace iosx {

WordFilter::WordFilter(QObject* parent) : QSortFilterProxyModel(parent) {
  setSortRole(cell::kSort);
  setSortCaseSensitivity(Qt::CaseInsensitive);
}

void WordFilter::setWords(const QString& typed) {
  words_ = typed.split(QLatin1Char(' '), Qt::SkipEmptyParts);
  invalidateFilter();
}

bool WordFilter::filterAcceptsRow(int row, const QModelIndex& parent) const {
  if (words_.isEmpty()) return true;
  const QString text = sourceModel()->index(row, 0, parent).data(cell::kFilter).toString();
  return std::ranges::all_of(words_, [&](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
}

}  // namespace iosx

#include "moc_word_filter.cpp"
