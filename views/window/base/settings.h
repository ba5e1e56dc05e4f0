#pragma once

#include <QByteArray>
#include <QKeySequence>
#include <QSettings>
#include <QStringList>
#include <memory>
#include <optional>

#include "core/devices/device.h"
#include "core/devices/measure/store_place.h"
#include "core/formats/onnx/file_interface.h"
#include "core/model/schedule/schedule_table.h"
#include "core/search/search.h"
#include "views/figures/paper.h"
#include "views/style/style.h"
#include "views/window/base/language.h"

namespace iosx {

// Keeps what the program remembers between starts. The composition root owns it and passes it to who needs it.
class Settings {
 public:
  static constexpr int kMaxRecent = 10;

  // Keeps them in the user's own configuration folder.
  Settings();
  // Keeps them in one file; tests use a temporary one.
  explicit Settings(const QString& path);

  QString file() const { return store_->fileName(); }  // that holds them

  QStringList recentFiles() const;          // newest first
  void addRecentFile(const QString& path);  // made absolute
  void clearRecentFiles();

  ThemeMode themeMode() const;
  void setThemeMode(ThemeMode mode);

  LanguageMode language() const;  // the desktop's at first
  void setLanguage(LanguageMode mode);

  // These say how a device measures; at first they are the defaults.
  TimingOptions timing() const;
  void setTiming(const TimingOptions& timing);

  // The interpreter whose inference engines are compared; at first what the system calls Python.
  QString python() const;
  void setPython(const QString& interpreter);

  // These say where measurements are kept; at first that is the usual place.
  StorePlace store() const;
  void setStore(const StorePlace& place);

  // These say how figures are exported: for a paper, or, where there is none, as on the screen.
  std::optional<PaperFormat> figurePaper() const;
  void setFigurePaper(const std::optional<PaperFormat>& paper);

  // These are the sizes that were given for what the file leaves open; none where it has changed since. Empty ones are
  // forgotten.
  InputSizes inputSizes(const QString& path) const;
  void setInputSizes(const QString& path, const InputSizes& sizes);

  // These are QMainWindow's, and empty at the first start. Every mode of the window has a layout of its own.
  QByteArray geometry() const;
  QByteArray layout(const QString& mode) const;
  void setGeometry(const QByteArray& geometry);
  void setLayout(const QString& mode, const QByteArray& layout);

  // These are the user's own keys of an action, by its id; none means those that it was made with, and empty ones mean
  // no keys.
  std::optional<QKeySequence> keys(const QString& action) const;
  void setKeys(const QString& action, const std::optional<QKeySequence>& keys);

  // These are the ids of what was last run from the command palette, the newest first.
  QStringList recentCommands() const;
  void addRecentCommand(const QString& id);

  // Says what was open when the program was last closed, on what, and how it was searched. An empty source means
  // nothing.
  struct Start {
    QString source;
    std::string device;
    std::int64_t batch = 1;
    StrategySet strategies = StrategySet::kBoth;
    Pruning pruning = SearchOptions().pruning;
    friend bool operator==(const Start&, const Start&) = default;
  };
  std::optional<Start> lastStart() const;  // none at the first start
  void setLastStart(const Start& start);

  // Says whether the hints of the first minute were seen or sent away.
  bool firstMinuteDone() const;
  void setFirstMinuteDone(bool done);

  // Says whether the strip of what each part saves is folded away.
  bool savingFolded() const;
  void setSavingFolded(bool folded);

  // Says where the user last opened or saved something; the home folder at first.
  QString folder() const;
  void setFolderOf(const QString& path);

 private:
  std::unique_ptr<QSettings> store_;
};

}  // namespace iosx
