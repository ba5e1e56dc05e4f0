#pragma once

#include <QWidget>
#include <memory>
#include <vector>

#include "views/edit_schedule/schedule_controller.h"
#include "views/style/theme.h"

class QComboBox;
class QCheckBox;
class QLabel;
class QMenu;
class QSplitter;
class QStackedWidget;
class QToolButton;

namespace iosx {

class GraphView;
class LaneBoard;
class SelectionModel;
class StageBoard;

// The view for editing a schedule by hand: the graph, faint except for the selection, below it the stage board, or the
// lane board of a barrier-free schedule, with its actions, and the schedule's cost compared with others. It follows the
// controller while active.
class BoardPage final : public QWidget {
  Q_OBJECT
  Q_DISABLE_COPY_MOVE(BoardPage)

 public:
  BoardPage(ScheduleController& controller, SelectionModel& selection,
            QWidget* parent = nullptr);  // both must outlive it
  ~BoardPage() override;

  GraphView* canvas() const { return canvas_; }
  QWidget* foot() const { return foot_; }  // the line with the schedule's cost
  StageBoard* board() const { return board_; }
  LaneBoard* laneBoard() const { return lane_board_; }
  QMenu* saveMenu() const { return save_menu_; }
  void setActive(bool active);
  QByteArray arrangement() const;
  void setArrangement(const QByteArray& arrangement);

 signals:
  void copyAsked();
  void arranged();

 private:
  QWidget* makeBar();
  QWidget* makeFoot();
  void showDraft();
  void showCosts();
  void showParts();
  void showLanes();
  void showWork();
  void showPartInView();
  void showRefused(const QString& why);
  QWidget* boardShown() const;
  QString sumText() const;
  QString laneSumText() const;
  QString againstText(Millis sum, Millis spread, const std::vector<DraftReference>& references) const;
  QString insightText() const;

  ScheduleController& controller_;
  GraphView* canvas_;
  StageBoard* board_;
  LaneBoard* lane_board_;
  QStackedWidget* boards_;
  QWidget* foot_ = nullptr;
  QSplitter* splitter_;
  QComboBox* parts_ = nullptr;
  QToolButton* fill_ = nullptr;
  QToolButton* search_ = nullptr;
  QToolButton* undo_ = nullptr;
  QToolButton* redo_ = nullptr;
  QToolButton* copy_ = nullptr;
  std::vector<QWidget*> edits_;       // of the stage board
  std::vector<QWidget*> lane_edits_;  // of the lane board
  QToolButton* measure_ = nullptr;
  QCheckBox* always_ = nullptr;
  QToolButton* run_ = nullptr;
  QToolButton* verify_ = nullptr;
  QToolButton* save_ = nullptr;
  QMenu* save_menu_ = nullptr;
  QLabel* sum_ = nullptr;
  QLabel* insight_ = nullptr;
  Theme theme_ = Theme::light();
  std::shared_ptr<const Graph> graph_;   // the canvas's
  std::vector<KernelTime> shown_times_;  // of the lanes on the canvas; empty: their order
  bool active_ = false;
};

}  // namespace iosx
