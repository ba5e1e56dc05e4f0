#pragma once

#include <QKeySequence>
#include <QString>
#include <array>

namespace iosx {

// The modes of the window. Each has its own arrangement of panels; selection, runs and networks are shared.
enum class Mode { kExplore, kEditGraph, kEditSchedule, kCompare };
inline constexpr std::array kModes{Mode::kExplore, Mode::kEditGraph, Mode::kEditSchedule, Mode::kCompare};

QString mode_name(Mode mode);   // for settings and object names
QString mode_title(Mode mode);  // for display
QString mode_word(Mode mode);   // a shorter form
QString mode_tip(Mode mode);
QKeySequence mode_keys(Mode mode);

}  // namespace iosx
