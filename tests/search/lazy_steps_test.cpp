// Each step of the lazy search by itself, on one state.

#include "core/model/schedule/baselines.h"
#include "core/search/lazy/head_start.h"
#include "core/search/lazy/lazy_search.h"
#include "core/search/lazy/planner.h"
#include "core/search/lazy/polish.h"
#include "models/networks/zoo.h"
#include "tests/support/fake_latencies.h"
#include "tests/support/graphs.h"
#include "tests/support/prelude.h"

namespace iosx {
namespace {

using test::arbitrary_latency;
using test::FakeLatencies;

// A search that knows its units and nothing else.
struct Steps {
  explicit Steps(const Graph& graph, LatencySource& latencies, const SearchOptions& options = {},
                 const SearchWatch& watch = {})
      : options(options),
        state(graph, latencies, this->options, job, {}),
        certificates(state.knowledge, state.parts),
        progress(state, certificates, watch, [] { return Schedule(); }) {
    EXPECT_TRUE(list_parts(state).value());
    EXPECT_TRUE(state.knowledge.measure_units().value());
    for (LazyPart& part : state.parts) state.knowledge.give_units(part);
  }

  std::size_t unknown_on_path(double discount) {
    std::size_t count = 0;
    const auto paths = state.paths_of(state.all_parts(), [&](const LazyPart& part, LazyPart::Candidate c) {
      return part.known(c) ? part.answer(c) : part.predicted(c) * (1 - discount);
    });
    for (std::size_t p = 0; p < paths.size(); ++p) {
      for (const auto c : paths[p]->stages) count += state.parts[p].known(c) ? 0 : 1;
    }
    return count;
  }

