#pragma once

#include <QString>
#include <string_view>

#include "core/base/printable.h"

namespace iosx {

// Converts text in UTF-8, as in core's tables.
inline QString qstring(std::string_view text) {
  return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

// Returns a name from a file for display: after printable().
inline QString shown_name(std::string_view name) { return qstring(printable(name)); }

}  // namespace iosx
