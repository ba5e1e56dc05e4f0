#pragma once

#include <QObject>
#include <array>
#include <vector>

#include "views/style/theme.h"
#include "views/window/shell/mode_page.h"

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

// Makes the panels around the canvas and names them.
class WindowPanels final : public QObject {
  Q_OBJECT

 public:
  // All must outlive the object. `project` is one of the panels.
  WindowPanels(Session& session, Jobs& jobs, const WorkerBoard& workers, SelectionModel& selection, Views& views,
               GraphEditing& editing, ProjectPanel* project, QObject* parent);

  // Puts the panels into the window, at their initial places in these modes, and lists them in the menu.
  void addTo(Docks& docks, const std::vector<ModePage>& pages, QMenu& list);
  void setTheme(const Theme& theme);
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
