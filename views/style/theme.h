#pragma once

#include <QColor>
#include <cstddef>
#include <functional>

#include "core/model/graph/operator.h"
#include "core/model/schedule/schedule_table.h"

class QApplication;
class QFont;
class QObject;
class QPalette;

namespace iosx {

// The lines over a fill that distinguish it where its colour cannot, for example printed in grey.
enum class Hatch { kNone, kRising, kFalling, kCrossed, kLevel };

// Our colours, light and dark; they are colour-blind safe (after Okabe and Ito) and never the only carrier of a
// meaning.
struct Theme {
  bool dark = false;
  bool paper = false;  // for figures in papers, which may be printed in grey
  QColor window;       // behind panels
  QColor canvas;       // behind drawings
  QColor panel;        // table and header backgrounds
  QColor text;
  QColor mutedText;
  QColor gridLine;
  QColor outline;
  QColor boxLine;    // around groups, merges and boxes with a pale fill: at least 3 : 1 on every stage band
  QColor selection;  // outline of the selection
  QColor selectionFill;
  QColor error;  // edge of an error message
  QColor errorFill;
  QColor simulated;  // the "simulated" badge
  QColor measured;   // the "measured" badge
  QColor found;      // search results
  QColor running;    // operators that run at the current time
  QColor accent;     // the schedule in focus: the shown one, or the best one of a picture

  // Return the fill of a schedule: the accent in focus, else a neutral grey, by its kind's colour role in the table of
  // schedules. Neighbours in lists differ in lightness; labels identify them. No fill is close to an operator's, also
  // for colour-blind users; greys are faint on the background, so things that must be visible alone have an outline.
  QColor schedule(ColorRole role, bool focus = false) const;
  QColor schedule(ScheduleKind schedule_kind, bool focus = false) const {
    return schedule(row_of(schedule_kind).color, focus);
  }
  // Returns the colour of a schedule's line (curves, edges and marks), at least 3 : 1 on every background. Without
  // focus all lines have the same one; dashes and markers distinguish them.
  QColor scheduleLine(bool focus = false) const { return focus ? accent : text; }
  // Returns the fill of an operator by its class: its contrast is at least 3 : 1 on every stage band.
  QColor operatorFill(OperatorClass what) const;
  // Returns the hatching over that fill: none except on paper.
  Hatch operatorHatch(OperatorClass what) const;
  // Returns the hatching over a kernel of several merged layers, which has its class's fill.
  Hatch mergedHatch() const { return paper ? Hatch::kCrossed : Hatch::kLevel; }
  // Returns the fill of the n-th stage behind its operators; neighbours differ. It is translucent and without a hue, so
  // that it is never mistaken for an operator's colour.
  QColor stageBand(std::size_t stage) const;
  // Returns a text colour for the fill: the contrast is at least 4.5 : 1.
  static QColor readableOn(const QColor& fill);
  // Returns the contrast of opaque colours, from 1 to 21, by WCAG 2.
  static double contrast(const QColor& a, const QColor& b);

  static Theme light();
  static Theme darkTheme();
  // Returns a light theme that is legible in grey: neighbouring schedules differ in lightness, operators in
  // lightness or hatching.
  static Theme paperTheme();
};

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
// Likewise, keeping the theme in a member of the object; then `changed` is called.
void follow_theme(QObject* object, Theme& theme, const std::function<void()>& changed);
// Tells those that follow. apply_theme() does it; tests of painting need no more.
void tell_theme(const Theme& theme);

// This property makes a QToolButton or QPushButton stand out: setProperty(kAccent, "go" or "stop").
inline constexpr const char* kAccent = "accent";

// Returns the colour with this opacity, from 0 to 1.
QColor with_alpha(QColor color, float alpha);

// Returns the same font at a size in pixels, for figures, which must not depend on the screen.
QFont sized(QFont font, int pixels, bool bold = false);
// Returns the application's font, for cells of tables.
QFont bold_font(bool bold);

}  // namespace iosx
