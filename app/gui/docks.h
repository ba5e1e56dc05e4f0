#pragma once

#include <QObject>
#include <QString>
#include <vector>

#include "app/gui/modes.h"

class QDockWidget;
class QMainWindow;
class QWidget;

namespace iosx {

class Settings;

// The panels around the canvas and where they lie: every mode has an arrangement, as the user left it or else the
// default one. The inspector is as high as the window; panels at the bottom are tabs of one drawer.
class Docks final : public QObject {
  Q_OBJECT

 public:
  // The settings must outlive it.
  Docks(QMainWindow* window, Settings& settings);

  // `name` is what layouts know the panel by. The first panel at the bottom is the one in front at first.
  QDockWidget* add(Qt::DockWidgetArea area, const QString& name, const QString& title, QWidget* content);
  void show(const QString& name);  // and in front of other tabs

  Mode mode() const { return mode_; }
  void setMode(Mode mode);
  void reset();     // the default arrangement of the mode
  void restore();   // the remembered one, where there is one
  void remember();  // for the next restore(), also of the next start

 private:
  struct Panel {
    QDockWidget* dock;
    Qt::DockWidgetArea area;
  };

  QDockWidget* first(Qt::DockWidgetArea area) const;
  void hideTitleBar(QDockWidget* dock);

  QMainWindow* window_;
  Settings& settings_;
  Mode mode_ = Mode::kExplore;
  std::vector<Panel> panels_;
};

}  // namespace iosx
