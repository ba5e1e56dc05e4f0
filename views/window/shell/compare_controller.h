#pragma once

#include <QObject>

#include "views/window/actions/actions.h"
#include "views/window/base/context.h"

namespace iosx {

class ComparedRuns;
class ExportMenu;
class SelectionModel;

// Connects the comparison page with the rest of the program: buttons in its head, its context menu, and the user's
// arrangement, which the settings keep.
class CompareController final : public QObject {
  Q_OBJECT

 public:
  // All must outlive it.
  CompareController(const WindowContext& context, SelectionModel& selection, ComparedRuns& compared,
                    ExportMenu& exports);

  void resetArrangement();

 private:
  void explore(int subject, int stage);

  WindowContext context_;
  SelectionModel& selection_;
  ComparedRuns& compared_;
};

}  // namespace iosx
