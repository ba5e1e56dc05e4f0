// Whatever the schedule, the numbers are those that the graph means.

#include "core/model/schedule/baselines.h"
#include "core/model/schedule/merge.h"
#include "models/networks/zoo.h"
#include "tests/devices/cpu/feeds.h"
#include "tests/support/graphs.h"
#include "tests/support/lower.h"
#include "tests/support/prelude.h"
#include "tests/support/random_plans.h"
#include "tests/support/reference.h"

namespace iosx {
namespace {

// Every graph's schedules: both baselines and some random ones.
std::vector<Schedule> schedules_of(const Graph& graph, std::uint32_t seed, int random_ones) {
  std::mt19937 random(seed);
  std::vector<Schedule> schedules{one_by_one_schedule(graph), greedy_schedule(graph)};
  for (int i = 0; i < random_ones; ++i) schedules.push_back(test::random_schedule(graph, random));
  return schedules;
}

bool merges(const Schedule& schedule) {
  for (const Stage& stage : schedule.stages) {
    for (const Group& group : stage.groups) {
      if (std::ranges::any_of(group.steps, &Step::merged)) return true;
    }
  }
  return false;
}

bool only_integers(const Graph& graph) {
  return std::ranges::none_of(graph.operators(), [](const Operator& op) {
    const auto* activate = op.as<Activate>();
    return activate != nullptr && activate->function.kind == ActivationKind::kTanh;
  });
}

// A block as ResNet's: convolutions, a shortcut that is added before the activation, twice, then a linear layer.
Graph residual_network() {
  auto [builder, x] = test::sketch("residual", Shape{16, 10, 10});
  const auto conv = [](std::int64_t channels, std::int64_t kernel, Activation activation) {
    Conv conv{.out_channels = channels,
              .kernel = {kernel, kernel},
              .padding = {kernel / 2, kernel / 2},
              .activation = activation};
    return conv;
  };
  for (const char* block : {"a", "b", "c"}) {
    const Value first = builder.add(fmt::format("{}1", block), conv(16, 1, Activation::kRelu), {x});
    builder.begin_unit(fmt::format("{}2", block));
    const Value second = builder.add(fmt::format("{}2.conv", block), conv(16, 3, Activation::kIdentity), {first});
    const Value sum = builder.add(fmt::format("{}2.add", block), Add{}, {second, x});
    builder.add(fmt::format("{}2.relu", block), Activate{}, {sum});
    x = builder.end_unit();
  }
  builder.add("fc", Linear{10, Activation::kIdentity}, {x});
  return must(std::move(builder).build());
}

class Schedules : public testing::Test {
 protected:
  static void SetUpTestSuite() { device_ = test::open_cpu(); }
  static void TearDownTestSuite() { device_.reset(); }

  static void check(const Graph& graph, const std::vector<Schedule>& schedules, const test::Feed& feed,
                    double tolerance) {
    const auto expected = test::reference_outputs(graph, test::made_up_inputs(graph, feed), feed.batch);
    for (const Schedule& schedule : schedules) {
      ASSERT_TRUE(check_legal(graph, schedule));
      const auto actual = test::outputs_of(*device_, graph, schedule, feed);
      ASSERT_EQ(actual.size(), expected.size());
      for (std::size_t i = 0; i < actual.size(); ++i) {
        EXPECT_LE(test::largest_error(expected[i], actual[i]), tolerance) << graph.name() << ", " << schedule.name;
      }
    }
  }

