#include "core/devices/simulated/kernel_model.h"

#include "core/model/schedule/baselines.h"
#include "tests/support/graphs.h"
#include "tests/support/lower.h"
#include "tests/support/operator_cases.h"
#include "tests/support/prelude.h"

namespace iosx::simulated {
namespace {

// One tile of 32 pixels × 16 channels, no Winograd; nothing but arithmetic costs.
DeviceDescription device() {
  DeviceDescription made;
  made.machine.sms = 10;
  made.machine.flops_per_us = 1000;
  made.machine.dram_bytes_per_us = 1e12;
  made.machine.l2_bytes_per_us = 1e12;
  made.machine.l2_bytes = 1e12;
  made.clock_ghz = 1;
  made.fp32_tflops = 1e-3;
  made.l1_bytes = 1e12;
  TileKernels tiles;
  tiles.tiles = {Tile{.rows = 32, .columns = 16, .warps = 4, .blocks_per_sm = 2}};
  made.library.float32 = made.library.tensor = {.costs = {}, .convolutions = tiles, .products = tiles};
  made.library.streams = {.elements = 64, .warps = 4, .blocks_per_sm = 2};
  const ThreadKernel kernel{.outputs = 64, .warps = 4, .blocks_per_sm = 2};
  made.kernels.direct = made.kernels.pool = kernel;
  made.kernels.elementwise = kernel;
  made.kernels.linear = kernel;
  made.kernels.linear.outputs = 4;
  made.kernels.global_pool_outputs = 64;
  made.kernels.max_addends = 3;
  return made;
}

Conv conv(std::int64_t channels, std::int64_t kernel, Activation activation = Activation::kRelu) {
  Conv made{.out_channels = channels,
            .kernel = {kernel, kernel},
            .padding = {kernel / 2, kernel / 2},
            .activation = activation};
  return made;
}

ConvProblem problem(std::int64_t in, std::int64_t out, std::int64_t size, std::int64_t kernel, std::int64_t batch = 1) {
  return ConvProblem{batch, Shape{in, size, size}, Shape{out, size, size}, conv(out, kernel)};
}

std::vector<std::vector<KernelLoad>> convolution_candidates(const DeviceDescription& description,
                                                            const ConvProblem& problem) {
  std::vector<std::vector<KernelLoad>> ways;
  convolution_ways(description, problem,
                   [&](std::span<const KernelLoad> way) { ways.emplace_back(way.begin(), way.end()); });
  return ways;
}

std::vector<KernelLoad> fastest_convolution(const DeviceDescription& description, const ConvProblem& problem) {
  Fastest best(description.machine);
  convolution_ways(description, problem, std::ref(best));
  return std::move(best).kernels();
}

// The loads of the last operator of a graph.
std::vector<KernelLoad> loads(const DeviceDescription& description, GraphBuilder builder, std::int64_t batch = 1) {
  const auto graph = std::move(builder).build();
  EXPECT_TRUE(graph.has_value());
  const ExecutionPlan plan = lower(*graph, one_by_one_schedule(*graph), batch);
  KernelModel model(description);
  return model.loads(plan, plan.kernels.back());
}

TEST(KernelModel, TilesAreRoundedUp) {
  // 8 × 8 pixels make 2 tiles, 20 channels 2: four blocks, each of a whole tile's work, 2 · 32 · 16 · (3 · 9).
  const auto candidates = convolution_candidates(device(), problem(3, 20, 8, 3));
  ASSERT_EQ(candidates.size(), 1U);
  ASSERT_EQ(candidates[0].size(), 1U);
  EXPECT_EQ(candidates[0][0].blocks, 4);
  EXPECT_DOUBLE_EQ(candidates[0][0].flops, 2 * 32 * 16 * 27);
  // One channel less than a tile's border is one row of blocks less.
  EXPECT_EQ(convolution_candidates(device(), problem(3, 16, 8, 3))[0][0].blocks, 2);
}

TEST(KernelModel, BatchFillsTheSameTiles) {
  // 3 × 3 pixels: one tile for a sample, still one for three (27 pixels), two for four.
  EXPECT_EQ(convolution_candidates(device(), problem(3, 16, 3, 1))[0][0].blocks, 1);
  EXPECT_EQ(convolution_candidates(device(), problem(3, 16, 3, 1, 3))[0][0].blocks, 1);
  EXPECT_EQ(convolution_candidates(device(), problem(3, 16, 3, 1, 4))[0][0].blocks, 2);
}

TEST(KernelModel, SplittingTheReductionTakesAnotherKernel) {
  DeviceDescription split = device();
  split.kernels.max_split = 4;
  const auto candidates = convolution_candidates(split, problem(100, 16, 4, 1));
  ASSERT_EQ(candidates.size(), 3U);
  EXPECT_EQ(candidates[2][0].blocks, 4 * candidates[0][0].blocks);
  EXPECT_DOUBLE_EQ(candidates[2][0].flops, candidates[0][0].flops / 4);
  EXPECT_EQ(candidates[2].size(), 2U);
  // A long reduction on one block: splitting it is faster, and chosen.
  EXPECT_EQ(fastest_convolution(split, problem(100, 16, 4, 1)).size(), 2U);
}

DeviceDescription with_fused_winograd() {
  DeviceDescription made = device();
  made.library.winograd.fused_efficiency = 4;  // so that it is fastest
  made.library.generation.fused_tiles = {{.images = 1, .rows = 8, .columns = 16, .blocks_per_sm = 2}};
  return made;
}

TEST(KernelModel, WinogradOnlyForThreeByThreeOfStrideOne) {
  const DeviceDescription winograd = with_fused_winograd();
  EXPECT_EQ(convolution_candidates(winograd, problem(4, 16, 8, 3)).size(), 2U);
  EXPECT_EQ(convolution_candidates(winograd, problem(4, 16, 8, 1)).size(), 1U);
  ConvProblem strided = problem(4, 16, 8, 3);
  strided.attributes.stride = {2, 2};
  strided.output = {16, 4, 4};
  EXPECT_EQ(convolution_candidates(winograd, strided).size(), 1U);
  // 16 products for 4 outputs instead of 36, after the kernel that transforms the filters.
  const auto gemm = fastest_convolution(device(), problem(8, 32, 16, 3));
  const auto chosen = fastest_convolution(winograd, problem(8, 32, 16, 3));
  ASSERT_EQ(chosen.size(), 2U);
  EXPECT_EQ(chosen[1].blocks, 2);  // 8 × 16 pixels and 32 channels each
  EXPECT_DOUBLE_EQ(chosen[1].flops * chosen[1].blocks, gemm[0].flops * gemm[0].blocks / 2.25);
}

// The worked example of winograd_ways(), with tiles of 32 × 16.
TEST(KernelModel, WinogradInFourKernelsTransformsInputAndFilters) {
  DeviceDescription apart = device();
  apart.library.generation.winograd_tiles = device().library.float32.products.tiles;
  const auto ways = convolution_candidates(apart, problem(64, 128, 28, 3));
  ASSERT_EQ(ways.size(), 2U);
  ASSERT_EQ(ways[1].size(), 4U);
  const auto bytes = [&](std::size_t kernel) { return ways[1][kernel].l2_bytes * ways[1][kernel].blocks; };
  EXPECT_DOUBLE_EQ(bytes(0), 4 * (64 * 28 * 28 + 36 * 64 * 784.0));
  EXPECT_DOUBLE_EQ(bytes(1), 4 * 64 * 128 * (9 + 36.0));
  EXPECT_EQ(ways[1][2].blocks, 36 * 25 * 8);
  EXPECT_DOUBLE_EQ(ways[1][2].flops, 2 * 32 * 16 * 64);
  EXPECT_DOUBLE_EQ(bytes(3), 4 * (36 * 128 * 784.0 + 128 * 28 * 28));
  // 5 × 5 kernels make 2 × 2 outputs of a tile instead of 4 × 4; 1 × 1 and 7 × 7 have no such way.
  EXPECT_EQ(convolution_candidates(apart, problem(64, 128, 28, 5))[1][2].blocks, 36 * 98 * 8);
  EXPECT_EQ(convolution_candidates(apart, problem(64, 128, 28, 7)).size(), 1U);
  EXPECT_EQ(convolution_candidates(apart, problem(64, 128, 28, 1)).size(), 1U);
}

TEST(KernelModel, DepthwiseRunsDirectly) {
  ConvProblem depthwise = problem(64, 64, 8, 3);
  depthwise.attributes.groups = 64;
  const auto chosen = fastest_convolution(device(), depthwise);
  ASSERT_EQ(chosen.size(), 1U);
  EXPECT_EQ(chosen[0].blocks, 64);  // 64 outputs a block
  EXPECT_DOUBLE_EQ(chosen[0].flops, 2 * 64 * 9);
}

TEST(KernelModel, BiasApartOnlyWithoutActivation) {
  DeviceDescription apart = device();
  apart.kernels.bias_apart_without_activation = true;
  for (const Activation activation : {Activation::kRelu, Activation::kIdentity}) {
    GraphBuilder builder("g");
    builder.add("a", conv(8, 1, activation), {builder.input("in", Shape{4, 8, 8})});
    EXPECT_EQ(loads(apart, std::move(builder)).size(), activation == Activation::kIdentity ? 2U : 1U);
  }
}

TEST(KernelModel, ConcatCopiesSumsJoinIdentityIsFree) {
  const auto with = [](Attributes attributes, std::size_t inputs) {
    auto [builder, in] = iosx::test::sketch("g", Shape{4, 8, 8});
    std::vector<Value> values;
    for (std::size_t i = 0; i < inputs; ++i) {
      values.push_back(builder.add("", conv(4, 1), {in}));
    }
    builder.add("last", std::move(attributes), values);
    return loads(device(), std::move(builder));
  };
  EXPECT_EQ(with(Concat{}, 3).size(), 3U);
  EXPECT_EQ(with(Add{}, 3).size(), 1U);  // max_addends
  EXPECT_EQ(with(Add{}, 4).size(), 4U);
  EXPECT_EQ(with(Identity{}, 1).size(), 0U);
  EXPECT_EQ(with(Add{}, 2)[0].blocks, 4 * 64 / 64);
  EXPECT_DOUBLE_EQ(with(Add{}, 2)[0].l2_bytes, 3 * 64 * 4);
}

TEST(KernelModel, LongSumsMayTakeSeveralInputsInTurns) {
  DeviceDescription in_turns = device();
  in_turns.kernels.adds_in_turns = true;  // three at once
  auto [builder, in] = iosx::test::sketch("g", Shape{4, 8, 8});
  std::vector<Value> values;
  for (int i = 0; i < 6; ++i) values.push_back(builder.add("", conv(4, 1), {in}));
  builder.add("last", Add{}, values);
  const auto kernels = loads(in_turns, std::move(builder));
  ASSERT_EQ(kernels.size(), 3U);  // three; the sum and two more; the sum and the last
  const double map = 4 * 64 * 4;
  EXPECT_DOUBLE_EQ(kernels[0].l2_bytes * kernels[0].blocks, (3 + 1) * map);
  EXPECT_DOUBLE_EQ(kernels[1].l2_bytes * kernels[1].blocks, (3 + 1) * map);
  EXPECT_DOUBLE_EQ(kernels[2].l2_bytes * kernels[2].blocks, (2 + 1) * map);
}

TEST(KernelModel, TensorCoresMultiplyFasterButOnlyInConvolutions) {
  DeviceDescription tensor = device();
  tensor.format = NumberFormat::kTf32;
  tensor.convolution_speedup = 8;
  EXPECT_DOUBLE_EQ(convolution_candidates(tensor, problem(3, 20, 8, 3))[0][0].flops, 2 * 32 * 16 * 27 / 8.0);
  const auto product = [](const DeviceDescription& description) {
    auto [builder, left] = iosx::test::sketch("g", Shape{2, 3, 4, 5}, "left");
    builder.add("product", MatMul{}, {left, builder.input("right", Shape{2, 3, 5, 8})});
    return loads(description, std::move(builder)).front().flops;
  };
  EXPECT_DOUBLE_EQ(product(tensor), product(device()));
}

TEST(KernelModel, NumbersOf16BitsAreHalfTheTraffic) {
  DeviceDescription half = device();
  half.element_bytes = 2;
  half.machine.l2_bytes = 1e4;
  DeviceDescription whole = half;
  whole.element_bytes = 4;
  const auto sum = [](const DeviceDescription& description) {
    auto [builder, in] = iosx::test::sketch("g", Shape{4, 8, 8});
    builder.add("sum", Add{}, {builder.add("a", conv(4, 1), {in}), builder.add("b", conv(4, 3), {in})});
    return loads(description, std::move(builder)).front();
  };
  EXPECT_DOUBLE_EQ(sum(half).l2_bytes, sum(whole).l2_bytes / 2);
  const auto gemm = [](const DeviceDescription& description) {
    return convolution_candidates(description, problem(16, 16, 8, 3))[0][0];
  };
  EXPECT_DOUBLE_EQ(gemm(half).l2_bytes, gemm(whole).l2_bytes / 2);
  EXPECT_LT(gemm(half).dram_bytes, gemm(whole).dram_bytes);
  EXPECT_DOUBLE_EQ(gemm(half).flops, gemm(whole).flops);
}

TEST(KernelModel, AFusedResidualIsReadAsWell) {
  auto [builder, in] = iosx::test::sketch("g", Shape{4, 8, 8});
  const Value other = builder.input("other", Shape{4, 8, 8});
  const Value made = builder.add("a", conv(4, 1, Activation::kIdentity), {in});
  builder.add("sum", Add{}, {made, other});
  const Graph graph = std::move(builder).build().value();
  const Schedule together{"one group", {Stage{{Group{{Step{{UnitId(0)}}, Step{{UnitId(1)}}}}}}}};
  const ExecutionPlan plan = lower(graph, together, 1, {.fuse = true});
  ASSERT_EQ(plan.kernels.size(), 1U);
  const DeviceDescription description = device();
  KernelModel model(description);
  const auto fused = model.loads(plan, plan.kernels[0]);
  const ExecutionPlan apart = lower(graph, together, 1);
  const auto alone = model.loads(apart, apart.kernels[0]);
  EXPECT_DOUBLE_EQ(fused[0].l2_bytes * fused[0].blocks, alone[0].l2_bytes * alone[0].blocks + 4 * 64 * 4);
}

TEST(KernelModel, ThreadsMayShareOutAGlobalPool) {
  DeviceDescription sharing = device();
  sharing.kernels.global_pool_outputs = 32;
  Pool global{.kind = PoolKind::kGlobalAverage};
  const auto blocks = [](const DeviceDescription& description, const Pool& pool) {
    GraphBuilder builder("g");
    builder.add("pool", pool, {builder.input("in", Shape{512, 16, 16})});
    return loads(description, std::move(builder)).front().blocks;
  };
  EXPECT_EQ(blocks(sharing, global), 512 / 32);
  EXPECT_EQ(blocks(device(), global), 512 / 64);
  EXPECT_EQ(blocks(sharing, Pool{}), blocks(device(), Pool{}));
}

TEST(KernelModel, OneKernelMayCopyAllOfAConcatenation) {
  DeviceDescription at_once = device();
  at_once.kernels.concatenates_at_once = true;
  auto [builder, in] = iosx::test::sketch("g", Shape{4, 8, 8});
  builder.add("all", Concat{}, {builder.add("a", conv(4, 1), {in}), builder.add("b", conv(8, 1), {in})});
  const auto chosen = loads(at_once, std::move(builder));
  ASSERT_EQ(chosen.size(), 1U);
  EXPECT_DOUBLE_EQ(chosen[0].l2_bytes * chosen[0].blocks, 2 * 12 * 64 * 4);
}

TEST(KernelModel, SlicesAreCopiedWithSeveralSamples) {
  DeviceDescription copying = device();
  copying.kernels.copies_slices = true;
  for (const std::int64_t batch : {1, 2}) {
    for (const std::int64_t end : {3, 4}) {
      auto [builder, in] = iosx::test::sketch("g", Shape{4, 8, 8});
      in.end = end;
      builder.add("a", conv(4, 1), {in});
      EXPECT_EQ(loads(copying, std::move(builder), batch).size(), batch == 2 && end == 3 ? 2U : 1U);
    }
  }
}

// What a merge copies out of its result costs time, on every device.
TEST(KernelModel, CopiesOfMergedLayersCount) {
  const Graph graph = test::linear_siblings();
  const Stage stage = merge_stage({*graph.find_unit("gate"), *graph.find_unit("up")});
  for (const bool copies_slices : {false, true}) {
    for (const std::int64_t batch : {1, 2}) {
      DeviceDescription described = device();
      described.kernels.copies_slices = copies_slices;
      const ExecutionPlan plan = lower_stage(graph, stage, batch);
      ASSERT_EQ(plan.kernels.size(), 3U);
      KernelModel model(described);
      for (std::size_t k = 1; k < 3; ++k) {
        const auto& loads = model.loads(plan, plan.kernels[k]);
        ASSERT_EQ(loads.size(), 1U) << copies_slices << batch;
        const double bytes = 4.0 * static_cast<double>(plan.kernels[k].output.elements() * batch);
        EXPECT_DOUBLE_EQ(loads[0].l2_bytes * loads[0].blocks, 2 * bytes);
      }
    }
  }
}

TEST(KernelModel, LinearIsAMatrixVectorProductAtBatchOne) {
  GraphBuilder builder("g");
  Linear linear{.out_features = 10, .activation = Activation::kRelu};
  builder.add("fc", linear, {builder.input("in", Shape{50, 2, 2})});
  const auto chosen = loads(device(), std::move(builder));
  ASSERT_EQ(chosen.size(), 1U);
  EXPECT_EQ(chosen[0].blocks, 3);  // 4 outputs a block
  EXPECT_DOUBLE_EQ(chosen[0].flops * chosen[0].blocks, 2 * 10 * 200);
}

TEST(KernelModel, PoolReadsItsWindow) {
  GraphBuilder builder("g");
  Pool pool{.kernel = {2, 2}, .stride = {2, 2}};
  builder.add("p", pool, {builder.input("in", Shape{4, 8, 8})});
  const auto chosen = loads(device(), std::move(builder));
  ASSERT_EQ(chosen.size(), 1U);
  EXPECT_EQ(chosen[0].blocks, 1);  // 64 outputs
  EXPECT_DOUBLE_EQ(chosen[0].flops, 64 * 4);
  EXPECT_DOUBLE_EQ(chosen[0].l2_bytes, 64 * (4 + 1) * 4);
}

// What was worked out for one kernel is not given for another that only looks alike.
TEST(KernelModel, RememberedLoadsAreThoseOfTheKernel) {
  auto [builder, in] = iosx::test::sketch("g", Shape{4, 8, 8});
  const Value wide = builder.input("wide", Shape{6, 8, 8});
  builder.add("a", conv(4, 1), {in});
  builder.add("b", conv(4, 3), {in});
  builder.add("c", conv(4, 1), {wide});
  builder.add("d", conv(4, 1), {in});
  const Graph graph = std::move(builder).build().value();
  const DeviceDescription description = device();
  KernelModel model(description);
  const ExecutionPlan plan = lower(graph, one_by_one_schedule(graph), 1);
  const auto& a = model.loads(plan, plan.kernels[0]);
  EXPECT_EQ(&a, &model.loads(plan, plan.kernels[3]));
  EXPECT_DOUBLE_EQ(model.loads(plan, plan.kernels[1])[0].flops, 9 * a[0].flops);
  EXPECT_DOUBLE_EQ(model.loads(plan, plan.kernels[2])[0].flops, 1.5 * a[0].flops);
}

void expect_equal(const std::vector<KernelLoad>& a, const std::vector<KernelLoad>& b, const std::string& what) {
  ASSERT_EQ(a.size(), b.size()) << what;
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].blocks, b[i].blocks) << what;
    EXPECT_EQ(a[i].warps, b[i].warps) << what;
    EXPECT_EQ(a[i].flops, b[i].flops) << what;
    EXPECT_EQ(a[i].l2_bytes, b[i].l2_bytes) << what;
    EXPECT_EQ(a[i].dram_bytes, b[i].dram_bytes) << what;
  }
}

