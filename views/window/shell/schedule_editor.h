#pragma once

#include <QObject>

#include "core/documents/project/workspace.h"
#include "views/window/actions/actions.h"

namespace iosx {

class BoardPage;
class ExportMenu;
class ScheduleController;
class SelectionModel;
class Session;
class Settings;
class Toasts;

// Connects the page of the schedule edit mode to the window's actions, exports and messages.
class ScheduleEditor final : public QObject {
  Q_OBJECT

 public:
  // All must outlive this; whoever places the page owns it.
  ScheduleEditor(ScheduleController& controller, Session& session, SelectionModel& selection, const Actions& actions,
                 Settings& settings, QObject* parent);

  BoardPage* page() const { return page_; }
  ScheduleController& controller() { return *controller_; }
  void connectTo(ExportMenu& exports, Toasts& messages);
  // While active, undo and redo are its own. Without a copy yet it copies the shown schedule.
  void setActive(bool active);

 private:
  void showActions();
  void showStart();
  void nothingToUndo();

  Session& session_;
  const Actions& actions_;
  Settings& settings_;
  ScheduleController* controller_;
  BoardPage* page_;
  bool active_ = false;
};

}  // namespace iosx
