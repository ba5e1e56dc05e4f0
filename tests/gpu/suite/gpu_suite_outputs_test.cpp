// On a real GPU: what schedules of networks compute, against the CPU and against plain loops.

#include "core/model/schedule/baselines.h"
#include "models/networks/zoo.h"
#include "tests/gpu/suite/suite.h"
#include "tests/support/graphs.h"
#include "tests/support/lower.h"
#include "tests/support/operator_cases.h"
#include "tests/support/prelude.h"
#include "tests/support/random_plans.h"
#include "tests/support/reference.h"

namespace iosx::gpu {
namespace {

std::vector<Tensor> reference_of(const Graph& graph, std::int64_t batch) {
  return iosx::test::reference_outputs(graph, synthetic_inputs(lower(graph, one_by_one_schedule(graph), batch)), batch);
}

std::string name_of(const std::string& id) { return id == "gpu" ? "gpu_tf32" : "gpu_" + id.substr(4); }

// A network with its schedules, and what the CPU computes; kept, because four devices follow one another.
struct Expected {
  std::string network;
  std::shared_ptr<const Graph> graph;
  std::vector<Schedule> schedules;
  std::vector<Tensor> outputs;
};

const Expected& expected(const std::string& network) {
  static Expected kept;
  if (kept.network == network) return kept;
  auto graph = zoo_network(network);
  EXPECT_TRUE(graph);
  kept = {network, std::make_shared<const Graph>(std::move(*graph)), {}, {}};
  kept.schedules = test::schedules_of(*kept.graph);
  kept.outputs = test::outputs_of(test::shared("cpu"), *kept.graph, kept.schedules.front(), 1);
  return kept;
}

class GpuSuiteNetwork : public testing::TestWithParam<std::tuple<std::string, std::string>> {};

TEST_P(GpuSuiteNetwork, ComputesWhatTheCpuDoes) {
  const auto& [network, id] = GetParam();
  IOS_NEEDS(id);
  IOS_NEEDS("cpu");
  const Expected& right = expected(network);
  Device& device = test::shared(id);
  for (const Schedule& schedule : right.schedules) {
    const auto outputs = test::outputs_of(device, *right.graph, schedule, 1);
    test::expect_close(right.outputs, outputs, device, network + ", " + schedule.name);
  }
}

std::vector<std::string> networks() {
  return mapped<std::string>(zoo(), [](const ZooNetwork& network) { return std::string(network.name); });
}

INSTANTIATE_TEST_SUITE_P(Zoo, GpuSuiteNetwork,
                         testing::Combine(testing::ValuesIn(networks()), testing::ValuesIn(test::gpu_ids())),
                         [](const auto& info) {
                           return std::get<0>(info.param) + "_" + name_of(std::get<1>(info.param));
                         });

class GpuSuite : public testing::TestWithParam<std::string> {};

TEST_P(GpuSuite, RandomGraphsAgreeWithTheReference) {
  IOS_NEEDS(GetParam());
  Device& device = test::shared(GetParam());
  for (std::uint32_t seed = 0; seed < 12; ++seed) {
    const Graph graph = seed % 3 == 0 ? iosx::test::random_dag(seed, 8) : iosx::test::random_concat_graph(seed, 12);
    const std::int64_t batch = 1 + seed % 3;
    const auto right = reference_of(graph, batch);
    std::mt19937 random(seed);
    for (int i = 0; i < 3; ++i) {
      const Schedule schedule = iosx::test::random_schedule(graph, random);
      test::expect_close(right, test::outputs_of(device, graph, schedule, batch), device,
                         fmt::format("graph {}, schedule {}", seed, i));
    }
  }
}

TEST_P(GpuSuite, EveryOperatorAgreesWithTheReference) {
  IOS_NEEDS(GetParam());
  Device& device = test::shared(GetParam());
  for (const iosx::test::OperatorCase& one : iosx::test::operator_cases()) {
    for (const auto placement : {iosx::test::Placement::kWhole, iosx::test::Placement::kSliced}) {
      const Graph graph = iosx::test::network_of(one, placement);
      test::expect_close(reference_of(graph, 2), test::outputs_of(device, graph, one_by_one_schedule(graph), 2), device,
                         one.name + (placement == iosx::test::Placement::kSliced ? ", sliced" : ""));
    }
  }
}

TEST_P(GpuSuite, LargerBatchesAgreeWithTheCpu) {
  IOS_NEEDS(GetParam());
  IOS_NEEDS("cpu");
  const auto graph = must(zoo_network("squeezenet"));
  const Schedule greedy = greedy_schedule(graph);
  const auto right = test::outputs_of(test::shared("cpu"), graph, greedy, 8);
  Device& device = test::shared(GetParam());
  test::expect_close(right, test::outputs_of(device, graph, greedy, 8), device, "squeezenet, batch 8");
}

// Not the heuristics' first plan but what measuring chose, alone and side by side.
void expect_tuned_agrees(const std::string& network, const std::string& id) {
  const Expected& right = expected(network);
  const auto device = must(test::open(id, test::Mode::kTuned));
  for (const Schedule& schedule : right.schedules) {
    test::expect_close(right.outputs, test::outputs_of(*device, *right.graph, schedule, 1), *device,
                       fmt::format("{} tuned, {}", network, schedule.name));
  }
}

TEST_P(GpuSuite, TunedPlansAgreeWithTheCpu) {
  IOS_NEEDS(GetParam());
  IOS_NEEDS("cpu");
  expect_tuned_agrees("squeezenet", GetParam());
}

// Of the precision that is the default only: choosing takes long for so many convolutions.
TEST(GpuSuiteTuned, InceptionV3AgreesWithTheCpu) {
  IOS_NEEDS("gpu");
  IOS_NEEDS("cpu");
  expect_tuned_agrees("inception_v3", "gpu");
}

TEST_P(GpuSuite, CapturedAndEagerOutputsAreTheSame) {
  IOS_NEEDS(GetParam());
  const auto graph = must(zoo_network("squeezenet"));
  const auto eager = must(test::open(GetParam(), test::Mode::kEager));
  for (const Schedule& schedule : {one_by_one_schedule(graph), greedy_schedule(graph)}) {
    const auto first = test::outputs_of(test::shared(GetParam()), graph, schedule, 2);
    const auto second = test::outputs_of(*eager, graph, schedule, 2);
    ASSERT_EQ(first.size(), second.size());
    for (std::size_t i = 0; i < first.size(); ++i) {
      EXPECT_LT(iosx::test::largest_error(first[i], second[i]), 1e-6) << schedule.name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Precisions, GpuSuite, testing::ValuesIn(test::gpu_ids()),
                         [](const auto& info) { return name_of(info.param); });

}  // namespace
}  // namespace iosx::gpu
