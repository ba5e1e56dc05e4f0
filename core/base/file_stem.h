#pragma once

#include <string>
#include <string_view>

namespace iosx {

// Returns the name in a form that can be part of a file name: letters, digits, '.', '_' and '-' stay, every other
// character becomes '-'. The result is never empty and never begins with a dot.
inline std::string file_stem(std::string_view name) {
  std::string stem(name);
  for (char& c : stem) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (!letter && !(c >= '0' && c <= '9') && c != '.' && c != '_' && c != '-') c = '-';
  }
  return stem.empty() || stem.front() == '.' ? "schedule" + stem : stem;
}

}  // namespace iosx
