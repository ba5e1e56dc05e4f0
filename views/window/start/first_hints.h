#pragma once

class QMainWindow;
class QToolBar;
class QWidget;

namespace iosx {

class FirstMinute;
class GraphView;
class SelectionModel;
class Session;
class Settings;

// make_first_minute() makes the hints of the first minute in the window: the widest stage, the list of schedules,
// measuring here, the user's own model. All must outlive it; the window owns it.
struct HintTargets {
  GraphView* graph;
  const QWidget* schedules;
  const QWidget* measure;
  const QToolBar* own;  // its first action opens the user's own model
};
FirstMinute* make_first_minute(QMainWindow* window, Session& session, SelectionModel& selection,
                               const HintTargets& targets, Settings& settings);

}  // namespace iosx
