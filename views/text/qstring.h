#pragma once

#include <QString>
#include <string_view>

#include "core/base/printable.h"

namespace iosx {

// Of text in UTF-8, as tables in core hold it.
inline QString qstring(std::string_view text) {
  return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

// Of a name from a file, for whoever looks at it.
inline QString shown_name(std::string_view name) { return qstring(printable(name)); }

}  // namespace iosx
