#pragma once

#include <QColor>
#include <QString>
#include <cstddef>

#include "views/style/operator_class.h"

namespace iosx {

// Our own colours, light and dark; colour-blind safe (after Okabe and Ito), never the only carrier of a meaning.
struct Theme {
  bool dark = false;
  QColor window;  // behind panels
  QColor canvas;  // behind drawings
  QColor panel;   // table and header backgrounds
  QColor text;
  QColor mutedText;
  QColor gridLine;
  QColor outline;
  QColor selection;  // outline of what is selected
  QColor selectionFill;
  QColor error;  // edge of an error message
  QColor errorFill;
  QColor simulated;  // the "simulated" badge
  QColor measured;   // the "measured" badge

  // One colour a schedule kind: "sequential", "greedy", any "ios-…", others.
  QColor schedule(const QString& name) const;
  // Fill of an operator by what it does (conv, merged conv, pooling, …).
  QColor operatorFill(OperatorClass what) const;
  // Fill of the n-th stage behind its operators; neighbours differ. Translucent and without a hue, so that it is never
  // taken for an operator's colour.
  QColor stageBand(std::size_t stage) const;
  // Colour that can be read on the fill.
  static QColor readableOn(const QColor& fill);

  static Theme light();
  static Theme darkTheme();
};

}  // namespace iosx