ConvTranspose transposed(std::int64_t kernel, std::int64_t stride, std::int64_t groups, std::int64_t dilation = 1) {
  ConvTranspose conv{.out_channels = 16,
                     .kernel = {kernel, kernel},
                     .stride = {stride, stride},
                     .dilation = {dilation, dilation},
                     .groups = groups};
  // All of them make 16 × 16 × 16 of 16 × 8 × 8.
  const std::int64_t size = 7 * stride + dilation * (kernel - 1) + 1;
  conv.end_padding = {size - 16, size - 16};
  return conv;
}

// Kernels that have much in common with one another, of every kind.
std::vector<ExecutionPlan> alike() {
  std::vector<ExecutionPlan> plans;
  const auto add = [&](const Graph& graph) {
    for (const std::int64_t batch : {1, 3}) plans.push_back(lower(graph, one_by_one_schedule(graph), batch));
  };
  const auto add_one = [&](Attributes attributes, const std::vector<Shape>& inputs, bool last_is_constant = false) {
    GraphBuilder builder("g");
    std::vector<Value> values;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (last_is_constant && i + 1 == inputs.size()) {
        const auto dims = inputs[i].dims();
        std::vector<float> numbers(static_cast<std::size_t>(inputs[i].elements()));
        values.push_back(builder.constant("c", Tensor({dims.begin(), dims.end()}, std::move(numbers))));
      } else {
        values.push_back(builder.input("in" + std::to_string(i), inputs[i]));
      }
    }
    builder.add("op", std::move(attributes), values);
    add(std::move(builder).build().value());
  };
  const Shape map{16, 8, 8};
  for (const ConvTranspose& conv : {transposed(2, 2, 1), transposed(4, 2, 1), transposed(4, 2, 2), transposed(4, 1, 1),
                                    transposed(3, 2, 1), transposed(3, 2, 1, 2)}) {
    add_one(conv, {map});
  }
  for (const bool constant : {false, true}) {
    add_one(Mul{}, {map, {16, 1, 1}}, constant);
    add_one(Mul{}, {map, map}, constant);
    add_one(Mul{}, {map, {1, 8, 8}}, constant);
    add_one(Mul{}, {map, {8}}, constant);
    add_one(MatMul{}, {{2, 3, 4, 5}, {2, 3, 5, 8}}, constant);
    add_one(MatMul{}, {{2, 3, 4, 5}, {5, 8}}, constant);
  }
  add_one(MatMul{}, {{2, 12, 5}, {5, 8}});
  add_one(MatMul{}, {{2, 3, 1, 5}, {2, 3, 5, 32}});
  add_one(Mul{}, {{16, 1, 1}, map});
  add_one(Concat{1}, {{16, 2, 8}, {16, 6, 8}});
  add_one(Concat{1}, {{16, 2, 8}, {16, 2, 8}, {16, 4, 8}});
  add_one(Concat{2}, {{16, 8, 2}, {16, 8, 6}});
  add_one(Softmax{0}, {map});
  add_one(Softmax{0}, {{16, 64}});
  add_one(Reduce{ReduceKind::kMean, {1, 2}, true}, {map});
  add_one(Reduce{ReduceKind::kMean, {1, 2}, true}, {{16, 4, 16}});
  add_one(Reduce{ReduceKind::kMean, {1, 2}, true}, {{16, 4, 4}});
  auto cases = test::operator_cases();
  for (auto& one : test::host_operator_cases()) cases.push_back(std::move(one));
  for (const auto& one : cases) {
    add(test::network_of(one, test::Placement::kWhole));
    add(test::network_of(one, test::Placement::kSliced));
  }
  return plans;
}

