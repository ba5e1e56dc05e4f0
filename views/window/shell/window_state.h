#pragma once

#include <QObject>
#include <QString>

class QMainWindow;

namespace iosx {

struct Actions;
class Jobs;
class Opening;
class Session;

// Shows what the window can do now and what it is called: enables its actions, those that are disabled with the reason,
// and writes its title.
class WindowState final : public QObject {
  Q_OBJECT

 public:
  // All must outlive the object.
  WindowState(Session& session, Jobs& jobs, const Opening& opening, Actions& actions, QMainWindow* window);

  void show();

  // Names what is drawn in place of the network that is shown; empty: that is what is shown.
  void setDrawing(const QString& name);

 private:
  void showTitle();

  Session& session_;
  Jobs& jobs_;
  const Opening& opening_;
  Actions& actions_;
  QMainWindow* window_;
  QString drawing_;
};

}  // namespace iosx
