// Plans in which every convolution that a kernel of our own can compute by Winograd's method is computed so, whatever
// is fastest here.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/devices/cpu/kernels/winograd.h"
#include "core/devices/cpu/prepared_plan.h"
#include "core/devices/cpu/runner.h"
#include "core/model/graph/builder.h"
#include "core/model/schedule/baselines.h"
#include "tests/devices/cpu/feeds.h"
#include "tests/support/lower.h"
#include "tests/support/reference.h"

namespace iosx {
namespace {

Conv conv(std::int64_t channels, Activation activation = Activation::kIdentity) {
  Conv conv;
  conv.out_channels = channels;
  conv.kernel = {3, 3};
  conv.padding = {1, 1};
  conv.activation = activation;
  return conv;
}

// Slices of a concatenation are written and read, and a residual is added.
Graph network() {
  GraphBuilder builder("network");
  const Value in = builder.input("in", Shape{24, 13, 11});
  const Value first = builder.add("first", conv(19, Activation::kSwish), {in});
  Conv uneven = conv(35, Activation::kRelu);
  uneven.padding = {0, 2};
  uneven.end_padding = {2, -2};
  const Value second = builder.add("second", uneven, {in});
  const Value third = builder.add("third", conv(54), {builder.add("concat", Concat{}, {first, second})});
  builder.begin_unit("block");
  const Value before = builder.add("block.conv", conv(54), {third});
  const Value sum = builder.add("block.add", Add{}, {before, third});
  builder.add("block.relu", Activate{}, {sum});
  builder.add("last", conv(16), {builder.end_unit()});
  auto graph = std::move(builder).build();
  EXPECT_TRUE(graph) << graph.error().text();
  return std::move(*graph);
}

class WinogradPlans : public testing::Test {
 protected:
  // Of a run of the plan on so many cores.
  std::vector<Tensor> outputs(const ExecutionPlan& plan, const std::vector<Tensor>& inputs, int cores) {
    cpu::Workplace workplace(DataType::kFloat32, cores, std::int64_t{1} << 30, std::int64_t{1} << 30);
    workplace.trials.decide(cpu::ConvolutionWay::kWinograd);
    auto pool = TeamPool::create(cores);
    EXPECT_TRUE(pool);
    auto prepared = cpu::PreparedPlan::prepare(plan, workplace, **pool, {});
    EXPECT_TRUE(prepared) << prepared.error().text();
    ours_ = true;
    for (const cpu::PreparedStage& stage : prepared->stages()) {
      for (const auto& lane : stage.lanes) {
        for (const cpu::PreparedKernel& kernel : lane)
          ours_ = ours_ && (kernel.implementation.empty() || kernel.implementation == cpu::kWinogradName);
      }
    }
    EXPECT_TRUE(prepared->set_inputs(inputs));
    EXPECT_TRUE(cpu::Runner(*prepared, **pool).run({}));
    return prepared->outputs();
  }

  bool ours_ = false;  // no kernel of the last plan was oneDNN's
};

TEST_F(WinogradPlans, AgreeWithTheReference) {
  const Graph graph = network();
  for (const std::int64_t batch : {1, 2}) {
    const auto inputs = test::made_up_inputs(graph, {.batch = batch});
    const auto expected = test::reference_outputs(graph, inputs, batch);
    for (const Schedule& schedule : {one_by_one_schedule(graph), greedy_schedule(graph)}) {
      const ExecutionPlan plan = lower(graph, schedule, batch, {.fuse = true, .concat_in_place = true});
      const auto alone = outputs(plan, inputs, 1);
      const auto together = outputs(plan, inputs, 2);
      EXPECT_TRUE(ours_);
      ASSERT_EQ(alone.size(), expected.size());
      for (std::size_t i = 0; i < expected.size(); ++i) {
        EXPECT_LT(test::largest_error(expected[i], alone[i]), 1e-5) << schedule.name << ", batch " << batch;
        EXPECT_TRUE(std::ranges::equal(alone[i].elements(), together[i].elements())) << "the team makes no difference";
      }
    }
  }
}

// The input has 24 channels, 8 of 32 are blank.
TEST_F(WinogradPlans, TakeInputsWithBlankChannels) {
  const Graph graph = network();
  const auto inputs = test::made_up_inputs(graph, {.batch = 2});
  const auto expected = test::reference_outputs(graph, inputs, 2);
  const ExecutionPlan plan = lower(graph, one_by_one_schedule(graph), 2, {.fuse = true, .input_channel_multiple = 32});
  ASSERT_EQ(plan.buffers[plan.inputs.front().index()].blank, 8);
  const auto made = outputs(plan, inputs, 2);
  EXPECT_TRUE(ours_);
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_LT(test::largest_error(expected[i], made[i]), 1e-5);
}

TEST_F(WinogradPlans, LeaveSumsOfWholeNumbersExact) {
  GraphBuilder builder("quantised");
  const Value in = builder.input("in", Shape{48, 9, 9});
  const Value out = builder.add("conv", conv(40), {in});
  std::vector<float> weights(std::size_t{40} * 48 * 9);
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = static_cast<float>(i * 37 % 255) - 127;
  builder.set_parameters(out, Tensor({40, 48, 3, 3}, std::move(weights)), Tensor({40}, std::vector<float>(40, 3)));
  const Graph graph = std::move(builder).build().value();
  auto inputs = test::made_up_inputs(graph, {.batch = 1});
  std::vector<float> pixels(inputs.front().elements().size());
  for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = static_cast<float>(i * 53 % 256);
  inputs.front() = Tensor({1, 48, 9, 9}, std::move(pixels));
  const auto made = outputs(lower(graph, one_by_one_schedule(graph), 1, {}), inputs, 1);
  EXPECT_FALSE(ours_);
  EXPECT_TRUE(
      std::ranges::equal(made.front().elements(), test::reference_outputs(graph, inputs, 1).front().elements()));
}

}  // namespace
}  // namespace iosx
