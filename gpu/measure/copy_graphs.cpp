#include "gpu/measure/copy_graphs.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "core/base/check.h"
#include "gpu/exec/enqueue.h"

namespace iosx::gpu {
namespace {

constexpr TimerId kFirst{0};
constexpr TimerId kFirstEnd{1};
constexpr TimerId kLastBegin{2};
constexpr TimerId kLast{3};
static_assert(kFirstPlanTimer > 3);
constexpr Millis kLongPass{10};

// Returns by what to multiply the copies: less than what is missing, because launch costs are in the time, at least 2.
int growth(Millis time, Millis at_least) {
  constexpr double kMost = CopyGraphs::kMaxCopies;
  const double missing = time.count() > 0 ? std::min(at_least / time, kMost) : kMost;
  return static_cast<int>(std::bit_floor(static_cast<unsigned>(std::max(missing, 2.0))));
}

}  // namespace

std::unique_ptr<CapturedGraph> capture_work(Runtime& runtime, FunctionRef<void()> enqueue) {
  runtime.begin_capture(kOrigin);
  try {
    enqueue();
    return runtime.end_capture(kOrigin);
  } catch (...) {
    runtime.abandon_capture(kOrigin);
    throw;
  }
}

CopyGraphs::CopyGraphs(Runtime& runtime, EnqueueCopies enqueue) : runtime_(&runtime), enqueue_(enqueue) {
  enqueue_(1);  // the library loads and compiles now what must not happen during a capture
  runtime_->synchronize(kOrigin);
  once_ = capture_work(*runtime_, [&] { enqueue_(1); });
}

CopyGraphs::CopyGraphs(Runtime& runtime, EnqueueCopies enqueue, int copies, std::function<void()> before)
    : runtime_(&runtime), enqueue_(enqueue), before_(std::move(before)), copies_(std::clamp(copies, 1, kMaxCopies)) {
  once_ = capture_work(*runtime_, [&] { enqueue_(copies_); });
}

Millis CopyGraphs::replay() {
  if (before_) before_();
  runtime_->begin_clock(kOrigin);
  runtime_->mark(kFirst, kOrigin);
  runtime_->launch(kOrigin, *once_);
  runtime_->mark(kLast, kOrigin);
  runtime_->end_clock(kOrigin);
  runtime_->synchronize(kOrigin);
  return runtime_->between(kFirst, kLast);
}

Millis CopyGraphs::shortest_replay() { return std::min({replay(), replay(), replay()}); }

bool CopyGraphs::grow(Millis at_least, const JobContext& job) {
  while (true) {
    if (job.stopped()) return false;
    const Millis time = shortest_replay();
    long_ = time >= kLongPass;
    if (time >= at_least || copies_ >= kMaxCopies) break;
    copies_ = std::min(copies_ * growth(time, at_least), kMaxCopies);
    once_ = capture_work(*runtime_, [&] { enqueue_(copies_); });
  }
  if (job.stopped()) return false;
  twice_ = capture_work(*runtime_, [&] { enqueue_(2 * copies_); });
  runtime_->launch(kOrigin, *twice_);
  runtime_->synchronize(kOrigin);
  return true;
}

CopyGraphs::Sample CopyGraphs::sample() {
  IOS_CHECK(twice_ != nullptr);
  reversed_ = !reversed_;
  if (!long_) runtime_->launch(kOrigin, *twice_);
  if (before_) before_();
  runtime_->begin_clock(kOrigin);
  runtime_->mark(kFirst, kOrigin);
  runtime_->launch(kOrigin, reversed_ ? *twice_ : *once_);
  runtime_->mark(kFirstEnd, kOrigin);
  if (before_) before_();
  runtime_->mark(kLastBegin, kOrigin);
  runtime_->launch(kOrigin, reversed_ ? *once_ : *twice_);
  runtime_->mark(kLast, kOrigin);
  runtime_->end_clock(kOrigin);
  runtime_->synchronize(kOrigin);
  Millis once = runtime_->between(kFirst, kFirstEnd);
  Millis twice = runtime_->between(kLastBegin, kLast);
  if (reversed_) std::swap(once, twice);
  return {.per_copy = (twice - once) / copies_, .took = once + twice};
}

}  // namespace iosx::gpu
