#pragma once

#include <QObject>
#include <QString>

class QMainWindow;

namespace iosx {

class Session;

// Writes the window's title: the project, with the mark of one that is not saved, and what is shown.
class WindowTitle final : public QObject {
  Q_OBJECT

 public:
  // The session must outlive the window, which owns this.
  WindowTitle(const Session& session, QMainWindow* window);

  // Names what is drawn in place of the network that is shown; empty: that is what is shown.
  void setDrawing(const QString& name);

 private:
  void show();

  const Session& session_;
  QMainWindow* window_;
  QString drawing_;
};

}  // namespace iosx
