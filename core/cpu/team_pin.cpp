#include "core/cpu/team_pin.h"

#include <algorithm>
#include <thread>
#include <utility>

#ifdef __linux__
#include <sched.h>
#endif

namespace iosx {

#ifdef __linux__

struct CorePin::Mask {
  cpu_set_t processors{};
};

int available_cores() {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return std::max(1U, std::thread::hardware_concurrency());
  return std::max(1, CPU_COUNT(&allowed));
}

CorePin::CorePin(int core) {
  auto before = std::make_unique<Mask>();
  if (sched_getaffinity(0, sizeof before->processors, &before->processors) != 0) return;
  int skip = core;
  for (std::size_t processor = 0; processor < CPU_SETSIZE; ++processor) {
    if (!CPU_ISSET(processor, &before->processors) || skip-- != 0) continue;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(processor, &one);
    if (sched_setaffinity(0, sizeof one, &one) == 0) before_ = std::move(before);
    return;
  }
}

CorePin::~CorePin() {
  if (before_ != nullptr) sched_setaffinity(0, sizeof before_->processors, &before_->processors);
}

#else

struct CorePin::Mask {};

int available_cores() { return static_cast<int>(std::max(1U, std::thread::hardware_concurrency())); }

CorePin::CorePin(int) {}

CorePin::~CorePin() = default;

#endif

}  // namespace iosx