// Whatever was asked before, and in whichever order.
TEST(KernelModel, AnswersDoNotDependOnEarlierQuestions) {
  DeviceDescription described = device();
  described.kernels.copies_slices = true;
  described.machine.l2_bytes = 1e4;  // so that memory counts
  described.machine.dram_bytes_per_us = 100;
  std::vector<ExecutionPlan> plans = alike();
  ASSERT_GT(plans.size(), 200U);
  KernelModel forward(described);
  for (const ExecutionPlan& plan : plans) {
    for (const Kernel& kernel : plan.kernels) {
      KernelModel fresh(described);
      expect_equal(forward.loads(plan, kernel), fresh.loads(plan, kernel), kernel.name);
    }
  }
  KernelModel backward(described);
  std::reverse(plans.begin(), plans.end());
  for (const ExecutionPlan& plan : plans) {
    for (const Kernel& kernel : plan.kernels) {
      expect_equal(backward.loads(plan, kernel), forward.loads(plan, kernel), kernel.name);
    }
  }
}

TEST(KernelModel, ReadsColumnsAsTheyLie) {
  const Graph graph = test::linear_siblings();
  const DeviceDescription described = device();
  KernelModel model(described);
  const auto plan_of = [&](bool columns) {
    return lower(graph, one_by_one_schedule(graph), 2, {.free_columns = columns});
  };
  const ExecutionPlan dense = plan_of(false);
  const ExecutionPlan columns = plan_of(true);
  ASSERT_EQ(dense.kernels.size(), columns.kernels.size());
  for (std::size_t k = 0; k < dense.kernels.size(); ++k) {
    expect_equal(model.loads(dense, dense.kernels[k]), model.loads(columns, columns.kernels[k]), dense.kernels[k].name);
  }
}

