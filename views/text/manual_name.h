#pragma once

#include <string_view>

namespace iosx {

// The name, in files too, of a schedule that is made by hand here and has no other; people see it in their language and
// with a number.
inline constexpr std::string_view kManualName = "Manual";

}  // namespace iosx
