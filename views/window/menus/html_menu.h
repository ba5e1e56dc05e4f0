#pragma once

#include <QObject>
#include <QString>

#include "views/window/actions/actions.h"

class QWidget;

namespace iosx {

class ComparedRuns;
class Jobs;
class Session;
class Settings;
class Toasts;

// Saves the comparison as one HTML page: asks for a name, makes and writes it in the background, and offers to open it.
class HtmlMenu final : public QObject {
  Q_OBJECT

 public:
  // All must outlive the window, which owns this.
  HtmlMenu(Session& session, Jobs& jobs, Settings& settings, const ComparedRuns& compared, const Actions& actions,
           Toasts& messages, QWidget* window);

  void save(const QString& path);  // in the background, as the next job

 private:
  void ask();
  void tell(const QString& path);

  Session& session_;
  Jobs& jobs_;
  Settings& settings_;
  const ComparedRuns& compared_;
  Toasts& messages_;
  QWidget* window_;
};

}  // namespace iosx
