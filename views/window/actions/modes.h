#pragma once

#include <QKeySequence>
#include <QString>
#include <array>

namespace iosx {

// Says what the window is for at a time. Each has an arrangement of panels of its own; selection, runs and networks are
// shared.
enum class Mode { kExplore, kEditGraph, kEditSchedule, kCompare };
inline constexpr std::array kModes{Mode::kExplore, Mode::kEditGraph, Mode::kEditSchedule, Mode::kCompare};

QString mode_name(Mode mode);   // in settings and object names
QString mode_title(Mode mode);  // for people
QString mode_word(Mode mode);   // the same where there is little room
QString mode_tip(Mode mode);
QKeySequence mode_keys(Mode mode);

}  // namespace iosx
