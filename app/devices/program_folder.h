#pragma once

#include <filesystem>

namespace iosx {

// Returns the folder of the program iosx, the base of its other files: that of the running program, or, where another
// program (Python) has loaded this code as a library, that of the iosx built or installed with the library.
std::filesystem::path program_folder();

}  // namespace iosx
