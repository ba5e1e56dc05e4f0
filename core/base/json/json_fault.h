#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace iosx {

// Describe what is wrong and where ("line 3, column 7") in a text that nlohmann's parser refused with `parser_message`
// after `bytes_read` bytes. They never quote the file, whose bytes may be anything.
std::string json_fault(std::string_view text, std::size_t bytes_read, const std::string& parser_message);
std::string line_and_column(std::string_view text, std::size_t bytes_read);

}  // namespace iosx
