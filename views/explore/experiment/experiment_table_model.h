#pragma once

#include <QAbstractTableModel>
#include <QStringList>
#include <vector>

#include "core/analysis/experiment/experiment.h"

namespace iosx {

// The table of an experiment: experiment_rows() as an item model.
class ExperimentTableModel final : public QAbstractTableModel {
  Q_OBJECT

 public:
  explicit ExperimentTableModel(const ExperimentResult& result, QObject* parent = nullptr);

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 private:
  QStringList header_;
  std::vector<QStringList> rows_;
  int names_ = 1;  // leading columns that are not numbers
};

}  // namespace iosx
