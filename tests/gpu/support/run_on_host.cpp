#include "tests/gpu/support/run_on_host.h"

#include <cstdint>
#include <variant>

#include "core/base/check.h"
#include "gpu/ops/kernels/dispatch.h"
#include "gpu/ops/kernels/each.h"

namespace iosx::gpu::test {
namespace {

// A grid's blocks and threads, one after another.
struct HostExecutor {
  kernels::Choice choice;

  template <class Functor>
  void each(const Functor& functor, std::int64_t steps) const {
    using Index = typename Functor::Index;
    const kernels::EachGrid grid(steps);
    const std::int64_t threads = grid.blocks * kernels::EachGrid::kThreads;
    for (std::int64_t thread = 0; thread < threads; ++thread) {
      kernels::each_step(functor, static_cast<Index>(steps), static_cast<Index>(thread), static_cast<Index>(threads));
    }
  }
};

}  // namespace

void run_on_host(const KernelCall& call, const kernels::Choice& choice) {
  std::visit(
      [&](const auto& one) {
        if constexpr (requires { kernels::dispatch(one, HostExecutor{choice}); }) {
          kernels::dispatch(one, HostExecutor{choice});
        } else {
          throw Unsupported("a kernel that is not written yet");
        }
      },
      call);
}

}  // namespace iosx::gpu::test
