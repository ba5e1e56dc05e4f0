#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace iosx {

// Cores exchange cache lines in pairs of 64 bytes. Data that different threads write is kept this far apart.
inline constexpr std::size_t kCacheLinePair = 128;

// How a thread waits before it sleeps: it polls a number of times (about 20 ns each), then yields its processor
// between polls until `spin` is over. A thread bound to its own processor can poll for longer: no thread that it
// waits for needs that processor, and a yield can cost a scheduler tick, milliseconds in which the others wait.
struct Watch {
  static constexpr int kFewLooks = 50;
  static constexpr int kManyLooks = 3000;

  std::chrono::nanoseconds spin{0};
  int looks = kFewLooks;
};

// A counter that threads wait for, first by polling and then asleep. Writes before advance() are visible after
// wait_past(). One thread at a time may advance; any number may wait.
class Signal {
 public:
  std::uint32_t count() const { return word_.load(std::memory_order_acquire) >> 1; }
  void advance();
  // Returns when count() differs from `seen`; sleeps if that takes longer than `watch`.
  void wait_past(std::uint32_t seen, const Watch& watch);

 private:
  bool seen_past(std::uint32_t seen, const Watch& watch) const;

  // The upper 31 bits hold the count (compared for equality only, so it may wrap). The lowest bit says that a
  // thread sleeps and must be woken, so that the common case needs no system call.
  std::atomic<std::uint32_t> word_{0};
};

}  // namespace iosx
