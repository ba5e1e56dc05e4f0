#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace iosx {

// Says which of n things are connected, directly or not.
class Components {
 public:
  explicit Components(std::size_t n) : towards_(n) { std::iota(towards_.begin(), towards_.end(), std::size_t{0}); }

  void connect(std::size_t a, std::size_t b) {
    const std::size_t low = lowest(a);
    const std::size_t high = lowest(b);
    towards_[std::max(low, high)] = std::min(low, high);
  }
  // Returns the lowest one connected with it, or itself.
  std::size_t lowest(std::size_t i) {
    while (towards_[i] != i) i = towards_[i] = towards_[towards_[i]];
    return i;
  }

 private:
  std::vector<std::size_t> towards_;  // a lower one connected with it; itself for the lowest
};

}  // namespace iosx