TEST(KernelModel, TransposedConvolutionsCostWhatTheirKernelDoes) {
  const auto flops = [](const ConvTranspose& conv) {
    GraphBuilder builder("g");
    builder.add("up", conv, {builder.input("in", Shape{16, 8, 8})});
    const auto chosen = loads(device(), std::move(builder));
    return chosen.front().flops * chosen.front().blocks;
  };
  EXPECT_DOUBLE_EQ(flops(transposed(4, 2, 1)), 4 * flops(transposed(2, 2, 1)));  // 16 taps for 4
}

TEST(KernelModel, ADilatedTransposedConvolutionIsNoWinograd) {
  const auto kernels = [](std::int64_t dilation) {
    GraphBuilder builder("g");
    ConvTranspose conv = transposed(3, 1, 1, dilation);
    conv.end_padding = {2 * (dilation - 1), 2 * (dilation - 1)};  // 10 × 10
    builder.add("up", conv, {builder.input("in", Shape{16, 8, 8})});
    return loads(with_fused_winograd(), std::move(builder)).size();
  };
  EXPECT_EQ(kernels(1), 2U);  // filters, then all the rest
  EXPECT_EQ(kernels(2), 1U);
}

// Loads of one operator on inputs in this order, the constants among them as marked.
struct Operand {
  Shape shape;
  bool constant = false;
};
std::vector<KernelLoad> combined(const Attributes& attributes, const std::vector<Operand>& operands,
                                 std::int64_t batch = 1) {
  GraphBuilder builder("g");
  std::vector<Value> values;
  for (const Operand& operand : operands) {
    const std::string name = "in" + std::to_string(values.size());
    const auto dims = operand.shape.dims();
    std::vector<float> numbers(static_cast<std::size_t>(operand.shape.elements()));
    values.push_back(operand.constant ? builder.constant(name, Tensor({dims.begin(), dims.end()}, std::move(numbers)))
                                      : builder.input(name, operand.shape));
  }
  builder.add("op", attributes, values);
  return loads(device(), std::move(builder), batch);
}

