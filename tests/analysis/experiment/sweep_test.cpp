#include "core/analysis/experiment/sweep.h"
#include "core/analysis/compare/compare.h"
#include "core/model/graph/networks.h"
#include "models/devices/simulated_devices.h"
#include "models/networks/zoo.h"
#include "tests/support/graphs.h"
#include "tests/support/prelude.h"

namespace iosx {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

DeviceRegistry devices() {
  DeviceRegistry registry;
  add_simulated_devices(registry);
  return registry;
}

SweepBase base_of(Graph graph) {
  SweepBase base{.graph = std::make_shared<const Graph>(std::move(graph)),
                 .device = "tesla-v100",
                 .devices = {"tesla-v100", "rtx-2080-ti"}};
  base.options.schedule_kinds = {ScheduleKind::kSequential, ScheduleKind::kGreedy, ScheduleKind::kIosBoth};
  return base;
}

Result<Comparison> on_simulated(const SweepBase& base, const JobContext& job) {
  auto device = devices().open(base.device);
  if (!device) return tl::unexpected(std::move(device.error()));
  return compare(*base.graph, **device, base.options, job);
}

TEST(Sweep, APointIsTheComparisonWithThatValue) {
  const SweepBase base = base_of(test::sample());
  const auto point = must(sweep_point({base, SweepParameter::kBatch}, 32, on_simulated, {}));
  EXPECT_EQ(point.problem, "");
  SweepBase at = base;
  at.options.batch = 32;
  const Comparison compared = on_simulated(at, {}).value();
  ASSERT_EQ(point.latencies.size(), compared.results.size());
  for (std::size_t i = 0; i < compared.results.size(); ++i) {
    EXPECT_EQ(point.latencies[i].latency, compared.results[i].latency);
    EXPECT_EQ(point.latencies[i].title, compared.results[i].title());
  }
}

// One point of a batch, with the latencies of sequential, greedy and a search in ms.
SweepPoint point_of(std::int64_t batch, double sequential, double greedy, double searched) {
  const auto latency = [](const char* id, ScheduleKind kind, double ms) {
    return SweepLatency{.id = ScheduleId(id), .schedule_kind = kind, .title = id, .latency = {.value = Millis(ms)}};
  };
  return {.value = batch,
          .text = std::to_string(batch),
          .latencies = {latency("sequential", ScheduleKind::kSequential, sequential),
                        latency("greedy", ScheduleKind::kGreedy, greedy),
                        latency("ios-both", ScheduleKind::kIosBoth, searched)},
          .problem = {}};
}

TEST(Sweep, ASentenceSaysUpToWhichBatchConcurrencyPays) {
  const Sweep sweep{base_of(test::sample()), SweepParameter::kBatch};
  const auto sentence = [&](const std::vector<SweepPoint>& points) {
    const auto said = batch_sentence(sweep, points);
    return said ? said->text() : std::string();
  };
  const SweepPoint one = point_of(1, 2, 1.5, 1);
  const SweepPoint eight = point_of(8, 8, 6.4, 7);  // greedy is the fastest
  const SweepPoint many = point_of(64, 40, 41, 39);
  EXPECT_EQ(sentence({many, one, eight}),
            "concurrency pays up to batch 8 (1.25×); from batch 64 on it gains less than 5 %");
  EXPECT_EQ(sentence({one, eight}), "concurrency still pays at batch 8, the largest tried: 1.25×");
  EXPECT_EQ(sentence({many, point_of(128, 80, 80, 79)}), "concurrency gains less than 5 % at every batch size tried");
  SweepPoint merging = point_of(128, 80, 80, 40);  // which runs nothing concurrently
  merging.latencies.back().schedule_kind = ScheduleKind::kIosMerge;
  EXPECT_EQ(sentence({many, merging}), "concurrency gains less than 5 % at every batch size tried");
  EXPECT_EQ(sentence({one}), "");
  EXPECT_FALSE(batch_sentence({sweep.base, SweepParameter::kR}, std::vector{one, eight}));
  EXPECT_THAT(sweep_table_text(sweep, std::vector{one, many}), HasSubstr("concurrency pays up to batch 1 (2.00×)"));
}

TEST(Sweep, EveryParameterHasItsValuesWithThePresentOne) {
  const SweepBase base = base_of(build_squeezenet());
  const OperatorId conv = base.graph->find_operator(base.graph->op(OperatorId(1)).name).value();
  for (const SweepParameterRow& row : sweep_table()) {
    const Sweep sweep{base, row.parameter, conv};
    const std::vector<std::int64_t> values = usual_values(sweep);
    EXPECT_THAT(values, Contains(present_value(sweep))) << row.id;
    EXPECT_GE(values.size(), 2U) << row.id;
    for (const std::int64_t value : {values.front(), values.back()}) {
      const auto point = sweep_point(sweep, value, on_simulated, {});
      ASSERT_TRUE(point.has_value()) << row.id;
      EXPECT_EQ(point->problem, "") << row.id << " " << value;
      EXPECT_EQ(point->latencies.size(), 3U) << row.id;
    }
  }
}

TEST(Sweep, FewerStreamsAreNoFaster) {
  const SweepBase base = base_of(test::fork_join(6));
  const auto one = sweep_point({base, SweepParameter::kStreams}, 1, on_simulated, {});
  const auto all = sweep_point({base, SweepParameter::kStreams}, 8, on_simulated, {});
  EXPECT_GE(one->latencies[2].latency.value, all->latencies[2].latency.value);
  EXPECT_EQ(one->latencies[1].stages, 8U);  // greedy with one stream has a stage a unit
}

TEST(Sweep, WhatCannotBeIsAPointWithAReason) {
  const SweepBase base = base_of(test::diamond());
  const OperatorId b = base.graph->find_operator("b").value();
  const auto point = must(sweep_point({base, SweepParameter::kChannels, b}, 12, on_simulated, {}));
  EXPECT_TRUE(point.latencies.empty());
  EXPECT_THAT(point.problem, HasSubstr("d"));
  const auto unknown = sweep_point(
      {base, SweepParameter::kBatch}, 2,
      [](const SweepBase&, const JobContext&) -> Result<Comparison> { return fail(message("nobody measured it")); },
      {});
  EXPECT_EQ(unknown->problem, "nobody measured it");
}

TEST(Sweep, AStopEndsIt) {
  EXPECT_FALSE(sweep_point({base_of(test::sample()), SweepParameter::kBatch}, 2, on_simulated, {stopped_token(), {}})
                   .has_value());
}

TEST(Sweep, DevicesAreNamed) {
  const SweepBase base = base_of(test::sample());
  EXPECT_THAT(usual_values({base, SweepParameter::kDevice}), ElementsAre(0, 1));
  EXPECT_EQ(value_text({base, SweepParameter::kDevice}, 1), "rtx-2080-ti");
  EXPECT_EQ(value_text({base, SweepParameter::kR}, 0), "unlimited");
  EXPECT_EQ(present_value({base, SweepParameter::kKernel}), 0);  // of no operator
  EXPECT_FALSE(with_value({base, SweepParameter::kDevice}, 2).has_value());
  EXPECT_FALSE(with_value({base, SweepParameter::kBatch}, 0).has_value());
  EXPECT_THAT(parse_sweep_parameter("colour").error().remedy, HasSubstr("input-size"));
}

using test::describe;
using ::testing::HasSubstr;

OperatorId op(const Graph& graph, const char* name) { return graph.find_operator(name).value(); }

TEST(Resized, TheSameSizeIsTheSameGraph) {
  const Graph graph = build_squeezenet();
  EXPECT_EQ(describe(with_input_size(graph, input_size(graph)).value()), describe(graph));
  for (const Operator& each : graph.operators()) {
    const OperatorId id = op(graph, each.name.c_str());
    if (const auto channels = channels_of(graph, id); channels > 0) {
      EXPECT_EQ(describe(with_channels(graph, id, channels).value()), describe(graph)) << each.name;
    }
    if (const auto kernel = kernel_of(graph, id); kernel > 0) {
      EXPECT_EQ(describe(with_kernel(graph, id, kernel).value()), describe(graph)) << each.name;
    }
  }
}

TEST(Resized, WhatReadsItFollows) {
  const Graph graph = test::sample();
  const Graph wide = with_channels(graph, op(graph, "a"), 400).value();
  EXPECT_EQ(wide.op(op(wide, "a")).output, (Shape{400, 15, 15}));
  EXPECT_EQ(wide.op(op(wide, "d")).inputs.front().channels(), 400);
  const Graph large = with_input_size(graph, 30).value();
  EXPECT_EQ(large.op(op(large, "concat")).output, (Shape{1875, 30, 30}));
  const Graph five = with_kernel(graph, op(graph, "a"), 5).value();
  EXPECT_EQ(five.op(op(five, "a")).output, graph.op(op(graph, "a")).output);
  EXPECT_EQ(five.op(op(five, "a")).as<Conv>()->padding, (Extent{2, 2}));
  const Graph even = with_kernel(graph, op(graph, "a"), 4).value();
  EXPECT_EQ(even.op(op(even, "a")).output, graph.op(op(graph, "a")).output);
  EXPECT_EQ(even.op(op(even, "a")).as<Conv>()->end_padding, (Extent{1, 1}));
}

TEST(Resized, ASideOfOneStaysOne) {
  const Graph graph = build_inception_v3();
  for (const Operator& each : graph.operators()) {
    const Conv* conv = each.as<Conv>();
    if (conv == nullptr || conv->kernel != Extent{1, 7}) continue;
    const Graph other = with_kernel(graph, op(graph, each.name.c_str()), 5).value();
    const Operator& made = other.op(op(other, each.name.c_str()));
    EXPECT_EQ(made.as<Conv>()->kernel, (Extent{1, 5}));
    EXPECT_EQ(made.output, each.output);
    return;
  }
  FAIL() << "no 1x7 convolution";
}

TEST(Resized, WhatCannotBeSaysWhy) {
  const Graph graph = test::diamond();  // d sums b and c
  EXPECT_THAT(refused(with_channels(graph, op(graph, "b"), 12)).what, HasSubstr("d"));
  EXPECT_FALSE(with_channels(graph, op(graph, "b"), 0).has_value());
  EXPECT_FALSE(with_input_size(graph, -1).has_value());
  EXPECT_THAT(refused(with_kernel(graph, op(graph, "d"), 3)).what,
              HasSubstr("'d' has no kernel size that can be changed"));
  EXPECT_FALSE(refused(with_input_size(build_inception_v3(), 32)).what.empty());
}

// Each by its own kind of input: maps of 15 pixels, and 6 tokens.
TEST(Resized, SeveralNetworksAllChange) {
  const Graph maps = test::sample();
  GraphBuilder builder("tokens");
  builder.add("fc", Linear{.out_features = 4, .axis = 1}, {builder.input("x", Shape{6, 8})});
  const Graph tokens = must(std::move(builder).build());
  const Graph graph = must(unite(std::array{&maps, &tokens}));
  const Graph twice = must(with_input_size(graph, 30));
  ASSERT_EQ(twice.inputs().size(), graph.inputs().size());
  for (std::size_t i = 0; i < graph.inputs().size(); ++i) {
    const Shape& was = graph.op(graph.inputs()[i]).output;
    const Shape& is = twice.op(twice.inputs()[i]).output;
    const std::size_t axis = was.is_feature_map() ? 1 : 0;
    EXPECT_EQ(is[axis], 2 * was[axis]) << i;
  }
}

// The size is that of the maps, though the network of tokens comes first.
TEST(Sweep, NamesTheNetworkWhoseInputVaries) {
  GraphBuilder builder("tokens");
  builder.add("fc", Linear{.out_features = 4, .axis = 1}, {builder.input("x", Shape{6, 8})});
  const Graph tokens = must(std::move(builder).build());
  const Graph maps = test::sample();
  const Sweep sweep{base_of(must(unite(std::array{&tokens, &maps}))), SweepParameter::kInputSize};
  EXPECT_EQ(present_value(sweep), 15);
  EXPECT_THAT(sweep_table_text(sweep, {}), HasSubstr("of sample, the others in proportion"));
}

TEST(Resized, TokensAreAnInputSizeToo) { EXPECT_EQ(input_size(test::linear_layers()), 6); }

}  // namespace

}  // namespace iosx
