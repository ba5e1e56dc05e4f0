#pragma once

#include <QDialog>
#include <QString>
#include <QStringList>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

class QLabel;
class QLineEdit;
class QListView;
class QMainWindow;
class QMenu;

namespace iosx {

class Session;
class Settings;

// Says how well letters that somebody typed fit a text: all of them must be in it in their order, whatever stands
// between. Higher is better: letters at the beginning of words, letters in a row and short texts count. Case does not.
struct FuzzyMatch {
  int score = 0;
  std::vector<qsizetype> letters;  // of the text, that were matched, ascending
};
std::optional<FuzzyMatch> fuzzy_match(const QString& typed, const QString& text);

// Describes what the command palette offers, as far as finding it goes.
struct PaletteItem {
  QString id;     // the same from start to start
  QString title;  // "Zoom to fit"
  QString place;  // "View", "Built-in networks"
  bool enabled = true;
  bool by_title = false;  // found by its title only: many letters are in its place
};

struct Ranked {
  std::size_t item = 0;            // index into the items
  std::vector<qsizetype> letters;  // of its title, that were typed
};

// Returns the items that fit, the best first. Words are looked for one by one, in the title or else in the place. Of
// those that fit alike the recently used come first, then those that can be used, then the order of the items. Where
// nothing is typed, all are returned, the recently used first. `recent` are ids, the newest first.
std::vector<Ranked> rank(const std::vector<PaletteItem>& items, const QString& typed, const QStringList& recent);

// Describes one line of the palette: what it is called, and what Return does.
struct PaletteEntry {
  PaletteItem item;
  QString keys = {};    // as in the menu
  QString reason = {};  // why it is unavailable; empty where it is available
  bool checked = false;
  std::function<void()> run;
};

// Returns every action of the window's menus with the menu as its place, without the submenus in `apart`.
std::vector<PaletteEntry> entries_of_menus(const QMainWindow& window, const std::vector<const QMenu*>& apart);
// Returns the built-in networks and the recent files, which `open` opens, and the schedules of the comparison.
std::vector<PaletteEntry> entries_of_content(Session& session, const Settings& settings,
                                             const std::function<void(const QString&)>& open);

// Returns the cards on which schedules can be searched, by the origin of their latencies. `choose` gets the id of a
// card's device, or those of several, which are offered in another list: entries_of_variants().
std::vector<PaletteEntry> entries_of_devices(const Session& session,
                                             const std::function<void(const std::vector<std::string>&)>& choose);
// Returns these devices of one card; `use` gets the id of one.
std::vector<PaletteEntry> entries_of_variants(const Session& session, const std::vector<std::string>& ids,
                                              const std::function<void(const std::string&)>& use);

// Returns networks to add to the open one: a file chosen by `choose`, the built-in networks, and the recent files
// with networks.
std::vector<PaletteEntry> entries_of_networks(const Settings& settings, const std::function<void(const QString&)>& add,
                                              const std::function<void()>& choose);

class PaletteModel;

// Shows a search line and its matches, the best first. Return runs, arrows choose, Escape closes.
class CommandPalette final : public QDialog {
  Q_OBJECT

 public:
  // The settings store recently used entries; they outlive this.
  CommandPalette(std::vector<PaletteEntry> entries, Settings& settings, QWidget* window);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  void find();
  void run();

  Settings& settings_;
  PaletteModel* model_;
  QLineEdit* typed_;
  QListView* list_;
  QLabel* nothing_;  // shown without matches
};

}  // namespace iosx
