#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace iosx::wire {

// Encodes as RFC 4648 says, with padding.
std::string to_base64(std::string_view bytes);
// Returns nothing where the text is not what to_base64() writes.
std::optional<std::string> from_base64(std::string_view text);

}  // namespace iosx::wire
