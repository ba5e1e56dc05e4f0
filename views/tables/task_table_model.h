#pragma once

#include <QAbstractTableModel>
#include <memory>
#include <vector>

#include "core/search/search.h"
#include "views/app_model/selection.h"

namespace iosx {

// Shows the tasks of a search, one a row, in its order: parts that are alike, what they cost and what may be gained
// there. Its cells have the roles of cell_roles.h too.
class TaskTableModel final : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { kParts, kTimes, kCost, kShare, kAsked, kGain, kGainShare, kColumnCount };

  using QAbstractTableModel::QAbstractTableModel;

  // The graph has the parts that the tasks speak of; it may be null where there are no tasks.
  void setTasks(std::shared_ptr<const Graph> graph, std::vector<SearchTask> tasks);

  Selection selection(int row) const;  // the units of the parts

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 private:
  QString text(const SearchTask& task, int column) const;
  double number(const SearchTask& task, int column) const;
  QString partName(PartId part) const;
  QString allParts(const SearchTask& task) const;

  std::shared_ptr<const Graph> graph_;
  std::vector<SearchTask> tasks_;
  Millis total_{0};  // of all parts
};

}  // namespace iosx