double bytes(const std::vector<KernelLoad>& loads) {
  double sum = 0;
  for (const KernelLoad& load : loads) sum += load.l2_bytes * load.blocks;
  return sum;
}

TEST(KernelModel, BroadcastOperandsCostTheirOwnBytesInAnyOrder) {
  const Operand map{{8, 16, 16}};
  const Operand gate{{8, 1, 1}};
  const Operand row{{16}};
  for (const Attributes& attributes :
       std::vector<Attributes>{Mul{}, Add{}, Binary{BinaryFunction::kSub}, Binary{BinaryFunction::kDiv}}) {
    const auto one = combined(attributes, {map, gate});
    EXPECT_DOUBLE_EQ(bytes(one), 4 * (2048 + 8 + 2048)) << kind_name(attributes);
    expect_equal(one, combined(attributes, {gate, map}), std::string(kind_name(attributes)));
  }
  // One by one: each is read once, and what there is so far with it.
  const auto several = combined(Mul{}, {map, gate, row});
  ASSERT_EQ(several.size(), 3U);
  EXPECT_DOUBLE_EQ(bytes(several), 4 * (2048 + 8 + 16 + 3 * (2048 + 2048)));
  expect_equal(several, combined(Mul{}, {row, map, gate}), "row, map, gate");
  expect_equal(several, combined(Mul{}, {gate, row, map}), "gate, row, map");
}

