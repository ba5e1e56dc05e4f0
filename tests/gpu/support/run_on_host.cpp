#include "tests/gpu/support/run_on_host.h"

#include "core/base/check.h"
#include "gpu/ops/kernels/dispatch.h"
#include "tests/support/prelude.h"

namespace iosx::gpu::test {
namespace {

// A grid's blocks and threads, one after another, blocks of rows in the order that the seed makes.
struct HostExecutor {
  kernels::Choice choice;
  std::optional<std::uint32_t> seed = {};

  template <class Functor>
  void each(const Functor& functor, std::int64_t steps) const {
    using Index = typename Functor::Index;
    const kernels::EachGrid grid(steps);
    const std::int64_t threads = grid.blocks * kernels::EachGrid::kThreads;
    for (std::int64_t thread = 0; thread < threads; ++thread) {
      kernels::each_step(functor, static_cast<Index>(steps), static_cast<Index>(thread), static_cast<Index>(threads));
    }
  }

  // Each block up to its next barrier, thread after thread.
  template <class Functor>
  void rows(const Functor& functor) const {
    constexpr int kThreads = kernels::RowsShape::kThreads;
    std::vector<typename Functor::Sum> sums(kThreads);
    const auto threads = [](const auto& body) {
      for (int thread = 0; thread < kThreads; ++thread) body(thread);
    };
    std::vector<std::int64_t> groups(static_cast<std::size_t>(functor.shape.groups()));
    std::iota(groups.begin(), groups.end(), 0);
    if (seed) std::ranges::shuffle(groups, std::mt19937(*seed));
    for (const std::int64_t group : groups) {
      threads([&](int thread) { kernels::rows_accumulate(functor, sums.data(), group, thread); });
      for (int half = functor.shape.lanes / 2; half > 0; half /= 2) {
        threads([&](int thread) { kernels::rows_combine(functor, sums.data(), group, half, thread); });
      }
      threads([&](int thread) { kernels::rows_finish(functor, sums.data(), group, thread); });
    }
  }

  // Each block phase after phase, with what it shares not set before.
  template <class Functor>
  void phases(const Functor& functor, std::int64_t blocks) const {
    IOS_CHECK(functor.shared_floats() * sizeof(float) <= 48 * 1024);
    std::vector<std::int64_t> order(static_cast<std::size_t>(blocks));
    std::iota(order.begin(), order.end(), 0);
    if (seed) std::ranges::shuffle(order, std::mt19937(*seed));
    for (const std::int64_t block : order) {
      std::vector<float> shared(static_cast<std::size_t>(functor.shared_floats()), NAN);
      for (int phase = 0; phase < Functor::kPhases; ++phase) {
        for (int thread = 0; thread < Functor::kThreads; ++thread) functor(phase, block, thread, shared.data());
      }
    }
  }
};

}  // namespace

void run_on_host(const KernelCall& call, const kernels::Choice& choice, std::optional<std::uint32_t> seed) {
  std::visit([&](const auto& one) { kernels::dispatch(one, HostExecutor{choice, seed}); }, call);
}

}  // namespace iosx::gpu::test
