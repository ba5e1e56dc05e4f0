#include "core/workers/lines.h"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace iosx {

Result<std::optional<std::string>> Lines::next(const std::stop_token& stop) {
  constexpr int kLookMillis = 50;  // between two looks whether a stop is wanted
  std::size_t looked_at = 0;
  while (!stop.stop_requested()) {
    const std::size_t end = unread_.find('\n', looked_at);
    if (std::min(end, unread_.size()) > kMostLineBytes) {
      return fail(message("a line of more than {} MiB", kMostLineBytes >> 20U));
    }
    if (end != std::string::npos) {
      std::string line = unread_.substr(0, end);
      unread_.erase(0, end + 1);
      return line;
    }
    looked_at = unread_.size();
    pollfd watched{input_, POLLIN, 0};
    const int ready = ::poll(&watched, 1, kLookMillis);
    if (ready == 0 || (ready < 0 && errno == EINTR)) continue;
    std::array<char, 1 << 16> bytes{};
    const ssize_t count = ready < 0 ? -1 : ::read(input_, bytes.data(), bytes.size());
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (count <= 0) return std::nullopt;
    unread_.append(bytes.data(), static_cast<std::size_t>(count));
  }
  return std::nullopt;
}

}  // namespace iosx
