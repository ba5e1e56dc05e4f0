#pragma once

#include <QColor>
#include <cstddef>

#include "core/model/graph/operator_class.h"
#include "core/model/schedule/schedule_table.h"

namespace iosx {

// Names the lines over a fill that tell it from another one where its colour cannot: printed in grey, say.
enum class Hatch { kNone, kRising, kFalling, kCrossed, kLevel };

// Holds our own colours, light and dark; they are colour-blind safe (after Okabe and Ito) and never the only carrier of
// a meaning.
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
  QColor selection;  // outline of what is selected
  QColor selectionFill;
  QColor error;  // edge of an error message
  QColor errorFill;
  QColor simulated;  // the "simulated" badge
  QColor measured;   // the "measured" badge
  QColor found;      // what a search found
  QColor running;    // operators that run at the time that is looked at
  QColor accent;     // the schedule in focus: the one that is shown, or the best one of a picture

  // Return the fill of a schedule: the accent where it is in focus, else a neutral grey, by what the table of schedules
  // says of its kind. Neighbours in lists differ in lightness; a label says which is which. No fill is near one of an
  // operator, whoever looks; greys are faint on the ground, so what must be seen by itself has an outline.
  QColor schedule(ColorRole role, bool focus = false) const;
  QColor schedule(ScheduleKind schedule_kind, bool focus = false) const {
    return schedule(row_of(schedule_kind).color, focus);
  }
  // Returns the colour of a schedule's line, at least 3 : 1 on every ground: of curves, edges and marks. Without focus
  // all lines have the same one; dashes and markers tell them apart.
  QColor scheduleLine(bool focus = false) const { return focus ? accent : text; }
  // Returns the fill of an operator by what it does: its contrast is at least 3 : 1 on every stage band.
  QColor operatorFill(OperatorClass what) const;
  // Returns what lies over that fill: nothing but on paper.
  Hatch operatorHatch(OperatorClass what) const;
  // Returns what lies over a kernel of several merged layers, which has its class's fill.
  Hatch mergedHatch() const { return paper ? Hatch::kCrossed : Hatch::kLevel; }
  // Returns the fill of the n-th stage behind its operators; neighbours differ. It is translucent and without a hue, so
  // that it is never taken for an operator's colour.
  QColor stageBand(std::size_t stage) const;
  // Returns a colour of text on the fill: the contrast is at least 4.5 : 1.
  static QColor readableOn(const QColor& fill);
  // Returns the contrast of opaque colours, from 1 to 21, as WCAG 2 has it.
  static double contrast(const QColor& a, const QColor& b);

  static Theme light();
  static Theme darkTheme();
  // Returns a theme that is light, and legible in grey: neighbouring schedules differ in lightness, operators in
  // lightness or hatching.
  static Theme paperTheme();
};

}  // namespace iosx
