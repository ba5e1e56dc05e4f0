#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/base/function_ref.h"
#include "core/base/result.h"
#include "core/devices/cpu/team_signal.h"

namespace iosx {

class Team;
class TeamWorker;

// Says where the calling thread sits: what OpenMP's omp_get_thread_num() and so on answer.
struct Seat {
  Team* team = nullptr;  // null: a thread of no team, which counts as a team of one
  int index = 0;         // in the innermost parallel region
  int threads = 1;       // of the innermost parallel region
  bool forked = false;   // inside a region of several threads; further regions get one thread
};

// Gives the calling thread another seat for a while.
class SeatScope {
 public:
  explicit SeatScope(const Seat& seat);
  ~SeatScope();
  SeatScope(const SeatScope&) = delete;
  SeatScope& operator=(const SeatScope&) = delete;

 private:
  Seat before_;
};

// A team is some of a pool's threads that work together. Each member runs on a thread of its own, all at the same time.
// NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding): keeps passed_, which all members watch, to itself
class Team {
 public:
  Team() = default;

  // Returns the calling thread's team; a team of one on threads that no TeamPool runs.
  static Team& current();
  static const Seat& seat();

  int size() const { return size_; }

  // Calls function(i) for 0 <= i < n, each on its own thread, i = 0 on the calling one; returns when all have. n is
  // `threads` (0: as many as there are) but at most size(), and 1 inside a region of several threads. It throws what
  // the lowest i threw. It is called by the team's master (where the pool's body runs) or inside a region.
  void parallel(int threads, FunctionRef<void(int)> function);

  // Waits, inside parallel(), for all threads of the innermost region. Threads that left by throwing are not waited
  // for.
  void barrier();

  // Counts the regions of several threads so far. It is read between regions, by the master or after the pool's run().
  std::uint64_t forks() const { return forks_; }

 private:
  friend class TeamPool;

  bool arrive();

  int size_ = 1;
  std::span<const std::unique_ptr<TeamWorker>> members_;  // all but the master, index 1 first
  Watch watch_;
  std::uint64_t forks_ = 0;
  // These count, for the barrier, who still comes to it this time and every time.
  std::atomic<int> missing_{0};
  std::atomic<int> expected_{0};
  alignas(kCacheLinePair) Signal passed_;
};

// Pools with more threads than available_cores() neither watch nor pin.
struct TeamOptions {
  // An idle thread watches so long for work before it sleeps. Waking takes some 20 microseconds, as long as many
  // kernels; watching keeps a processor busy, though it yields to other programs.
  std::chrono::microseconds spin{200};
  // If set, each thread stays on one processor (see CorePin). run()'s caller is core 0 and has to pin itself, after the
  // pool is made: new threads inherit where they may run.
  bool pin = false;
};

// Owns threads for the lanes of a plan, one a core, that form other teams at every run().
//
// oneDNN reaches them through openmp.cpp. It fixes a primitive's number of threads when the primitive is made, so make
// and execute primitives on teams of the same size: fewer threads than planned would leave work undone, more would use
// scratch memory that is not there.
class TeamPool {
 public:
  // `cores` (1 to 1024) includes the thread that calls run(). It fails if the system gives no more threads.
  static Result<std::unique_ptr<TeamPool>> create(int cores, const TeamOptions& options = {});
  ~TeamPool();
  TeamPool(const TeamPool&) = delete;
  TeamPool& operator=(const TeamPool&) = delete;

  int cores() const { return static_cast<int>(teams_.size()); }

  // Calls body(t) for every team t on the team's master, all at the same time, t = 0 on the calling thread; returns
  // when all have. Sizes are at least 1, their sum at most cores(). It throws what the lowest t threw. There is one run
  // at a time; a body may not call run().
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
