#include "views/canvas/layout/names.h"

#include <algorithm>
#include <utility>

#include "core/base/printable.h"
#include "core/base/utf8.h"
#include "core/model/graph/networks.h"

namespace iosx::canvas {
namespace {

constexpr std::string_view kDots = "…";

TextWidth width_in(const FontWidths& widths) {
  return [&widths](std::string_view text) { return widths.width(text); };
}

// Returns the name without "PART." in front, which the frame around the box says already.
std::string without_part(const std::string& name, const std::string& part) {
  const bool prefixed =
      name.size() > part.size() + 1 && name.starts_with(part) && (name[part.size()] == '.' || name[part.size()] == '/');
  return prefixed ? name.substr(part.size() + 1) : name;
}

}  // namespace

std::string short_name(std::string_view name, std::size_t most) {
  if (name.size() <= most) return printable(name);
  return printable(name.substr(0, character_until(name, most / 2))) + std::string(kDots) +
         printable(name.substr(character_from(name, name.size() - most / 2)));
}

std::string shared_prefix(const Graph& graph) {
  if (graph.units().size() < 3) return {};
  std::string_view shared = graph.units().front().name;
  for (const Unit& unit : graph.units()) shared = shared.substr(0, common_length(shared, unit.name));
  const std::size_t joint = shared.find_last_of("/.:");
  return joint == std::string_view::npos ? std::string() : std::string(shared.substr(0, joint + 1));
}

std::vector<std::string> unit_titles(const Graph& graph, bool of_networks) {
  constexpr std::size_t kShort = 22;  // characters that fit beside a hint
  const std::size_t shared = shared_prefix(graph).size();
  std::vector<std::string> titles;
  for (std::size_t u = 0; u < graph.units().size(); ++u) {
    const Unit& unit = graph.units()[u];
    const std::string inner =
        of_networks ? std::string(own_name(graph, UnitId(u))) : without_part(unit.name, graph.part(unit.part).name);
    const std::string& rest = inner.size() < unit.name.size() - shared ? inner : unit.name.substr(shared);
    const bool hinted = !unit.hint.empty() && unit.hint != unit.name && rest.size() + unit.hint.size() < kShort;
    titles.push_back(printable(rest.empty() ? unit.name : rest));
    if (hinted) titles.back() += " " + printable(unit.hint);
  }
  return titles;
}

std::string elide_around(std::string_view text, std::size_t from, std::size_t to, double width,
                         const FontWidths& widths) {
  return iosx::elide_around(text, from, to, width, width_in(widths));
}

std::vector<std::string> fit_names(std::span<const std::string> names, std::span<const double> room,
                                   const FontWidths& widths) {
  return iosx::fit_names(names, room, width_in(widths));
}

std::vector<std::string> fit_family(std::span<const std::string> names, std::span<const double> room,
                                    const FontWidths& widths) {
  return iosx::fit_family(names, room, width_in(widths));
}

}  // namespace iosx::canvas
