#pragma once

#include <functional>

#include "views/style/theme.h"

class QApplication;
class QFont;
class QObject;
class QPalette;

namespace iosx {

// The user's choice; kSystem follows the desktop's own colours.
enum class ThemeMode { kSystem, kLight, kDark };

// Returns the theme of a mode. The desktop's colours are those before the first apply_theme().
Theme theme_of(ThemeMode mode, bool system_is_dark);
bool palette_is_dark(const QApplication& application);
// Returns a widget's theme, from its palette.
Theme theme_of(const QPalette& palette);

// Applies the theme to the whole application: Fusion style, palette, 10 pt font, style sheet. Call it at start and
// at each change.
void apply_theme(QApplication& application, const Theme& theme);

// Calls `take` now and whenever the application's theme changes, as long as the object lives. GUI thread.
void follow_theme(QObject* object, std::function<void(const Theme&)> take);
// Tells those that follow. apply_theme() does it; tests of painting need no more.
void tell_theme(const Theme& theme);

// This property makes a QToolButton or QPushButton stand out: setProperty(kAccent, "go" or "stop").
inline constexpr const char* kAccent = "accent";

// Returns the same font at a size in pixels, for figures, which must not depend on the screen.
QFont sized(QFont font, int pixels, bool bold = false);

}  // namespace iosx
