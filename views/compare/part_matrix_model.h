#pragma once

#include <QAbstractTableModel>
#include <memory>
#include <optional>

#include "views/compare/comparison_data.h"
#include "views/style/theme.h"

namespace iosx {

// Shows parts × schedules: the baseline's milliseconds, the others' differences; first stands the one that is
// emphasised, or else of which the sentence speaks. Below them stand what lies between stages, what a run takes beyond
// its stages, and the whole.
class PartMatrixModel final : public QAbstractTableModel {
  Q_OBJECT

 public:
  static constexpr int kPart = 0;  // column; the schedules follow

  using QAbstractTableModel::QAbstractTableModel;

  void setRuns(std::shared_ptr<const RunMatrix> data);  // null: no rows
  void setTheme(const Theme& theme);
  // The column of the emphasised subject stands beside the baseline's, its title is bold.
  void setEmphasised(std::optional<std::size_t> subject);

  bool isPart(int row) const;  // not one of the last three
  std::optional<std::size_t> subject(int column) const;
  // Returns the units of the baseline's graph in a part; where it has none of them, the list is empty.
  std::vector<UnitId> units(int row) const;
  // Both return nothing where stages are not known, but for the whole; latency() also where the schedule has nothing of
  // the part.
  std::optional<Delta> delta(int row, std::size_t subject) const;
  std::optional<Millis> latency(int row, std::size_t subject) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 private:
  void sortColumns();
  QString text(int row, int column) const;
  QString toolTip(int row, int column) const;
  QString rowTitle(int row) const;
  QVariant background(int row, int column) const;

  std::shared_ptr<const RunMatrix> data_;
  Theme theme_ = Theme::light();
  std::optional<std::size_t> emphasised_;
  std::vector<std::size_t> order_;  // subjects, as their columns stand
};

}  // namespace iosx
