#include "core/search/prepare.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "core/search/state_estimate.h"

namespace iosx {
namespace {

constexpr std::size_t kHugeGraph = 2000;  // units
constexpr std::size_t kHugeShare = 32;
constexpr double kSurelyTooMany = 8;  // estimated states over the budget
// What all runs of units together may cost before each gets a share only, in transitions over the budget of one: some
// seconds.
constexpr std::size_t kRunsInFull = 12;

// Says of runs of units whether they can be searched. Runs of one structure are looked at once, and who has spent much
// gets little for what follows: a wide graph has hundreds of runs, each as large as its budget. Counts, not clocks, so
// that parts are the same on every computer.
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

// What can be listed of one part within a small share of the search's time.
SpaceBudget within(const SpaceBudget& budget, Seconds time) {
  if (time <= Seconds(0)) return budget;
  const double share = time.count() * kTransitionsASecond / static_cast<double>(budget.transitions);
  if (share >= 1) return budget;
  const auto part_of = [&](std::size_t most) {
    return std::max<std::size_t>(1, static_cast<std::size_t>(share * static_cast<double>(most)));
  };
  return {.states = part_of(budget.states), .transitions = part_of(budget.transitions)};
}

}  // namespace

Result<Graph> prepare(const Graph& graph, const SearchOptions& options, std::size_t max_part_size,
                      const SpaceBudget& budget, const JobContext& job) {
  if (max_part_size < 1 || max_part_size > kMaxPartUnits) {
    return fail(fmt::format("the maximum part size is {}", max_part_size), {},
                fmt::format("choose 1 to {} units", kMaxPartUnits));
  }
  Looker looker(graph, options, within(budget, options.effort.budget), job);
  const auto too_complex = [&](std::span<const UnitId> units) {
    if (job.stopped()) return false;
    job.report("cutting into parts", static_cast<std::int64_t>(units.front().index()),
               static_cast<std::int64_t>(graph.units().size()));
    return looker.too_complex(units);
  };
  std::vector<Part> parts = partition(graph, PartitionOptions{max_part_size, too_complex});
  if (max_part_size < kDefaultMaxPartSize) {
    for (Part& part : parts) part.continued = false;
  }
  return graph.with_parts(std::move(parts));
}

}  // namespace iosx
