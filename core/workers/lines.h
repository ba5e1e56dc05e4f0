#pragma once

#include <cstddef>
#include <optional>
#include <stop_token>
#include <string>

#include "core/base/result.h"

namespace iosx {

// No line that program and worker say to each other is longer. Weights come in pieces; the outputs of a run and the
// timeline of one are the longest.
inline constexpr std::size_t kMostLineBytes = std::size_t{256} << 20;

// Reads lines from a descriptor of any kind.
class Lines {
 public:
  explicit Lines(int input) : input_(input) {}
  // Returns the next line without its end; nothing once there are no more, or a stop was wanted. The error is a line of
  // more than kMostLineBytes, after which nothing can be read.
  Result<std::optional<std::string>> next(const std::stop_token& stop);

 private:
  int input_;
  std::string unread_;
};

}  // namespace iosx
