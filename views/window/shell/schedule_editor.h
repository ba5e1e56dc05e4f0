#pragma once

#include <QObject>

#include "core/documents/project/workspace.h"
#include "views/window/actions/actions.h"
#include "views/window/base/context.h"

namespace iosx {

class BoardPage;
class ExportMenu;
class ScheduleController;
class SelectionModel;

// Connects the page of the schedule edit mode to the window's actions, exports and messages.
class ScheduleEditor final : public QObject {
  Q_OBJECT

 public:
  // All must outlive this; who places the page owns it.
  ScheduleEditor(const WindowContext& context, ScheduleController& controller, SelectionModel& selection);

  BoardPage* page() const { return page_; }
  ScheduleController& controller() { return *controller_; }
  void connectTo(ExportMenu& exports);
  // Without a copy yet it takes one of the shown schedule.
  void setActive(bool active);

  void resetArrangement();

 private:
  WindowContext context_;
  ScheduleController* controller_;
  BoardPage* page_;
  bool active_ = false;
};

}  // namespace iosx
