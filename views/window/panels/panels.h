#pragma once

#include <QStringList>
#include <QWidget>
#include <memory>
#include <vector>

#include "core/model/graph/operator.h"
#include "views/style/theme.h"

class QLabel;
class QListWidget;
class QToolButton;

namespace iosx {

class InspectorModel;
class Jobs;
class ScheduleListModel;
struct Property;
struct ScheduleResult;
class SelectionModel;
class Session;
class ShownSaving;
class StageExplainer;
class StageTableModel;
class TableView;
class TaskTableModel;
struct UnitColumn;
class WordFilter;
class WorkerBoard;

// Lists the schedules of the comparison; the current row is the active schedule.
class SchedulePanel final : public QWidget {
  Q_OBJECT

 public:
  explicit SchedulePanel(Session& session);
  QSize sizeHint() const override { return {470, 190}; }

 private:
  void showComparison();
  void showActive();

  Session& session_;
  ScheduleListModel* model_;
  WordFilter* sorted_;
  TableView* table_;
};

// Lists the stages of the active schedule; selected rows are the selected units. For a barrier-free one these are the
// stages that chose its kernels, as a sentence above says. The largest savings come first until a header is clicked.
class StagePanel final : public QWidget {
  Q_OBJECT

 public:
  StagePanel(const Session& session, SelectionModel& selection, const ShownSaving& saving);
  TableView* table() const { return table_; }
  QSize sizeHint() const override { return {470, 600}; }

 private:
  void showSchedule();
  void showSelection();
  void choose(const std::vector<int>& rows);

  const Session& session_;
  SelectionModel& selection_;
  const ShownSaving& saving_;
  StageTableModel* model_;
  WordFilter* sorted_;
  QLabel* sentence_;
  TableView* table_;
};

// Lists the tasks of the running search, or else of the shown schedule's: where its time goes, and where more may be
// gained. Selected rows are the selected units.
class TaskPanel final : public QWidget {
  Q_OBJECT

 public:
  TaskPanel(const Session& session, Jobs& jobs, SelectionModel& selection);
  TableView* table() const { return table_; }
  QSize sizeHint() const override { return {560, 340}; }

 private:
  void refresh();
  const ScheduleResult* searchedSchedule() const;  // of the shown one, or of its kernels; null: none
  QString sentence() const;

  const Session& session_;
  Jobs& jobs_;
  TaskTableModel* model_;
  WordFilter* sorted_;
  QLabel* sentence_;
  TableView* table_;
};

// Shows the properties of the selection.
class InspectorPanel final : public QWidget {
  Q_OBJECT

 public:
  InspectorPanel(const Session& session, Jobs& jobs, SelectionModel& selection);
  QSize sizeHint() const override { return {330, 500}; }

 signals:
  // The pointer or the keyboard is at an alternative to the selected stage, which would change these units. None: it
  // has left.
  void alternativePointed(const std::vector<iosx::UnitId>& units);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void refresh();
  void point(int row);                // -1: none
  void chosen(int row);               // opens or closes a fold
  std::vector<Property> why() const;  // of the selected stage; empty without one

  const Session& session_;
  SelectionModel& selection_;
  StageExplainer* explainer_;
  InspectorModel* model_;
  TableView* table_;
  bool with_excluded_ = false;
  std::shared_ptr<const UnitColumn> column_;  // the described one
  std::vector<UnitId> pointed_;
};

// Lists the jobs: the running one, below it each worker's activity for it, and the waiting ones, each with a button
// to cancel it.
class JobsPanel final : public QWidget {
  Q_OBJECT

 public:
  JobsPanel(Jobs& jobs, const WorkerBoard& workers, QWidget* parent = nullptr);

 private:
  void refresh();
  void showWorkers();
  QStringList workerLines() const;  // empty without a running job
  void drop();

  Jobs& jobs_;
  const WorkerBoard& workers_;
  QStringList shown_workers_;
  QListWidget* list_;
  QToolButton* drop_;
};

}  // namespace iosx
