#include "core/analysis/explain/kernel_wait.h"

#include <limits>

#include "core/base/check.h"
#include "core/model/plan/needs.h"

namespace iosx {

KernelWait::For KernelWait::what() const {
  if (!need && !before) return For::kNothing;
  // A kernel on the same lane may be needed: then its lane is not what it waited for.
  return need && needs_ended >= lane_free ? For::kNeed : For::kLane;
}

std::optional<KernelId> KernelWait::last() const {
  switch (what()) {
    case For::kNeed: return need;
    case For::kLane: return before;
    case For::kNothing: break;
  }
  return std::nullopt;
}

KernelWaits::KernelWaits(const ExecutionPlan& plan, const Trace& trace)
    : plan_(plan), needs_(needs_of(plan)), lanes_(plan.lane_count()), spans_(plan.kernels.size(), nullptr) {
  IOS_CHECK(plan.barrier_free);
  for (std::size_t k = 0; k < plan.kernels.size(); ++k) {
    std::vector<KernelId>& lane = lanes_[plan.kernels[k].lane];
    places_.push_back(lane.size());
    lane.emplace_back(k);
  }
  for (const KernelSpan& span : trace.kernels) spans_[span.kernel.index()] = &span;
}

Micros KernelWaits::end_of(KernelId kernel) const {
  const KernelSpan* const span = spans_[kernel.index()];
  return span == nullptr ? Micros{0} : span->end;
}

std::optional<KernelWait> KernelWaits::of(KernelId kernel) const {
  const KernelSpan* const span = spans_[kernel.index()];
  if (span == nullptr) return std::nullopt;
  KernelWait wait{.kernel = kernel, .begin = span->begin, .need = {}, .before = {}, .earlier = {}};
  for (const KernelId need : needs_[kernel.index()]) {
    if (wait.need && end_of(need) <= wait.needs_ended) continue;
    wait.need = need;
    wait.needs_ended = end_of(need);
  }
  if (const std::size_t place = places_[kernel.index()]; place > 0) {
    wait.before = lanes_[plan_.kernel(kernel).lane][place - 1];
    wait.lane_free = end_of(*wait.before);
  }
  if (wait.what() == KernelWait::For::kNeed) add_need_earlier(wait);
  if (wait.what() == KernelWait::For::kLane) add_lane_earlier(wait);
  return wait;
}

// It would then wait for what else it needs, or for its lane.
void KernelWaits::add_need_earlier(KernelWait& wait) const {
  Micros next = wait.before == wait.need ? Micros{0} : wait.lane_free;
  for (const KernelId need : needs_[wait.kernel.index()]) {
    if (need != *wait.need) next = std::max(next, end_of(need));
  }
  if (next >= wait.needs_ended) return;
  wait.earlier.push_back({.by = EarlierStart::By::kNeed, .kernel = *wait.need, .most = wait.needs_ended - next});
}

void KernelWaits::add_lane_earlier(KernelWait& wait) const {
  const std::size_t own = plan_.kernel(wait.kernel).lane;
  const KernelSpan& span = *spans_[wait.kernel.index()];
  const Micros takes = span.end - span.begin;
  EarlierStart other{.by = EarlierStart::By::kLane, .most = Micros{0}};
  for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
    if (lane == own) continue;
    Micros free{0};
    const auto look_until = [&](Micros next) {  // the lane is idle from `free` on
      const Micros start = std::max(free, wait.needs_ended);
      const Micros earlier = wait.lane_free - start;
      if (start + takes > next || earlier <= other.most) return;
      other.lane = lane;
      other.most = earlier;
    };
    for (const KernelId each : lanes_[lane]) {
      if (spans_[each.index()] == nullptr) continue;
      look_until(spans_[each.index()]->begin);
      free = std::max(free, spans_[each.index()]->end);
    }
    look_until(Micros{std::numeric_limits<double>::infinity()});
  }
  if (other.most > Micros{0}) wait.earlier.push_back(other);
  const std::size_t place = places_[wait.before->index()];
  const Micros start = std::max(wait.needs_ended, place > 0 ? end_of(lanes_[own][place - 1]) : Micros{0});
  if (start >= wait.lane_free) return;
  wait.earlier.push_back({.by = EarlierStart::By::kOrder, .kernel = *wait.before, .most = wait.lane_free - start});
}

}  // namespace iosx
