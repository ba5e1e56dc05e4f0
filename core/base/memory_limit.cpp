#include "core/base/memory_limit.h"

#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <limits>
#include <new>

#include "core/base/parallel.h"

namespace iosx {
namespace {

constexpr std::int64_t kNoLimit = std::numeric_limits<std::int64_t>::max();
constexpr double kMegabyte = 1e6;

std::int64_t limit_bytes() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kNoLimit;
  return static_cast<std::int64_t>(std::min<rlim_t>(limit.rlim_cur, static_cast<rlim_t>(kNoLimit)));
}

// Without allocating: this is asked where there is no memory. -1: not known.
std::int64_t held_bytes() {
  std::FILE* const file = std::fopen("/proc/self/statm", "r");
  if (file == nullptr) return -1;
  long pages = 0;
  const bool read = std::fscanf(file, "%ld", &pages) == 1;  // NOLINT(cert-err34-c): the kernel's own number
  std::fclose(file);
  return read ? pages * sysconf(_SC_PAGESIZE) : -1;
}

using Line = std::array<char, 200>;

void say(Line& line) {
  const std::int64_t limit = limit_bytes();
  const std::int64_t held = limit == kNoLimit ? -1 : held_bytes();
  if (held < 0) {
    std::snprintf(line.data(), line.size(), "there is not enough memory (use a smaller batch or network)");
    return;
  }
  std::snprintf(line.data(), line.size(),
                "there is not enough memory: %.0f MB are taken of the %.0f MB that ulimit -v allows "
                "(allow more, or use a smaller batch or network)",
                static_cast<double>(held) / kMegabyte, static_cast<double>(limit) / kMegabyte);
}

void on_no_memory() {
  if (!shares_work) throw std::bad_alloc();
  Line line{};
  say(line);
  std::fprintf(stderr, "%s: %s\n", program_invocation_short_name, line.data());
  _exit(1);
}

}  // namespace

std::int64_t address_space_left() {
  const std::int64_t limit = limit_bytes();
  if (limit == kNoLimit) return kNoLimit;
  const std::int64_t held = held_bytes();
  return held < 0 ? kNoLimit : std::max<std::int64_t>(limit - held, 0);
}

std::string out_of_memory_text() {
  Line line{};
  say(line);
  return line.data();
}

void give_back_memory() { malloc_trim(0); }

void end_where_memory_is_out() { std::set_new_handler(on_no_memory); }

}  // namespace iosx
