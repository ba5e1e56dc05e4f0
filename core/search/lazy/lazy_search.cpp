#include "core/search/lazy/lazy_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/base/parallel.h"
#include "core/model/schedule/baselines.h"
#include "core/search/ask_source.h"
#include "core/search/enumerate_part.h"
#include "core/search/lazy/certificates.h"
#include "core/search/lazy/isomorphic_parts.h"
#include "core/search/lazy/lazy_part.h"
#include "core/search/lazy/polish.h"
#include "core/search/lazy/stage_knowledge.h"
#include "core/search/lazy/windows.h"
#include "core/search/part_chain.h"

namespace iosx {
namespace {

using Candidate = LazyPart::Candidate;
using Path = LazyPart::Path;

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr std::array kDoubts{0.0, 0.01, 0.02};  // planned with predictions less that part
constexpr std::array kMoreDoubts{0.0, 0.01, 0.02, 0.04, 0.08};
constexpr int kAttempts = 2;  // with predictions off by their error, at random, after each doubt
constexpr int kMoreAttempts = 12;
constexpr double kGain = 1e-3;         // of a part's cost: a plan that brings less brings nothing
constexpr std::size_t kPatience = 25;  // stages that bring nothing, before a part's plans end
constexpr std::size_t kMorePatience = 1000;
constexpr SpaceBudget kWidened{.states = 200'000, .transitions = 3'000'000};  // a part, in a longer search
constexpr double kLooking = 0.05;  // of the time, for bounds and tasks on the way
constexpr double kHope = 0.97;     // of predictions: what changes are tried for
constexpr double kLastHope = 0.88;
constexpr int kMostRefined = 30;  // times that the choice is made anew, in case it goes to and fro
constexpr int kMostPolished = 40;
constexpr int kMostTurns = 10;

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

class LazySearch::Impl {
 public:
  Impl(const Graph& graph, LatencySource& latencies, const SearchOptions& options, const JobContext& job,
       const SearchWatch& watch, const SpaceBudget& budget)
      : graph_(graph),
        latencies_(latencies),
        options_(options),
        job_(job),
        watch_(watch),
        budget_(budget),
        knowledge_(graph, latencies, options.effort, job) {}

  Result<bool> enumerate() {
    if (!parts_.empty() || graph_.parts().empty()) return true;
    for (std::vector<PartId>& isomorphic : searched_as_one()) {
      job_.report(
          fmt::format("listing the stages of part {} of {}", isomorphic.front().index() + 1, graph_.parts().size()), 0,
          static_cast<std::int64_t>(graph_.units().size()));
      IOS_TRY(auto problem, enumerate_part(graph_, graph_.part(isomorphic.front()), options_, budget_, job_.stop));
      if (!problem) return parts_.clear(), false;
      parts_.emplace_back(graph_, std::move(isomorphic), *std::move(problem), knowledge_.kinds());
    }
    return true;
  }

  std::size_t candidates() const {
    std::size_t count = 0;
    for (const LazyPart& part : parts_) count += part.problem().candidates.size() * part.parts().size();
    return count;
  }

  Result<SearchResult> run() {
    IOS_TRY(const auto listed, enumerate());
    Result<void> done;
    if (listed) done = search();
    if (!done) return tl::unexpected(std::move(done.error()));
    SearchResult made = result();
    if (!knowledge_.has_units() || parts_.empty()) return made;
    IOS_TRY(join(made));
    made.lazy = certified(made);
    return made;
  }

 private:
  using Wanted = StageKnowledge::Wanted;  // of parts_

  // Isomorphic parts; a part that was given stages is like no other.
  std::vector<std::vector<PartId>> searched_as_one() const {
    std::set<PartId> apart;
    for (const std::vector<Stage>* given : {&options_.kept, &options_.offered}) {
      for (const Stage& stage : *given) {
        for (const UnitId unit : stage.units()) apart.insert(graph_.unit(unit).part);
      }
    }
    std::vector<std::vector<PartId>> groups;
    for (std::vector<PartId>& isomorphic : isomorphic_parts(graph_, knowledge_.kinds())) {
      for (const PartId part : isomorphic) {
        if (apart.contains(part)) groups.push_back({part});
      }
      std::erase_if(isomorphic, [&](PartId part) { return apart.contains(part); });
      if (!isomorphic.empty()) groups.push_back(std::move(isomorphic));
    }
    std::ranges::sort(groups);  // by the first of each
    return groups;
  }

  Result<void> search() {
    const auto known = knowledge_.measure_units();
    if (!known) return tl::unexpected(known.error());
    if (!*known || parts_.empty()) return {};
    last_width_.assign(graph_.parts().size(), StageWidth::kOneLane);
    for (LazyPart& part : parts_) knowledge_.give_units(part);
    split_unequal_units();
    if (auto done = measure_given(); !done) return done;
    if (options_.effort.budget > Seconds(0)) {
      if (auto done = measure_greedy(); !done) return done;
    }
    if (auto done = search_space(); !done) return done;
    while (options_.effort.longer && !stopped() && widen()) {
      const Millis before = best_;
      if (auto done = search_space(); !done) return done;
      if (best_ > before * (1 - kGain)) break;
    }
    if (stopped()) {
      report_.out_of_budget = !job_.stopped();
      return refine();
    }
    return {};
  }

  // However short the time, nothing worse than what was given, if that makes a schedule.
  Result<void> measure_given() {
    std::vector<Wanted> wanted;
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      for (const Candidate c : parts_[p].given()) {
        if (!parts_[p].known(c)) wanted.push_back({p, c});
      }
    }
    if (wanted.empty()) return {};
    IOS_TRY(measure(std::move(wanted)));
    return {};
  }

  // However short the time, nothing worse than running everything that is ready, as far as parts and s allow that.
  Result<void> measure_greedy() {
    const std::size_t most =
        options_.pruning.s > 0 ? std::min(options_.pruning.s, kDefaultMaxStreams) : kDefaultMaxStreams;
    const Schedule greedy = greedy_schedule(graph_, most);
    std::vector<LazyPart*> owners(graph_.parts().size(), nullptr);
    for (LazyPart& part : parts_) owners[part.parts().front().index()] = &part;
    IOS_TRY(const auto answers,
            ask_source(latencies_, Care::kQuickEstimate, greedy.stages, 0, 0, JobContext{job_.stop, {}}));
    for (std::size_t i = 0; i < answers.size(); ++i) {
      const std::vector<UnitId> units = greedy.stages[i].units();
      LazyPart* owner = owners[graph_.unit(units.front()).part.index()];
      if (owner == nullptr) continue;
      const auto candidate = owner->find(owner->part_graph().set(units), Strategy::kConcurrent);
      if (candidate && !owner->known(*candidate)) knowledge_.take(*owner, *candidate, answers[i]);
    }
    return {};
  }

  // Until nothing new is found among the stages that there are.
  Result<void> search_space() {
    const std::string words = search_words();
    bool planned = false;
    if (const auto noted = latencies_.searched_before(words)) {
      IOS_TRY(const auto known, take_known());
      planned = known >= *noted;
    }
    // What refines may differ from what the gap was closed with.
    for (int turn = 0; turn < kMostTurns && !stopped(); ++turn) {
      if (!std::exchange(planned, true)) {
        if (auto done = plan_and_polish(); !done) return done;
      }
      if (auto closed = close_gap(); !closed) return closed;
      if (auto refined = refine(); !refined) return refined;
      IOS_TRY(const auto split, split_unequal());
      note_best();
      planned = !split;
      if (planned && is_gap_closed()) break;
    }
    if (!stopped()) latencies_.note_searched(words, known_stages());
    return {};
  }

  // Stages of one unit more a group and two groups more, in parts of which there are not too many then. Whether there
  // are any.
  bool widen() {
    SearchOptions wide = options_;
    if (wide.pruning.r > 0) ++wide.pruning.r;
    if (wide.pruning.s > 0) wide.pruning.s += 2;
    bool any = false;
    for (LazyPart& part : parts_) {
      const std::vector<PartId> members = part.parts();
      report();
      auto wider = enumerate_part(graph_, graph_.part(members.front()), wide, kWidened, job_.stop);
      if (!wider || !*wider || (*wider)->candidates.size() == part.problem().candidates.size()) continue;
      LazyPart made(graph_, members, **std::move(wider), knowledge_.kinds());
      knowledge_.give_units(made);
      for (const Candidate c : part.answered()) {
        const StageCandidate& candidate = part.problem().candidates[c];
        const auto same = made.find(part.ending(c), candidate.strategy, candidate.given);
        if (same) made.set_answer(*same, part.answer(c), part.slack(c));
      }
      part = std::move(made);
      any = true;
    }
    if (any) {
      options_ = wide;
      report_.widened = wide.pruning;
    }
    return any;
  }

  // What is searched and how; whoever searches for the same asks for nothing new.
  std::string search_words() const {
    const SearchEffort& effort = options_.effort;
    return fmt::format("lazy 1, rule {}, r {}, s {}, strategies {}, longer {}, epsilon {}, seed {}; ",
                       static_cast<int>(options_.rule), options_.pruning.r, options_.pruning.s,
                       static_cast<int>(options_.strategies), effort.longer, effort.epsilon.value_or(-1), effort.seed) +
           words_of("kept", options_.kept) + words_of("offered", options_.offered) +
           text_of_parts(graph_, knowledge_.kinds());
  }
  static std::string words_of(std::string_view name, const std::vector<Stage>& stages) {
    std::string words;
    for (const Stage& stage : stages) {
      words += fmt::format("{} ", name);
      for (const Group& group : stage.groups) {
        for (const Step& step : group.steps) {
          for (const UnitId unit : step.units) words += fmt::format("{}+", unit.index());
          words += ",";
        }
        words += "|";
      }
      words += "; ";
    }
    return words;
  }

  std::int64_t known_stages() const {
    std::int64_t count = 0;
    for (const LazyPart& part : parts_) count += static_cast<std::int64_t>(part.answered().size());
    return count;
  }

  // An earlier search of the same came to its end: what is known is enough, if it is still known. How many that is.
  Result<std::int64_t> take_known() {
    constexpr std::size_t kAtOnce = 4096;
    for (LazyPart& part : parts_) {
      const auto count = static_cast<Candidate>(part.problem().candidates.size());
      for (Candidate next = 0; next < count && !stopped(); next += kAtOnce) {
        std::vector<Stage> stages;
        for (Candidate c = next; c < std::min<Candidate>(count, next + kAtOnce); ++c) {
          stages.push_back(part.stage(part.part_graph(), c));
        }
        IOS_TRY(const auto known, latencies_.known_latencies(stages));
        for (std::size_t i = 0; i < known.size(); ++i) {
          const Candidate c = next + static_cast<Candidate>(i);
          if (known[i] && !part.known(c)) knowledge_.take(part, c, *known[i]);
        }
      }
    }
    knowledge_.refit(parts_);
    return known_stages();
  }

  bool stopped() const { return knowledge_.stopped(); }

  // ---- Measuring ----

  // Parts that looked alike, but whose units take different times.
  void split_unequal_units() {
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      const std::vector<PartId> members = parts_[p].parts();
      for (std::size_t m = 1; m < members.size(); ++m) {
        const auto same = [&](UnitId a, UnitId b) { return knowledge_.unit_ms(a) == knowledge_.unit_ms(b); };
        if (!std::ranges::equal(graph_.part(members[0]).units, graph_.part(members[m]).units, same))
          split(p, members[m]);
      }
    }
  }

