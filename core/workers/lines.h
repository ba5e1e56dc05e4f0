#pragma once

#include <cstddef>
#include <optional>
#include <stop_token>
#include <string>

#include "core/base/result.h"

namespace iosx {

// The longest line between program and worker. Weights are sent in pieces; the longest lines are outputs and
// timelines of runs.
inline constexpr std::size_t kMostLineBytes = std::size_t{256} << 20;

// Reads lines from a descriptor of any kind.
class Lines {
 public:
  explicit Lines(int input) : input_(input) {}
  // Returns the next line without its end; none at the end of input or after a stop. Returns an error for a line of
  // more than kMostLineBytes, after which nothing can be read.
  Result<std::optional<std::string>> next(const std::stop_token& stop);

 private:
  int input_;
  std::string unread_;
};

}  // namespace iosx
