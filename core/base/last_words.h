#pragma once

#include <filesystem>
#include <string>

// The end of a program's output, which usually says why the program ended.
namespace iosx {

// Returns the last lines of a text as one printable line of about 300 bytes at most. Where the last line alone is
// longer, it returns the line's beginning.
std::string last_lines(const std::string& text);
// Returns the same for a file; an empty text where the file cannot be read.
std::string last_words(const std::filesystem::path& file);

}  // namespace iosx
