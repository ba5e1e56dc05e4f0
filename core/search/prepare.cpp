#include "core/search/prepare.h"

#include "core/model/graph/networks.h"
#include "core/search/space_counts.h"

namespace iosx {
namespace {

constexpr std::size_t kHugeGraph = 2000;  // units
constexpr std::size_t kHugeShare = 32;
constexpr double kSurelyTooMany = 8;  // estimated states over the budget
// The cost of all runs of units above which each gets a share only, in transitions relative to the budget of one:
// some seconds.
constexpr std::size_t kRunsInFull = 12;

// Checks whether runs of units can be searched. Runs of one structure are checked once, and a high cost so far reduces
// the budget of later runs: a wide graph has hundreds of runs, each as large as its budget. It counts instead of using
// clocks, so that parts are the same on every computer.
class Looker {
 public:
  Looker(const Graph& graph, const SearchOptions& options, const SpaceBudget& budget, const JobContext& job)
      : graph_(graph), options_(options), budget_(budget), job_(job), in_full_(kRunsInFull * budget.transitions) {
    if (graph.units().size() > kHugeGraph) spend_little();
  }

  bool too_complex(std::span<const UnitId> units) {
    // Most of what is too large need not be listed to see it.
    if (estimated_states(graph_, units) > kSurelyTooMany * static_cast<double>(budget_.states)) return true;
    const PartGraph part(graph_, units);
    std::vector<UnitSet> structure;
    for (std::size_t i = 0; i < part.size(); ++i) structure.push_back(part.predecessors(i));
    const auto [known, is_new] = known_.try_emplace(std::move(structure), false);
    if (!is_new) return known->second;
    const SpaceFit fit = fits(part, options_.rule, options_.pruning, budget_, job_.stop);
    spent_ += fit.transitions;
    if (!little_ && spent_ > in_full_) spend_little();
    return known->second = !fit.fits;
  }

 private:
  void spend_little() {
    little_ = true;
    budget_.states /= kHugeShare;
    budget_.transitions /= kHugeShare;
  }

  const Graph& graph_;
  const SearchOptions& options_;
  SpaceBudget budget_;  // of the next run
  const JobContext& job_;
  std::size_t in_full_;  // transitions that may be spent before the budget is cut
  std::size_t spent_ = 0;
  bool little_ = false;
  std::map<std::vector<UnitSet>, bool> known_;  // by the predecessors of the units: whether it is too complex
};

// Transitions listed for each second that a search may take: about a tenth of it on one slow core.
constexpr double kTransitionsASecond = 2e6;

// Several networks side by side have the product of their states. Larger parts take long to list then, and save little.
constexpr std::size_t kSeveralShare = 8;

SpaceBudget for_networks_of(const Graph& graph, SpaceBudget budget) {
  if (!has_independent_networks(graph)) return budget;
  return {.states = std::max<std::size_t>(1, budget.states / kSeveralShare),
          .transitions = std::max<std::size_t>(1, budget.transitions / kSeveralShare)};
}

// Returns the part of the budget that can be listed within a small share of the search's time.
SpaceBudget within(const SpaceBudget& budget, Seconds time) {
  if (time <= Seconds(0)) return budget;
  const double share = time.count() * kTransitionsASecond / static_cast<double>(budget.transitions);
  if (share >= 1) return budget;
  const auto part_of = [&](std::size_t most) {
    return std::max<std::size_t>(1, static_cast<std::size_t>(share * static_cast<double>(most)));
  };
  return {.states = part_of(budget.states), .transitions = part_of(budget.transitions)};
}

// Parts one after another as one.
Part joined(std::span<const Part> parts) {
  Part part = parts.front();
  for (const Part& next : parts.subspan(1)) part.units.insert(part.units.end(), next.units.begin(), next.units.end());
  part.continued = parts.back().continued;
  if (parts.size() > 1 && !parts.back().name.empty()) part.name += "+" + parts.back().name;
  return part;
}

// Joins parts where a given stage has units of several: a stage runs in one part. A candidate stage joins parts as
// far as they can be searched as one.
class Joiner {
 public:
  Joiner(const Graph& graph, std::vector<Part> parts, std::function<bool(std::span<const UnitId>)> too_complex)
      : parts_(std::move(parts)), too_complex_(std::move(too_complex)), part_of_(graph.units().size()) {
    number_units();
  }

  Result<std::vector<Part>> run(const SearchOptions& options) && {
    for (const Stage& stage : options.pinned_stages) {
      const auto [first, count] = reach(stage);
      if (count < 2) continue;
      Part one = joined(std::span(parts_).subspan(first, count));
      if (one.units.size() > kMaxPartUnits) {
        return tl::unexpected(Error{message("a pinned stage spans parts with {} units in total", one.units.size()),
                                    fmt::format("part '{}'", one.name),
                                    message("pin only stages that span at most {} units", kMaxPartUnits)});
      }
      replace(first, count, std::move(one));
    }
    for (const Stage& stage : options.candidate_stages) {
      const auto [first, count] = reach(stage);
      if (count < 2) continue;
      Part one = joined(std::span(parts_).subspan(first, count));
      if (one.units.size() <= kMaxPartUnits && !too_complex_(one.units)) replace(first, count, std::move(one));
    }
    return std::move(parts_);
  }

 private:
  struct Reach {
    std::size_t first = 0;  // part
    std::size_t count = 0;
  };
  Reach reach(const Stage& stage) const {
    const std::vector<UnitId> units = stage.units();  // by id, and parts have units in order
    const std::size_t first = part_of_[units.front().index()];
    return {first, part_of_[units.back().index()] - first + 1};
  }
  void replace(std::size_t first, std::size_t count, Part one) {
    const auto at = parts_.begin() + static_cast<std::ptrdiff_t>(first);
    *at = std::move(one);
    parts_.erase(at + 1, at + static_cast<std::ptrdiff_t>(count));
    number_units();
  }
  void number_units() {
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      for (const UnitId unit : parts_[p].units) part_of_[unit.index()] = p;
    }
  }

  std::vector<Part> parts_;
  std::function<bool(std::span<const UnitId>)> too_complex_;
  std::vector<std::size_t> part_of_;  // by unit
};

}  // namespace

Result<Graph> prepare(const Graph& graph, const SearchOptions& options, std::size_t max_part_size,
                      const SpaceBudget& budget, const JobContext& job) {
  if (max_part_size < 1 || max_part_size > kMaxPartUnits) {
    return fail(message("the maximum part size is {}", max_part_size), {},
                message("choose 1 to {} units", kMaxPartUnits));
  }
  Looker looker(graph, options, within(for_networks_of(graph, budget), options.effort.budget), job);
  const auto too_complex = [&](std::span<const UnitId> units) {
    if (job.stopped()) return false;
    job.report(message("cutting into parts"), static_cast<std::int64_t>(units.front().index()),
               static_cast<std::int64_t>(graph.units().size()));
    return looker.too_complex(units);
  };
  std::vector<Part> parts = partition(graph, PartitionOptions{max_part_size, too_complex});
  if (max_part_size < kDefaultMaxPartSize) {
    for (Part& part : parts) part.continued = false;
  }
  if (options.pinned_stages.empty() && options.candidate_stages.empty()) return graph.with_parts(std::move(parts));
  IOS_TRY(auto wide, Joiner(graph, std::move(parts), too_complex).run(options));
  return graph.with_parts(std::move(wide));
}

}  // namespace iosx
