#include "core/search/lazy/polish.h"

namespace iosx {
namespace {

using Candidate = LazyPart::Candidate;

constexpr int kMostPolished = 40;

class Changes {
 public:
  Changes(const LazyPart& part, const LazyPart::Path& path, const InterStageOverhead& overhead, double hope)
      : part_(part), path_(path), overhead_(overhead), hope_(hope) {}

  std::vector<Candidate> run() && {
    for (std::size_t i = 0; i < path_.stages.size(); ++i) {
      split(i);
      if (i + 1 == path_.stages.size()) continue;
      const UnitSet first = part_.ending(path_.stages[i]);
      const UnitSet second = part_.ending(path_.stages[i + 1]);
      consider(i, i + 2, {first | second});
      for (UnitSet rest = first; rest != 0; rest &= rest - 1) {  // one unit later
        const UnitSet unit = singleton(first_of(rest));
        if ((part_.part_graph().successors(first_of(rest)) & first) == 0)
          consider(i, i + 2, {first ^ unit, second | unit});
      }
      for (UnitSet rest = second; rest != 0; rest &= rest - 1) {  // one unit earlier
        const UnitSet unit = singleton(first_of(rest));
        if ((part_.part_graph().predecessors(first_of(rest)) & second) == 0) {
          consider(i, i + 2, {first | unit, second ^ unit});
        }
      }
    }
    return {found_.begin(), found_.end()};
  }

 private:
  // In two: a group by itself, before or after the others, or all units with a predecessor in the stage after the rest;
  // or one unit first or last.
  void split(std::size_t i) {
    const UnitSet stage = part_.ending(path_.stages[i]);
    if (size_of(stage) < 2) return;
    std::set<UnitSet> firsts;
    for (UnitSet rest = stage; rest != 0; rest &= rest - 1) {
      const std::size_t u = first_of(rest);
      const UnitSet group = part_.part_graph().component(stage, u);
      firsts.insert({group, stage ^ group});
      if ((part_.part_graph().predecessors(u) & stage) == 0) firsts.insert(singleton(u));
      if ((part_.part_graph().successors(u) & stage) == 0) firsts.insert(stage ^ singleton(u));
      firsts.insert(part_.part_graph().ancestors(u) & stage);
    }
    for (const UnitSet first : firsts) {
      if (first != 0 && first != stage) consider(i, i + 1, {first, stage ^ first});
    }
  }

  // Stages [begin, end) of the path replaced by these, of which empty ones are none.
  void consider(std::size_t begin, std::size_t end, std::initializer_list<UnitSet> endings) {
    double before = 0;
    for (std::size_t i = begin; i < end; ++i)
      before += part_.answer(path_.stages[i]) + gap(before_stage(i), part_.width(path_.stages[i]));
    std::vector<Candidate> stages;
    std::optional<StageWidth> last = before_stage(begin);
    double after = 0;
    for (const UnitSet ending : endings) {
      if (ending == 0) continue;
      const auto candidate = cheaper(ending);
      if (!candidate) return;
      after += hoped(*candidate) + gap(last, part_.width(*candidate));
      last = part_.width(*candidate);
      stages.push_back(*candidate);
    }
    if (end < path_.stages.size()) {
      const StageWidth next = part_.width(path_.stages[end]);
      before += gap(before_stage(end), next);
      after += gap(last, next);
    }
    if (after >= before) return;
    for (const Candidate c : stages) {
      if (!part_.known(c)) found_.insert(c);
    }
  }

  std::optional<Candidate> cheaper(UnitSet ending) const {
    const auto one = part_.find(ending, Strategy::kConcurrent);
    const auto merged = part_.find(ending, Strategy::kMerge);
    if (!one || !merged) return one ? one : merged;
    return hoped(*merged) < hoped(*one) ? merged : one;
  }

