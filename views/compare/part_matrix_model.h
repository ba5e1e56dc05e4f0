#pragma once

#include <QAbstractTableModel>
#include <memory>
#include <optional>

#include "views/compare/comparison_data.h"
#include "views/style/theme.h"

namespace iosx {

// The table of parts × schedules: the baseline's milliseconds, the others' differences. The first of these is the
// emphasised one, or else the one in the sentence. The last rows are the overhead between stages, the rest of a run,
// and the whole.
class PartMatrixModel final : public QAbstractTableModel {
  Q_OBJECT

 public:
  static constexpr int kPart = 0;  // column; the schedules follow

  using QAbstractTableModel::QAbstractTableModel;

  void setRuns(std::shared_ptr<const RunMatrix> data);  // null: no rows
  void setTheme(const Theme& theme);
  // The column of the emphasised subject is next to the baseline's, with a bold title.
  void setEmphasised(std::optional<std::size_t> subject);

  bool isPart(int row) const;  // not one of the last three
  std::optional<std::size_t> subject(int column) const;
  // Returns the units of the baseline's graph in a part; an empty list where it has none.
  std::vector<UnitId> units(int row) const;
  // Both return none where stages are unknown, except for the whole; latency() also where the schedule has nothing of
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
  std::vector<std::size_t> order_;  // subjects, in the order of their columns
};

}  // namespace iosx
