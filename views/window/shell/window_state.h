#pragma once

#include <QObject>
#include <QString>

class QMainWindow;

namespace iosx {

struct Actions;
class Jobs;
class Opening;
class Session;

// Shows the window's state: enables actions, gives disabled ones their reason, and sets the title.
class WindowState final : public QObject {
  Q_OBJECT

 public:
  // All must outlive the object.
  WindowState(Session& session, Jobs& jobs, const Opening& opening, Actions& actions, QMainWindow* window);

  void show();

  // Sets the name of a drawing that is shown in place of the network; empty: none.
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
