#pragma once

#include <QKeySequence>
#include <QString>
#include <array>

namespace iosx {

// Says what the window is for at a time. Each has an arrangement of panels of its own; selection, runs and networks are
// shared.
enum class Mode { kExplore, kEditGraph, kEditSchedule, kCompare };
inline constexpr std::array kModes{Mode::kExplore, Mode::kEditGraph, Mode::kEditSchedule, Mode::kCompare};

struct ModeRow {
  QString name;   // in settings and object names
  QString title;  // for people, with the mark of a menu
  QString word;   // the same where there is little room
  QString tip;
  QKeySequence keys;
};
ModeRow row_of(Mode mode);  // in the window's language

}  // namespace iosx
