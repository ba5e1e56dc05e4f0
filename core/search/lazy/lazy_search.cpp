#include "core/search/lazy/lazy_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/base/parallel.h"
#include "core/search/ask_source.h"
#include "core/search/enumerate_part.h"
#include "core/search/lazy/alike.h"
#include "core/search/lazy/lazy_part.h"
#include "core/search/lazy/polish.h"
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
constexpr double kRefit = 1.03;    // when the table grew by this
constexpr double kEstimate = 0.9;  // of predictions: what nothing is believed to be below
constexpr double kHope = 0.97;     // of predictions: what changes are tried for
constexpr double kLastHope = 0.88;
constexpr int kMostSettled = 30;  // times that the choice is made anew, in case it goes to and fro
constexpr int kMostPolished = 40;
constexpr int kMostTurns = 10;
constexpr std::size_t kSlice = 16;     // stages asked for at once where time is short
constexpr std::size_t kFewErrors = 8;  // predictions, before their error is believed
constexpr double kUsualError = 0.1;

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
       const SpaceBudget& budget)
      : graph_(graph),
        latencies_(latencies),
        options_(options),
        job_(job),
        budget_(budget),
        gaps_(latencies.gaps()),
        kinds_(unit_kinds(graph)) {}

  Result<bool> enumerate() {
    if (!parts_.empty() || graph_.parts().empty()) return true;
    for (std::vector<PartId>& alike : alike_parts(graph_, kinds_)) {
      job_.report(fmt::format("listing the stages of part {} of {}", alike.front().index() + 1, graph_.parts().size()),
                  0, static_cast<std::int64_t>(graph_.units().size()));
      auto problem = enumerate_part(graph_, graph_.part(alike.front()), options_, budget_, job_.stop);
      if (!problem) return tl::unexpected(std::move(problem.error()));
      if (!*problem) return parts_.clear(), false;
      parts_.emplace_back(graph_, std::move(alike), **std::move(problem), kinds_);
    }
    return true;
  }

  std::size_t candidates() const {
    std::size_t count = 0;
    for (const LazyPart& part : parts_) count += part.problem().candidates.size() * part.parts().size();
    return count;
  }

  Result<SearchResult> run() {
    const auto listed = enumerate();
    if (!listed) return tl::unexpected(listed.error());
    Result<void> done;
    if (*listed) done = search();
    if (!done) return tl::unexpected(std::move(done.error()));
    return result();
  }

 private:
  // What is to be measured: a candidate of one of parts_.
  struct Wanted {
    std::size_t part = 0;
    Candidate candidate = 0;
    friend auto operator<=>(const Wanted&, const Wanted&) = default;
  };

  Result<void> search() {
    if (auto known = measure_units(); !known) return known;
    if (!has_units_ || parts_.empty()) return {};
    split_unequal_units();
    const std::string words = search_words();
    bool planned = false;
    if (const auto noted = latencies_.searched_before(words)) {
      const auto known = take_known();
      if (!known) return tl::unexpected(known.error());
      planned = *known >= *noted;
    }
    // What settles may differ from what the gap was closed with.
    for (int turn = 0; turn < kMostTurns && !stopped(); ++turn) {
      if (!std::exchange(planned, true)) {
        if (auto done = plan_and_polish(); !done) return done;
      }
      if (auto closed = close_gap(); !closed) return closed;
      if (auto settled = settle(); !settled) return settled;
      const auto split = split_unequal();
      if (!split) return tl::unexpected(split.error());
      note_best();
      planned = !*split;
      if (planned && is_gap_closed()) break;
    }
    if (stopped()) {
      report_.out_of_budget = !job_.stopped();
      return settle();
    }
    latencies_.note_searched(words, known_stages());
    return {};
  }

  // What is searched and how; whoever searches for the same asks for nothing new.
  std::string search_words() const {
    const SearchEffort& effort = options_.effort;
    return fmt::format("lazy 1, rule {}, r {}, s {}, strategies {}, longer {}, epsilon {}, seed {}; ",
                       static_cast<int>(options_.rule), options_.pruning.r, options_.pruning.s,
                       static_cast<int>(options_.strategies), effort.longer, effort.epsilon.value_or(-1), effort.seed) +
           text_of_parts(graph_, kinds_);
  }

  std::int64_t known_stages() const {
    std::int64_t count = 0;
    for (const LazyPart& part : parts_) count += static_cast<std::int64_t>(part.answered().size());
    return count;
  }

  // An earlier search of the same came to its end: what is known is enough, if it is still known. How many that is.
  Result<std::int64_t> take_known() {
    constexpr std::size_t kAtOnce = 4096;
    last_width_.assign(graph_.parts().size(), StageWidth::kOneLane);
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      LazyPart& part = parts_[p];
      const auto count = static_cast<Candidate>(part.problem().candidates.size());
      for (Candidate next = 0; next < count && !stopped(); next += kAtOnce) {
        std::vector<Stage> stages;
        for (Candidate c = next; c < std::min<Candidate>(count, next + kAtOnce); ++c) {
          stages.push_back(part.stage(part.part_graph(), c));
        }
        const auto known = latencies_.known_latencies(stages);
        if (!known) return tl::unexpected(known.error());
        for (std::size_t i = 0; i < known->size(); ++i) {
          if ((*known)[i]) take_quietly({p, next + static_cast<Candidate>(i)}, (*known)[i]->value.count());
        }
      }
    }
    refit();
    return known_stages();
  }

  // Without a prediction to compare it with.
  void take_quietly(const Wanted& wanted, double ms) {
    LazyPart& part = parts_[wanted.part];
    if (part.facts(wanted.candidate).units > 1) {
      part.of_kinds(wanted.candidate, of_kind_);
      predictor_->learn(part.facts(wanted.candidate), of_kind_, ms);
      audit(part, wanted.candidate, ms);
    }
    part.set_answer(wanted.candidate, ms);
  }

  bool stopped() const {
    const Seconds budget = options_.effort.budget;
    return job_.stopped() || (budget > Seconds(0) && elapsed() >= budget);
  }
  Seconds elapsed() const { return std::chrono::steady_clock::now() - begin_; }

  // ---- Measuring ----

  // Every unit by itself: what predictions are made of.
  Result<void> measure_units() {
    std::vector<Stage> stages;
    stages.reserve(graph_.units().size());
    for (std::size_t u = 0; u < graph_.units().size(); ++u) stages.push_back(single_unit_stage(UnitId(u)));
    const auto total = static_cast<std::int64_t>(stages.size());
    const auto answers = ask_source(latencies_, Care::kFirstLook, stages, 0, total, job_);
    if (!answers) return tl::unexpected(answers.error());
    if (answers->size() < stages.size()) return {};
    std::vector<double> ms;
    for (const Latency& answer : *answers) ms.push_back(answer.value.count());
    times_ = unit_times(graph_, std::move(ms));
    has_units_ = true;
    const std::size_t kinds = kinds_.empty() ? 0 : *std::ranges::max_element(kinds_) + std::size_t{1};
    of_kind_.resize(kinds);
    predictor_.emplace(kinds, times_.mean_ms);
    for (LazyPart& part : parts_) take_units(part);
    return {};
  }

  std::span<const double> of_part(std::span<const double> by_unit, PartId part) const {
    const auto& units = graph_.part(part).units;
    return by_unit.subspan(units.front().index(), units.size());
  }

  void take_units(LazyPart& part) {
    const PartId first = part.parts().front();
    part.set_units(of_part(times_.ms, first), of_part(times_.flops_ms, first), of_part(times_.bytes_ms, first));
    for (std::size_t i = 0; i < part.part_graph().size(); ++i) {
      const auto unit = part.find(singleton(i), Strategy::kConcurrent);
      if (unit) part.set_answer(*unit, of_part(times_.ms, first)[i]);
    }
    part.predict(*predictor_);
  }

  // Parts that looked alike, but whose units take different times.
  void split_unequal_units() {
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      const std::vector<PartId> members = parts_[p].parts();
      for (std::size_t m = 1; m < members.size(); ++m) {
        if (!std::ranges::equal(of_part(times_.ms, members[0]), of_part(times_.ms, members[m]))) split(p, members[m]);
      }
    }
  }

  void split(std::size_t p, PartId member) {
    LazyPart apart = parts_[p].split_off(graph_, member, kinds_);
    take_units(apart);
    parts_.push_back(std::move(apart));
    best_ = Millis(0);
  }

  // Asks for these, each once, and learns. False: stopped before the end.
  Result<bool> measure(std::vector<Wanted> wanted) {
    std::ranges::sort(wanted);
    wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
    report();
    const std::size_t at_once = options_.effort.budget > Seconds(0) ? kSlice : std::max<std::size_t>(wanted.size(), 1);
    std::size_t done = 0;
    while (done < wanted.size() && !stopped()) {
      const std::span<const Wanted> some = std::span(wanted).subspan(done, std::min(at_once, wanted.size() - done));
      const auto answers = ask_source(latencies_, Care::kFirstLook, stages_of(some), 0, 0, JobContext{job_.stop, {}});
      if (!answers) return tl::unexpected(answers.error());
      for (std::size_t i = 0; i < answers->size(); ++i) take(some[i], (*answers)[i].value.count());
      done += answers->size();
    }
    if (static_cast<double>(predictor_->learned()) >= kRefit * static_cast<double>(fitted_) + 1) refit();
    return done == wanted.size();
  }

  std::vector<Stage> stages_of(std::span<const Wanted> wanted) const {
    std::vector<Stage> stages;
    stages.reserve(wanted.size());
    for (const auto& [p, c] : wanted) stages.push_back(parts_[p].stage(parts_[p].part_graph(), c));
    return stages;
  }

  void take(const Wanted& wanted, double ms) {
    const LazyPart& part = parts_[wanted.part];
    if (part.facts(wanted.candidate).units > 1 && ms > 0) {
      errors_.push_back(std::abs(part.predicted(wanted.candidate) / ms - 1));
    }
    take_quietly(wanted, ms);
  }

  // Whether the stage is below what bounds said of it; they are then lowered.
  void audit(const LazyPart& part, Candidate c, double ms) {
    ++report_.audited;
    const double bound = part.bound(c, factors_);
    if (!(ms < bound * (1 - 1e-9))) return;
    ++report_.below_bound;
    report_.worst_below = std::min(report_.worst_below, ms / bound);
    const StageFacts& facts = part.facts(c);
    if (!facts.merged && facts.light > 0 && factors_.light_counts) {
      factors_.light_counts = false;
      if (ms >= part.bound(c, factors_)) return;
    }
    double& factor = facts.merged ? factors_.merged : facts.groups == 1 ? factors_.chain : factors_.concurrent;
    factor *= ms / part.bound(c, factors_);
  }

  void refit() {
    fitted_ = predictor_->learned();
    predictor_->fit();
    parallel_for(parts_.size(), [&](std::size_t p) { parts_[p].predict(*predictor_); });
  }

  // ---- Planning ----

  // The gaps before a part's first stage, as the part before ends now.
  const StageGaps::ByWidth& first_gaps(const LazyPart& part) const {
    const PartId first = part.parts().front();
    if (first.index() == 0) return gaps_.first;
    return gaps_.between[static_cast<std::size_t>(last_width_[first.index() - 1])];
  }

  Result<void> plan_and_polish() {
    last_width_.assign(graph_.parts().size(), StageWidth::kOneLane);
    refit();
    const bool longer = options_.effort.longer;
    const std::span<const double> doubts = longer ? std::span<const double>(kMoreDoubts) : kDoubts;
    std::uint64_t attempt = options_.effort.seed << 8;
    for (const double doubt : doubts) {
      if (auto done = plan(doubt); !done || stopped()) return done;
      if (auto done = polish(kHope); !done || stopped()) return done;
      for (int i = 0; i < (longer ? kMoreAttempts : kAttempts); ++i) {
        if (auto done = attempt_once(doubt, ++attempt); !done || stopped()) return done;
        if (auto done = plan(doubt); !done || stopped()) return done;
      }
    }
    return polish(kLastHope);
  }

  // Until a plan with predictions less `doubt` holds nothing new.
  Result<void> plan(double doubt) {
    while (!stopped()) {
      auto wanted = wanted_of([&](const LazyPart& part, Candidate c) {
        return part.known(c) ? part.answer(c) : part.predicted(c) * (1 - doubt);
      });
      if (wanted.empty()) break;
      const auto measured = measure(std::move(wanted));
      if (!measured) return tl::unexpected(measured.error());
    }
    note_best();
    return {};
  }

  // One plan with predictions that are off by their error, at random.
  Result<void> attempt_once(double doubt, std::uint64_t seed) {
    const double error = usual_error();
    auto wanted = wanted_of([&](const LazyPart& part, Candidate c) {
      if (part.known(c)) return part.answer(c);
      const double off = std::clamp(1 + error * noise(seed, c), 0.5, 1.5);
      return part.predicted(c) * (1 - doubt) * off;
    });
    if (wanted.empty()) return {};
    const auto measured = measure(std::move(wanted));
    if (!measured) return tl::unexpected(measured.error());
    return {};
  }

  // What nobody measured on each part's cheapest path. cost(part, candidate) in ms.
  template <typename Cost>
  std::vector<Wanted> wanted_of(Cost cost) {
    std::vector<std::optional<Path>> paths = paths_of(cost);
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

  template <typename Cost>
  std::vector<std::optional<Path>> paths_of(Cost cost) {
    std::vector<std::optional<Path>> paths(parts_.size());
    parallel_for(parts_.size(), [&](std::size_t p) {
      LazyPart& part = parts_[p];
      paths[p] = part.cheapest(first_gaps(part), gaps_, [&](Candidate c) { return cost(part, c); });
    });
    return paths;
  }

  std::vector<std::optional<Path>> known_paths() {
    return paths_of([](const LazyPart& part, Candidate c) { return part.known(c) ? part.answer(c) : kNever; });
  }

  double usual_error() const {
    if (errors_.size() < kFewErrors) return kUsualError;
    std::vector<double> last(errors_.end() - static_cast<std::ptrdiff_t>(std::min<std::size_t>(errors_.size(), 200)),
                             errors_.end());
    std::ranges::nth_element(last, last.begin() + static_cast<std::ptrdiff_t>(last.size() / 2));
    return last[last.size() / 2] * 1.5;  // of a normal distribution the deviation is 1.48 times the median error
  }

  // Small changes of the best schedules, as long as one helps.
  Result<void> polish(double hope) {
    for (int turn = 0; turn < kMostPolished && !stopped(); ++turn) {
      const auto best = known_paths();
      std::vector<std::vector<Candidate>> found(parts_.size());
      parallel_for(parts_.size(), [&](std::size_t p) {
        if (best[p]) found[p] = promising_changes(parts_[p], *best[p], gaps_, hope);
      });
      std::vector<Wanted> wanted;
      for (std::size_t p = 0; p < parts_.size(); ++p) {
        for (const Candidate c : found[p]) wanted.push_back({p, c});
      }
      if (wanted.empty()) break;
      const auto measured = measure(std::move(wanted));
      if (!measured) return tl::unexpected(measured.error());
    }
    note_best();
    return {};
  }

  // ---- Certificates ----

  double lower_cost(const LazyPart& part, Candidate c) const {
    return part.known(c) ? part.answer(c) : part.bound(c, factors_);
  }
  double estimated_cost(const LazyPart& part, Candidate c) const {
    return part.known(c) ? part.answer(c) : kEstimate * part.predicted(c);
  }

  // The cheapest schedule where candidates cost cost(part, candidate), and what of it nobody measured, if wanted.
  template <typename Cost>
  Millis cheapest_schedule(Cost cost, std::vector<Wanted>* wanted = nullptr) {
    // By part, the width before it, and its own last width.
    std::vector<std::array<LazyPart::PathByLast, 2>> paths(parts_.size());
    LazyPart::PathByLast at_start;
    std::vector<std::size_t> owner(graph_.parts().size());
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      for (const PartId part : parts_[p].parts()) owner[part.index()] = p;
    }
    parallel_for(parts_.size(), [&](std::size_t p) {
      LazyPart& part = parts_[p];
      part.take_costs([&](Candidate c) { return cost(part, c); });
      for (std::size_t w = 0; w < 2; ++w) paths[p][w] = part.cheapest_by_last(gaps_.between[w], gaps_);
      if (p == owner.front()) at_start = part.cheapest_by_last(gaps_.first, gaps_);
    });

    struct Reached {
      double cost = kNever;
      std::size_t before = 0;
    };
    std::vector<std::array<Reached, 2>> reached(owner.size());
    for (std::size_t i = 0; i < owner.size(); ++i) {
      for (std::size_t before = 0; before < (i == 0 ? 1 : 2); ++before) {
        const double so_far = i == 0 ? 0 : reached[i - 1][before].cost;
        const LazyPart::PathByLast& ways = i == 0 ? at_start : paths[owner[i]][before];
        for (std::size_t last = 0; last < 2; ++last) {
          if (!ways[last]) continue;
          const double cost_here = so_far + ways[last]->cost.count();
          if (cost_here < reached[i][last].cost) reached[i][last] = {cost_here, before};
        }
      }
    }
    std::size_t last = reached.back()[1].cost < reached.back()[0].cost ? 1 : 0;
    const Millis sum(reached.back()[last].cost);
    for (std::size_t i = owner.size(); wanted != nullptr && i-- > 0;) {
      const std::size_t before = reached[i][last].before;
      for (const Candidate c : (i == 0 ? at_start : paths[owner[i]][before])[last]->stages) {
        if (!parts_[owner[i]].known(c)) wanted->push_back({owner[i], c});
      }
      last = before;
    }
    return sum;
  }

  Millis bound(std::vector<Wanted>* wanted = nullptr) {
    return cheapest_schedule([&](const LazyPart& part, Candidate c) { return lower_cost(part, c); }, wanted);
  }

  bool is_gap_closed() {
    std::vector<Wanted> wanted;
    return !options_.effort.epsilon || best_ <= bound(&wanted) * (1 + *options_.effort.epsilon) || wanted.empty();
  }

  // Measures what the cheapest conceivable schedule holds, until nothing conceivable is much better than what is known.
  Result<void> close_gap() {
    while (options_.effort.epsilon && !stopped()) {
      std::vector<Wanted> wanted;
      const Millis least = bound(&wanted);
      if (wanted.empty() || best_ <= least * (1 + *options_.effort.epsilon)) break;
      const auto measured = measure(std::move(wanted));
      if (!measured) return tl::unexpected(measured.error());
      note_best();
    }
    return {};
  }

  // ---- The end ----

  // What was found for one of several alike parts is measured for the others: nothing new, unless they are not alike.
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
        const auto answers = ask_source(latencies_, Care::kFirstLook, stages, 0, 0, JobContext{job_.stop, {}});
        if (!answers) return tl::unexpected(answers.error());
        if (answers->size() < stages.size()) return any;
        for (std::size_t i = 0; i < stages.size(); ++i) {
          if ((*answers)[i].value.count() == parts_[p].answer(best[p]->stages[i])) continue;
          split(p, members[m]);
          any = true;
          break;
        }
      }
    }
    return any;
  }

  // Measures what the choice rests on with care, until it rests on such measurements alone.
  Result<void> settle() {
    bool settled = !latencies_.looks_first();
    for (int turn = 0; turn < kMostSettled && !settled && !job_.stopped(); ++turn) {
      std::set<Wanted> chosen;
      for (std::size_t p = 0; p < parts_.size(); ++p) {
        for (const Candidate c : parts_[p].on_known_paths(gaps_)) chosen.insert({p, c});
      }
      const std::vector<Wanted> wanted(chosen.begin(), chosen.end());
      report();
      const auto answers = ask_source(latencies_, Care::kSettled, stages_of(wanted), 0, 0, JobContext{job_.stop, {}});
      if (!answers) return tl::unexpected(answers.error());
      settled = true;
      for (std::size_t i = 0; i < answers->size(); ++i) {
        const double ms = (*answers)[i].value.count();
        if (parts_[wanted[i].part].answer(wanted[i].candidate) == ms) continue;
        settled = false;
        take_settled(wanted[i], ms);
      }
    }
    best_ = Millis(0);  // what was believed of it may have been luck
    note_best();
    return {};
  }

  // Bounds are made of units and checked by all others.
  void take_settled(const Wanted& wanted, double ms) {
    LazyPart& part = parts_[wanted.part];
    part.set_answer(wanted.candidate, ms);
    if (part.facts(wanted.candidate).units > 1) return audit(part, wanted.candidate, ms);
    const std::size_t at = first_of(part.ending(wanted.candidate));
    for (const PartId member : part.parts()) times_.ms[graph_.part(member).units[at].index()] = ms;
    const PartId first = part.parts().front();
    part.set_units(of_part(times_.ms, first), of_part(times_.flops_ms, first), of_part(times_.bytes_ms, first));
  }

  void note_best() {
    const Millis best =
        cheapest_schedule([](const LazyPart& part, Candidate c) { return part.known(c) ? part.answer(c) : kNever; });
    if (best_ > Millis(0) && best >= best_ && !report_.history.empty()) return;
    best_ = best;
    report_.history.push_back({elapsed(), latencies_.tally().needed, best});
  }

  void report() const {
    const std::int64_t needed = latencies_.tally().needed;
    const std::string best = best_ > Millis(0) ? fmt::format(", best {:.3f} ms", best_.count()) : "";
    job_.report(fmt::format("planning: {} stages measured{}", needed, best), 0, 0);
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
      if (owners[p] == nullptr || !has_units_) {
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
      chain.add(owners[p]->solution(PartId(p), gaps_, graph_));
    }
    chain.choose(made);
    if (has_units_ && !parts_.empty()) made.lazy = certified(made.stage_sum);
    return made;
  }

  LazyReport certified(Millis found) {
    LazyReport report = report_;
    report.candidates = static_cast<std::int64_t>(candidates());
    report.bound = bound();
    const Millis estimate =
        cheapest_schedule([&](const LazyPart& part, Candidate c) { return estimated_cost(part, c); });
    const auto gap = [&](Millis bound) { return bound > Millis(0) ? std::max(0.0, found / bound - 1) : kNever; };
    report.certified_gap = gap(report.bound);
    report.estimated_gap = gap(estimate);
    std::vector<double> errors = errors_;
    std::ranges::sort(errors);
    report.predicted = static_cast<std::int64_t>(errors.size());
    if (!errors.empty()) {
      report.median_error = errors[errors.size() / 2];
      report.large_error = errors[errors.size() * 9 / 10];
    }
    report.history.push_back({elapsed(), latencies_.tally().needed, found});
    return report;
  }

  const Graph& graph_;
  LatencySource& latencies_;
  const SearchOptions& options_;
  const JobContext& job_;
  const SpaceBudget budget_;
  const StageGaps gaps_;
  const std::vector<std::uint32_t> kinds_;
  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::vector<LazyPart> parts_;
  bool has_units_ = false;
  UnitTimes times_;
  std::optional<StagePredictor> predictor_;
  std::size_t fitted_ = 0;
  std::vector<float> of_kind_;  // kept for its memory
  BoundFactors factors_;
  std::vector<StageWidth> last_width_;  // by part of the graph: of its last stage in the plan
  std::vector<double> errors_;          // of predictions, in the order of measuring
  Millis best_{0};
  LazyReport report_;
};

LazySearch::LazySearch(const Graph& graph, LatencySource& latencies, const SearchOptions& options,
                       const JobContext& job, const SpaceBudget& budget)
    : impl_(std::make_unique<Impl>(graph, latencies, options, job, budget)) {}
LazySearch::~LazySearch() = default;

Result<bool> LazySearch::enumerate() { return impl_->enumerate(); }
std::size_t LazySearch::candidates() const { return impl_->candidates(); }
Result<SearchResult> LazySearch::run() { return impl_->run(); }

}  // namespace iosx
