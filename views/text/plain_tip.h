#pragma once

#include <QString>

namespace iosx {

// Returns a tool tip with unformatted text: Qt would read a text like HTML as HTML, and names may look like
// anything.
inline QString plain_tip(const QString& text) {
  if (!text.contains(QLatin1Char('<')) && !text.contains(QLatin1Char('&'))) return text;
  QString html = text.toHtmlEscaped();
  return QStringLiteral("<span>%1</span>").arg(html.replace(QLatin1Char('\n'), QStringLiteral("<br>")));
}

}  // namespace iosx
