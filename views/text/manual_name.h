#pragma once

#include <string_view>

namespace iosx {

// The name, also in files, of a schedule made by hand here without another name; it is displayed in the user's language
// and with a number.
inline constexpr std::string_view kManualName = "Manual";

}  // namespace iosx
