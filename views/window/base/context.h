#pragma once

#include <QMainWindow>

namespace iosx {

class Actions;
class Jobs;
class Session;
class Settings;
class Toasts;

// Says what the parts of a window work with. All outlives the parts.
struct WindowContext {
  Session& session;
  Jobs& jobs;
  Settings& settings;
  Actions& actions;
  Toasts& messages;
  QMainWindow* window;  // is above the parts' dialogs, and owns parts that nobody else does
};

}  // namespace iosx