  void split(std::size_t p, PartId member) {
    LazyPart apart = parts_[p].split_off(graph_, member, knowledge_.kinds());
    knowledge_.give_units(apart);
    parts_.push_back(std::move(apart));
    courses_.emplace_back();
    best_ = Millis(0);
  }

  Result<bool> measure(std::vector<Wanted> wanted) {
    report();
    tell();
    return knowledge_.measure(parts_, std::move(wanted), worth());
  }

  // By part, in ms: how much of the run may be gained there, or what its units take as long as nobody knows.
  std::vector<double> worth() const {
    std::vector<double> worth;
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      const auto members = static_cast<double>(parts_[p].parts().size());
      double each = 0;
      if (p < report_.tasks.size()) {
        each = (report_.tasks[p].cost - report_.tasks[p].least).count();
      } else {
        for (const UnitId unit : parts_[p].part_graph().units()) each += knowledge_.unit_ms(unit);
      }
      worth.push_back(members * each);
    }
    return worth;
  }

  // ---- Planning ----

  // The overhead before a part's first stage, as the part before ends now.
  const InterStageOverhead::ByWidth& first_overhead(const LazyPart& part) const {
    const PartId first = part.parts().front();
    if (first.index() == 0) return knowledge_.overhead().first;
    return knowledge_.overhead().between[static_cast<std::size_t>(last_width_[first.index() - 1])];
  }

