#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace iosx::wire {

// Encodes by RFC 4648, with padding.
std::string to_base64(std::string_view bytes);
// Returns none for a text that to_base64() would not write.
std::optional<std::string> from_base64(std::string_view text);

}  // namespace iosx::wire
