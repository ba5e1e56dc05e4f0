#pragma once

#include <filesystem>

namespace iosx {

// Returns the folder of the program iosx, from which what belongs to it is looked for: that of the program which runs,
// or, where another program (Python) has loaded this code as a library, the one that was built or installed with the
// library.
std::filesystem::path program_folder();

}  // namespace iosx
