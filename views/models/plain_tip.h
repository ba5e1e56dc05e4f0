#pragma once

#include <QString>
#include <QTextDocument>

namespace iosx {

// A tool tip that shows its text as it is: Qt reads what looks like HTML as HTML, and names may look like anything.
inline QString plain_tip(const QString& text) {
  return Qt::mightBeRichText(text) ? Qt::convertFromPlainText(text) : text;
}

}  // namespace iosx