  double hoped(Candidate c) const { return part_.known(c) ? part_.answer(c) : hope_ * part_.predicted(c); }
  std::optional<StageWidth> before_stage(std::size_t i) const {
    return i == 0 ? std::nullopt : std::optional(part_.width(path_.stages[i - 1]));
  }
  // Before the first stage nothing is known: the same for all.
  double gap(std::optional<StageWidth> last, StageWidth next) const {
    return last ? overhead_.before(last, next).count() : 0;
  }

  const LazyPart& part_;
  const LazyPart::Path& path_;
  const InterStageOverhead& overhead_;
  double hope_;
  std::set<Candidate> found_;
};

constexpr int kMostRefined = 30;  // times that the choice is made anew, in case it goes to and fro

// Gives joined parts their current cost, on average.
void apply_joined_costs(SearchTask& task, const SearchResult& found, const std::set<PartId>& joined) {
  if (std::ranges::none_of(task.parts, [&](PartId part) { return joined.contains(part); })) return;
  task.cost = Millis(0);
  for (const PartId part : task.parts) task.cost += found.parts[part.index()].cost;
  task.cost /= static_cast<double>(task.parts.size());
  task.least = std::min(task.least, task.cost);
}

}  // namespace

std::vector<Candidate> promising_changes(const LazyPart& part, const LazyPart::Path& path,
                                         const InterStageOverhead& overhead, double hope) {
  return Changes(part, path, overhead, hope).run();
}

Result<void> Polisher::polish(double hope) {
  for (int turn = 0; turn < kMostPolished && !state_.stopped(); ++turn) {
    const LazyState::Paths best = state_.known_paths();
    std::vector<std::vector<Candidate>> found(state_.parts.size());
    parallel_for(state_.parts.size(), [&](std::size_t p) {
      if (best[p]) found[p] = promising_changes(state_.parts[p], *best[p], state_.knowledge.overhead(), hope);
    });
    std::vector<LazyState::Wanted> wanted;
    for (std::size_t p = 0; p < state_.parts.size(); ++p) {
      for (const Candidate c : found[p]) wanted.push_back({p, c});
    }
    if (wanted.empty()) break;
    IOS_TRY(measure(state_, progress_, std::move(wanted)));
  }
  progress_.note_best();
  return {};
}

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

bool Gap::is_closed() {
  const std::optional<double>& epsilon = state_.options.effort.epsilon;
  if (!epsilon || state_.is_cut()) return true;
  std::vector<LazyState::Wanted> wanted;
  return state_.best <= certificates_.bound(&wanted) * (1 + *epsilon) || wanted.empty();
}

Result<void> Gap::close() {
  const std::optional<double>& epsilon = state_.options.effort.epsilon;
  while (epsilon && !state_.is_cut() && !state_.stopped()) {
    std::vector<LazyState::Wanted> wanted;
    const Millis least = certificates_.bound(&wanted);
    if (wanted.empty() || state_.best <= least * (1 + *epsilon)) break;
    IOS_TRY(measure(state_, progress_, std::move(wanted)));
    progress_.note_best();
  }
  return {};
}

LazyReport Gap::certify(const SearchResult& found, const CutParts& cut) {
  LazyReport& report = state_.report;
  report.candidates = static_cast<std::int64_t>(state_.candidates());
  report.bound = cut.parts.empty() ? certificates_.bound() : certificates_.bound_beside(cut.parts, cut.bound);
  const auto gap = [&](Millis bound) {
    return bound > Millis(0) ? std::max(0.0, found.stage_sum / bound - 1) : std::numeric_limits<double>::infinity();
  };
  report.certified_gap = gap(report.bound);
  report.estimated_gap =
      cut.parts.empty() ? gap(std::max(report.bound, certificates_.estimate())) : report.certified_gap;
  state_.knowledge.fill_in(report);
  report.tasks = progress_.tasks();
  for (SearchTask& task : report.tasks) apply_joined_costs(task, found, cut.parts);
  progress_.tell_end(found.stage_sum, report.bound);
  return report;
}

}  // namespace iosx
