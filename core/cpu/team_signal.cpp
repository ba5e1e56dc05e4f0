#include "core/cpu/team_signal.h"

#if defined(__x86_64__) || defined(__i386__)
#include <immintrin.h>
#endif

#include <thread>

namespace iosx {
namespace {

constexpr std::uint32_t kAsleep = 1;

// Looks at a counter, some 20 nanoseconds each, before a waiting thread begins to offer its processor to others, and
// between offers. If the thread that it waits for has no processor because other programs are busy, or because the
// system put both on the same one, only that helps.
constexpr int kLooks = 50;
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

bool Signal::watch(std::uint32_t seen, std::chrono::nanoseconds spin) const {
  using Clock = std::chrono::steady_clock;
  if (count() != seen) return true;
  if (spin.count() <= 0) return false;
  for (int look = 0; look < kLooks; ++look) {
    relax();
    if (count() != seen) return true;
  }
  const auto end = Clock::now() + spin;
  do {
    std::this_thread::yield();
    for (int look = 0; look < kLooksPerYield; ++look) {
      relax();
      if (count() != seen) return true;
    }
  } while (Clock::now() < end);
  return false;
}

void Signal::wait_past(std::uint32_t seen, std::chrono::nanoseconds spin) {
  if (watch(seen, spin)) return;
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
