#pragma once

#include <QObject>
#include <QString>
#include <vector>

#include "core/documents/project/workspace.h"
#include "core/formats/external/external_run.h"
#include "views/window/actions/actions.h"
#include "views/window/base/context.h"

namespace iosx {

class GraphView;
class SelectionModel;

// Puts what other programs recorded beside the runs of the shown network: asks for files, has them read in the
// background and says what was found in them.
class ExternalMenu final : public QObject {
  Q_OBJECT

 public:
  // All must outlive the window, which owns this.
  ExternalMenu(const WindowContext& context, SelectionModel& selection, GraphView& graph);

  void ask();  // for files
  // Reads the file in the background, for the network that is shown now.
  void add(const QString& path);
  // Opens the list of what was matched: of this run, or of the newest one of the shown network.
  void showMatches(ExternalId id);
  void showNewestMatches();
  QString matchesDisabledReason() const;  // empty where showNewestMatches() can be done

 private:
  void tell(const Graph& graph, const std::vector<ExternalRun>& runs);

  WindowContext context_;
  SelectionModel& selection_;
  GraphView& graph_;
};

}  // namespace iosx
