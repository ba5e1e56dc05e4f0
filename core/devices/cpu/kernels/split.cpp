#include "core/devices/cpu/kernels/split.h"

#include <algorithm>

#include "core/devices/cpu/team.h"

namespace iosx::cpu {
namespace {

// The least elements per thread: its start takes about a microsecond.
constexpr std::int64_t kLeastWork = 16384;

}  // namespace

int threads_for(std::int64_t work) {
  const Seat& seat = Team::seat();
  if (seat.forked) return 1;
  return static_cast<int>(std::clamp<std::int64_t>(work / kLeastWork, 1, Team::current().size()));
}

void split(std::int64_t count, std::int64_t work, FunctionRef<void(std::int64_t, std::int64_t)> body) {
  if (count <= 0) return;
  const int threads = static_cast<int>(std::min<std::int64_t>(count, threads_for(work)));
  if (threads == 1) {
    body(0, count);
    return;
  }
  Team::current().parallel(threads, [&](int index) {
    const std::int64_t parts = Team::seat().threads;
    body(count * index / parts, count * (index + 1) / parts);
  });
}

}  // namespace iosx::cpu
