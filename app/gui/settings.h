#pragma once

#include <QByteArray>
#include <QKeySequence>
#include <QSettings>
#include <QStringList>
#include <memory>
#include <optional>

#include "app/gui/language.h"
#include "core/devices/device.h"
#include "core/devices/measure/store_place.h"
#include "core/formats/onnx/file_interface.h"
#include "core/model/schedule/schedule_table.h"
#include "core/search/search.h"
#include "views/figures/paper.h"
#include "views/style/style.h"

namespace iosx {

// What the program remembers between starts. Owned by the composition root and passed to who needs it.
class Settings {
 public:
  static constexpr int kMaxRecent = 10;

  // In the user's own configuration folder.
  Settings();
  // In one file; tests use a temporary one.
  explicit Settings(const QString& path);

  QString file() const { return store_->fileName(); }  // that holds them

  QStringList recentFiles() const;          // newest first
  void addRecentFile(const QString& path);  // made absolute
  void clearRecentFiles();

  ThemeMode themeMode() const;
  void setThemeMode(ThemeMode mode);

  LanguageMode language() const;  // the desktop's at first
  void setLanguage(LanguageMode mode);

  // How a device measures; the defaults at first.
  TimingOptions timing() const;
  void setTiming(const TimingOptions& timing);

  // Where measurements are kept; in the usual place at first.
  StorePlace store() const;
  void setStore(const StorePlace& place);

  // How figures are exported: for a paper, or none as on the screen.
  std::optional<PaperFormat> figurePaper() const;
  void setFigurePaper(const std::optional<PaperFormat>& paper);

  // Sizes that were given for what the file leaves open; none where it has changed since. Empty ones are forgotten.
  InputSizes inputSizes(const QString& path) const;
  void setInputSizes(const QString& path, const InputSizes& sizes);

  // Of QMainWindow; empty at the first start. Every mode of the window has a layout of its own.
  QByteArray geometry() const;
  QByteArray layout(const QString& mode) const;
  void setGeometry(const QByteArray& geometry);
  void setLayout(const QString& mode, const QByteArray& layout);

  // The user's own keys of an action, by its id; none: those that it was made with. Empty ones: no keys.
  std::optional<QKeySequence> keys(const QString& action) const;
  void setKeys(const QString& action, const std::optional<QKeySequence>& keys);

  // Ids of what was last run from the command palette, the newest first.
  QStringList recentCommands() const;
  void addRecentCommand(const QString& id);

  // What was open when the program was last closed, on what, and how it was searched. An empty source: nothing.
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

  // The hints of the first minute were seen or sent away.
  bool firstMinuteDone() const;
  void setFirstMinuteDone(bool done);

  // Where the user last opened or saved something; the home folder at first.
  QString folder() const;
  void setFolderOf(const QString& path);

 private:
  std::unique_ptr<QSettings> store_;
};

}  // namespace iosx
