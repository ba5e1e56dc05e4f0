#pragma once

#include <QAbstractTableModel>
#include <QHash>
#include <QTableView>
#include <memory>
#include <optional>
#include <vector>

#include "core/analysis/difference/difference_report.h"
#include "views/compare/comparison_data.h"
#include "views/figures/figure.h"
#include "views/style/theme.h"
#include "views/tables/table_model.h"

namespace iosx {

// A table of the page: every row has the same height, columns are as wide as their contents, Ctrl+C copies the
// selected cells as tab-separated text.
class CompareTable final : public QTableView {
  Q_OBJECT

 public:
  explicit CompareTable(const QString& accessible_name, QWidget* parent = nullptr);

  // Makes columns as wide as their header and their first hundred cells, up to a limit; the last one may take the
  // rest.
  void fitColumns(bool stretch_last);
  void setWidest(int column, int pixels) { widest_[column] = pixels; }  // the limit of one
  // Returns the height in pixels of the header and that many rows.
  int heightOf(int rows) const;

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  QHash<int, int> widest_;
};

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

// Shows stages of two schedules that hold the same operators, one row for as few of them as possible: it is
// stage_comparison() with the differences tinted.
class StageDifferenceModel final : public TableModel {
  Q_OBJECT

 public:
  using TableModel::TableModel;

  void setPair(std::shared_ptr<const StagePair> pair);  // null: no rows
  void setTheme(const Theme& theme);
  const StagePair* pair() const { return pair_.get(); }

  const StageRow& row(int row) const { return pair_->difference.rows[static_cast<std::size_t>(row)]; }
  // Returns the rows with any of these units of A's graph.
  std::vector<int> rowsOf(const std::vector<UnitId>& units_a) const;

 protected:
  QVariant painted(int row, std::string_view id, int role) const override;

 private:
  std::shared_ptr<const StagePair> pair_;
  Theme theme_ = Theme::light();
};

// Filters and sorts it.
class StageDifferenceFilter final : public WordFilter {
  Q_OBJECT

 public:
  using WordFilter::WordFilter;

  void setChangedOnly(bool changed_only);  // or different beyond the noise

 protected:
  bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

 private:
  bool changed_only_ = false;
};

// Shows what is known of each schedule's end-to-end latency: one row a schedule, and below them what others recorded.
// It is statistics_table() with tool tips.
class StatisticsModel final : public TableModel {
  Q_OBJECT

 public:
  using TableModel::TableModel;

  void setRuns(std::shared_ptr<const RunMatrix> data, std::vector<LatencyBar> external = {});  // null: no rows

 protected:
  QVariant painted(int row, std::string_view id, int role) const override;

 private:
  RunStatistics statisticsOf(std::size_t subject) const;
  RunStatistics externalOf(const LatencyBar& bar) const;
  QString remarks(std::size_t subject, const SubjectStatistics& statistics) const;

  std::shared_ptr<const RunMatrix> data_;
  std::vector<LatencyBar> external_;
};

// Make figures of the tables; not null. Of parts × schedules as on the screen: the CSV has one record per part and
// schedule. Of all rows of stages, in the order of A: the CSV has full numbers. Of each schedule's latency statistics.
std::unique_ptr<Figure> make_part_matrix_figure(std::shared_ptr<const RunMatrix> data);
std::unique_ptr<Figure> make_stage_difference_figure(std::shared_ptr<const StagePair> pair);
std::unique_ptr<Figure> make_run_statistics_figure(std::shared_ptr<const RunMatrix> data,
                                                   std::vector<LatencyBar> external = {});

}  // namespace iosx
