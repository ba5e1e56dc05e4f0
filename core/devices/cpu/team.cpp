#include "core/devices/cpu/team.h"

#include <algorithm>
#include <exception>
#include <system_error>
#include <thread>
#include <utility>

#include "core/base/check.h"
#include "core/devices/cpu/cores.h"

#if defined(__x86_64__) || defined(__i386__)
#include <immintrin.h>
#endif

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

Seat& own_seat() {
  thread_local Seat seat;
  return seat;
}

// Gives the calling thread another seat until the end of the scope.
class SeatScope {
 public:
  explicit SeatScope(const Seat& seat) : before_(std::exchange(own_seat(), seat)) {}
  ~SeatScope() { own_seat() = before_; }
  SeatScope(const SeatScope&) = delete;
  SeatScope& operator=(const SeatScope&) = delete;

 private:
  Seat before_;
};

constexpr int kMaxCores = 1024;
constexpr auto kNothing = [](int) {};

// Calls function(argument) on this thread in `seat`; returns the exception that it threw, if any.
std::exception_ptr call_seated(FunctionRef<void(int)> function, int argument, const Seat& seat) noexcept {
  const SeatScope scope(seat);
  try {
    function(argument);
  } catch (...) {
    return std::current_exception();
  }
  return nullptr;
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

// Owns one thread that does one task at a time. start() and finish() alternate; one thread at a time calls them.
class TeamWorker {
 public:
  static constexpr int kUnpinned = -1;

  // Throws std::system_error where the system gives no thread. `core` is the thread's processor, as in CorePin.
  TeamWorker(const Watch& watch, int core)
      : task_{kNothing, 0, {}, false}, watch_(watch), thread_([this, core] { work(core); }) {}
  ~TeamWorker() {
    post({kNothing, 0, {}, true});
    thread_.join();
  }
  TeamWorker(const TeamWorker&) = delete;
  TeamWorker& operator=(const TeamWorker&) = delete;

  // `function` must live until finish().
  void start(FunctionRef<void(int)> function, int argument, const Seat& seat) {
    post({function, argument, seat, false});
  }
  // Waits for the end of the task; returns the exception that it threw, if any.
  std::exception_ptr finish() {
    done_.wait_past(finished_, watch_);
    return error_ == nullptr ? nullptr : std::exchange(error_, nullptr);
  }

 private:
  struct Task {
    FunctionRef<void(int)> function;
    int argument;
    Seat seat;
    bool last;  // ends the thread
  };

  // The thread has finished its last task and the caller knows it, so no other thread uses task_.
  void post(const Task& task) {
    task_ = task;
    finished_ = done_.count();
    go_.advance();
  }

  void work(int core) {
    const CorePin pin(core);
    for (std::uint32_t tasks = 0;; ++tasks) {
      go_.wait_past(tasks & (UINT32_MAX >> 1), watch_);
      if (task_.last) return;
      error_ = call_seated(task_.function, task_.argument, task_.seat);
      done_.advance();
    }
  }

  // The caller writes these and the thread reads them: they share a cache line.
  alignas(kCacheLinePair) Signal go_;
  std::uint32_t finished_ = 0;  // count of done_ before the current task; for finish() only
  Task task_;
  // The thread writes these and the waiting caller reads them.
  alignas(kCacheLinePair) Signal done_;
  std::exception_ptr error_;
  const Watch watch_;
  std::thread thread_;
};

Team& Team::current() {
  static Team alone;  // never changes: a team of one keeps all its state in the thread's seat
  Team* const team = own_seat().team;
  return team == nullptr ? alone : *team;
}

const Seat& Team::seat() { return own_seat(); }

void Team::parallel(int threads, FunctionRef<void(int)> function) {
  const Seat seat = own_seat();
  const int n = seat.forked ? 1 : std::clamp(threads == 0 ? size_ : threads, 1, size_);
  if (n == 1) {
    const SeatScope scope({seat.team, 0, 1, seat.forked});
    function(0);
    return;
  }
  IOS_CHECK(seat.team == this);
  ++forks_;
  missing_.store(n, std::memory_order_relaxed);
  expected_.store(n, std::memory_order_relaxed);
  const auto member = [&](int index) {
    try {
      function(index);
    } catch (...) {
      expected_.fetch_sub(1, std::memory_order_relaxed);
      arrive();
      throw;
    }
  };
  for (int i = 1; i < n; ++i) members_[i - 1]->start(member, i, {this, i, n, true});
  std::exception_ptr error = call_seated(member, 0, {this, 0, n, true});
  for (int i = 1; i < n; ++i) {
    const std::exception_ptr other = members_[i - 1]->finish();
    if (error == nullptr) error = other;
  }
  if (error != nullptr) std::rethrow_exception(error);
}

// Returns true for the last to come, who lets the others go on.
bool Team::arrive() {
  if (missing_.fetch_sub(1, std::memory_order_acq_rel) != 1) return false;
  missing_.store(expected_.load(std::memory_order_relaxed), std::memory_order_relaxed);
  passed_.advance();
  return true;
}

void Team::barrier() {
  if (own_seat().threads == 1) return;
  const std::uint32_t before = passed_.count();
  if (!arrive()) passed_.wait_past(before, watch_);
}

Result<std::unique_ptr<TeamPool>> TeamPool::create(int cores, const TeamOptions& options) {
  if (cores < 1 || cores > kMaxCores) {
    return fail(message("{} is not a number of cores", cores), "CPU device", message("use 1 to {}", kMaxCores));
  }
  TeamOptions granted = options;
  if (cores > available_cores()) granted = {.spin = std::chrono::microseconds(0), .pin = false};
  try {
    return std::unique_ptr<TeamPool>(new TeamPool(cores, granted));
  } catch (const std::system_error& error) {
    return fail(message("cannot start {} threads: {}", cores - 1, error.what()), "CPU device",
                message("use fewer cores, or raise the limit on threads"));
  }
}

TeamPool::TeamPool(int cores, const TeamOptions& options) : teams_(static_cast<std::size_t>(cores)) {
  const Watch watch{options.spin, options.pin ? Watch::kManyLooks : Watch::kFewLooks};
  masters_.reserve(teams_.size());
  workers_.reserve(teams_.size() - 1);
  for (int core = 1; core < cores; ++core) {
    workers_.push_back(std::make_unique<TeamWorker>(watch, options.pin ? core : TeamWorker::kUnpinned));
  }
  for (Team& team : teams_) team.watch_ = watch;
}

TeamPool::~TeamPool() = default;

void TeamPool::seat_teams(std::span<const int> team_sizes) {
  masters_.clear();
  int core = 0;
  for (std::size_t t = 0; t < team_sizes.size(); ++t) {
    const int size = team_sizes[t];
    IOS_CHECK(size >= 1 && size <= cores() - core);
    teams_[t].size_ = size;
    teams_[t].members_ =
        std::span(std::as_const(workers_)).subspan(static_cast<std::size_t>(core), static_cast<std::size_t>(size - 1));
    masters_.push_back(core);
    core += size;
  }
}

void TeamPool::run(std::span<const int> team_sizes, FunctionRef<void(int)> body) {
  if (team_sizes.empty()) return;
  IOS_CHECK(!running_.exchange(true, std::memory_order_acquire));
  seat_teams(team_sizes);
  const auto seat = [&](int t) { return Seat{&teams_[static_cast<std::size_t>(t)], 0, 1, false}; };
  const int count = static_cast<int>(team_sizes.size());
  for (int t = 1; t < count; ++t) workers_[masters_[t] - 1]->start(body, t, seat(t));
  std::exception_ptr error = call_seated(body, 0, seat(0));
  for (int t = 1; t < count; ++t) {
    const std::exception_ptr other = workers_[masters_[t] - 1]->finish();
    if (error == nullptr) error = other;
  }
  running_.store(false, std::memory_order_release);
  if (error != nullptr) std::rethrow_exception(error);
}

}  // namespace iosx
