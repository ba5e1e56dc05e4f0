#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/formats/wire/plan_wire.h"

namespace iosx::test {

// Opens one graph by one name, nothing else.
inline GraphOpener only_opens(std::string_view name, std::shared_ptr<const Graph> graph) {
  return [name = std::string(name),
          graph = std::move(graph)](const std::string& wanted) -> Result<std::shared_ptr<const Graph>> {
    if (wanted == name) return graph;
    return fail(message("there is no such network"), wanted);
  };
}

}  // namespace iosx::test
