#include "gpu/exec/conv_ways.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "core/model/layout/layout.h"
#include "gpu/exec/conv_problem_of.h"
#include "gpu/runtime/device_memory.h"
#include "gpu/runtime/errors.h"
#include "tests/gpu/exec/bench.h"

namespace iosx::gpu::test {
namespace {

using testing::ElementsAre;

ConvProblem problem() {
  ConvProblem problem;
  problem.math = Math::kStrict;
  problem.channels = 8;
  problem.input = {4, 4};
  problem.out_channels = 8;
  problem.output = {4, 4};
  problem.kernel = {3, 3};
  problem.padding = problem.padding_end = {1, 1};
  problem.x = problem.y = dense_layout(8, Math::kStrict);
  problem.bias = true;
  problem.activation = Activation::kRelu;
  return problem;
}

ConvProblem sliced(bool x, bool y) {
  ConvProblem sliced = problem();
  if (x) sliced.x.pitch = 20;
  if (y) sliced.y.pitch = 24;
  return sliced;
}

ConvProblem with_residual(ConvProblem problem) {
  problem.residual = true;
  problem.z = {12, 16};
  return problem;
}

std::vector<std::string> names(const ConvProblem& problem, HostConvolutions::Options options = {}) {
  HostConvolutions library(options);
  std::vector<std::string> names;
  for (const ConvWay& way : candidate_ways(problem, library)) names.push_back(way.name());
  EXPECT_EQ(std::set(names.begin(), names.end()).size(), names.size());
  return names;
}

TEST(ConvWays, OfADenseProblemAreTheLibrarysPlans) {
  EXPECT_THAT(names(problem()), ElementsAre("host engine 1", "host engine 2"));
}

TEST(ConvWays, OfSlicesAreWithCopiesToo) {
  EXPECT_THAT(names(sliced(true, false)), ElementsAre("host engine 1", "host engine 2", "host engine 1, copied input",
                                                      "host engine 2, copied input"));
  EXPECT_THAT(names(sliced(false, true), {.slices = false}),
              ElementsAre("host engine 1, copied output", "host engine 2, copied output"));
  EXPECT_EQ(names(sliced(true, true)).size(), 8U);
}

TEST(ConvWays, OfBadlyAlignedTensorsAreWithCopiesToo) {
  ConvProblem badly = problem();
  badly.x.alignment = 4;
  EXPECT_EQ(names(badly).size(), 4U);
}

TEST(ConvWays, LeaveToUsWhatTheLibraryCannotFuse) {
  EXPECT_THAT(names(problem(), {.activations = false}),
              ElementsAre("host engine 1, only bias fused", "host engine 2, only bias fused"));
  const ConvProblem residual = with_residual(problem());
  EXPECT_THAT(names(residual, {.activations = false}),
              ElementsAre("host engine 1, activation apart", "host engine 2, activation apart"));
  EXPECT_THAT(names(residual, {.residuals = false}),
              ElementsAre("host engine 1, only bias fused", "host engine 2, only bias fused"));
}

TEST(ConvWays, OfADepthwiseOneHaveOurKernel) {
  ConvProblem depthwise = problem();
  depthwise.groups = 8;
  EXPECT_THAT(names(depthwise), ElementsAre("own depthwise kernel", "host engine 1", "host engine 2"));
  depthwise.transposed = true;
  EXPECT_EQ(names(depthwise).size(), 2U);
  depthwise.transposed = false;
  depthwise.out_channels = 16;
  depthwise.y.pitch = 16;
  EXPECT_EQ(names(depthwise).size(), 2U);
}

// A library without fusion, and one that takes nothing.
struct Bare final : ConvLibrary {
  HostConvolutions host{{.activations = false}};
  bool nothing = false;
  const std::string& version() const override { return host.version(); }
  bool fuses(const Activation& activation) const override { return activation == Activation::kIdentity; }
  std::vector<ConvPlanPtr> plans(const ConvProblem& problem) override {
    if (nothing || problem.bias || problem.residual) return {};
    return host.plans(problem);
  }
  ConvPlanPtr restore(const ConvProblem& problem, const std::string& plan) override {
    return host.restore(problem, plan);
  }
};

TEST(ConvWays, ThrowsIfThereIsNone) {
  Bare library;
  EXPECT_EQ(candidate_ways(problem(), library)[0].name(), "host engine 1, nothing fused");
  library.nothing = true;
  EXPECT_THROW(candidate_ways(problem(), library), Unsupported);
}

TEST(ConvWays, AreRestoredByName) {
  Bare bare;
  HostConvolutions host;
  HostConvolutions weak({.slices = false, .residuals = false, .activations = false});
  ConvProblem depthwise = problem();
  depthwise.groups = 8;
  for (ConvLibrary* library : std::initializer_list<ConvLibrary*>{&bare, &host, &weak}) {
    for (const ConvProblem& one : {problem(), sliced(true, true), with_residual(sliced(true, false)), depthwise}) {
      for (const ConvWay& way : candidate_ways(one, *library)) {
        const std::string plan = way.plan == nullptr ? std::string() : way.plan->serialised();
        const auto restored = restored_way(one, way.name(), plan, *library);
        ASSERT_TRUE(restored) << way.name();
        EXPECT_EQ(restored->name(), way.name());
        EXPECT_EQ(restored->kind, way.kind);
        EXPECT_EQ(restored->dense_input, way.dense_input);
        EXPECT_EQ(restored->dense_output, way.dense_output);
        if (way.plan != nullptr) {
          EXPECT_EQ(restored->plan->problem(), way.plan->problem());
        }
      }
    }
  }
  EXPECT_FALSE(restored_way(problem(), "host engine 1", "of another version", host));
  EXPECT_FALSE(restored_way(problem(), "host engine 1, copied input", "host 1 engine 1", host));
  EXPECT_FALSE(restored_way(problem(), "own depthwise kernel", "", host));
}

// A task with random operands.
struct Task {
  HostRuntime runtime;
  std::vector<DeviceMemory> memory;
  ConvTask task;

