#pragma once

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>
#include <QStringList>
#include <string_view>
#include <vector>

#include "core/tables/render.h"

namespace iosx {

// Shows a table of the core as an item model: the columns that have place::kWindow, with titles, units, tool tips and
// cells in the window's language. Its cells have cell::kSort, cell::kFilter and cell::kExact, its head cell::kExact.
class TableModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  using QAbstractTableModel::QAbstractTableModel;

  void setTable(Table table);     // resets the model
  void updateTable(Table table);  // what is selected stays where rows and columns are as many as before
  const Table& table() const { return table_; }
  int columnOf(std::string_view id) const;  // -1 where it is not shown

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 protected:
  // Returns what only painting knows of the column with this id: bars, chips, tints, tool tips. Where it is not valid,
  // the table has the answer.
  virtual QVariant painted(int row, std::string_view id, int role) const;

 private:
  const ColumnInfo& column(int section) const { return table_.columns[shown_[static_cast<std::size_t>(section)]]; }
  QString filterText(int row) const;

  Table table_;
  std::vector<std::size_t> shown_;  // columns of the table, by section
};

// Returns a column's title over its unit, in two lines at most.
QString column_title(const Table& table, const ColumnInfo& column);
QString cell_words(const ColumnInfo& column, const Cell& cell);

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
