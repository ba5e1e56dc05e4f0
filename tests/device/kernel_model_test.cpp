#include "core/device/simulated/kernel_model.h"

#include <gtest/gtest.h>

#include "core/graph/builder.h"
#include "core/plan/lower.h"
#include "core/schedule/baselines.h"

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
  Tile tile;
  tile.pixels = 32;
  tile.channels = 16;
  tile.warps = 4;
  tile.blocks_per_sm = 2;
  made.library.gemm_tiles = {tile};
  tile.pixels = 64;
  tile.channels = 1;
  made.library.direct = made.library.elementwise = made.library.pool = tile;
  tile.pixels = 1;
  tile.channels = 4;
  made.library.linear = tile;
  made.library.max_addends = 3;
  return made;
}

Conv conv(std::int64_t channels, std::int64_t kernel, Activation activation = Activation::kRelu) {
  Conv made;
  made.out_channels = channels;
  made.kernel = {kernel, kernel};
  made.padding = {kernel / 2, kernel / 2};
  made.activation = activation;
  return made;
}

ConvProblem problem(std::int64_t in, std::int64_t out, std::int64_t size, std::int64_t kernel, std::int64_t batch = 1) {
  return ConvProblem{batch, Shape{in, size, size}, Shape{out, size, size}, conv(out, kernel)};
}

// The loads of the last operator of a graph.
std::vector<KernelLoad> loads(const DeviceDescription& description, GraphBuilder builder, std::int64_t batch = 1) {
  const auto graph = std::move(builder).build();
  EXPECT_TRUE(graph.has_value());
  const ExecutionPlan plan = lower(*graph, sequential_schedule(*graph), batch);
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
  split.library.max_split_k = 4;
  const auto candidates = convolution_candidates(split, problem(100, 16, 4, 1));
  ASSERT_EQ(candidates.size(), 3U);
  EXPECT_EQ(candidates[2][0].blocks, 4 * candidates[0][0].blocks);
  EXPECT_DOUBLE_EQ(candidates[2][0].flops, candidates[0][0].flops / 4);
  EXPECT_EQ(candidates[2].size(), 2U);
  // A long reduction on one block: splitting it is faster, and chosen.
  EXPECT_EQ(fastest_convolution(split, problem(100, 16, 4, 1)).size(), 2U);
}

TEST(KernelModel, WinogradOnlyForThreeByThreeOfStrideOne) {
  DeviceDescription winograd = device();
  winograd.library.winograd_tiles = {winograd.library.gemm_tiles[0]};
  winograd.library.winograd_reduction = 2.25;
  EXPECT_EQ(convolution_candidates(winograd, problem(4, 16, 8, 3)).size(), 2U);
  EXPECT_EQ(convolution_candidates(winograd, problem(4, 16, 8, 1)).size(), 1U);
  ConvProblem strided = problem(4, 16, 8, 3);
  strided.attributes.stride = {2, 2};
  strided.output = {16, 4, 4};
  EXPECT_EQ(convolution_candidates(winograd, strided).size(), 1U);
  const auto gemm = fastest_convolution(device(), problem(4, 16, 8, 3));
  const auto chosen = fastest_convolution(winograd, problem(4, 16, 8, 3));
  EXPECT_DOUBLE_EQ(chosen[0].flops, gemm[0].flops / 2.25);
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
  apart.library.bias_apart_without_activation = true;
  for (const Activation activation : {Activation::kRelu, Activation::kIdentity}) {
    GraphBuilder builder("g");
    builder.add("a", conv(8, 1, activation), {builder.input("in", Shape{4, 8, 8})});
    EXPECT_EQ(loads(apart, std::move(builder)).size(), activation == Activation::kIdentity ? 2U : 1U);
  }
}

TEST(KernelModel, ConcatCopiesSumsJoinIdentityIsFree) {
  const auto with = [](Attributes attributes, std::size_t inputs) {
    GraphBuilder builder("g");
    const Value in = builder.input("in", Shape{4, 8, 8});
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

TEST(KernelModel, SlicesAreCopiedWithSeveralSamples) {
  DeviceDescription copying = device();
  copying.library.copies_slices = true;
  for (const std::int64_t batch : {1, 2}) {
    for (const std::int64_t end : {3, 4}) {
      GraphBuilder builder("g");
      Value in = builder.input("in", Shape{4, 8, 8});
      in.end = end;
      builder.add("a", conv(4, 1), {in});
      EXPECT_EQ(loads(copying, std::move(builder), batch).size(), batch == 2 && end == 3 ? 2U : 1U);
    }
  }
}

TEST(KernelModel, LinearIsAMatrixVectorProductAtBatchOne) {
  GraphBuilder builder("g");
  Linear linear;
  linear.out_features = 10;
  linear.activation = Activation::kRelu;
  builder.add("fc", linear, {builder.input("in", Shape{50, 2, 2})});
  const auto chosen = loads(device(), std::move(builder));
  ASSERT_EQ(chosen.size(), 1U);
  EXPECT_EQ(chosen[0].blocks, 3);  // 4 outputs a block
  EXPECT_DOUBLE_EQ(chosen[0].flops * chosen[0].blocks, 2 * 10 * 200);
}

TEST(KernelModel, PoolReadsItsWindow) {
  GraphBuilder builder("g");
  Pool pool;
  pool.kernel = {2, 2};
  pool.stride = {2, 2};
  builder.add("p", pool, {builder.input("in", Shape{4, 8, 8})});
  const auto chosen = loads(device(), std::move(builder));
  ASSERT_EQ(chosen.size(), 1U);
  EXPECT_EQ(chosen[0].blocks, 1);  // 64 outputs
  EXPECT_DOUBLE_EQ(chosen[0].flops, 64 * 4);
  EXPECT_DOUBLE_EQ(chosen[0].l2_bytes, 64 * (4 + 1) * 4);
}

// What was worked out for one kernel is not given for another that only looks alike.
TEST(KernelModel, RememberedLoadsAreThoseOfTheKernel) {
  GraphBuilder builder("g");
  const Value in = builder.input("in", Shape{4, 8, 8});
  const Value wide = builder.input("wide", Shape{6, 8, 8});
  builder.add("a", conv(4, 1), {in});
  builder.add("b", conv(4, 3), {in});
  builder.add("c", conv(4, 1), {wide});
  builder.add("d", conv(4, 1), {in});
  const Graph graph = std::move(builder).build().value();
  const DeviceDescription description = device();
  KernelModel model(description);
  const ExecutionPlan plan = lower(graph, sequential_schedule(graph), 1);
  const auto& a = model.loads(plan, plan.kernels[0]);
  EXPECT_EQ(&a, &model.loads(plan, plan.kernels[3]));
  EXPECT_DOUBLE_EQ(model.loads(plan, plan.kernels[1])[0].flops, 9 * a[0].flops);
  EXPECT_DOUBLE_EQ(model.loads(plan, plan.kernels[2])[0].flops, 1.5 * a[0].flops);
}

}  // namespace
}  // namespace iosx::simulated
