#pragma once

#include <QString>
#include <string_view>

#include "core/base/text.h"

namespace iosx {

// Converts text in UTF-8, as in core's tables.
inline QString qstring(std::string_view text) {
  return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

// Returns a name from a file for display: after printable().
inline QString shown_name(std::string_view name) { return qstring(printable(name)); }

// Returns a tool tip with unformatted text: Qt would read a text like HTML as HTML, and names may look like
// anything.
inline QString plain_tip(const QString& text) {
  if (!text.contains(QLatin1Char('<')) && !text.contains(QLatin1Char('&'))) return text;
  QString html = text.toHtmlEscaped();
  return QStringLiteral("<span>%1</span>").arg(html.replace(QLatin1Char('\n'), QStringLiteral("<br>")));
}

// Returns a text for a menu or a button, where "&" would underline the letter after it.
inline QString menu_text(QString text) { return text.replace(QLatin1Char('&'), QStringLiteral("&&")); }
// Likewise for a name, which may be long.
inline QString short_menu_text(const QString& name) {
  constexpr qsizetype kMost = 60;  // letters
  return menu_text(name.size() > kMost ? name.left(kMost / 2) + QChar(0x2026) + name.right(kMost / 2) : name);
}

}  // namespace iosx
