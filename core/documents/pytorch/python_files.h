#pragma once

#include <string_view>

namespace iosx::pytorch {

// The files of folder python/ as text.
extern const std::string_view kLanesSource;
extern const std::string_view kCheckSource;
extern const std::string_view kOrderSource;

}  // namespace iosx::pytorch
