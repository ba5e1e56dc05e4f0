#pragma once

#include <filesystem>
#include <string>

// What a program said last, which is most often why it ended.
namespace iosx {

// Returns the last lines of a text as one printable line of at most some 300 bytes: the reason comes last. Of a longer
// last line its beginning.
std::string last_lines(const std::string& text);
// Returns the same of a file; nothing where it cannot be read.
std::string last_words(const std::filesystem::path& file);

}  // namespace iosx