  Result<void> plan_and_polish() {
    last_width_.assign(graph_.parts().size(), StageWidth::kOneLane);
    knowledge_.refit(parts_);
    report();
    const bool longer = options_.effort.longer;
    const std::span<const double> doubts = longer ? std::span<const double>(kMoreDoubts) : kDoubts;
    std::uint64_t attempt = options_.effort.seed << 8;
    for (const double doubt : doubts) {
      courses_.assign(parts_.size(), {});
      if (auto done = plan(doubt); !done || stopped()) return done;
      if (auto done = polish(kHope); !done || stopped()) return done;
      for (int i = 0; i < (longer ? kMoreAttempts : kAttempts); ++i) {
        if (auto done = attempt_once(doubt, ++attempt); !done || stopped()) return done;
        if (auto done = plan(doubt); !done || stopped()) return done;
      }
    }
    return polish(kLastHope);
  }

  // How planning a part goes on with one doubt.
  struct Course {
    double best = kNever;   // ms, of the plans that were measured
    std::size_t since = 0;  // stages measured since a plan was better by kGain
    std::uint64_t finished =
        0;  // LazyPart::version() for which a plan held nothing new, and the overhead before the part
    InterStageOverhead::ByWidth first{};
  };
  bool is_finished(std::size_t p) const {
    const Course& course = courses_[p];
    return course.since >= (options_.effort.longer ? kMorePatience : kPatience) ||
           (course.finished == parts_[p].version() && course.first == first_overhead(parts_[p]));
  }

