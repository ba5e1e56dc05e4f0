#include "core/devices/simulated/captured.h"

#include "core/devices/simulated/kernel_model.h"
#include "core/devices/simulated/simulated_device.h"
#include "core/model/schedule/baselines.h"
#include "models/devices/embedded_devices.h"
#include "models/devices/simulated_devices.h"
#include "tests/support/graphs.h"
#include "tests/support/lower.h"
#include "tests/support/prelude.h"

namespace iosx::simulated {
namespace {

using nlohmann::json;

CapturedEngine engine() { return parse_captured(embedded_captured().json, "captured.json").value(); }

double& figure(CapturedModel& model, Family family, Term term) {
  return model.figures.us[static_cast<std::size_t>(family)][static_cast<std::size_t>(term)];
}

std::string captured_error_of(const json& document) {
  const auto made = parse_captured(document.dump(), "my.json");
  return made ? "" : made.error().text();
}

TEST(Captured, MistakesAreNamed) {
  json document = json::parse(embedded_captured().json);
  document["fitted"]["launch"].erase("wait_us");
  EXPECT_THAT(captured_error_of(document), HasSubstr("my.json: fitted.launch.wait_us is missing"));
  document = json::parse(embedded_captured().json);
  document["held_out"]["nasnet"]["pool"]["pixel"] = 1;
  EXPECT_THAT(captured_error_of(document), HasSubstr("held_out.nasnet.pool.pixel is not a known key"));
  EXPECT_FALSE(parse_captured("{", "x").has_value());
}

TEST(Captured, FiguresAreWrittenAsTheyAreRead) {
  json document = json::parse(embedded_captured().json);
  const CapturedEngine read = engine();
  EXPECT_EQ(json::parse(figures_json(read, read.fitted)), document["fitted"]);
  EXPECT_EQ(json::parse(figures_json(read, read.folds.at("nasnet"))), document["held_out"]["nasnet"]);
  EXPECT_EQ(read.folds.size(), 7U);
}

TEST(Captured, ALaunchTakesTheSumOfItsTerms) {
  CapturedModel model = engine().model(engine().fitted);
  figure(model, Family::kPool, Term::kFixed) = 3;
  figure(model, Family::kPool, Term::kTap) = 0.5;
  figure(model, Family::kPool, Term::kMegaelementTap) = 2;
  EXPECT_DOUBLE_EQ(alone_us(model, Family::kPool, {.taps = 4, .elements = 500'000}, 1), 3 + 4 * 0.5 + 2 * 0.5 * 4);
}

TEST(Captured, TheFastestTileDecides) {
  CapturedModel model = engine().model(engine().fitted);
  model.sms = 10;
  auto& tiles = model.families[static_cast<std::size_t>(Family::kSm90)].tiles;
  tiles = {{64, 64, 1}, {128, 64, 1}};
  figure(model, Family::kSm90, Term::kStep) = 0.3;
  figure(model, Family::kSm90, Term::kTileStep) = 0.2;
  figure(model, Family::kSm90, Term::kTile) = 1;
  // 640 pixels, 128 channels of 64 · 9: 18 steps. 20 small tiles are two waves of 18 · 0.3 + 1; 10 large ones one of
  // 18 · 0.4 + 2.
  const LaunchFacts facts{.taps = 9, .channels = 64, .columns = 128, .elements = 640 * 128};
  EXPECT_DOUBLE_EQ(fastest_tile(model, Family::kSm90, facts).us, 18 * 0.4 + 2);
  EXPECT_EQ(fastest_tile(model, Family::kSm90, facts).blocks, 10);
  // Two small ones on a multiprocessor share its tensor cores.
  tiles = {{64, 64, 2}};
  EXPECT_DOUBLE_EQ(fastest_tile(model, Family::kSm90, facts).us, 18 * 0.4 + 1);
}

TEST(Captured, WaitsCostByTheirNumber) {
  const CapturedFigures figures{.lanes_us = 0.1, .wait_us = 0.5, .more_waits_us = 0.8};
  EXPECT_DOUBLE_EQ(wait_us(figures, false, 0), 0);
  EXPECT_DOUBLE_EQ(wait_us(figures, true, 0), 0.1);
  EXPECT_DOUBLE_EQ(wait_us(figures, true, 1), 0.6);
  EXPECT_DOUBLE_EQ(wait_us(figures, true, 4), 0.6 + 3 * 0.8);
  EXPECT_DOUBLE_EQ(wait_us(figures, true, 40), wait_us(figures, true, 16));
}

TEST(Captured, ALoadTakesAloneWhatItShould) {
  const Machine machine = simulated_description("h200").machine;
  CapturedFigures figures = engine().fitted;
  for (const int blocks : {1, 100, 132, 133, 1000, 5000}) {
    for (const int limit : {1, 4, 16}) {
      const KernelLoad load = timed_load(machine, figures, Family::kDepthwise, 9, blocks, 4, limit);
      EXPECT_NEAR(load.dead_us + solo_duration(machine, load), 9, 1e-9) << blocks << ' ' << limit;
    }
  }
  EXPECT_DOUBLE_EQ(timed_load(machine, figures, Family::kStream, 1, 1, 4, 16).dead_us, 0.6);
}

TEST(Captured, ALoadThatNeedsTheWholeIssueIsSlowerBesideAnother) {
  const Machine machine = simulated_description("h200").machine;
  CapturedFigures figures = engine().fitted;
  const auto side_by_side = [&](double issue) {
    figures.issue[static_cast<std::size_t>(Family::kDepthwise)] = issue;
    const KernelLoad load = timed_load(machine, figures, Family::kDepthwise, 9, 264, 4, 8);
    const std::vector<Launch> launches{{.load = load, .lane = 0}, {.load = load, .lane = 1}};
    return simulate(machine, launches).end - simulate(machine, std::span(launches).first(1)).end;
  };
  EXPECT_NEAR(side_by_side(0.1), 0, 1e-9);
  EXPECT_GT(side_by_side(1), 5);
}

// A tensor kernel of Hopper leaves no room on its multiprocessor.
TEST(Captured, HopperKernelsHaveAMultiprocessorEach) {
  const Machine machine = simulated_description("h200").machine;
  const KernelLoad tensor = timed_load(machine, engine().fitted, Family::kSm90, 10, 132, 12, 1);
  const KernelLoad small = timed_load(machine, engine().fitted, Family::kStream, 2, 1, 4, 16);
  const std::vector<Launch> launches{{.load = tensor, .lane = 0}, {.load = small, .lane = 1, .wait_us = 1}};
  const Simulation run = simulate(machine, launches);
  EXPECT_GE(run.spans[1].begin, run.spans[0].end);
}

// The loads of the graph's last operator on the device.
std::vector<KernelLoad> loads(std::string_view device, GraphBuilder builder, std::int64_t batch = 1) {
  const DeviceDescription description = simulated_description(device);
  const Graph graph = std::move(builder).build().value();
  const ExecutionPlan plan = lower(graph, one_by_one_schedule(graph), batch, device_info(description).lowering);
  KernelModel model(description);
  return model.loads(plan, plan.kernels.back());
}

std::vector<KernelLoad> convolution(std::string_view device, std::int64_t in, std::int64_t out, Activation activation,
                                    std::int64_t kernel = 3) {
  GraphBuilder builder("g");
  const Conv conv{
      .out_channels = out, .kernel = {kernel, kernel}, .padding = {kernel / 2, kernel / 2}, .activation = activation};
  builder.add("y", conv, {builder.input("in", Shape{in, 28, 28})});
  return loads(device, std::move(builder));
}

double us_of(std::string_view device, const std::vector<KernelLoad>& kernels) {
  return duration(simulated_description(device).machine, kernels);
}

TEST(CapturedKernels, ChannelsThatAreNoMultipleOfFourNeedCompiledKernels) {
  const auto aligned = convolution("h200", 40, 40, Activation::kRelu);
  const auto unaligned = convolution("h200", 39, 39, Activation::kRelu);
  ASSERT_EQ(aligned.size(), 1U);
  EXPECT_EQ(aligned.front().warps, 12);
  ASSERT_EQ(unaligned.size(), 1U);
  EXPECT_EQ(unaligned.front().warps, 4) << "no kernel of Hopper";
  EXPECT_GT(us_of("h200", unaligned), us_of("h200", aligned));
  EXPECT_LT(us_of("h200", unaligned), 2 * us_of("h200", aligned));
  // In 16 bits it is a multiple of eight; float32 has no such rule. For a Turing GPU cuDNN compiles no convolution.
  EXPECT_GT(us_of("h200-f16", convolution("h200-f16", 36, 36, Activation::kRelu)),
            us_of("h200-f16", convolution("h200-f16", 40, 40, Activation::kRelu)));
  EXPECT_GT(us_of("tesla-t4-f16", convolution("tesla-t4-f16", 36, 36, Activation::kRelu)),
            2 * us_of("tesla-t4-f16", convolution("tesla-t4-f16", 40, 40, Activation::kRelu)));
  EXPECT_LT(us_of("h200-f32", convolution("h200-f32", 39, 39, Activation::kRelu)),
            1.2 * us_of("h200-f32", convolution("h200-f32", 40, 40, Activation::kRelu)));
}

TEST(CapturedKernels, ActivationsThatNoPrecompiledConvolutionHoldsAreCompiledOrLaunchesOfTheirOwn) {
  const Activation swish{ActivationKind::kSwish};
  EXPECT_EQ(convolution("tesla-t4-f16", 128, 64, swish).size(), 2U);
  EXPECT_EQ(convolution("tesla-t4-f16", 64, 64, swish).size(), 1U) << "short reductions hold it";
  EXPECT_EQ(convolution("tesla-t4-f16", 64, 64, Activation{ActivationKind::kGelu}).size(), 2U);
  const auto deep = convolution("h200", 1024, 64, swish);
  EXPECT_EQ(deep.size(), 2U) << "a kernel of Hopper and one more are faster than a compiled one";
  EXPECT_EQ(deep.front().warps, 12);
  const auto short_one = convolution("h200", 64, 64, Activation{ActivationKind::kGelu}, 1);
  ASSERT_EQ(short_one.size(), 1U);
  EXPECT_EQ(short_one.front().warps, 4);
}

// A rectifier and the convolution that reads it, as the device has them.
std::vector<KernelLoad> activated(std::string_view device, const Conv& conv, std::int64_t channels = 64) {
  GraphBuilder builder("g");
  const Value in = builder.input("in", Shape{channels, 28, 28});
  builder.begin_unit("all");
  builder.add("y", conv, {builder.add("act", Activate{}, {in})});
  builder.end_unit();
  return loads(device, std::move(builder));
}

TEST(CapturedKernels, RectifiersBeforeConvolutionsAreNoLaunchesWhereKernelsTakeThem) {
  const Conv depthwise{.out_channels = 64, .kernel = {3, 3}, .padding = {1, 1}, .groups = 64};
  const Conv pixel{.out_channels = 64};
  for (const char* device : {"h200", "h200-f16", "a100", "tesla-t4-f16"}) {
    EXPECT_EQ(activated(device, depthwise).size(), 1U) << device;
  }
  EXPECT_EQ(activated("h200", pixel).size(), 1U);
  EXPECT_EQ(activated("tesla-t4-f16", pixel).size(), 2U) << "cuDNN compiles nothing for it";
  const auto odd = activated("h200", {.out_channels = 63}, 63);
  ASSERT_EQ(odd.size(), 1U);
  EXPECT_EQ(us_of("h200", odd), us_of("h200", convolution("h200", 63, 63, Activation::kIdentity, 1)))
      << "it was a compiled kernel anyway";
  const Conv deep{.out_channels = 2048};
  EXPECT_GE(us_of("h200", activated("h200", deep, 2048)),
            us_of("h200", convolution("h200", 2048, 2048, Activation::kIdentity, 1)));
}

std::vector<KernelLoad> product(std::string_view device, std::int64_t depth) {
  GraphBuilder builder("g");
  const Value left = builder.input("left", Shape{6, 196, depth});
  builder.add("y", MatMul{}, {left, builder.input("right", Shape{6, depth, 196})});
  return loads(device, std::move(builder));
}

TEST(CapturedKernels, ProductsUseTensorCores) {
  EXPECT_LT(us_of("h200", product("h200", 64)), 0.5 * us_of("h200-f32", product("h200-f32", 64)));
  EXPECT_LT(us_of("tesla-t4-f16", product("tesla-t4-f16", 64)), us_of("tesla-t4", product("tesla-t4", 64)));
  EXPECT_EQ(product("h200", 64).size(), 1U);
}

// Attention over 197 tokens, in the features of linear layers.
std::vector<KernelLoad> attention(std::string_view device, std::int64_t heads, std::int64_t features = 64) {
  GraphBuilder builder("g");
  const auto turned = [&](const std::string& name, std::vector<std::size_t> axes) {
    const Value in = builder.input(name, Shape{197, heads * features});
    const Value split = builder.add(name + ".split", Reshape{Shape{197, heads, features}}, {in});
    return builder.add(name + ".turn", Transpose{std::move(axes)}, {split});
  };
  builder.begin_unit("attention");
  const Value query = turned("query", {1, 0, 2});
  const Value key = turned("key", {1, 2, 0});
  const Value value = turned("value", {1, 0, 2});
  const Value scores = builder.add("scores", MatMul{}, {query, key});
  builder.add("context", MatMul{}, {builder.add("softmax", Softmax{2}, {scores}), value});
  builder.end_unit();
  return loads(device, std::move(builder));
}

// 12 µs for a head are a guess: its products take 6.4 on CUDA cores, at their rate.
TEST(CapturedKernels, AttentionIsOneKernelWhereCudnnTakesItAndThatIsFaster) {
  for (const char* device : {"h200", "a100", "h200-f16", "a100-f16"}) {
    EXPECT_EQ(attention(device, 12).size(), 1U) << device;
    EXPECT_EQ(attention(device, 12, 60).size(), 3U) << device << ": no whole eights";
  }
  EXPECT_EQ(attention("h200-f32", 12).size(), 3U) << "keys are turned";
  EXPECT_EQ(attention("tesla-t4-f16", 12).size(), 3U) << "cuDNN has none for it";
  EXPECT_NEAR(us_of("h200", attention("h200", 1)), 12, 2);
  EXPECT_LT(us_of("h200", attention("h200", 12)), us_of("h200", attention("h200", 12, 60)));
  EXPECT_LT(us_of("h200-f16", attention("h200-f16", 12)), us_of("h200", attention("h200", 12)));
}

std::vector<KernelLoad> excited(std::string_view device, std::int64_t channels, std::int64_t squeezed,
                                std::int64_t pixels, std::int64_t batch = 1) {
  GraphBuilder builder("g");
  const Value in = builder.input("in", Shape{channels, pixels, pixels});
  builder.begin_unit("excited");
  Pool mean;
  mean.kind = PoolKind::kGlobalAverage;
  const Value squeeze = builder.add("squeeze", Conv{.out_channels = squeezed}, {builder.add("mean", mean, {in})});
  builder.add("scale", Mul{}, {in, builder.add("excite", Conv{.out_channels = channels}, {squeeze})});
  builder.end_unit();
  return loads(device, std::move(builder), batch);
}

TEST(CapturedKernels, SqueezeAndExcitationIsTwoLaunches) {
  for (const char* device : {"h200", "a100", "h200-f16", "tesla-t4-f16", "h200-f32"}) {
    EXPECT_EQ(excited(device, 240, 10, 28).size(), 2U) << device;
    EXPECT_EQ(excited(device, 32, 8, 112).size(), 2U) << device;
    EXPECT_EQ(excited(device, 960, 240, 7).size(), 1U) << device << ": only the product, with so many weights";
    EXPECT_LT(us_of(device, excited(device, 240, 10, 14)), us_of(device, excited(device, 240, 10, 56))) << device;
  }
  // Blocks of 128 samples do not each read all weights for few channels. What does not fit at once comes after it.
  const auto last = [](std::int64_t batch) { return us_of("h200", {excited("h200", 1152, 48, 7, batch).back()}); };
  EXPECT_LT(last(128), 35) << "the map has 58 MB in all";
  EXPECT_GT(last(128), 2 * last(8));
}

TEST(CapturedKernels, OlderCardsHaveNoKernelsOfHopper) {
  EXPECT_EQ(convolution("h200", 256, 256, Activation::kRelu).front().blocks_per_sm, 1);
  EXPECT_GT(convolution("a100", 256, 256, Activation::kRelu).front().blocks_per_sm, 1);
  EXPECT_GT(us_of("a100", convolution("a100", 256, 256, Activation::kRelu)),
            us_of("h200", convolution("h200", 256, 256, Activation::kRelu)));
}

TEST(CapturedKernels, ConcatenatedBranchesAreWrittenOrCopiedIntoTheirSlices) {
  GraphBuilder builder("g");
  const Conv conv{.out_channels = 32, .kernel = {1, 1}, .activation = Activation::kRelu};
  const Value in = builder.input("in", Shape{64, 28, 28});
  builder.add("y", Concat{}, {builder.add("a", conv, {in}), builder.add("b", conv, {in})});
  GraphBuilder same = builder;
  EXPECT_EQ(loads("tesla-t4-f16", std::move(builder)).size(), 2U) << "of b: the concatenation is in place";
  EXPECT_EQ(convolution("tesla-t4-f16", 64, 32, Activation::kRelu, 1).size(), 1U);
  EXPECT_EQ(loads("h200", std::move(same)).size(), 1U) << "a compiled kernel writes it";
}

}  // namespace
}  // namespace iosx::simulated
