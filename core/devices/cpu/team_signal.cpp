#include "core/devices/cpu/team_signal.h"

#if defined(__x86_64__) || defined(__i386__)
#include <immintrin.h>
#endif

#include <thread>

namespace iosx {
namespace {

constexpr std::uint32_t kAsleep = 1;

// Polls between two yields of the processor. If the awaited thread has no processor because other programs are busy,
// or both are on the same one, only yields help.
constexpr int kLooksPerYield = 10;

void relax() {
#if defined(__x86_64__) || defined(__i386__)
  _mm_pause();
#elif defined(__aarch64__)
  asm volatile("isb");
#else
  std::this_thread::yield();
#endif
}

}  // namespace

void Signal::advance() {
  // Meanwhile only the lowest bit can change.
  const std::uint32_t next = (word_.load(std::memory_order_relaxed) | kAsleep) + 1;
  if ((word_.exchange(next, std::memory_order_acq_rel) & kAsleep) != 0) word_.notify_all();
}

bool Signal::seen_past(std::uint32_t seen, const Watch& watch) const {
  using Clock = std::chrono::steady_clock;
  if (count() != seen) return true;
  if (watch.spin.count() <= 0) return false;
  for (int look = 0; look < watch.looks; ++look) {
    relax();
    if (count() != seen) return true;
  }
  const auto end = Clock::now() + watch.spin;
  do {
    std::this_thread::yield();
    for (int look = 0; look < kLooksPerYield; ++look) {
      relax();
      if (count() != seen) return true;
    }
  } while (Clock::now() < end);
  return false;
}

void Signal::wait_past(std::uint32_t seen, const Watch& watch) {
  if (seen_past(seen, watch)) return;
  std::uint32_t word = word_.load(std::memory_order_acquire);
  while (word >> 1 == seen) {
    const bool told =
        (word & kAsleep) != 0 || word_.compare_exchange_weak(word, word | kAsleep, std::memory_order_acq_rel);
    if (!told) continue;  // `word` is what is there now
    word_.wait(word | kAsleep, std::memory_order_acquire);
    word = word_.load(std::memory_order_acquire);
  }
}

}  // namespace iosx
