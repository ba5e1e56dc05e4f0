#pragma once

#include <QStringList>
#include <functional>
#include <memory>
#include <vector>

#include "views/figures/figure.h"
#include "views/window/actions/actions.h"
#include "views/window/actions/modes.h"

class QWidget;

namespace iosx {

// Describes a mode as the window sees it: there is one of each, and the window knows no more of any.
struct ModePage {
  Mode mode = Mode::kExplore;
  QWidget* widget = nullptr;  // stands in the centre of the window, which owns it
  QStringList panels = {};    // names of those around it that are there at first
  std::vector<FigureKind> figures = {};
  std::function<std::unique_ptr<Figure>(FigureKind)> figure = {};  // of these; null where it shows nothing
  std::function<void(bool)> activate = {};                         // it is entered; false: it is left
  bool edits = false;                                              // undo and redo are its
};

}  // namespace iosx
