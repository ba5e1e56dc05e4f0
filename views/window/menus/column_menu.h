#pragma once

#include <QObject>
#include <QString>
#include <memory>

#include "core/documents/project/workspace.h"
#include "views/window/actions/actions.h"
#include "views/window/base/context.h"
#include "views/window/dialogs/column_dialog.h"

namespace iosx {

class CanvasPair;
class GraphView;

// Colours the graph by a column of somebody's table of values: asks for the file, has it read in the background, asks
// which column where there are several, and says how much of it was found. The network keeps the column. Where runs of
// it are compared at the time both canvases are coloured, too; else it is explored from then on.
class ColumnMenu final : public QObject {
  Q_OBJECT

 public:
  // All must outlive the window, which owns this.
  ColumnMenu(const WindowContext& context, GraphView& graph, const CanvasPair& compared);

  void ask();  // for a file
  // Reads the file in the background, for the network that is shown now.
  void read(const QString& path);

 private:
  void choose(NetworkId network, const std::shared_ptr<const ReadTable>& read);
  void show(NetworkId network, const std::shared_ptr<const ReadTable>& read, MatchedColumn made);

  WindowContext context_;
  GraphView& graph_;
  const CanvasPair& compared_;
};

}  // namespace iosx
