#pragma once

#include <string_view>

namespace iosx::pytorch {

// Stands near the beginning of every file of a package, so that the next export knows what it may replace.
inline constexpr std::string_view kMark = "Written by iosx export-pytorch.";

}  // namespace iosx::pytorch
