#pragma once

#include <string>
#include <string_view>

namespace iosx::python {

// Messages of the core speak of the command line's options, "give a larger --budget". Returns one in Python's words:
// "give a larger budget=", "shapes={'x': (1, 3, 64, 64)}" of "--shape x=1x3x64x64". What stands in quotes stays.
std::string in_python(std::string_view text);

}  // namespace iosx::python
