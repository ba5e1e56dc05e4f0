#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace iosx {

// Cores exchange cache lines in pairs of 64 bytes: what different threads write is kept this far apart.
inline constexpr std::size_t kCacheLinePair = 128;

// Says how a thread waits before it sleeps: it looks so many times (some 20 nanoseconds each) and then, until `spin` is
// over, offers its processor to others between looks. A thread that stays on its own processor can look for longer:
// nobody it waits for needs that processor, and whoever gets it by an offer keeps it for a scheduler's tick,
// milliseconds in which the others wait.
struct Watch {
  static constexpr int kFewLooks = 50;
  static constexpr int kManyLooks = 3000;

  std::chrono::nanoseconds spin{0};
  int looks = kFewLooks;
};

// A signal is a counter that threads wait on: for a while by watching it, then asleep. What was written before
// advance() is visible after wait_past(). Only one thread at a time may advance; any number may wait.
class Signal {
 public:
  std::uint32_t count() const { return word_.load(std::memory_order_acquire) >> 1; }
  void advance();
  // Returns when count() is no longer `seen`; sleeps if that takes longer than `watch`.
  void wait_past(std::uint32_t seen, const Watch& watch);

 private:
  bool seen_past(std::uint32_t seen, const Watch& watch) const;

  // The count is in the upper 31 bits (compared for equality only, so that it may wrap); the lowest bit says that
  // somebody sleeps and must be woken, so that the common case costs no system call.
  std::atomic<std::uint32_t> word_{0};
};

}  // namespace iosx
