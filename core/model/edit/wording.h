#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace iosx {

// A sentence as a pattern with "{}" for each of the texts that fill it, so that a window can look the pattern up in its
// user's language. Names stay what they are.
struct Wording {
  std::string_view pattern;  // one of a fixed number of texts
  std::vector<std::string> fills = {};

  std::string text() const;  // in English
};

// The names in single quotes with arrows between; of many, the first and last ones.
std::string path_text(const std::vector<std::string>& names);

}  // namespace iosx