  // Until a plan with predictions less `doubt` holds nothing new, or brings nothing.
  Result<void> plan(double doubt) {
    while (!stopped()) {
      std::vector<std::size_t> open;
      for (std::size_t p = 0; p < parts_.size(); ++p) {
        if (!is_finished(p)) open.push_back(p);
      }
      const std::vector<std::optional<Path>> paths = paths_of(open, [&](const LazyPart& part, Candidate c) {
        return part.known(c) ? part.answer(c) : part.predicted(c) * (1 - doubt);
      });
      const std::vector<Wanted> wanted = unknown_on(paths);
      for (const std::size_t p : open) {
        const auto news = static_cast<std::size_t>(std::ranges::count(wanted, p, &Wanted::part));
        courses_[p].since += news;
        if (news > 0) continue;
        courses_[p].finished = parts_[p].version();
        courses_[p].first = first_overhead(parts_[p]);
      }
      if (wanted.empty()) break;
      IOS_TRY(const auto measured, measure(wanted));
      if (!measured) break;
      for (const std::size_t p : open) {
        if (!paths[p]) continue;
        const double cost = parts_[p].known_cost(*paths[p], first_overhead(parts_[p]), knowledge_.overhead()).count();
        if (cost < courses_[p].best * (1 - kGain)) courses_[p].since = 0;
        courses_[p].best = std::min(courses_[p].best, cost);
      }
    }
    note_best();
    return {};
  }

  // One plan with predictions that are off by their error, at random.
  Result<void> attempt_once(double doubt, std::uint64_t seed) {
    const double error = knowledge_.usual_error();
    auto wanted = unknown_on(paths_of(all_parts(), [&](const LazyPart& part, Candidate c) {
      if (part.known(c)) return part.answer(c);
      const double off = std::clamp(1 + error * noise(seed, c), 0.5, 1.5);
      return part.predicted(c) * (1 - doubt) * off;
    }));
    if (wanted.empty()) return {};
    IOS_TRY(measure(std::move(wanted)));
    return {};
  }

