#pragma once

#include <QString>
#include <string_view>

namespace iosx {

// Of text in UTF-8, as tables in core hold it.
inline QString qstring(std::string_view text) {
  return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

}  // namespace iosx
