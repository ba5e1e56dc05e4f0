#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace iosx {

// These say what is wrong with a text that nlohmann's parser refused after so many bytes with this message, without the
// bytes of the file, which may be anything; and where that is: "line 3, column 7".
std::string json_fault(std::string_view text, std::size_t bytes_read, const std::string& parser_message);
std::string line_and_column(std::string_view text, std::size_t bytes_read);

}  // namespace iosx