  // What nobody measured on these paths, by part, which are from now on what the parts beside them see.
  std::vector<Wanted> unknown_on(const std::vector<std::optional<Path>>& paths) {
    std::vector<Wanted> wanted;
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      if (!paths[p]) continue;
      for (const Candidate c : paths[p]->stages) {
        if (!parts_[p].known(c)) wanted.push_back({p, c});
      }
      for (const PartId part : parts_[p].parts()) last_width_[part.index()] = paths[p]->last;
    }
    return wanted;
  }

  std::vector<std::size_t> all_parts() const {
    std::vector<std::size_t> all(parts_.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    return all;
  }

  // The cheapest path of each of these parts; cost(part, candidate) in ms. By part, nothing for the others.
  template <typename Cost>
  std::vector<std::optional<Path>> paths_of(const std::vector<std::size_t>& which, Cost cost) {
    std::vector<std::optional<Path>> paths(parts_.size());
    parallel_for(which.size(), [&](std::size_t i) {
      LazyPart& part = parts_[which[i]];
      paths[which[i]] =
          part.cheapest(first_overhead(part), knowledge_.overhead(), [&](Candidate c) { return cost(part, c); });
    });
    return paths;
  }

  std::vector<std::optional<Path>> known_paths() {
    return paths_of(all_parts(),
                    [](const LazyPart& part, Candidate c) { return part.known(c) ? part.answer(c) : kNever; });
  }

  // Small changes of the best schedules, as long as one helps.
  Result<void> polish(double hope) {
    for (int turn = 0; turn < kMostPolished && !stopped(); ++turn) {
      const auto best = known_paths();
      std::vector<std::vector<Candidate>> found(parts_.size());
      parallel_for(parts_.size(), [&](std::size_t p) {
        if (best[p]) found[p] = promising_changes(parts_[p], *best[p], knowledge_.overhead(), hope);
      });
      std::vector<Wanted> wanted;
      for (std::size_t p = 0; p < parts_.size(); ++p) {
        for (const Candidate c : found[p]) wanted.push_back({p, c});
      }
      if (wanted.empty()) break;
      IOS_TRY(measure(std::move(wanted)));
    }
    note_best();
    return {};
  }

  // ---- Certificates ----

  // Across cuts nothing is certified but the longest path, which measuring does not raise.
  bool is_gap_closed() {
    std::vector<Wanted> wanted;
    return !options_.effort.epsilon || is_cut() ||
           best_ <= certificates_.bound(&wanted) * (1 + *options_.effort.epsilon) || wanted.empty();
  }

  // Measures what the cheapest conceivable schedule holds, until nothing conceivable is much better than what is known.
  Result<void> close_gap() {
    while (options_.effort.epsilon && !is_cut() && !stopped()) {
      std::vector<Wanted> wanted;
      const Millis least = certificates_.bound(&wanted);
      if (wanted.empty() || best_ <= least * (1 + *options_.effort.epsilon)) break;
      IOS_TRY(measure(std::move(wanted)));
      note_best();
    }
    return {};
  }

  // ---- The end ----

  // What was found for one of several isomorphic parts is measured for the others: nothing new, unless they are not
  // alike.
  Result<bool> split_unequal() {
    bool any = false;
    const auto best = known_paths();
    for (std::size_t p = 0; p < best.size(); ++p) {
      const std::vector<PartId> members = parts_[p].parts();
      if (members.size() < 2 || !best[p]) continue;
      for (std::size_t m = 1; m < members.size(); ++m) {
        const PartGraph units(graph_, graph_.part(members[m]).units);
        std::vector<Stage> stages;
        stages.reserve(best[p]->stages.size());
        for (const Candidate c : best[p]->stages) stages.push_back(parts_[p].stage(units, c));
        IOS_TRY(const auto answers,
                ask_source(latencies_, Care::kQuickEstimate, stages, 0, 0, JobContext{job_.stop, {}}));
        if (answers.size() < stages.size()) return any;
        for (std::size_t i = 0; i < stages.size(); ++i) {
          if (answers[i].value.count() == parts_[p].answer(best[p]->stages[i])) continue;
          split(p, members[m]);
          any = true;
          break;
        }
      }
    }
    return any;
  }

  // Measures what the choice rests on with care, until it rests on such measurements alone.
  Result<void> refine() {
    for (int turn = 0; turn < kMostRefined && latencies_.estimates_quickly() && !job_.stopped(); ++turn) {
      std::set<Wanted> chosen;
      for (std::size_t p = 0; p < parts_.size(); ++p) {
        for (const Candidate c : parts_[p].on_known_paths(knowledge_.overhead())) chosen.insert({p, c});
      }
      IOS_TRY(const auto same, refine_these({chosen.begin(), chosen.end()}));
      if (!same) continue;
      const std::vector<Wanted> rivals = this->rivals();
      if (rivals.empty() || stopped()) break;
      IOS_TRY(refine_these(rivals));
    }
    best_ = Millis(0);  // what was believed of it may have been luck
    note_best();
    return {};
  }

  // Whether the answers are what they were.
  Result<bool> refine_these(const std::vector<Wanted>& wanted) {
    report();
    IOS_TRY(const auto answers, knowledge_.refined(parts_, wanted));
    bool same = true;
    for (std::size_t i = 0; i < answers.size(); ++i) {
      const double ms = answers[i].value.count();
      same = same && parts_[wanted[i].part].answer(wanted[i].candidate) == ms;
      take_refined(wanted[i], ms);
    }
    return same;
  }

  // Stages of which a quick estimate is all that is known, and with which a schedule may be the best for all that it
  // tells: those of the cheapest one where each costs as little as its samples allow.
  std::vector<Wanted> rivals() {
    const auto paths = paths_of(all_parts(), [](const LazyPart& part, Candidate c) {
      return part.known(c) ? part.answer(c) - part.slack(c) : kNever;
    });
    std::vector<Wanted> rivals;
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      if (!paths[p]) continue;
      for (const Candidate c : paths[p]->stages) {
        if (parts_[p].slack(c) > 0) rivals.push_back({p, c});
      }
    }
    return rivals;
  }

  // Bounds are made of units and checked by all others.
  void take_refined(const Wanted& wanted, double ms) {
    LazyPart& part = parts_[wanted.part];
    if (part.known(wanted.candidate) && part.answer(wanted.candidate) == ms)
      return part.set_answer(wanted.candidate, ms);
    part.set_answer(wanted.candidate, ms);
    if (part.facts(wanted.candidate).units > 1) return knowledge_.audit(part, wanted.candidate, ms);
    const std::size_t at = first_of(part.ending(wanted.candidate));
    for (const PartId member : part.parts()) knowledge_.set_unit_ms(graph_.part(member).units[at], ms);
    knowledge_.give_times(part);
  }

  void note_best() {
    const Millis best = certificates_.known();
    if (best_ > Millis(0) && best >= best_ && !report_.history.empty()) return;
    best_ = best;
    report_.history.push_back(now());
    look_closer();
    tell();
  }

  SearchMoment now() const { return {knowledge_.elapsed(), latencies_.tally().needed, best_}; }
  void tell() const {
    if (watch_) watch_(report_.history.empty() ? now() : last_moment(), report_.tasks);
  }
  SearchMoment last_moment() const {
    SearchMoment moment = now();
    moment.bound = report_.history.back().bound;
    return moment;
  }

  // Bound and tasks as they are now, as often as that takes a small part of the time.
  void look_closer() {
    const Seconds begin = knowledge_.elapsed();
    if (looking_ > kLooking * begin) return;
    report_.history.back().bound = is_cut() ? Millis(0) : certificates_.bound();
    report_.tasks = tasks();
    looking_ += knowledge_.elapsed() - begin;
  }

  bool is_cut() const {
    return std::ranges::any_of(graph_.parts(), [](const Part& part) { return part.continued; });
  }

  std::vector<SearchTask> tasks() {
    std::vector<SearchTask> tasks(parts_.size());
    parallel_for(parts_.size(), [&](std::size_t p) {
      LazyPart& part = parts_[p];
      tasks[p].parts = part.parts();
      tasks[p].cost = certificates_.known_of(part, first_overhead(part));
      tasks[p].least = certificates_.estimate_of(part, first_overhead(part));
      tasks[p].measured = static_cast<std::int64_t>(part.answered().size());
      tasks[p].candidates = static_cast<std::int64_t>(part.problem().candidates.size());
    });
    return tasks;
  }

  void report() const {
    const std::int64_t needed = latencies_.tally().needed;
    const std::string best = best_ > Millis(0) ? fmt::format(", best {:.3f} ms", best_.count()) : "";
    job_.report(fmt::format("planning: {} stages asked for{}", needed, best), 0, 0);
  }

  SearchResult result() {
    SearchResult made;
    PartChain chain;
    std::vector<LazyPart*> owners(graph_.parts().size(), nullptr);
    for (LazyPart& part : parts_) {
      for (const PartId id : part.parts()) owners[id.index()] = &part;
    }
    for (std::size_t p = 0; p < graph_.parts().size(); ++p) {
      PartSummary& summary = made.parts.emplace_back(PartSummary{.part = PartId(p), .complete = false});
      if (owners[p] == nullptr || !knowledge_.has_units()) {
        chain.add_sequential(graph_.parts()[p]);
        made.complete = false;
        continue;
      }
      const StateSpace& space = owners[p]->problem().space;
      summary.states = static_cast<std::int64_t>(space.state_count());
      summary.transitions = static_cast<std::int64_t>(space.transitions.size());
      summary.stages = static_cast<std::int64_t>(space.stages.size());
      summary.complete = !job_.stopped();
      made.complete = made.complete && summary.complete;
      ++made.solved_parts;
      chain.add(owners[p]->solution(PartId(p), knowledge_.overhead(), graph_));
    }
    chain.choose(made);
    return made;
  }

  // Across the cuts of parts that were too large. Whatever is found there, bounds of the cut parts are none of the
  // whole.
  Result<void> join(SearchResult& made) {
    if (!is_cut()) return {};
    Windows windows(knowledge_, options_);
    for (std::size_t p = 0; p < graph_.parts().size(); ++p) {
      if (!graph_.parts()[p].continued) continue;
      std::vector<PartId> run{PartId(p)};
      while (graph_.part(run.back()).continued) run.emplace_back(++p);
      joined_bound_ += windows.bound(run);
      joined_.insert(run.begin(), run.end());
    }
    if (stopped()) return {};
    for (const LazyPart& part : parts_) {
      for (const PartId id : part.parts()) windows.remember(part, PartGraph(graph_, graph_.part(id).units));
    }
    if (auto done = windows.improve(made, report_.joined); !done) return done;
    if (stopped()) report_.out_of_budget = !job_.stopped();
    knowledge_.refit(parts_);
    return {};
  }

  // Parts that were joined cost what they do now, on average.
  void take_joined_costs(SearchTask& task, const SearchResult& made) const {
    if (std::ranges::none_of(task.parts, [&](PartId part) { return joined_.contains(part); })) return;
    task.cost = Millis(0);
    for (const PartId part : task.parts) task.cost += made.parts[part.index()].cost;
    task.cost /= static_cast<double>(task.parts.size());
    task.least = std::min(task.least, task.cost);
  }

  LazyReport certified(const SearchResult& made) {
    const Millis found = made.stage_sum;
    LazyReport report = report_;
    report.candidates = static_cast<std::int64_t>(candidates());
    report.bound = joined_.empty() ? certificates_.bound() : certificates_.bound_beside(joined_, joined_bound_);
    const auto gap = [&](Millis bound) { return bound > Millis(0) ? std::max(0.0, found / bound - 1) : kNever; };
    report.certified_gap = gap(report.bound);
    report.estimated_gap = joined_.empty() ? gap(certificates_.estimate()) : report.certified_gap;
    knowledge_.fill_in(report);
    report.tasks = tasks();
    for (SearchTask& task : report.tasks) take_joined_costs(task, made);
    report.history.push_back({knowledge_.elapsed(), latencies_.tally().needed, found, report.bound});
    if (watch_) watch_(report.history.back(), report.tasks);
    return report;
  }

  const Graph& graph_;
  LatencySource& latencies_;
  SearchOptions options_;
  const JobContext& job_;
  const SearchWatch watch_;
  const SpaceBudget budget_;
  StageKnowledge knowledge_;
  std::vector<LazyPart> parts_;
  Certificates certificates_{knowledge_, parts_};
  std::vector<Course> courses_;         // by part
  std::vector<StageWidth> last_width_;  // by part of the graph: of its last stage in the plan
  Millis best_{0};
  Seconds looking_{0};  // spent on look_closer()
  LazyReport report_;
  std::set<PartId> joined_;
  Millis joined_bound_{0};  // of these
};

LazySearch::LazySearch(const Graph& graph, LatencySource& latencies, const SearchOptions& options,
                       const JobContext& job, const SearchWatch& watch, const SpaceBudget& budget)
    : impl_(std::make_unique<Impl>(graph, latencies, options, job, watch, budget)) {}
LazySearch::~LazySearch() = default;

Result<bool> LazySearch::enumerate() { return impl_->enumerate(); }
std::size_t LazySearch::candidates() const { return impl_->candidates(); }
Result<SearchResult> LazySearch::run() { return impl_->run(); }

}  // namespace iosx
