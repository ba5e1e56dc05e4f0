#pragma once

#include <string_view>

// These are the files of resources/report, compiled in.
namespace iosx::html {

extern const std::string_view kPage;  // with {{names}} of what stands in their places
extern const std::string_view kStyle;
extern const std::string_view kScript;

}  // namespace iosx::html
