// Plans in which every convolution that a kernel of our own can compute by Winograd's method is computed so, whatever
// is fastest here.

#include "core/devices/cpu/kernels/winograd.h"
#include "core/devices/cpu/runner.h"
#include "core/model/schedule/baselines.h"
#include "tests/devices/cpu/feeds.h"
#include "tests/support/graphs.h"
#include "tests/support/lower.h"
#include "tests/support/prelude.h"
#include "tests/support/reference.h"

namespace iosx {
namespace {

Conv conv(std::int64_t channels, Activation activation = Activation::kIdentity) {
  return Conv{.out_channels = channels, .kernel = {3, 3}, .padding = {1, 1}, .activation = activation};
}

// Slices of a concatenation are written and read, and a residual is added.
Graph network() {
  auto [builder, in] = test::sketch("network", Shape{24, 13, 11});
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
  return must(std::move(builder).build());
}

class WinogradPlans : public testing::Test {
 protected:
  // Of a run of the plan on so many cores.
  std::vector<Tensor> outputs(const ExecutionPlan& plan, const std::vector<Tensor>& inputs, int cores) {
    cpu::Workplace workplace(DataType::kFloat32, cores, std::int64_t{1} << 30, std::int64_t{1} << 30);
    workplace.trials.decide(cpu::ConvolutionWay::kWinograd);
    auto pool = TeamPool::create(cores);
    EXPECT_TRUE(pool);
    auto prepared = must(cpu::PreparedPlan::prepare(plan, workplace, **pool, {}));
    ours_ = true;
    for (const cpu::PreparedStage& stage : prepared.stages()) {
      for (const auto& lane : stage.lanes) {
        for (const cpu::PreparedKernel& kernel : lane)
          ours_ = ours_ && (kernel.implementation.empty() || kernel.implementation == cpu::kWinogradName);
      }
    }
    EXPECT_TRUE(prepared.set_inputs(inputs));
    EXPECT_TRUE(cpu::Runner(prepared, **pool).run({}));
    return prepared.outputs();
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
  auto [builder, in] = test::sketch("quantised", Shape{48, 9, 9});
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

// Where NaN or an infinity comes in, what would lose or spread it is computed otherwise.
TEST(NotFinite, StaysWhereItIsInALargeConvolution) {
  const auto device = test::open_cpu();
  auto [builder, in] = test::sketch("large", Shape{64, 24, 24});
  const Value first = builder.add("first", conv(64, Activation::kRelu), {in});
  Conv clipped = conv(64);
  clipped.activation = {ActivationKind::kClip, 0, 6};
  builder.add("second", clipped, {first});
  builder.add("pool", Pool{.kind = PoolKind::kMax, .kernel = {2, 2}, .stride = {2, 2}}, {first});
  const auto graph = must(std::move(builder).build());
  auto inputs = test::made_up_inputs(graph, {});
  std::vector<float> values(inputs[0].elements().begin(), inputs[0].elements().end());
  values[5 * 24 + 5] = std::numeric_limits<float>::quiet_NaN();
  values[20 * 24 + 7] = std::numeric_limits<float>::infinity();
  inputs[0] = Tensor({inputs[0].dims().begin(), inputs[0].dims().end()}, std::move(values));
  const auto expected = test::reference_outputs(graph, inputs, 1);
  for (const Schedule& schedule : {one_by_one_schedule(graph), sequential_schedule(graph)}) {
    const auto actual = test::outputs_with(*device, graph, schedule, inputs);
    ASSERT_EQ(actual.size(), 2U);
    for (std::size_t i = 0; i < 2; ++i) EXPECT_EQ(test::first_unlike(expected[i], actual[i], 1e-5), std::nullopt);
    EXPECT_TRUE(std::ranges::any_of(actual[0].elements(), [](float x) { return std::isnan(x); }));
    EXPECT_TRUE(std::ranges::any_of(actual[0].elements(), [](float x) { return std::isfinite(x); }));
  }
}

// A network of finite inputs may make NaN in its middle, which the last activation would hide.
TEST(NotFinite, MadeOnTheWayIsNotLost) {
  const auto device = test::open_cpu();
  auto [builder, in] = test::sketch("made", Shape{16, 6, 6});
  const Value root = builder.add("root", Activate{{ActivationKind::kSqrt}}, {in});
  builder.add("conv", conv(16, Activation::kRelu), {root});
  const auto graph = must(std::move(builder).build());
  const auto inputs = test::made_up_inputs(graph, {});  // about half of them below zero
  const auto actual = test::outputs_with(*device, graph, sequential_schedule(graph), inputs);
  const auto expected = test::reference_outputs(graph, inputs, 1);
  ASSERT_EQ(actual.size(), 1U);
  EXPECT_EQ(test::first_unlike(expected[0], actual[0], 1e-5), std::nullopt);
  EXPECT_TRUE(std::isnan(actual[0].elements()[0]));
}

}  // namespace
}  // namespace iosx