TEST(KernelModel, AConstantIsReadOnceForTheBatch) {
  const Operand map{{8, 16, 16}};
  const Operand constant{{8, 16, 16}, true};
  EXPECT_DOUBLE_EQ(bytes(combined(Add{}, {map, map}, 5)), 4 * 2048 * 5 * 3);
  EXPECT_DOUBLE_EQ(bytes(combined(Add{}, {map, constant}, 5)), 4 * 2048 * (5 + 1 + 5));
  EXPECT_DOUBLE_EQ(bytes(combined(Add{}, {map, constant}, 1)), bytes(combined(Add{}, {map, map}, 1)));
}

// Tiles of 32 rows × 16 columns.
TEST(KernelModel, AMatrixProductHasABlockForEachRightFactor) {
  const Operand weights{{8, 16}, true};
  EXPECT_EQ(combined(MatMul{}, {{{16, 8}}, weights})[0].blocks, 1);
  EXPECT_EQ(combined(MatMul{}, {{{16, 8}}, weights}, 2)[0].blocks, 1);                // 32 rows
  EXPECT_EQ(combined(MatMul{}, {{{4, 16, 8}}, weights}, 2)[0].blocks, 4);             // 128 rows
  EXPECT_EQ(combined(MatMul{}, {{{4, 16, 8}}, {{4, 8, 16}}})[0].blocks, 4);           // four products of 16 rows
  EXPECT_EQ(combined(MatMul{}, {{{4, 16, 8}}, {{4, 8, 16}}}, 2)[0].blocks, 8);        // and as many of the next sample
  EXPECT_EQ(combined(MatMul{}, {{{4, 16, 8}}, {{4, 8, 16}, true}}, 2)[0].blocks, 4);  // four constants: 32 rows each
}

