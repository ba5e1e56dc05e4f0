#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/base/function_ref.h"
#include "core/base/result.h"

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

class Team;
class TeamWorker;

// The calling thread's place, which omp_get_thread_num() and related OpenMP functions return.
struct Seat {
  Team* team = nullptr;  // null: a thread without a team, which counts as a team of one
  int index = 0;         // in the innermost parallel region
  int threads = 1;       // of the innermost parallel region
  bool forked = false;   // inside a region of several threads; nested regions get one thread
};

// Threads of a pool that work together. Each member runs on its own thread, all at the same time.
// NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding): keeps passed_, which all members watch, to itself
class Team {
 public:
  Team() = default;

  // Returns the calling thread's team; a team of one on threads outside a TeamPool.
  static Team& current();
  static const Seat& seat();

  int size() const { return size_; }

  // Calls function(i) for 0 <= i < n, each on its own thread, i = 0 on the calling one; returns when all have. n is
  // `threads` (0: all), but at most size(), and 1 inside a region of several threads. Rethrows the exception of the
  // lowest i. Call it on the team's master (which runs the pool's body) or inside a region.
  void parallel(int threads, FunctionRef<void(int)> function);

  // Waits, inside parallel(), for all threads of the innermost region, except those that ended by throwing.
  void barrier();

  // Returns how many regions of several threads ran. Read it between regions, on the master, or after the pool's run().
  std::uint64_t forks() const { return forks_; }

 private:
  friend class TeamPool;

  bool arrive();

  int size_ = 1;
  std::span<const std::unique_ptr<TeamWorker>> members_;  // all but the master, index 1 first
  Watch watch_;
  std::uint64_t forks_ = 0;
  // For the barrier: threads still to arrive this time, and every time.
  std::atomic<int> missing_{0};
  std::atomic<int> expected_{0};
  alignas(kCacheLinePair) Signal passed_;
};

// Pools with more threads than available_cores() neither spin nor pin.
struct TeamOptions {
  // How long an idle thread spins before it sleeps. Waking takes about 20 µs, as long as many kernels; spinning
  // keeps a processor busy, but yields to other programs.
  std::chrono::microseconds spin{200};
  // Binds each thread to one processor (see CorePin). run()'s caller is core 0 and has to bind itself after the pool is
  // made: new threads inherit its mask.
  bool pin = false;
};

// Owns threads for the lanes of a plan, one per core. Every run() groups them into teams anew.
//
// oneDNN reaches them through openmp.cpp. A primitive's number of threads is fixed when it is made, so make and
// execute primitives on teams of the same size: fewer threads would leave work undone, more would use missing scratch
// memory.
class TeamPool {
 public:
  // `cores` (1 to 1024) includes the thread that calls run(). Returns an error where the system gives too few threads.
  static Result<std::unique_ptr<TeamPool>> create(int cores, const TeamOptions& options = {});
  ~TeamPool();
  TeamPool(const TeamPool&) = delete;
  TeamPool& operator=(const TeamPool&) = delete;

  int cores() const { return static_cast<int>(teams_.size()); }

  // Calls body(t) for every team t on its master, all at the same time, t = 0 on the calling thread; returns when all
  // have. Sizes are at least 1, their sum at most cores(). Rethrows the exception of the lowest t. One run at a time; a
  // body may not call run().
  void run(std::span<const int> team_sizes, FunctionRef<void(int)> body);

 private:
  TeamPool(int cores, const TeamOptions& options);
  void seat_teams(std::span<const int> team_sizes);

  std::vector<std::unique_ptr<TeamWorker>> workers_;  // cores 1, 2, ...; the caller of run() is core 0
  std::vector<Team> teams_;                           // as many as there could be
  std::vector<int> masters_;                          // core of each team's master in the current run
  std::atomic<bool> running_{false};
};

}  // namespace iosx
