#include "core/operators/features.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "core/operators/candidates.h"
#include "core/operators/recorded.h"
#include "tests/support/graphs.h"

namespace iosx {
namespace {

using testing::HasSubstr;

StageFeatures only_stage(const Graph& graph) {
  StagePlanner planner(graph, 1, {});
  CandidateOptions options;
  options.together = 0;
  const auto candidates = candidates_of(planner, options);
  EXPECT_EQ(candidates.size(), 1U);
  return candidates.front().features;
}

TEST(OperatorFeatures, SayWhatAConvolutionIs) {
  const auto grid = grid_of("conv channels=64 filters=32 size=28 kernel=3 stride=2 groups=4", "grid");
  ASSERT_TRUE(grid) << grid.error().text();
  const StageFeatures stage = only_stage(*grid);
  ASSERT_TRUE(is_alone(stage));
  const OperatorFeatures& x = stage[0][0];
  EXPECT_EQ(x.kind, "conv");
  EXPECT_EQ(x.channels, 64);
  EXPECT_EQ(x.height, 28);
  EXPECT_EQ(x.out_channels, 32);
  EXPECT_EQ(x.out_height, 14);
  EXPECT_EQ(x.kernel_height, 3);
  EXPECT_EQ(x.stride, 2);
  EXPECT_EQ(x.groups, 4);
  EXPECT_GE(x.flops, 2.0 * 32 * 14 * 14 * 16 * 9);
}

// What others measured and what a plan holds must be the same to a predictor.
TEST(OperatorFeatures, OfATableAreThoseOfAPlan) {
  const auto close = [](const OperatorFeatures& a, const OperatorFeatures& b) {
    EXPECT_EQ(a.kind, b.kind);
    for (const FeatureColumn& column : feature_columns()) {
      if (column.name == "function") continue;  // a grid's convolutions have a ReLU
      EXPECT_NEAR(column.value(a), column.value(b), 0.03 * column.value(b)) << column.name;
    }
  };
  MeasuredOperator conv;
  conv.op = "conv";
  conv.channels = 64;
  conv.height = conv.width = 28;
  conv.filters = 128;
  conv.filter_height = conv.filter_width = 3;
  conv.pad_height = conv.pad_width = 1;
  close(features_of(conv), only_stage(*grid_of("conv channels=64 filters=128 size=28 kernel=3", ""))[0][0]);
  MeasuredOperator linear;
  linear.kind = MeasuredKind::kMatrix;
  linear.op = "linear";
  linear.rows = 128;
  linear.depth = 512;
  linear.columns = 1024;
  close(features_of(linear), only_stage(*grid_of("linear features=512 outputs=1024 rows=128", ""))[0][0]);
  MeasuredOperator product;
  product.kind = MeasuredKind::kMatrix;
  product.op = "bmm";
  product.batch = 12;
  product.rows = 64;
  product.depth = 32;
  product.columns = 48;
  close(features_of(product), only_stage(*grid_of("matmul matrices=12 rows=64 columns=48 depth=32", ""))[0][0]);
  MeasuredOperator add;
  add.kind = MeasuredKind::kStream;
  add.op = "add";
  add.rows = 64;
  add.columns = 28 * 28;
  const OperatorFeatures of_plan = only_stage(*grid_of("add channels=64 size=28", ""))[0][0];
  EXPECT_EQ(features_of(add).kind, of_plan.kind);
  EXPECT_EQ(features_of(add).bytes_read, of_plan.bytes_read);
  EXPECT_EQ(features_of(add).bytes_written, of_plan.bytes_written);
}

// The kinds that gpu_launch_bench's table has besides.
TEST(OperatorFeatures, OfAMeasuredPoolAreThoseOfAPlan) {
  MeasuredOperator depthwise;
  depthwise.op = "conv";
  depthwise.channels = depthwise.filters = depthwise.groups = 8;
  depthwise.height = depthwise.width = 16;
  depthwise.filter_height = depthwise.filter_width = 3;
  depthwise.pad_height = depthwise.pad_width = 1;
  OperatorFeatures found = features_of(depthwise);
  OperatorFeatures of_plan = only_stage(*grid_of("depthwise channels=8 size=16 kernel=3 stride=1", ""))[0][0];
  EXPECT_EQ(found.kind, "depthwise");
  EXPECT_EQ(found.kind, of_plan.kind);
  EXPECT_EQ(found.groups, of_plan.groups);
  EXPECT_EQ(found.flops, 2.0 * 8 * 16 * 16 * 9);
  MeasuredOperator pool;
  pool.kind = MeasuredKind::kPool;
  pool.op = "max_pool";
  pool.channels = pool.filters = 8;
  pool.height = pool.width = 16;
  pool.filter_height = pool.filter_width = 3;
  pool.pad_height = pool.pad_width = 1;
  pool.stride_height = pool.stride_width = 2;
  found = features_of(pool);
  of_plan = only_stage(*grid_of("pool channels=8 size=16 kernel=3 stride=2", ""))[0][0];
  EXPECT_EQ(found.kind, of_plan.kind);
  EXPECT_EQ(found.flops, of_plan.flops);
  EXPECT_EQ(found.stride, of_plan.stride);
  EXPECT_EQ(found.bytes_written, of_plan.bytes_written);
  pool.op = "global_pool";
  pool.filter_height = pool.filter_width = 16;
  pool.pad_height = pool.pad_width = 0;
  found = features_of(pool);
  EXPECT_EQ(found.kind, "global pool");
  EXPECT_EQ(found.out_height * found.out_width, 1);
  EXPECT_EQ(found.flops, 8.0 * 16 * 16);
}

TEST(OperatorFeatures, ATextIsReadAsItWasWritten) {
  const StageFeatures stage = {{{.kind = "conv", .channels = 3}, {.kind = "max pool"}}, {{.kind = "linear"}}};
  EXPECT_EQ(parse_stage_features(to_text(stage), "").value(), stage);
  for (const char* text : {"", "{", "[]", R"({"format":"iosx-stage","version":2,"content":[]})",
                           R"({"format":"iosx-stage","version":1,"content":[[{"kind":"conv"}]]})",
                           R"({"format":"iosx-stage","version":1,"content":7})"}) {
    EXPECT_FALSE(parse_stage_features(text, "here")) << text;
  }
}

TEST(OperatorGrid, MakesEveryCombination) {
  const auto grid = grid_of(
      "# a grid\n"
      "conv channels=8,16 filters=8 size=8,16 kernel=1,3\n"
      "\n"
      "depthwise channels=8 size=8\n"
      "pool channels=8 size=8\nrelu channels=8 size=8\nmul channels=8 size=8\nsoftmax channels=8 size=8  # of rows\n"
      "linear features=8 outputs=4\n",
      "grid");
  ASSERT_TRUE(grid) << grid.error().text();
  EXPECT_EQ(grid->units().size(), 8U + 6U);
  StagePlanner planner(*grid, 1, {});
  CandidateOptions options;
  options.together = 0;
  EXPECT_EQ(candidates_of(planner, options).size(), 8U + 6U);
}

TEST(OperatorGrid, AMistakeIsOneLineThatNamesIt) {
  struct Case {
    const char* text;
    const char* says;
  };
  for (const Case& each : {Case{"", "has no operators"}, Case{"# nothing", "has no operators"},
                           Case{"\nconvolution channels=1", "line 2: 'convolution' is not a kind"},
                           Case{"conv channels=8 filters=8", "does not give 'size'"},
                           Case{"conv channels=8 filters=8 size=0", "'0' is not a size"},
                           Case{"conv channels=8 filters=8 size=1e99", "'1e99' is not a size"},
                           Case{"conv channels=8 filters=8 size=4 colour=3", "'colour=3' is not a size of conv"},
                           Case{"conv channels=7 filters=8 size=4 groups=2", "groups"},
                           Case{"pool channels=8 size=1 kernel=200000", "line 1"}}) {
    const auto grid = grid_of(each.text, "grid.txt");
    ASSERT_FALSE(grid) << each.text;
    EXPECT_THAT(grid.error().line().text(), HasSubstr(each.says)) << each.text;
    EXPECT_THAT(grid.error().line().text(), HasSubstr("grid.txt"));
  }
  std::string many = "conv channels=1";
  for (int i = 2; i < 200; ++i) many += "," + std::to_string(i);
  many += " filters=1";
  for (int i = 2; i < 200; ++i) many += "," + std::to_string(i);
  EXPECT_THAT(grid_of(many + " size=8", "").error().text(), HasSubstr("more than 20000 operators"));
}

TEST(OperatorCandidates, NothingSideBySideIsOrdered) {
  const Graph graph = test::sample();
  StagePlanner planner(graph, 1, {});
  const auto candidates = candidates_of(planner, {});
  std::size_t alone = 0;
  std::size_t several = 0;
  for (const Candidate& candidate : candidates) {
    alone += is_alone(candidate.features) ? 1 : 0;
    several += candidate.features.size() > 1 ? 1 : 0;
    const auto reads = [&](UnitId unit, UnitId other) {
      const auto list = graph.predecessors(unit);
      return std::ranges::find(list, other) != list.end();
    };
    const std::vector<Group>& groups = candidate.stage.stage.groups;
    for (std::size_t a = 0; a < groups.size(); ++a) {
      for (std::size_t b = 0; b < groups.size(); ++b) {
        if (a == b) continue;
        for (const Step& one : groups[a].steps) {
          for (const Step& other : groups[b].steps) EXPECT_FALSE(reads(one.units[0], other.units[0]));
        }
      }
    }
  }
  EXPECT_EQ(alone, 3U);  // a and c are the same to a device, b and d too; the concatenation copies
  EXPECT_GE(several, 3U);
  // The same draw each time.
  EXPECT_EQ(candidates_of(planner, {}).size(), candidates.size());
}

}  // namespace
}  // namespace iosx
