#include "core/model/edit/path_text.h"

#include <fmt/format.h>

#include <cstddef>
#include <span>

namespace iosx {
namespace {

std::string arrows(std::span<const std::string> names) {
  std::string made;
  for (const std::string& name : names) made += fmt::format("{}'{}'", made.empty() ? "" : " → ", name);
  return made;
}

}  // namespace

Message path_text(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 7;
  constexpr std::size_t kEachEnd = 3;
  const std::span all(names);
  if (names.size() <= kMost) return verbatim(arrows(all));
  return message("{} → … {} more … → {}", arrows(all.first(kEachEnd)), names.size() - 2 * kEachEnd,
                 arrows(all.last(kEachEnd)));
}

}  // namespace iosx