// The worked example of loads.h.
TEST(KernelModel, ATileCostsWhatItsFormulaSays) {
  DeviceDescription described = device();
  described.clock_ghz = 2;
  Multiplier& float32 = described.library.float32;
  float32.costs = {.efficiency = 1,
                   .smallest = 0.1,
                   .parallelism = 1,
                   .fill_us = 3,
                   .written_bytes_per_cycle = 32,
                   .l2_traffic = 1,
                   .depth_step = 8};
  float32.products.chain_cycles = 500;
  const Tile tile{.rows = 128, .columns = 64, .warps = 8, .blocks_per_sm = 2, .slices = 4};
  const Product product{.rows = 1000, .columns = 200, .depth = 100};
  const KernelLoad load = tile_load(described, float32, float32.products, tile, 1, product);
  EXPECT_EQ(load.blocks, 32);
  EXPECT_DOUBLE_EQ(load.flops, 1703936);
  EXPECT_DOUBLE_EQ(load.l2_bytes, 4 * (192 * 104 + 128 * 64));
  EXPECT_DOUBLE_EQ(load.efficiency, 1 - 0.234375 * 0.234375);  // (1/128 + 1/64) / 0.1
  EXPECT_DOUBLE_EQ(load.chain_us, 13 * 500 / 4 / 2000.0);
  EXPECT_DOUBLE_EQ(load.fixed_us, 3);
  EXPECT_DOUBLE_EQ(load.epilogue_us, 128 * 64 * 4 / (32 * 2000.0));
  EXPECT_DOUBLE_EQ(load.dram_bytes, 0);
}

TEST(KernelModel, RowsFarApartSlowATileDown) {
  DeviceDescription described = device();
  described.library.generation.far_row_bytes = 1e5;
  described.library.generation.far_row_cost = 2;
  const Multiplier& float32 = described.library.float32;
  const auto flops = [&](double row_bytes) {
    const Product product{.rows = 64, .columns = 64, .depth = 64, .row_bytes = row_bytes};
    return tile_load(described, float32, float32.products, float32.products.tiles[0], 1, product).flops;
  };
  EXPECT_DOUBLE_EQ(flops(1e5), 2 * flops(0));
  EXPECT_NEAR(flops(1e9), 3 * flops(0), 1e-3);
}

