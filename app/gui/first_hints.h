#pragma once

class QMainWindow;

namespace iosx {

class FirstMinute;
class SelectionModel;
class Session;
class Settings;
class Views;

// The hints of the first minute in the window: the widest stage, the list of schedules, measuring here, one's own
// model. All must outlive it; the window owns it.
FirstMinute* make_first_minute(QMainWindow* window, Session& session, SelectionModel& selection, const Views& views,
                               Settings& settings);

}  // namespace iosx
