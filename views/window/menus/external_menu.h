#pragma once

#include <QObject>
#include <QString>
#include <vector>

#include "core/formats/external/external_run.h"
#include "views/window/actions/actions.h"
#include "views/window/base/context.h"

namespace iosx {

// Puts what other programs recorded beside the runs of the shown network: asks for files, has them read in the
// background and says what was found in them.
class ExternalMenu final : public QObject {
  Q_OBJECT

 public:
  // All must outlive the window, which owns this.
  explicit ExternalMenu(const WindowContext& context);

  void ask();  // for files
  // Reads the file in the background, for the network that is shown now.
  void add(const QString& path);

 private:
  void tell(const Graph& graph, const std::vector<ExternalRun>& runs);

  WindowContext context_;
};

}  // namespace iosx
