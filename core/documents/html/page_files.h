#pragma once

#include <string_view>

// The files of resources/report, compiled in.
namespace iosx::html {

extern const std::string_view kPage;  // with {{names}} as placeholders
extern const std::string_view kStyle;
extern const std::string_view kScript;

}  // namespace iosx::html