  explicit Task(const ConvProblem& problem) {
    task.problem = problem;
    task.x = pixels(problem.channels, problem.x);
    task.y = pixels(problem.out_channels, problem.y);
    if (problem.residual) task.residual = pixels(problem.out_channels, problem.z);
    task.weights = random(problem.channels / problem.groups * problem.out_channels * 9);
    task.bias = random(problem.out_channels);
    task.bias_float = static_cast<const float*>(task.bias);
  }
  void* random(std::int64_t count) {
    memory.emplace_back(runtime, count * 4);
    const auto seed = static_cast<std::uint32_t>(memory.size());
    runtime.launch(StreamId(0), FillCall{tensor_ref(Shape{count}, 1, DataType::kFloat32, memory.back().data()), seed});
    return memory.back().data();
  }
  TensorRef pixels(std::int64_t channels, const PixelLayout& layout) {
    const Shape shape{layout.pitch, 4, 4};
    return view_ref({"b", shape, false, false, {}}, {BufferId(0), 0, channels}, 1, DataType::kFloat32,
                    random(shape.elements()));
  }
  std::vector<float> run(const ConvWay& way) {
    const StreamId stream(0);
    const DeviceMemory scratch(runtime, scratch_bytes(way, task));
    runtime.launch(stream, FillCall{task.y, 99});
    for (const Step& step : steps_of(way, task, scratch.data())) {
      if (const auto* conv = std::get_if<ConvStep>(&step)) {
        runtime.execute(stream, *conv->plan, conv->operands);
      } else {
        runtime.launch(stream, std::get<KernelCall>(step));
      }
    }
    std::vector<float> values(static_cast<std::size_t>(task.y.elements()));
    const DeviceMemory dense(runtime, task.y.elements() * 4);
    runtime.launch(stream, CopyCall{task.y, dense_like(task.y, dense.data())});
    runtime.download(values.data(), dense.data(), dense.bytes());
    return values;
  }
};

TEST(ConvWays, AllComputeTheSame) {
  std::set<std::string> seen;
  for (const bool residual : {false, true}) {
    for (const ConvProblem& shape : {problem(), sliced(true, false), sliced(false, true), sliced(true, true)}) {
      Task task(residual ? with_residual(shape) : shape);
      HostConvolutions host;
      const auto expected = task.run(candidate_ways(task.task.problem, host)[0]);
      Bare bare;
      HostConvolutions no_residuals({.residuals = false});
      HostConvolutions no_activations({.activations = false});
      HostConvolutions weak({.slices = false, .residuals = false, .activations = false});
      for (ConvLibrary* library :
           std::initializer_list<ConvLibrary*>{&host, &bare, &no_residuals, &no_activations, &weak}) {
        for (const ConvWay& way : candidate_ways(task.task.problem, *library)) {
          seen.insert(way.name());
          const auto actual = task.run(way);
          for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(actual[i], expected[i], 1e-5) << way.name();
        }
      }
    }
  }
  EXPECT_EQ(seen.size(), 32U);  // 2 engines × 4 kinds of copies × 4 degrees of fusion
}

TEST(ConvWays, NeedScratchMemoryForCopiesAndWorkspace) {
  Task task(sliced(true, true));
  HostConvolutions library;
  std::vector<std::int64_t> bytes;
  for (const ConvWay& way : candidate_ways(task.task.problem, library)) bytes.push_back(scratch_bytes(way, task.task));
  EXPECT_THAT(bytes, ElementsAre(0, 4096, 1024, 1024 + 4096, 512, 512 + 4096, 512, 512 + 4096));
}

TEST(FirstWay, AsksTheLibraryOnceAProblem) {
  HostConvolutions library;
  FirstWay chooser(library);
  EXPECT_EQ(chooser.ways(problem()).size(), 2U);
  EXPECT_EQ(chooser.ways(problem()).size(), 2U);
  EXPECT_EQ(library.asked, 1);
  EXPECT_EQ(chooser.ways(sliced(true, false)).size(), 4U);
  EXPECT_EQ(library.asked, 3);
}

}  // namespace
}  // namespace iosx::gpu::test
