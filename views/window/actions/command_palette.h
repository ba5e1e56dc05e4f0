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

// Describes one line of the palette: what it is called, and what Return does.
struct PaletteEntry {
  PaletteItem item;
  QString keys = {};    // as the menu shows them
  QString reason = {};  // why it cannot be used now; empty where it can
  bool checked = false;
  std::function<void()> run;
};

// Returns every action of the window's menus with the menu as its place; the submenus in `apart` are left out.
std::vector<PaletteEntry> entries_of_menus(const QMainWindow& window, const std::vector<const QMenu*>& apart);
// Returns the built-in networks and the recent files, which `open` opens, and the schedules of the comparison.
std::vector<PaletteEntry> entries_of_content(Session& session, const Settings& settings,
                                             const std::function<void(const QString&)>& open);

// Returns what may be added to the network that is open: a file, which `choose` asks for, the built-in networks, and
// the recent files that hold networks.
std::vector<PaletteEntry> entries_of_networks(const Settings& settings, const std::function<void(const QString&)>& add,
                                              const std::function<void()>& choose);

class PaletteModel;

// Shows a line to type into and what fits it, the best first. Return runs, arrows choose, Escape closes.
class CommandPalette final : public QDialog {
  Q_OBJECT

 public:
  // The settings remember what was used; they outlive this.
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
  QLabel* nothing_;  // in its place
};

}  // namespace iosx
