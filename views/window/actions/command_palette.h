#pragma once

#include <QDialog>
#include <QString>
#include <functional>
#include <vector>

#include "views/window/actions/fuzzy.h"

class QLabel;
class QLineEdit;
class QListView;
class QMainWindow;
class QMenu;

namespace iosx {

class Session;
class Settings;

// One line of the palette: its name, and the effect of Return.
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