  static inline std::unique_ptr<Device> device_;
};

TEST_F(Schedules, OfRandomGraphsAgreeWithTheReference) {
  for (std::uint32_t seed = 0; seed < 25; ++seed) {
    const Graph graph = test::random_concat_graph(seed, 14);
    check(graph, schedules_of(graph, seed, 4), {.batch = 1 + seed % 3}, 2e-5);
  }
}

TEST_F(Schedules, OfLinearLayersAgreeWithTheReference) {
  const Graph graph = test::linear_layers();
  for (const std::int64_t batch : {1, 3}) check(graph, schedules_of(graph, 2, 4), {.batch = batch}, 2e-5);
}

// With copies, as the device wants them, and in columns of one matrix.
TEST_F(Schedules, OfMergedLinearLayersAgreeWithTheReference) {
  const Graph graph = test::linear_siblings();
  int merged = 0;
  for (const std::int64_t batch : {1, 3}) {
    const auto schedules = schedules_of(graph, 3, 12);
    merged += static_cast<int>(std::ranges::count_if(schedules, merges));
    check(graph, schedules, {.batch = batch}, 2e-5);
    const auto inputs = test::made_up_inputs(graph, {.batch = batch});
    const auto expected = test::reference_outputs(graph, inputs, batch);
    for (const Schedule& schedule : schedules) {
      LowerOptions wishes = device_->info().lowering;
      wishes.free_columns = true;
      const auto result = must(load_and_run(
          *device_, lower(graph, schedule, batch, wishes),
          {.timing = {.warmup = 0, .repeats = 1, .max_repeats = 1}, .outputs = true, .inputs = inputs}, {}));
      for (std::size_t i = 0; i < expected.size(); ++i) {
        EXPECT_LE(test::largest_error(expected[i], result.outputs.at(i)), 2e-5) << schedule.name << ", output " << i;
      }
    }
  }
  EXPECT_GT(merged, 10);
}

// The CPU does not ask for these kernels, and computes those of plans for other devices.
TEST_F(Schedules, OfActivatedSumsAndInputsAgreeWithTheReference) {
  LowerOptions wishes = device_->info().lowering;
  wishes.fuse_sums = wishes.fuse_before = true;
  for (const Graph& graph : {test::activated_sums(), test::activated_inputs()}) {
    const auto inputs = test::made_up_inputs(graph, {.batch = 2});
    const auto result = must(
        load_and_run(*device_, lower(graph, one_by_one_schedule(graph), 2, wishes),
                     {.timing = {.warmup = 0, .repeats = 1, .max_repeats = 1}, .outputs = true, .inputs = inputs}, {}));
    const auto expected = test::reference_outputs(graph, inputs, 2);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_LE(test::largest_error(expected[i], result.outputs.at(i)), 2e-5) << graph.name() << ", output " << i;
    }
  }
}

TEST_F(Schedules, OfPatternsAgreeWithTheReference) {
  LowerOptions wishes = device_->info().lowering;
  wishes.strided_products = wishes.fuse_attention = wishes.fuse_excitation = true;
  for (const Graph& graph : {test::interleaved_heads(), test::attention_forms(), test::excited_maps()}) {
    for (const std::int64_t batch : {1, 2}) {
      const auto inputs = test::made_up_inputs(graph, {.batch = batch});
      const auto expected = test::reference_outputs(graph, inputs, batch);
      for (const Schedule& schedule : schedules_of(graph, 9, 4)) {
        const auto result = must(load_and_run(
            *device_, lower(graph, schedule, batch, wishes),
            {.timing = {.warmup = 0, .repeats = 1, .max_repeats = 1}, .outputs = true, .inputs = inputs}, {}));
        for (std::size_t i = 0; i < expected.size(); ++i) {
          EXPECT_LE(test::largest_error(expected[i], result.outputs.at(i)), 2e-5) << schedule.name;
        }
      }
    }
  }
}

TEST_F(Schedules, OfRandomConvolutionsAgreeWithTheReference) {
  for (std::uint32_t seed = 0; seed < 8; ++seed) {
    const Graph graph = test::random_dag(seed, 8);
    check(graph, schedules_of(graph, seed, 4), {}, 2e-5);
  }
}

TEST_F(Schedules, OfGrowingConcatenationsAgreeWithTheReference) {
  const Graph graph = test::dense_block(6);
  check(graph, schedules_of(graph, 1, 4), {.batch = 2}, 2e-5);
}

TEST_F(Schedules, OfResidualsAgreeWithTheReference) {
  const Graph graph = residual_network();
  check(graph, schedules_of(graph, 1, 4), {.batch = 2}, 2e-5);
}

TEST_F(Schedules, GiveExactIntegers) {
  int merged = 0;
  const auto exact = [&](const Graph& made, std::uint32_t seed) {
    if (!only_integers(made)) return;
    const Graph graph = made.with_parameters(made.parameters()->synthetic(ParameterInit::kIntegers));
    const auto schedules = schedules_of(graph, seed, 4);
    merged += static_cast<int>(std::ranges::count_if(schedules, merges));
    check(graph, schedules, {.batch = 2, .init = ParameterInit::kIntegers}, 0);
  };
  for (std::uint32_t seed = 0; seed < 40; ++seed) exact(test::random_concat_graph(seed, 8), seed);
  for (std::uint32_t seed = 0; seed < 5; ++seed) exact(test::random_dag(seed, 6), seed);
  for (const Graph& graph : {test::fork(6), test::fork_join(5), test::diamond(), residual_network()}) exact(graph, 1);
  EXPECT_GT(merged, 10);
}

TEST_F(Schedules, MayHaveMoreGroupsThanCores) {
  const Graph graph = test::fork_join(9);
  ASSERT_GT(greedy_schedule(graph).stages[1].groups.size(), 4U);
  for (const int cores : {1, 3}) {
    const auto device = test::open_cpu(DataType::kFloat32, cores);
    const auto expected = test::reference_outputs(graph, test::made_up_inputs(graph, {}), 1);
    const auto actual = test::outputs_of(*device, graph, greedy_schedule(graph), {});
    ASSERT_EQ(actual.size(), expected.size());
    EXPECT_LT(test::largest_error(expected[0], actual[0]), 2e-5);
  }
}

TEST_F(Schedules, InBfloat16AreCloseToTheReference) {
  if (!cpu_has_bfloat16()) GTEST_SKIP() << "this processor does not compute in bfloat16";
  const auto device = test::open_cpu(DataType::kBfloat16);
  for (const Graph& graph : {test::fork_join(5), residual_network(), test::random_concat_graph(3, 12)}) {
    const auto expected = test::reference_outputs(graph, test::made_up_inputs(graph, {}), 1);
    for (const Schedule& schedule : schedules_of(graph, 1, 2)) {
      const auto actual = test::outputs_of(*device, graph, schedule, {});
      ASSERT_EQ(actual.size(), expected.size());
      for (std::size_t i = 0; i < actual.size(); ++i) {
        EXPECT_LT(test::largest_error(expected[i], actual[i]), 0.03) << graph.name() << ", " << schedule.name;
      }
    }
  }
}

// Merges what stands next to each other and can be merged, and puts the rest of what is ready side by side.
Schedule with_merges(const Graph& graph) {
  Schedule schedule{"merging", {}};
  for (const Stage& stage : greedy_schedule(graph).stages) {
    std::vector<UnitId> units = stage.units();
    Stage rest;
    while (!units.empty()) {
      std::size_t count = 1;
      while (count < units.size() && merge(graph, std::span(units).first(count + 1))) ++count;
      const auto end = units.begin() + static_cast<std::ptrdiff_t>(count);
      rest.groups.push_back({{Step{{units.begin(), end}}}});
      units.erase(units.begin(), end);
    }
    schedule.stages.push_back(std::move(rest));
  }
  return schedule;
}

class ZooSchedules : public testing::TestWithParam<std::string_view> {};

TEST_P(ZooSchedules, AgreeWithTheSequentialOne) {
  const auto graph = must(zoo_network(GetParam()));
  const auto device = test::open_cpu();
  const auto expected = test::outputs_of(*device, graph, one_by_one_schedule(graph), {});
  for (const Schedule& schedule : {greedy_schedule(graph), with_merges(graph)}) {
    ASSERT_TRUE(check_legal(graph, schedule));
    const auto actual = test::outputs_of(*device, graph, schedule, {});
    ASSERT_EQ(actual.size(), expected.size());
    for (std::size_t i = 0; i < actual.size(); ++i) {
      EXPECT_LT(test::largest_error(expected[i], actual[i]), 1e-4) << schedule.name;
    }
  }
}

// One of each family; tests/interop compares the whole zoo with ONNX Runtime.
INSTANTIATE_TEST_SUITE_P(Networks, ZooSchedules,
                         testing::Values("sample", "squeezenet", "googlenet", "resnet18", "shufflenet_v2"),
                         [](const auto& info) { return std::string(info.param); });
#ifndef IOS_SANITIZED  // each takes minutes there, in the same code
INSTANTIATE_TEST_SUITE_P(MoreNetworks, ZooSchedules,
                         testing::Values("inception_v3", "resnet50", "randwire", "nasnet", "densenet121",
                                         "mobilenet_v3_small", "regnet_y_800mf", "nasnet_mobile", "hrnet_w18",
                                         "convnext_tiny", "yolox_s", "efficientdet_d0", "parallel_vit_s16", "bert_base",
                                         "mixture_of_experts"),
                         [](const auto& info) { return std::string(info.param); });
#endif

}  // namespace
}  // namespace iosx
