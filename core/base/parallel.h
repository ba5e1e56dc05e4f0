#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>
#include <utility>
#include <vector>

namespace iosx {

// Whether this thread runs part of a parallel job; the other cores are then busy.
inline thread_local bool shares_work = false;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

// Returns how many threads a job may use: one per core, or 1 inside run_on_threads() with several threads.
inline std::size_t free_threads() {
  static const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());  // the system call is slow
  return shares_work ? 1 : cores;
}

// Calls work(0) … work(threads - 1) at the same time, each on its own thread and the first on the caller's. Returns
// when all have returned. `work` must not throw.
template <typename Work>
void run_on_threads(std::size_t threads, Work work) {
  const bool shared_before = std::exchange(shares_work, shares_work || threads > 1);
  {
    std::vector<std::jthread> others;
    for (std::size_t t = 1; t < threads; ++t) {
      others.emplace_back([&work, t] {
        shares_work = true;
        work(t);
      });
    }
    work(std::size_t{0});
  }
  shares_work = shared_before;
}

// Calls each of work(0) … work(count - 1) once on all free threads, and returns when all have returned. `work` must
// not throw. A thread takes `block` calls at a time; a block should take longer than a thread's start, about 50 µs.
template <typename Work>
void parallel_for(std::size_t count, Work work, std::size_t block = 1) {
  std::atomic<std::size_t> next{0};
  run_on_threads(std::min((count + block - 1) / block, free_threads()), [&](std::size_t /*thread*/) {
    for (std::size_t begin = next.fetch_add(block); begin < count; begin = next.fetch_add(block)) {
      for (std::size_t i = begin; i < std::min(begin + block, count); ++i) work(i);
    }
  });
}

}  // namespace iosx
