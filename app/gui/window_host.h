#pragma once

#include <QObject>
#include <memory>
#include <optional>

#include "views/window/base/language.h"

namespace iosx {

class Autosave;
struct Controllers;
class DeviceRegistry;
class Jobs;
class MainWindow;
class Session;
class Settings;
class WorkerBoard;

// Holds the window, and recreates it when another language is chosen, so that every text comes from one translator.
// Open networks, runs, jobs and edits go on meanwhile; the new window takes the old one's mode and place.
class WindowHost final : public QObject {
  Q_OBJECT

 public:
  // All must outlive the object; `autosave` may be null. `spoken` is the language for this start; none: from the
  // settings. The board shows the activity of the workers of the registry's devices: see ListedWorkers.
  WindowHost(DeviceRegistry& devices, Session& session, Jobs& jobs, Settings& settings, Autosave* autosave,
             bool system_is_dark, std::optional<LanguageMode> spoken = {},
             std::shared_ptr<WorkerBoard> board = nullptr);
  ~WindowHost() override;

  MainWindow& window() { return *window_; }
  const Languages& languages() const { return languages_; }

 private:
  void makeWindow();
  void remake();

  Session& session_;
  Jobs& jobs_;
  Settings& settings_;
  Autosave* autosave_;
  bool system_is_dark_;
  Languages languages_;
  std::unique_ptr<Controllers> controllers_;
  std::unique_ptr<MainWindow> window_;
};

}  // namespace iosx
