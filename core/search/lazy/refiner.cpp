#include "core/search/lazy/refiner.h"

#include <limits>
#include <set>

namespace iosx {
namespace {

using Candidate = LazyPart::Candidate;

constexpr int kMostRefined = 30;  // times that the choice is made anew, in case it goes to and fro

}  // namespace

Result<void> Refiner::run() {
  for (int turn = 0; turn < kMostRefined && state_.latencies.estimates_quickly() && !state_.job.stopped(); ++turn) {
    std::set<LazyState::Wanted> chosen;
    for (std::size_t p = 0; p < state_.parts.size(); ++p) {
      for (const Candidate c : state_.parts[p].on_known_paths(state_.knowledge.overhead())) chosen.insert({p, c});
    }
    IOS_TRY(const auto same, refine({chosen.begin(), chosen.end()}));
    if (!same) continue;
    const std::vector<LazyState::Wanted> rivals = this->rivals();
    if (rivals.empty() || state_.stopped()) break;
    IOS_TRY(refine(rivals));
  }
  return {};
}

// Returns whether the latencies are unchanged.
Result<bool> Refiner::refine(const std::vector<LazyState::Wanted>& wanted) {
  state_.report_progress();
  IOS_TRY(const auto answers, state_.knowledge.refined(state_.parts, wanted));
  bool same = true;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const double ms = answers[i].value.count();
    same = same && state_.parts[wanted[i].part].answer(wanted[i].candidate) == ms;
    apply(wanted[i], ms);
  }
  return same;
}

// Stages of which a quick estimate is all that is known, and with which a schedule may be the best for all that it
// tells: those of the cheapest one where each costs as little as its samples allow.
std::vector<LazyState::Wanted> Refiner::rivals() {
  constexpr double kNever = std::numeric_limits<double>::infinity();
  const LazyState::Paths paths = state_.paths_of(state_.all_parts(), [](const LazyPart& part, Candidate c) {
    return part.known(c) ? part.answer(c) - part.slack(c) : kNever;
  });
  std::vector<LazyState::Wanted> rivals;
  for (std::size_t p = 0; p < state_.parts.size(); ++p) {
    if (!paths[p]) continue;
    for (const Candidate c : paths[p]->stages) {
      if (state_.parts[p].slack(c) > 0) rivals.push_back({p, c});
    }
  }
  return rivals;
}

// Bounds are made of units' latencies and are checked by all others.
void Refiner::apply(const LazyState::Wanted& wanted, double ms) {
  LazyPart& part = state_.parts[wanted.part];
  const bool differs = !part.known(wanted.candidate) || part.answer(wanted.candidate) != ms;
  part.set_answer(wanted.candidate, ms);
  if (!differs) return;
  if (part.facts(wanted.candidate).units > 1) return state_.knowledge.audit(part, wanted.candidate, ms);
  const std::size_t at = first_of(part.ending(wanted.candidate));
  for (const PartId member : part.parts()) {
    state_.knowledge.set_unit_ms(state_.graph.part(member).units[at], ms);
  }
  state_.knowledge.give_times(part);
}

}  // namespace iosx
