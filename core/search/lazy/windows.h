#pragma once

#include <map>
#include <set>

#include "core/search/lazy/lazy_part.h"
#include "core/search/lazy/lazy_state.h"
#include "core/search/lazy/stage_knowledge.h"
#include "core/search/search.h"

namespace iosx {

// Improves a schedule across the cuts inside parts that were too large to list (Part::continued). It searches the units
// of some consecutive stages, a window, as one part and replaces them by a cheaper result. Each window overlaps half of
// the one before; it repeats until none helps.
class Windows {
 public:
  Windows(StageKnowledge& knowledge, const SearchOptions& options) : knowledge_(knowledge), options_(options) {}

  // Uses the measurements of this part for these units of it or of an isomorphic one.
  void remember(const LazyPart& part, const PartGraph& units);

  // Improves the schedule with its sum and the parts' costs, and appends to `joined`. A stop leaves the result so
  // far, as does the budget. Errors are the source's.
  Result<void> improve(SearchResult& result, std::vector<JoinedParts>& joined);
  // Returns whether a search without a time budget, a gap or a longer search ended windows that may have helped,
  // because they took so much work. Every run of cut parts has its share.
  bool out_of_budget() const { return out_of_budget_; }

  // Returns a lower bound of the run's schedules with any stages, as far as the factors hold: its longest path.
  Millis bound(std::span<const PartId> run) const;

 private:
  struct CostedStage {
    Stage stage;
    std::vector<UnitId> units;  // sorted by id
    Millis cost{0};
  };
  using Stages = std::vector<CostedStage>;
  // Stages [begin, end) and their surroundings.
  struct Window {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::optional<StageWidth> before;
    std::optional<StageWidth> after;
    std::vector<UnitId> units;  // sorted by id
  };

  static constexpr std::size_t kMostWork = 100'000'000;  // transitions, listed or planned with: some seconds

  bool out_of_share() const { return !options_.effort.lazy() && work_ >= share_; }
  bool ended() const { return knowledge_.stopped() || out_of_share(); }
  Result<Stages> costed(std::span<const Stage> stages) const;
  Result<void> improve_run(Stages& stages, JoinedParts& joined);
  Window window_at(const Stages& stages, std::size_t begin, std::size_t most_units) const;
  bool is_worth_it(const Window& window) const;
  // Returns cheaper stages, or none. A window that is too complex is made smaller.
  Result<std::optional<Stages>> search(const Stages& stages, Window& window);
  std::optional<PartProblem> listed(const Stages& stages, Window& window);
  Result<bool> plan(LazyPart& part, const Window& window);
  template <typename Cost>
  std::optional<LazyPart::Path> cheapest(LazyPart& part, const Window& window, Cost cost);
  std::optional<LazyPart::Path> cheapest_known(LazyPart& part, const Window& window);
  Result<bool> refine(LazyPart& part, const LazyPart::Path& path);
  Millis cost_of(std::span<const CostedStage> stages, std::optional<StageWidth> before,
                 std::optional<StageWidth> after) const;

  StageKnowledge& knowledge_;
  const SearchOptions& options_;
  std::map<std::pair<std::vector<UnitId>, Strategy>, double> known_;  // ms
  struct Tried {
    std::vector<UnitId> units;
    std::optional<StageWidth> before;
    std::optional<StageWidth> after;
    friend auto operator<=>(const Tried&, const Tried&) = default;
  };
  std::set<Tried> tried_;
  std::size_t work_ = 0;           // transitions, in all windows
  std::size_t share_ = kMostWork;  // up to the end of the run in work
  bool out_of_budget_ = false;
  std::optional<StageWidth> run_before_;  // of the stages around the run in work
  std::optional<StageWidth> run_after_;
};

// Parts of the graph that are pieces of others (Part::continued).
struct CutParts {
  std::set<PartId> parts;
  Millis bound{0};  // lower bound of all of them together: the sum of Windows::bound() of every run of pieces
};

// Improves the result across the graph's cuts, if any, with all knowledge of the state. A stop leaves the result so
// far. Errors are the source's.
Result<CutParts> join_cut_parts(LazyState& state, SearchResult& found);

}  // namespace iosx
