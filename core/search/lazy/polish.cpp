#include "core/search/lazy/polish.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

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

}  // namespace iosx
