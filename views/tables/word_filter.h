#pragma once

#include <QSortFilterProxyModel>
#include <QStringList>

namespace iosx {

// Sorts a table by cell::kSort and shows the rows whose cell::kFilter, in their first column, contains all words,
// ignoring case.
class WordFilter : public QSortFilterProxyModel {
  Q_OBJECT

 public:
  explicit WordFilter(QObject* parent = nullptr);

  void setWords(const QString& typed);  // separated by spaces

 protected:
  bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

 private:
  QStringList words_;
};

}  // namespace iosx
