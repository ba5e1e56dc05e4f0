#pragma once

#include <unordered_map>
#include <unordered_set>

#include "core/base/message.h"
#include "core/base/result.h"
#include "core/model/edit/editable_graph.h"

namespace iosx {

// Makes unique names.
class Names {
 public:
  Names() = default;
  // The names of the graph's operators and units are taken.
  explicit Names(const EditableGraph& graph);

  void reserve(std::string_view name) { taken_.emplace(name); }
  bool taken(const std::string& name) const { return taken_.contains(name); }
  // Returns and reserves the name itself if it is free; otherwise with the next free number in place of its own
  // ("conv3" after "conv2") or appended ("conv_1" after "conv", "branch1x1_1" after "branch1x1").
  std::string unique(std::string_view name);
  // Always with a number: "conv1", then "conv2".
  std::string numbered(std::string_view stem);

 private:
  std::unordered_set<std::string> taken_;
  std::unordered_map<std::string, std::size_t> last_;  // last number by stem
};

// Returns an error for a name that is empty or too long.
Result<void> check_name(const std::string& name);

// Returns the names in single quotes with arrows between; for many, the first and last ones.
Message path_text(const std::vector<std::string>& names);

}  // namespace iosx
