#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace iosx::wire {

// RFC 4648, with padding.
std::string to_base64(std::string_view bytes);
// Nothing where the text is not what to_base64() writes.
std::optional<std::string> from_base64(std::string_view text);

}  // namespace iosx::wire
