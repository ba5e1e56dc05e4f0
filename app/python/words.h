#pragma once

#include <string>
#include <string_view>

namespace iosx::python {

// Core's messages use the command line's options, "give a larger --budget". Returns one in Python's words: "give a
// larger budget=", "shapes={'x': (1, 3, 64, 64)}" for "--shape x=1x3x64x64". Quoted text stays.
std::string in_python(std::string_view text);

}  // namespace iosx::python
