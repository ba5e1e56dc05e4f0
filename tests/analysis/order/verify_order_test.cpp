#include "core/analysis/order/verify_order.h"

#include "core/model/schedule/baselines.h"
#include "models/networks/zoo.h"
#include "tests/support/graphs.h"
#include "tests/support/lower.h"
#include "tests/support/prelude.h"
#include "tests/support/random_plans.h"

namespace iosx {
namespace {

using testing::Field;

TEST(VerifyOrder, PlansWaitForWhatTheyNeed) {
  std::mt19937 random(3);
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const Graph graph = test::random_concat_graph(seed, 12);
    const ExecutionPlan staged = lower(graph, test::random_schedule(graph, random), 1, {.concat_in_place = true});
    EXPECT_EQ(order_of_plan(staged).mistakes(), 0U);
    const LaneSchedule lanes = test::random_lanes(staged, 4, random);
    const OrderReport free = order_of_plan(on_lanes(staged, needs_of(staged), lanes));
    EXPECT_EQ(free.mistakes(), 0U);
    EXPECT_GT(free.pairs, 0U);
  }
}

// Every wait of a plan without barriers is there for a reason: without it, a pair has no order.
TEST(VerifyOrder, EveryWaitThatIsMissingIsFound) {
  const Graph graph = zoo_network("squeezenet").value();
  const ExecutionPlan staged = lower(graph, greedy_schedule(graph), 1);
  const ExecutionPlan plan = on_lanes(staged, needs_of(staged), same_lanes(staged));
  std::size_t waits = 0;
  for (std::size_t k = 0; k < plan.kernels.size(); ++k) {
    for (std::size_t w = 0; w < plan.kernels[k].waits.size(); ++w, ++waits) {
      ExecutionPlan broken = plan;
      const KernelId gone = plan.kernels[k].waits[w];
      broken.kernels[k].waits.erase(broken.kernels[k].waits.begin() + static_cast<std::ptrdiff_t>(w));
      const OrderReport report = order_of_plan(broken);
      ASSERT_GE(report.unordered.size(), 1U) << k;
      EXPECT_THAT(report.unordered, Contains(AllOf(Field(&UnorderedPair::first, plan.kernel(gone).name),
                                                   Field(&UnorderedPair::then, plan.kernels[k].name))));
      EXPECT_THAT(order_text(report), HasSubstr("has to come before"));
      EXPECT_EQ(order_json(report).at("unordered").size(), report.unordered.size());
    }
  }
  EXPECT_GT(waits, 5U);
}

TEST(VerifyOrder, ARunInTheWrongOrderIsFound) {
  const ExecutionPlan plan = test::four_kernels();  // 0 → 1 and 2, which 3 adds
  Trace trace{.lanes = 2};
  const auto span = [&](std::size_t kernel, std::size_t lane, double begin, double end) {
    trace.kernels.push_back(
        KernelSpan{plan.kernels[kernel].name, KernelId(kernel), lane, 0, Micros(begin), Micros(end)});
  };
  const auto needs = needs_of(plan);
  double at = 0;
  for (std::size_t k = 0; k < plan.kernels.size(); ++k, at += 2) span(k, 0, at, at + 2);
  EXPECT_EQ(order_of_trace(plan, trace).mistakes(), 0U);
  EXPECT_TRUE(order_of_trace(plan, trace).recorded);
  trace.kernels.back().begin -= Micros(3);
  // The plan orders it: the kernel may wait inside.
  const OrderReport early = order_of_trace(plan, trace);
  EXPECT_EQ(early.mistakes(), 0U);
  ASSERT_GE(early.early.size(), 1U);
  EXPECT_EQ(early.early.back().then, plan.kernels.back().name);
  EXPECT_NEAR(early.early.back().overlap.count(), needs.back().back() == KernelId(2) ? 3 : 1, 1e-9);
  EXPECT_THAT(order_text(early), HasSubstr("wait inside"));
  EXPECT_EQ(order_json(early).at("began_early").size(), early.early.size());
  // Nothing orders it.
  ExecutionPlan broken = on_lanes(plan, needs, same_lanes(plan));
  for (std::size_t k = 0; k < broken.kernels.size(); ++k) {
    broken.kernels[k].waits.clear();
    broken.kernels[k].lane = k;
  }
  EXPECT_GE(order_of_trace(broken, trace).unordered.size(), 1U);
  EXPECT_EQ(order_of_trace(plan, Trace{}).pairs, 0U);
}

TEST(VerifyOrder, ARecordingIsJudgedByNamesAlone) {
  const Graph graph = test::chain(3);
  ExternalRun run{.label = "theirs"};
  run.trace.lanes = 2;
  const auto add = [&](const char* name, std::size_t lane, double begin, double end, MatchRule rule) {
    ExternalEntry entry{.name = name, .timed = true, .match = {rule, {*graph.find_operator(name)}}};
    run.trace.kernels.push_back(KernelSpan{name, {}, lane, 0, Micros(begin), Micros(end)});
    run.of_kernel.push_back(run.entries.size());
    run.entries.push_back(std::move(entry));
  };
  add("a", 0, 0, 10, MatchRule::kName);
  add("b", 1, 4, 12, MatchRule::kName);     // six microseconds too early
  add("c", 0, 11.5, 20, MatchRule::kName);  // within what is rounded
  const OrderReport report = order_of_recording(run, graph);
  EXPECT_EQ(report.pairs, 2U);
  EXPECT_EQ(report.across, 2U);
  ASSERT_EQ(report.unordered.size(), 1U);
  EXPECT_EQ(report.unordered.front(), (UnorderedPair{"a", "b", "a", Micros(6)}));
  EXPECT_THAT(order_text(report), HasSubstr("it began 6.000 us too early"));
  run.entries[1].match.rule = MatchRule::kOrder;
  const OrderReport guessed = order_of_recording(run, graph);
  EXPECT_EQ(guessed.mistakes(), 0U);
  EXPECT_EQ(guessed.guessed, 1U);
  EXPECT_THAT(order_text(guessed), HasSubstr("nothing that needs an order"));
}

}  // namespace
}  // namespace iosx
