#pragma once

#include <QObject>
#include <QString>
#include <vector>

#include "core/formats/external/external_run.h"
#include "views/window/actions/actions.h"

class QWidget;

namespace iosx {

class Jobs;
class Session;
class Settings;
class Toasts;

// Adds external runs to the shown network: asks for files, reads them in the background and shows what they
// contain.
class ExternalMenu final : public QObject {
  Q_OBJECT

 public:
  // All must outlive the window, which owns this.
  ExternalMenu(Session& session, Jobs& jobs, Settings& settings, const Actions& actions, Toasts& messages,
               QWidget* window);

  // Reads the file in the background, for the shown network.
  void add(const QString& path);

 private:
  void ask();
  void tell(const Graph& graph, const std::vector<ExternalRun>& runs);

  Session& session_;
  Jobs& jobs_;
  Settings& settings_;
  const Actions& actions_;
  Toasts& messages_;
  QWidget* window_;
};

}  // namespace iosx
