#include "core/search/lazy/planner.h"

namespace iosx {
namespace {

using Candidate = LazyPart::Candidate;

constexpr double kGain = 1e-3;         // of a part's cost: a plan that brings less brings nothing
constexpr std::size_t kPatience = 25;  // stages that bring nothing, before a part's plans end
constexpr std::size_t kMorePatience = 1000;

// Arbitrary, but always the same: about normal with variance 1.
double noise(std::uint64_t seed, std::uint64_t number) {
  double sum = 0;
  std::uint64_t state = seed * 0x9E3779B97F4A7C15ULL + number * 0xD1B54A32D192ED03ULL;
  state = (state ^ (state >> 29)) * 0xBF58476D1CE4E5B9ULL;
  state ^= state >> 32;
  for (int part = 0; part < 4; ++part) sum += static_cast<double>((state >> (16 * part)) & 0xFFFF) / 65535.0;
  return (sum - 2.0) * 1.7320508;  // a sum of four uniform ones has variance 1/3
}

}  // namespace

Planner::Planner(LazyState& state, LazyProgress& progress, double discount)
    : state_(state),
      progress_(progress),
      discount_(discount),
      courses_(state.parts.size(), {.best = std::numeric_limits<double>::infinity(), .finished = 0}) {}

Result<void> Planner::plan() {
  while (!state_.stopped()) {
    std::vector<std::size_t> open;
    for (std::size_t p = 0; p < state_.parts.size(); ++p) {
      if (!is_finished(p)) open.push_back(p);
    }
    const LazyState::Paths paths = state_.paths_of(open, [&](const LazyPart& part, Candidate c) {
      return part.known(c) ? part.answer(c) : part.predicted(c) * (1 - discount_);
    });
    const std::vector<LazyState::Wanted> wanted = unknown_on(paths);
    for (const std::size_t p : open) {
      const auto news = static_cast<std::size_t>(std::ranges::count(wanted, p, &LazyState::Wanted::part));
      courses_[p].since += news;
      if (news > 0) continue;
      courses_[p].finished = state_.parts[p].version();
      courses_[p].first = state_.first_overhead(state_.parts[p]);
    }
    if (wanted.empty()) break;
    IOS_TRY(const auto measured, measure(state_, progress_, wanted));
    if (!measured) break;
    for (const std::size_t p : open) {
      if (paths[p]) note_cost(p, *paths[p]);
    }
  }
  progress_.note_best();
  return {};
}

Result<void> Planner::attempt(std::uint64_t seed) {
  const double error = state_.knowledge.usual_error();
  auto wanted = unknown_on(state_.paths_of(state_.all_parts(), [&](const LazyPart& part, Candidate c) {
    if (part.known(c)) return part.answer(c);
    const double off = std::clamp(1 + error * noise(seed, c), 0.5, 1.5);
    return part.predicted(c) * (1 - discount_) * off;
  }));
  if (wanted.empty()) return {};
  IOS_TRY(measure(state_, progress_, std::move(wanted)));
  return {};
}

bool Planner::is_finished(std::size_t p) const {
  const Course& course = courses_[p];
  const LazyPart& part = state_.parts[p];
  return course.since >= (state_.options.effort.longer ? kMorePatience : kPatience) ||
         (course.finished == part.version() && course.first == state_.first_overhead(part));
}

// Returns the unmeasured stages on these paths, by part. The parts next to them see these paths from then on.
std::vector<LazyState::Wanted> Planner::unknown_on(const LazyState::Paths& paths) {
  std::vector<LazyState::Wanted> wanted;
  for (std::size_t p = 0; p < state_.parts.size(); ++p) {
    if (!paths[p]) continue;
    for (const Candidate c : paths[p]->stages) {
      if (!state_.parts[p].known(c)) wanted.push_back({p, c});
    }
    for (const PartId part : state_.parts[p].parts()) state_.last_width[part.index()] = paths[p]->last;
  }
  return wanted;
}

void Planner::note_cost(std::size_t p, const LazyPart::Path& path) {
  const LazyPart& part = state_.parts[p];
  const double cost = part.known_cost(path, state_.first_overhead(part), state_.knowledge.overhead()).count();
  Course& course = courses_[p];
  if (cost < course.best * (1 - kGain)) course.since = 0;
  course.best = std::min(course.best, cost);
}

}  // namespace iosx
