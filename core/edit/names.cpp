#include "core/edit/names.h"

#include <fmt/format.h>

namespace iosx {

Names::Names(const EditableGraph& graph) {
  taken_.reserve(graph.operators().size() + graph.units().size());
  for (const auto& [key, op] : graph.operators()) reserve(op->name);
  for (const auto& [key, unit] : graph.units()) reserve(unit->name);
}

std::string Names::unique(std::string_view name) {
  if (!name.empty() && taken_.emplace(name).second) return std::string(name);
  const std::size_t stem = name.find_last_not_of("0123456789") + 1;  // 0: nothing but digits
  return numbered(stem == 0 || stem == name.size() ? fmt::format("{}_", name) : std::string(name.substr(0, stem)));
}

std::string Names::numbered(std::string_view stem) {
  std::size_t& number = last_[std::string(stem)];
  std::string made;
  do made = fmt::format("{}{}", stem, ++number);
  while (!taken_.insert(made).second);
  return made;
}

}  // namespace iosx
