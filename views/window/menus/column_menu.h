#pragma once

#include <QObject>
#include <QString>
#include <memory>

#include "core/documents/project/workspace.h"
#include "views/window/actions/actions.h"
#include "views/window/dialogs/column_dialog.h"

class QWidget;

namespace iosx {

class CanvasPair;
class GraphView;
class Jobs;
class Session;
class Settings;
class Toasts;

// Colours the graph by a column of the user's table of values: asks for the file, reads it in the background, asks for
// the column of several, and shows how much matched. The network keeps the column. If its runs are being compared both
// canvases are coloured, too; otherwise the explore mode opens.
class ColumnMenu final : public QObject {
  Q_OBJECT

 public:
  // All must outlive the window, which owns this.
  ColumnMenu(Session& session, Jobs& jobs, Settings& settings, GraphView& graph, const CanvasPair& compared,
             const Actions& actions, Toasts& messages, QWidget* window);

  // Reads the file in the background, for the shown network.
  void read(const QString& path);

 private:
  void ask();
  void choose(NetworkId network, const std::shared_ptr<const ReadTable>& read);
  void show(NetworkId network, const std::shared_ptr<const ReadTable>& read, MatchedColumn made);

  Session& session_;
  Jobs& jobs_;
  Settings& settings_;
  GraphView& graph_;
  const CanvasPair& compared_;
  const Actions& actions_;
  Toasts& messages_;
  QWidget* window_;
};

}  // namespace iosx
