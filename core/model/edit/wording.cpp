#include "core/model/edit/wording.h"

#include <fmt/format.h>

namespace iosx {

std::string Wording::text() const {
  std::string made;
  std::size_t from = 0;
  for (const std::string& fill : fills) {
    const std::size_t at = pattern.find("{}", from);
    if (at == std::string_view::npos) break;
    made += pattern.substr(from, at - from);
    made += fill;
    from = at + 2;
  }
  made += pattern.substr(from);
  return made;
}

std::string path_text(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 7;
  constexpr std::size_t kEachEnd = 3;
  std::string made;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names.size() > kMost && i == kEachEnd) {
      made += fmt::format(" → … {} more …", names.size() - 2 * kEachEnd);
      i = names.size() - kEachEnd;
    }
    made += fmt::format("{}'{}'", made.empty() ? "" : " → ", names[i]);
  }
  return made;
}

}  // namespace iosx
