#pragma once

#include <QObject>
#include <QString>
#include <algorithm>
#include <vector>

#include "views/window/actions/actions.h"

class QDockWidget;
class QMainWindow;
class QWidget;

namespace iosx {

class Settings;

// Keeps the panels around the canvas and where they lie: every mode has an arrangement, as the user left it or else the
// default one. The inspector is as high as the window; panels at the bottom are tabs of one drawer.
class Docks final : public QObject {
  Q_OBJECT

 public:
  // The settings must outlive it.
  Docks(QMainWindow* window, Settings& settings);

  // `name` is what layouts know the panel by. It is there at first in these modes. Of the panels at the bottom the
  // first one that is there is in front at first.
  QDockWidget* add(Qt::DockWidgetArea area, const QString& name, const QString& title, QWidget* content,
                   std::vector<Mode> modes = {Mode::kExplore});
  void show(const QString& name);  // and in front of other tabs

  Mode mode() const { return mode_; }
  void setMode(Mode mode);
  void reset();     // the default arrangement of the mode
  void restore();   // the remembered one, where there is one
  void remember();  // for the next restore(), also of the next start

 protected:
  // Panels that a small window squeezes have their sizes again once it is large.
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  struct Panel {
    QDockWidget* dock;
    Qt::DockWidgetArea area;
    std::vector<Mode> modes;

    bool in(Mode mode) const { return std::ranges::find(modes, mode) != modes.end(); }
  };

  // Holds sizes of panels in pixels; of what a hand gave them, 0 is nothing.
  struct Wish {
    int left = 0;
    int right = 0;
    int bottom = 0;
  };
  Wish standard() const;                              // for the window's size and the mode
  QDockWidget* seen(Qt::DockWidgetArea area) const;   // one that stands there; null where none does
  void recallWish();                                  // what was remembered beside the layout, and fits to it
  Wish now() const;                                   // 0 of panels that are not seen
  void fit();                                         // as near to the wish, or else the standard, as there is room for
  QDockWidget* first(Qt::DockWidgetArea area) const;  // of those of the mode, else of all
  void hideStrangers();  // panels of other modes alone, which an older arrangement does not know
  void hideTitleBar(QDockWidget* dock);

  QMainWindow* window_;
  Settings& settings_;
  Mode mode_ = Mode::kExplore;
  Wish wish_;     // by hand
  Wish pressed_;  // when a button was pressed, perhaps on a separator
  std::vector<Panel> panels_;
};

}  // namespace iosx
