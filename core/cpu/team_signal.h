#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace iosx {

// Cores exchange cache lines in pairs of 64 bytes: what different threads write is kept this far apart.
inline constexpr std::size_t kCacheLinePair = 128;

// A counter that threads wait on: for a while by watching it, then asleep. What was written before advance() is visible
// after wait_past(). Only one thread at a time may advance; any number may wait.
class Signal {
 public:
  std::uint32_t count() const { return word_.load(std::memory_order_acquire) >> 1; }
  void advance();
  // Returns when count() is no longer `seen`; sleeps if that takes longer than `spin`.
  void wait_past(std::uint32_t seen, std::chrono::nanoseconds spin);

 private:
  bool watch(std::uint32_t seen, std::chrono::nanoseconds spin) const;

  // The count in the upper 31 bits (compared for equality only, so that it may wrap); the lowest bit says that somebody
  // sleeps and must be woken, so that the common case costs no system call.
  std::atomic<std::uint32_t> word_{0};
};

}  // namespace iosx