  SearchOptions options;
  JobContext job;
  LazyState state;
  Certificates certificates;
  LazyProgress progress;
};

// Side by side is worth it: a stage takes its longest group, and a tenth of the rest.
double overlapping(const Stage& stage) {
  double longest = 0;
  double sum = 0;
  for (const Group& group : stage.groups) {
    double ms = 0;
    for (const Step& step : group.steps) ms += 1 + 0.1 * static_cast<double>(step.units.front().index() % 3);
    longest = std::max(longest, ms);
    sum += ms;
  }
  return longest + 0.1 * (sum - longest);
}

TEST(LazySteps, PartsAreListedAsOneUnlessTheyWereGivenStages) {
  const Graph graph = zoo_network("googlenet").value();
  FakeLatencies latencies(overlapping);
  const Steps steps(graph, latencies);
  std::size_t members = 0;
  for (const LazyPart& part : steps.state.parts) members += part.parts().size();
  EXPECT_EQ(members, graph.parts().size());

  const Graph nasnet = zoo_network("nasnet_mobile").value();
  Steps alike(nasnet, latencies);
  ASSERT_LT(alike.state.parts.size(), nasnet.parts().size());
  const auto several =
      std::ranges::find_if(alike.state.parts, [](const LazyPart& part) { return part.parts().size() > 1; });
  const PartId apart = several->parts().back();
  SearchOptions options{.pinned_stages = {single_unit_stage(nasnet.part(apart).units.front())}};
  const Steps given(nasnet, latencies, options);
  EXPECT_EQ(given.state.parts.size(), alike.state.parts.size() + 1);
  EXPECT_EQ(std::ranges::count_if(given.state.parts,
                                  [&](const LazyPart& part) { return part.parts() == std::vector{apart}; }),
            1);
}

TEST(LazySteps, PartsWhoseUnitsDifferAreSplit) {
  const Graph graph = zoo_network("nasnet_mobile").value();
  FakeLatencies latencies(arbitrary_latency);
  Steps steps(graph, latencies);
  ASSERT_LT(steps.state.parts.size(), graph.parts().size());
  split_by_units(steps.state);
  EXPECT_EQ(steps.state.parts.size(), graph.parts().size());  // no two units take the same time
  EXPECT_EQ(steps.state.best, Millis(0));
}

TEST(LazySteps, PartsWhoseStagesDifferAreSplit) {
  const Graph graph = zoo_network("nasnet_mobile").value();
  // All units take the same time, and so does every stage but for a little that its units decide.
  FakeLatencies latencies(
      [](const Stage& stage) { return stage.units().size() == 1 ? 1.0 : 1 + 1e-3 * arbitrary_latency(stage); });
  Steps steps(graph, latencies);
  split_by_units(steps.state);
  const std::size_t before = steps.state.parts.size();
  ASSERT_LT(before, graph.parts().size());
  EXPECT_FALSE(split_by_answers(steps.state).value());  // nothing is known but units
  ASSERT_TRUE(Planner(steps.state, steps.progress, 0.02).plan().has_value());
  EXPECT_TRUE(split_by_answers(steps.state).value());
  EXPECT_GT(steps.state.parts.size(), before);
}

TEST(LazySteps, WideningKeepsWhatIsKnown) {
  const Graph graph = test::chain(12);
  FakeLatencies latencies([](const Stage&) { return 1.0; });
  Steps steps(graph, latencies);
  ASSERT_TRUE(Planner(steps.state, steps.progress, 0).plan().has_value());
  const std::int64_t known = steps.state.known_stages();
  const std::size_t candidates = steps.state.candidates();
  ASSERT_TRUE(widen(steps.state));
  EXPECT_EQ(steps.state.options.pruning, (Pruning{.r = 4, .s = 10}));
  EXPECT_EQ(steps.state.report.widened, steps.state.options.pruning);
  EXPECT_EQ(steps.state.known_stages(), known);
  EXPECT_GT(steps.state.candidates(), candidates);
}

TEST(LazySteps, APlannedSearchHasNothingNewInItsPlan) {
  const Graph graph = zoo_network("googlenet").value();
  FakeLatencies latencies(overlapping);
  Steps steps(graph, latencies);
  const double units = steps.certificates.known().count();  // one after another
  EXPECT_GT(steps.unknown_on_path(0), 0U);
  for (const double discount : {0.0, 0.02}) {
    Planner planner(steps.state, steps.progress, discount);
    ASSERT_TRUE(planner.plan().has_value());
    EXPECT_EQ(steps.unknown_on_path(discount), 0U) << discount;
  }
  EXPECT_LT(steps.state.best.count(), units);
  EXPECT_EQ(steps.state.best, steps.certificates.known());
  // An attempt asks for the same with the same seed.
  const std::size_t asked = latencies.asked().size();
  Planner planner(steps.state, steps.progress, 0.02);
  ASSERT_TRUE(planner.attempt(7).has_value());
  EXPECT_GT(latencies.asked().size(), asked);
}

TEST(LazySteps, APolishedSearchHasNoPromisingChange) {
  const Graph graph = zoo_network("googlenet").value();
  FakeLatencies latencies(arbitrary_latency);
  Steps steps(graph, latencies);
  ASSERT_TRUE(Planner(steps.state, steps.progress, 0).plan().has_value());
  const auto promising = [&] {
    std::size_t count = 0;
    const LazyState::Paths best = steps.state.known_paths();
    for (std::size_t p = 0; p < best.size(); ++p) {
      count += promising_changes(steps.state.parts[p], *best[p], steps.state.knowledge.overhead(), 0.88).size();
    }
    return count;
  };
  const Millis planned = steps.state.best;
  ASSERT_GT(promising(), 0U);
  ASSERT_TRUE(Polisher(steps.state, steps.progress).polish(0.88).has_value());
  EXPECT_EQ(promising(), 0U);
  EXPECT_LT(steps.state.best, planned);
}

TEST(LazySteps, ARefinedSearchRestsOnRefinedLatencies) {
  const Graph graph = test::random_dag(4, 10);
  constexpr double kOff = 0.25;
  FakeLatencies latencies(arbitrary_latency);
  latencies.look_first(
      [](const Stage& stage) {
        return arbitrary_latency(stage) * (1 - kOff + 2 * kOff * std::fmod(arbitrary_latency(stage) * 7919, 1));
      },
      kOff);
  Steps steps(graph, latencies);
  ASSERT_TRUE(Planner(steps.state, steps.progress, 0).plan().has_value());
  const auto all_refined = [&] {
    for (const LazyPart& part : steps.state.parts) {
      for (const auto c : LazyPart(part).on_known_paths(steps.state.knowledge.overhead())) {
        if (!latencies.refined(part.stage(part.part_graph(), c))) return false;
      }
    }
    return true;
  };
  EXPECT_FALSE(all_refined());
  ASSERT_TRUE(Refiner(steps.state).run().has_value());
  EXPECT_TRUE(all_refined());
}

TEST(LazySteps, AClosedGapIsCertified) {
  const Graph graph = test::random_dag(3, 10);
  FakeLatencies latencies(overlapping);
  SearchOptions options;
  options.effort.epsilon = 0.0;
  Steps steps(graph, latencies, options);
  Gap gap(steps.state, steps.certificates, steps.progress);
  steps.progress.note_best();
  EXPECT_FALSE(gap.is_closed());
  ASSERT_TRUE(gap.close().has_value());
  EXPECT_TRUE(gap.is_closed());
  SearchResult found{.stage_sum = steps.state.best};
  const LazyReport report = gap.certify(found, {});
  EXPECT_NEAR(report.certified_gap, 0, 1e-9);
  EXPECT_NEAR(report.bound.count(), found.stage_sum.count(), 1e-9);
  // Half as much again leaves a gap of a half.
  found.stage_sum = steps.state.best * 1.5;
  EXPECT_NEAR(gap.certify(found, {}).certified_gap, 0.5, 1e-9);
}

TEST(LazySteps, OnlyWhatIsBetterIsNoted) {
  const Graph graph = zoo_network("squeezenet").value();
  FakeLatencies latencies(overlapping);
  std::size_t told = 0;
  Steps steps(graph, latencies, {}, [&](const SearchMoment&, std::span<const SearchTask>, const Schedule*) { ++told; });
  steps.progress.note_best();
  steps.progress.note_best();
  EXPECT_EQ(steps.state.report.history.size(), 1U);
  EXPECT_EQ(told, 1U);
  steps.progress.note_best_anew();  // though it is the same
  EXPECT_EQ(steps.state.report.history.size(), 2U);
  EXPECT_EQ(steps.state.report.history.back().best, steps.certificates.known());
}

TEST(LazySteps, AHeadStartIsAsGoodAsTheGreedySchedule) {
  const Graph graph = zoo_network("squeezenet").value();
  FakeLatencies latencies(overlapping);
  Steps steps(graph, latencies);
  double greedy = 0;
  for (const Stage& stage : greedy_schedule(graph, kDefaultMaxStreams).stages) greedy += overlapping(stage);
  ASSERT_GT(steps.certificates.known().count(), greedy);
  ASSERT_TRUE(measure_greedy(steps.state).has_value());
  EXPECT_LE(steps.certificates.known().count(), greedy + 1e-9);
}

TEST(LazySteps, OtherSearchesHaveOtherWords) {
  const Graph graph = zoo_network("squeezenet").value();
  FakeLatencies latencies(overlapping);
  const std::string words = search_words(Steps(graph, latencies).state);
  EXPECT_EQ(search_words(Steps(graph, latencies).state), words);
  SearchOptions seed;
  seed.effort.seed = 2;
  EXPECT_NE(search_words(Steps(graph, latencies, seed).state), words);
  SearchOptions pinned{.pinned_stages = {single_unit_stage(UnitId(0))}};
  EXPECT_NE(search_words(Steps(graph, latencies, pinned).state), words);
  SearchOptions candidate{.candidate_stages = pinned.pinned_stages};
  EXPECT_NE(search_words(Steps(graph, latencies, candidate).state),
            search_words(Steps(graph, latencies, pinned).state));
}

// The worked example of lazy_search.h.
TEST(LazySearch, OfADiamond) {
  const Graph graph = test::diamond();
  FakeLatencies latencies([](const Stage& stage) {
    std::size_t longest = 0;
    for (const Group& group : stage.groups) longest = std::max(longest, group.steps.size());
    return static_cast<double>(longest);
  });
  SearchOptions options{.strategies = StrategySet::kParallel, .method = SearchMethod::kLazy};
  const SearchResult result = search(graph, latencies, options, {}).value();
  ASSERT_EQ(latencies.asked().size(), 6U);  // four units, then these
  EXPECT_EQ(latencies.asked()[4].groups.size(), 2U);
  EXPECT_EQ(latencies.asked()[4].units(), (std::vector{UnitId(1), UnitId(2)}));
  EXPECT_EQ(latencies.asked()[5].groups.size(), 1U);
  EXPECT_EQ(latencies.asked()[5].units(), (std::vector{UnitId(0), UnitId(1), UnitId(2)}));
  EXPECT_EQ(result.lazy->candidates, 11);
  EXPECT_EQ(result.lazy->history.front().needed, 5);
  EXPECT_DOUBLE_EQ(result.lazy->history.front().best.count(), 3);
  EXPECT_DOUBLE_EQ(result.stage_sum.count(), 3);
  EXPECT_EQ(result.schedule.stages.size(), 3U);
  EXPECT_DOUBLE_EQ(result.lazy->certified_gap, 0);
}

// How often bounds and tasks are worked out depends on time, what is asked for must not.
TEST(LazySearch, ASlowSourceIsAskedTheSame) {
  const Graph graph = zoo_network("inception_v3").value();
  SearchOptions options{.method = SearchMethod::kLazy};
  const auto asked = [&](std::chrono::microseconds wait) {
    FakeLatencies latencies(arbitrary_latency);
    const SearchWatch watch = [&](const SearchMoment&, std::span<const SearchTask>, const Schedule*) {
      std::this_thread::sleep_for(wait);  // a test of time itself
    };
    EXPECT_TRUE(search(graph, latencies, options, {}, watch).has_value());
    return latencies.asked();
  };
  EXPECT_EQ(asked(std::chrono::microseconds(0)), asked(std::chrono::milliseconds(20)));
}

}  // namespace
}  // namespace iosx
