#include "core/search/lazy/lazy_progress.h"

#include <utility>

#include "core/base/parallel.h"

namespace iosx {
namespace {

constexpr double kLooking = 0.05;  // of the time, for bounds and tasks on the way

}  // namespace

void LazyProgress::note_best() {
  const Millis best = certificates_.known();
  if (state_.best > Millis(0) && best >= state_.best && !state_.report.history.empty()) return;
  state_.best = best;
  state_.report.history.push_back(now());
  if (!look_closer() || !watch_) return tell();
  const Seconds begin = state_.knowledge.elapsed();
  const Schedule better = best_schedule_();
  looking_ += state_.knowledge.elapsed() - begin;
  tell(&better);
}

void LazyProgress::note_best_anew() {
  state_.best = Millis(0);
  note_best();
}

void LazyProgress::tell(const Schedule* better) const {
  if (!watch_) return;
  SearchMoment moment = now();
  if (!state_.report.history.empty()) moment.bound = state_.report.history.back().bound;
  watch_(moment, state_.report.tasks, better);
}

void LazyProgress::tell_end(Millis found, Millis bound) {
  state_.best = found;
  state_.report.history.push_back(now());
  state_.report.history.back().bound = bound;
  if (watch_) watch_(state_.report.history.back(), state_.report.tasks, nullptr);
}

SearchMoment LazyProgress::now() const {
  return {state_.knowledge.elapsed(), state_.latencies.tally().needed, state_.best};
}

// Bound and tasks as they are now, as often as that takes a small part of the time.
bool LazyProgress::look_closer() {
  const Seconds begin = state_.knowledge.elapsed();
  if (looking_ > kLooking * begin) return false;
  state_.report.history.back().bound = state_.is_cut() ? Millis(0) : certificates_.bound();
  state_.report.tasks = tasks();
  looking_ += state_.knowledge.elapsed() - begin;
  return true;
}

std::vector<SearchTask> LazyProgress::tasks() {
  std::vector<SearchTask> tasks(state_.parts.size());
  parallel_for(state_.parts.size(), [&](std::size_t p) {
    LazyPart& part = state_.parts[p];
    tasks[p].parts = part.parts();
    tasks[p].cost = certificates_.known_of(part, state_.first_overhead(part));
    tasks[p].least = certificates_.estimate_of(part, state_.first_overhead(part));
    tasks[p].measured = static_cast<std::int64_t>(part.answered().size());
    tasks[p].candidates = static_cast<std::int64_t>(part.problem().candidates.size());
  });
  return tasks;
}

std::vector<double> LazyProgress::worth() const {
  const std::vector<SearchTask>& tasks = state_.report.tasks;
  std::vector<double> worth;
  for (std::size_t p = 0; p < state_.parts.size(); ++p) {
    const LazyPart& part = state_.parts[p];
    double each = 0;
    if (p < tasks.size()) {
      each = (tasks[p].cost - tasks[p].least).count();
    } else {
      for (const UnitId unit : part.part_graph().units()) each += state_.knowledge.unit_ms(unit);
    }
    worth.push_back(static_cast<double>(part.parts().size()) * each);
  }
  return worth;
}

Result<bool> measure(LazyState& state, const LazyProgress& progress, std::vector<LazyState::Wanted> wanted) {
  state.report_progress();
  progress.tell();
  return state.knowledge.measure(state.parts, std::move(wanted), progress.worth());
}

}  // namespace iosx
