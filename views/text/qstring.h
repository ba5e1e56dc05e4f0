#pragma once

#include <QString>
#include <string_view>

#include "core/base/printable.h"

namespace iosx {

// Converts text in UTF-8, as tables in core hold it.
inline QString qstring(std::string_view text) {
  return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

// Returns a name from a file as it is shown: what printable() leaves of it.
inline QString shown_name(std::string_view name) { return qstring(printable(name)); }

}  // namespace iosx
