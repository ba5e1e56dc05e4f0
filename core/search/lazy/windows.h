#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "core/search/lazy/lazy_part.h"
#include "core/search/lazy/lazy_state.h"
#include "core/search/lazy/stage_knowledge.h"
#include "core/search/search.h"

namespace iosx {

// Improves a schedule across the cuts inside parts that were too large to be listed (Part::continued). The units of
// some consecutive stages, a window, are searched as a part of their own, and what costs less takes their place; window
// after window, each half over the one before, until none helps.
class Windows {
 public:
  Windows(StageKnowledge& knowledge, const SearchOptions& options) : knowledge_(knowledge), options_(options) {}

  // Lets what was measured of this part count, for these units of it or of one that is isomorphic.
  void remember(const LazyPart& part, const PartGraph& units);

  // The schedule, its sum and the costs of the parts; JoinedParts are added to `joined`. A stop leaves what was found
  // so far. The error is the source's.
  Result<void> improve(SearchResult& result, std::vector<JoinedParts>& joined);

  // Less than this none of the run's schedules costs, whatever its stages, as far as the factors hold: its longest
  // path.
  Millis bound(std::span<const PartId> run) const;

 private:
  struct CostedStage {
    Stage stage;
    std::vector<UnitId> units;  // by id
    Millis cost{0};
  };
  using Stages = std::vector<CostedStage>;
  // Stages [begin, end) and what is around them.
  struct Window {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::optional<StageWidth> before;
    std::optional<StageWidth> after;
    std::vector<UnitId> units;  // by id
  };

  Result<Stages> costed(std::span<const Stage> stages) const;
  Result<void> improve_run(Stages& stages, JoinedParts& joined);
  Window window_at(const Stages& stages, std::size_t begin, std::size_t most_units) const;
  bool is_worth_it(const Window& window) const;
  // Returns what is cheaper, if anything is. A window that is too complex is made smaller.
  Result<std::optional<Stages>> search(const Stages& stages, Window& window);
  std::optional<PartProblem> listed(const Stages& stages, Window& window) const;
  Result<bool> plan(LazyPart& part, const Window& window);
  template <typename Cost>
  std::optional<LazyPart::Path> cheapest(LazyPart& part, const Window& window, Cost cost) const;
  std::optional<LazyPart::Path> cheapest_known(LazyPart& part, const Window& window) const;
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
  std::optional<StageWidth> run_before_;  // of the stages around the run that is being improved
  std::optional<StageWidth> run_after_;
};

// Parts of the graph that are pieces of others (Part::continued).
struct CutParts {
  std::set<PartId> parts;
  Millis bound{0};  // all of them together take no less: the sum of Windows::bound() of every run of pieces
};

// Improves what was found across the graph's cuts, if it has any, with all that the state knows. A stop leaves what was
// found so far. The error is the source's.
Result<CutParts> join_cut_parts(LazyState& state, SearchResult& found);

}  // namespace iosx
