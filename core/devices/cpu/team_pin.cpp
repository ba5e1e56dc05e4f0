#include "core/devices/cpu/team_pin.h"

#include <utility>

#include "core/devices/cpu/cores.h"

#ifdef __linux__
#include <sched.h>
#endif

namespace iosx {

int available_cores() { return static_cast<int>(usable_cores().processors.size()); }

#ifdef __linux__

struct CorePin::Mask {
  cpu_set_t processors{};
};

CorePin::CorePin(int core) {
  auto before = std::make_unique<Mask>();
  if (sched_getaffinity(0, sizeof before->processors, &before->processors) != 0) return;
  const Cores cores = usable_cores();
  if (cores.rationed || core < 0 || static_cast<std::size_t>(core) >= cores.processors.size()) return;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(static_cast<std::size_t>(cores.processors[static_cast<std::size_t>(core)]), &one);
  if (sched_setaffinity(0, sizeof one, &one) == 0) before_ = std::move(before);
}

CorePin::~CorePin() {
  if (before_ != nullptr) sched_setaffinity(0, sizeof before_->processors, &before_->processors);
}

#else

struct CorePin::Mask {};

CorePin::CorePin(int) {}

CorePin::~CorePin() = default;

#endif

}  // namespace iosx
