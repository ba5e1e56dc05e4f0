#include "core/model/edit/gesture.h"

#include <vector>

namespace iosx {

Patch Gesture::finish(Wording sentence) && {
  std::vector<bool> used(graph_.units().size(), false);
  for (const auto& [key, op] : graph_.operators()) {
    const std::size_t unit = graph_.units().position(op->unit);
    if (unit < used.size()) used[unit] = true;
  }
  std::vector<UnitKey> empty;
  for (std::size_t i = 0; i < used.size(); ++i) {
    if (!used[i]) empty.push_back(graph_.units()[i].first);
  }
  for (const UnitKey unit : empty) graph_.remove(unit);
  return difference(before_, graph_, std::move(sentence));
}

}  // namespace iosx