TEST(KernelModel, SeveralProductsAtOnceHaveTheirOwnTiles) {
  DeviceDescription described = device();
  described.library.float32.products.both_ways = true;
  described.library.float32.products.max_split = 4;
  described.library.generation.batched.tiles = {Tile{.rows = 16, .columns = 128, .warps = 4, .blocks_per_sm = 2}};
  const auto blocks = [&](double count) {
    std::vector<int> made;
    const Product product{.rows = 64, .columns = 64, .depth = 64, .count = count};
    matrix_ways(described, described.library.float32, product,
                [&](std::span<const KernelLoad> way) { made.push_back(way.front().blocks); });
    return made;
  };
  EXPECT_THAT(blocks(1), ElementsAre(8, 8, 16, 16, 32, 32));  // 32 × 16 and 16 × 32, three splits
  EXPECT_THAT(blocks(3), ElementsAre(3 * 4));                 // 64 of the 128 columns are used
}

TEST(KernelModel, WhatTheCacheKeepsDoesNotComeFromMemory) {
  DeviceDescription described = device();
  described.machine.l2_bytes = 1e6;
  described.library.cache_kept = 0.5;
  EXPECT_DOUBLE_EQ(missed(described, 5e5), 0.5);
  EXPECT_DOUBLE_EQ(missed(described, 1e6), 0.8);
  EXPECT_DOUBLE_EQ(missed(described, 0), 0);
  ConvProblem once = problem(64, 64, 8, 3);
  ConvProblem again = once;
  again.repeated = true;
  const auto dram = [&](const ConvProblem& conv) {
    const auto kernels = convolution_candidates(described, conv).front();
    return kernels[0].dram_bytes * kernels[0].blocks;
  };
  const double weights = 4 * 64 * 64 * 9.0;
  const double others = 4 * 2 * 64 * 64.0;
  EXPECT_DOUBLE_EQ(dram(once), weights + others * missed(described, others));
  EXPECT_DOUBLE_EQ(dram(again), (weights + others) * missed(described, weights + others));
}

// The worked example of loads.h.
TEST(KernelModel, RowsAreReadInPasses) {
  DeviceDescription described = device();
  described.machine.l2_bytes = 1e5;
  described.library.rows = {.fixed_us = 2, .pass_us = 1.5};
  const KernelLoad shorter = row_reduction(described, RowKind::kSoftmax, 1000, 512);
  EXPECT_EQ(shorter.blocks, 250);
  EXPECT_EQ(shorter.warps, 4);
  EXPECT_DOUBLE_EQ(shorter.fixed_us, 3.5);
  const KernelLoad longer = row_reduction(described, RowKind::kSoftmax, 1000, 4096);
  EXPECT_EQ(longer.blocks, 1000);
  EXPECT_EQ(longer.warps, 16);
  EXPECT_DOUBLE_EQ(longer.fixed_us, 2 + 1.5 * 3 * 4096 * 4 / (16 * 512.0));
  const double bytes = 1000 * 4096 * 4.0;
  EXPECT_NEAR(longer.dram_bytes * longer.blocks, 2 * bytes, 0.001 * bytes);  // the first-level cache holds the rows
  described.l1_bytes = 1;
  described.machine.l2_bytes = 1;
  EXPECT_NEAR(row_reduction(described, RowKind::kSoftmax, 1000, 4096).dram_bytes * longer.blocks, 4 * bytes, 1);
  EXPECT_NEAR(row_reduction(described, RowKind::kNormalize, 1000, 4096).dram_bytes * longer.blocks, 3 * bytes, 1);
}

// The worked example of loads.h.
TEST(KernelModel, ALargeWindowIsSharedOutAmongBlocks) {
  const DeviceDescription described = device();
  const auto ways = [&](int splits) {
    std::vector<std::vector<KernelLoad>> made;
    window_ways(described, 32, 65536, 8388608, 32, splits,
                [&](std::span<const KernelLoad> way) { made.emplace_back(way.begin(), way.end()); });
    return made;
  };
  ASSERT_EQ(ways(1).size(), 1U);
  EXPECT_EQ(ways(1)[0].size(), 1U);
  EXPECT_EQ(ways(1)[0][0].blocks, 1);
  ASSERT_EQ(ways(64).size(), 7U);
  const auto split = ways(64).back();
  ASSERT_EQ(split.size(), 2U);
  EXPECT_EQ(split[0].blocks, 64);
  EXPECT_DOUBLE_EQ(split[0].flops, 32 * 1024);
  EXPECT_DOUBLE_EQ(split[1].l2_bytes * split[1].blocks, 4 * (32 * 64 + 32));
  EXPECT_EQ(ways(1 << 20).size(), 17U);  // no more than a block for each pixel
}

}  // namespace
}  // namespace iosx::simulated
