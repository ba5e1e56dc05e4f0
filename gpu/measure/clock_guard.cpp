#include "gpu/measure/clock_guard.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <thread>
#include <utility>

namespace iosx::gpu {
namespace {

constexpr std::size_t kClocksKept = 4096;

double median_of(std::vector<double> clocks) {
  const auto middle = clocks.begin() + static_cast<std::ptrdiff_t>(clocks.size() / 2);
  std::nth_element(clocks.begin(), middle, clocks.end());
  return *middle;
}

}  // namespace

ClockGuard::ClockGuard(Runtime& runtime, const Options& options) : runtime_(runtime), options_(options) {}

double ClockGuard::measure() {
  const double clock = runtime_.clock_mhz();
  return std::isfinite(clock) && clock > 0 ? clock : 0;
}

bool ClockGuard::warm_up(FunctionRef<void()> work, const JobContext& job) {
  const auto begin = now();
  const bool warm = used_ && begin - last_use_ < options_.idle;
  double before = 0;
  for (bool settled = warm; !settled;) {
    work_for_a_step(work, job);
    if (job.stopped()) return false;
    const double clock = measure();
    const bool steady = clock == 0 || std::abs(clock - before) <= options_.settled * before;
    const auto elapsed = now() - begin;
    settled = elapsed >= options_.warm_up_max || (steady && elapsed >= options_.warm_up_min);
    before = clock;
  }
  settled_mhz_ = std::max(settled_mhz_, before);
  last_use_ = now();
  used_ = true;
  return !job.stopped();
}

void ClockGuard::follow(double clock_mhz) {
  recent_[next_recent_++ % recent_.size()] = clock_mhz;
  settled_mhz_ = std::max(settled_mhz_, median_of({recent_.begin(), recent_.end()}));
}

void ClockGuard::work_for_a_step(FunctionRef<void()> work, const JobContext& job) {
  const auto begin = now();
  do {
    if (job.stopped()) return;
    work();
  } while (now() - begin < options_.step);
}

bool ClockGuard::rises(FunctionRef<void()> work, const JobContext& job) {
  const auto begin = now();
  double low = std::numeric_limits<double>::infinity();
  double high = 0;
  while (now() - begin < options_.recovery) {
    work_for_a_step(work, job);
    if (job.stopped()) return false;
    const double clock = measure();
    if (clock == 0 || !is_low(clock)) return true;
    low = std::min(low, clock);
    high = std::max(high, clock);
  }
  // It is steady: the GPU does this work at that clock, possibly because it needs more power than earlier work.
  if (low >= (1 - options_.steady) * high) of_work_mhz_ = high;
  return false;
}

bool ClockGuard::sample_counts(FunctionRef<void()> work, const JobContext& job) {
  const double clock = measure();
  last_use_ = now();
  if (clock == 0) return true;
  follow(clock);
  if (!is_below(clock, settled_mhz_)) of_work_mhz_ = 0;
  if (is_low(clock) && pauses_in_a_row_ < options_.max_pauses && discarded_in_a_row_ < options_.max_discarded) {
    ++discarded_;
    ++discarded_in_a_row_;
    const bool risen = rises(work, job);
    last_use_ = now();
    if (risen || of_work_mhz_ > 0) return false;
    ++pauses_in_a_row_;
    if (options_.sleep) {
      options_.sleep(options_.pause);
    } else {
      std::this_thread::sleep_for(options_.pause);
    }
    return false;
  }
  if (is_below(clock, settled_mhz_)) {
    throttled_ = true;
    if (of_work_mhz_ > 0) discarded_in_a_row_ /= 2;
  } else {
    pauses_in_a_row_ /= 2;
    discarded_in_a_row_ /= 2;
  }
  if (clocks_.size() < kClocksKept) {
    clocks_.push_back(clock);
  } else {
    clocks_[next_clock_++ % kClocksKept] = clock;
  }
  return true;
}

double ClockGuard::take_clock_mhz() {
  if (clocks_.empty()) return 0;
  return median_of(std::exchange(clocks_, {}));
}

}  // namespace iosx::gpu
