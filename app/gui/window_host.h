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

// Holds the window, which it makes anew when another language is chosen: every text then comes from one translator.
// What is open, its runs, its jobs and what is edited go on meanwhile; the new window takes the old one's mode and
// place.
class WindowHost final : public QObject {
  Q_OBJECT

 public:
  // All must outlive the object; `autosave` may be null. `spoken` is the language for this start; none means what the
  // settings say. The board has what the workers of the registry's devices do: see ListedWorkers.
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
