#include "core/cpu/team.h"

#include <algorithm>
#include <utility>

#include "core/base/check.h"
#include "core/cpu/team_worker.h"

namespace iosx {
namespace {

Seat& own_seat() {
  thread_local Seat seat;
  return seat;
}

}  // namespace

SeatScope::SeatScope(const Seat& seat) : before_(std::exchange(own_seat(), seat)) {}

SeatScope::~SeatScope() { own_seat() = before_; }

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

// True for the last to come, who lets the others go on.
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

}  // namespace iosx
