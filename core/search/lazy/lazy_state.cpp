#include "core/search/lazy/lazy_state.h"

#include <numeric>

namespace iosx {

LazyState::LazyState(const Graph& graph, LatencySource& latencies, const SearchOptions& options, const JobContext& job,
                     const SpaceBudget& budget)
    : graph(graph),
      latencies(latencies),
      job(job),
      budget(budget),
      options(options),
      knowledge(graph, latencies, options.effort, job),
      last_width(graph.parts().size(), StageWidth::kOneLane) {}

bool LazyState::is_cut() const {
  return std::ranges::any_of(graph.parts(), [](const Part& part) { return part.continued; });
}

std::size_t LazyState::candidates() const {
  std::size_t count = 0;
  for (const LazyPart& part : parts) count += part.problem().candidates.size() * part.parts().size();
  return count;
}

std::int64_t LazyState::known_stages() const {
  std::int64_t count = 0;
  for (const LazyPart& part : parts) count += static_cast<std::int64_t>(part.answered().size());
  return count;
}

const InterStageOverhead::ByWidth& LazyState::first_overhead(const LazyPart& part) const {
  const PartId first = part.parts().front();
  if (first.index() == 0) return knowledge.overhead().first;
  return knowledge.overhead().between[static_cast<std::size_t>(last_width[first.index() - 1])];
}

std::vector<std::size_t> LazyState::all_parts() const {
  std::vector<std::size_t> all(parts.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

LazyState::Paths LazyState::known_paths() {
  constexpr double kNever = std::numeric_limits<double>::infinity();
  return paths_of(all_parts(),
                  [](const LazyPart& part, Candidate c) { return part.known(c) ? part.answer(c) : kNever; });
}

void LazyState::report_progress() const {
  const std::int64_t needed = latencies.tally().needed;
  job.report(best > Millis(0) ? message("planning: {} stages requested, best {:.3f} ms", needed, best.count())
                              : message("planning: {} stages requested", needed),
             0, 0);
}

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
