#pragma once

#include <QObject>
#include <QStringList>
#include <array>
#include <functional>
#include <memory>
#include <vector>

#include "views/figures/figure.h"
#include "views/style/theme.h"
#include "views/window/actions/actions.h"

class QDockWidget;
class QMenu;
class QWidget;

namespace iosx {

class Docks;
class GraphEditing;
class Jobs;
class ProjectPanel;
class SchedulePanel;
class SelectionModel;
class Session;
class StagePanel;
class TableView;
class TaskPanel;
class Views;
class WorkerBoard;

// Describes a mode as the window sees it: there is one of each, and the window knows no more of any.
struct ModePage {
  Mode mode = Mode::kExplore;
  QWidget* widget = nullptr;  // stands in the centre of the window, which owns it
  QStringList panels = {};    // names of those around it that are there at first
  std::vector<FigureKind> figures = {};
  std::function<std::unique_ptr<Figure>(FigureKind)> figure = {};  // of these; null where it shows nothing
  std::function<void(bool)> activate = {};                         // it is entered; false: it is left
  bool edits = false;                                              // undo and redo are its
};

// Makes the panels around the canvas and calls each after what it shows.
class WindowPanels final : public QObject {
  Q_OBJECT

 public:
  // All must outlive the object. `project` is one of the panels.
  WindowPanels(Session& session, Jobs& jobs, const WorkerBoard& workers, SelectionModel& selection, Views& views,
               GraphEditing& editing, ProjectPanel* project, QObject* parent);

  // Puts the panels into the window, at their initial places in these modes, and lists them in the menu.
  void addTo(Docks& docks, const std::vector<ModePage>& pages, QMenu& list);
  std::array<TableView*, 2> stageTables() const;  // whose rows are the selection: stages and tasks

 private:
  QWidget* schedules();
  QWidget* times();
  QWidget* searches();
  void showTitles();

  Session& session_;
  Jobs& jobs_;
  const WorkerBoard& workers_;
  SelectionModel& selection_;
  Views& views_;
  GraphEditing& editing_;
  ProjectPanel* project_;
  SchedulePanel* schedules_;
  StagePanel* stages_;
  TaskPanel* tasks_;
  QDockWidget* stages_dock_ = nullptr;
  QDockWidget* timeline_dock_ = nullptr;
};

}  // namespace iosx
