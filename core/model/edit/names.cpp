#include "core/model/edit/names.h"

#include "core/base/json/json_view.h"

namespace iosx {
namespace {

constexpr std::string_view kDigits = "0123456789";

// Returns the begin of a name's number; its end without one. "3x3" and a name of digits alone are no such number: the
// copy of a branch1x1 is not branch1x2.
std::size_t number_at(std::string_view name) {
  const std::size_t at = name.find_last_not_of(kDigits) + 1;
  const bool size =
      at >= 2 && (name[at - 1] == 'x' || name[at - 1] == 'X') && kDigits.find(name[at - 2]) != kDigits.npos;
  return at == 0 || size ? name.size() : at;
}

std::string arrows(std::span<const std::string> names) {
  std::string made;
  for (const std::string& name : names) made += fmt::format("{}'{}'", made.empty() ? "" : " → ", name);
  return made;
}

}  // namespace

Names::Names(const EditableGraph& graph) {
  taken_.reserve(graph.operators().size() + graph.units().size());
  for (const auto& [key, op] : graph.operators()) reserve(op->name);
  for (const auto& [key, unit] : graph.units()) reserve(unit->name);
}

std::string Names::unique(std::string_view name) {
  if (!name.empty() && taken_.emplace(name).second) return std::string(name);
  const std::size_t number = number_at(name);
  return numbered(number == name.size() ? fmt::format("{}_", name) : std::string(name.substr(0, number)));
}

std::string Names::numbered(std::string_view stem) {
  std::size_t& number = last_[std::string(stem)];
  std::string made;
  do made = fmt::format("{}{}", stem, ++number);
  while (!taken_.insert(made).second);
  return made;
}

Result<void> check_name(const std::string& name) {
  if (name.empty()) return fail(message("a name cannot be empty"));
  if (name.size() > kMaxNameBytes) return fail(message("a name has at most {} bytes", kMaxNameBytes));
  return {};
}

Message path_text(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 7;
  constexpr std::size_t kEachEnd = 3;
  const std::span all(names);
  if (names.size() <= kMost) return verbatim(arrows(all));
  return message("{} → … {} more … → {}", arrows(all.first(kEachEnd)), names.size() - 2 * kEachEnd,
                 arrows(all.last(kEachEnd)));
}

}  // namespace iosx
