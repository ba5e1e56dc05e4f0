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

// A mode from the window's view: there is one of each, and the window knows nothing else about modes.
struct ModePage {
  Mode mode = Mode::kExplore;
  QWidget* widget = nullptr;  // the window's central widget, which it owns
  QStringList panels = {};    // names of initially visible panels
  std::vector<FigureKind> figures = {};
  std::function<std::unique_ptr<Figure>(FigureKind)> figure = {};  // of these; null for an empty view
  std::function<void(bool)> activate = {};                         // on entering; false: on leaving
  bool edits = false;                                              // undo and redo are its own
};

}  // namespace iosx
