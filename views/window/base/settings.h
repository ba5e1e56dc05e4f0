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
#include "views/style/theme.h"
#include "views/window/base/language.h"

namespace iosx {

// Keeps what the program remembers between starts. The composition root owns it and passes it to who needs it.
class Settings {
 public:
  static constexpr int kMaxRecent = 10;

  // In the user's own configuration folder.
  Settings();
  // In one file; tests use a temporary one.
  explicit Settings(const QString& path);

  QString file() const { return store_->fileName(); }  // with the settings

  QStringList recentFiles() const;          // newest first
  void addRecentFile(const QString& path);  // made absolute
  void clearRecentFiles();

  ThemeMode themeMode() const;
  void setThemeMode(ThemeMode mode);

  LanguageMode language() const;  // initially the desktop's
  void setLanguage(LanguageMode mode);

  // How a device measures; initially the defaults.
  TimingOptions timing() const;
  void setTiming(const TimingOptions& timing);

  // The interpreter for comparing inference engines; initially the system's Python.
  QString python() const;
  void setPython(const QString& interpreter);

  // Where measurements are kept; initially the usual place.
  StorePlace store() const;
  void setStore(const StorePlace& place);

  // The export format of figures: for a paper, or, if none, as on the screen.
  std::optional<PaperFormat> figurePaper() const;
  void setFigurePaper(const std::optional<PaperFormat>& paper);
  // The format of figures that was chosen last, as the suffix of its files ("svg"), and whether a figure's data is
  // written beside it.
  QString figureSuffix() const;
  bool figureData() const;
  void setFigureFiles(const QString& suffix, bool data);

  // The given sizes for open axes of the file; none if it has changed since. Empty ones are removed.
  InputSizes inputSizes(const QString& path) const;
  void setInputSizes(const QString& path, const InputSizes& sizes);

  // QMainWindow's, and empty at the first start. Every mode of the window has its own layout.
  QByteArray geometry() const;
  QByteArray layout(const QString& mode) const;
  void setGeometry(const QByteArray& geometry);
  void setLayout(const QString& mode, const QByteArray& layout);

  // The user's own keys of an action, by its id; none: the standard ones, empty: no keys.
  std::optional<QKeySequence> keys(const QString& action) const;
  void setKeys(const QString& action, const std::optional<QKeySequence>& keys);

  // The ids of the last commands of the palette, the newest first.
  QStringList recentCommands() const;
  void addRecentCommand(const QString& id);

  // What was open when the program was last closed, the device, and the search. An empty source means nothing.
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

  // Whether the hints of the first minute were seen or dismissed.
  bool firstMinuteDone() const;
  void setFirstMinuteDone(bool done);

  // Whether the saving strip is folded.
  std::optional<bool> savingFolded() const;  // none: nobody has chosen
  void setSavingFolded(bool folded);

  // The folder of the user's last file; initially the home folder.
  QString folder() const;
  void setFolderOf(const QString& path);

 private:
  std::unique_ptr<QSettings> store_;
};

}  // namespace iosx
