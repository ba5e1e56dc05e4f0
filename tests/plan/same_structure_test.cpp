#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>

#include "core/cost/signature.h"
#include "core/plan/lower.h"
#include "tests/plan/random_plans.h"

namespace iosx {
namespace {

// Everything in the plan that a device could notice, without names, ids of the graph and values of weights.
std::string structure(const ExecutionPlan& plan) {
  std::string text;
  for (const Buffer& buffer : plan.buffers) {
    text += fmt::format("buffer {} {} {}\n", shape_text(buffer.shape), buffer.external, buffer.constant);
  }
  const auto put = [&](const TensorView& view) {
    text += fmt::format(" {}:{}-{}", view.buffer.index(), view.begin, view.end);
  };
  for (const Kernel& kernel : plan.kernels) {
    text += fmt::format("{} {} stage {} lane {} flops {} bytes {} of {} fused {} waits", kind_name(kernel.attributes),
                        shape_text(kernel.output), kernel.stage, kernel.lane, kernel.work.flops, kernel.work.bytes(),
                        kernel.operators.size(), kernel.fused.size());
    for (const KernelId wait : kernel.waits) text += fmt::format(" {}", wait.index());
    if (const auto* conv = std::get_if<Conv>(&kernel.attributes)) {
      text += fmt::format(" {} {}x{} {}", conv->out_channels, conv->kernel.height, conv->kernel.width,
                          activation_name(conv->activation));
    }
    text += " reads";
    for (const TensorView& view : kernel.reads) put(view);
    text += " writes";
    put(kernel.writes);
    text += '\n';
  }
  return text;
}

// Stages with one signature have one plan: a measurement of one holds for all. For every way to lower.
TEST(SameStructure, EqualSignaturesMeanEqualPlans) {
  for (const LowerOptions& options :
       {LowerOptions{}, LowerOptions{true, false}, LowerOptions{false, true}, LowerOptions{true, true}}) {
    SCOPED_TRACE(testing::Message() << "fuse " << options.fuse << ", in place " << options.concat_in_place);
    std::map<std::string, std::string> first;
    std::size_t repeated = 0;
    for (std::uint64_t seed = 0; seed < 150; ++seed) {
      std::mt19937 random(static_cast<std::uint32_t>(seed));
      const Graph graph = test::random_concat_graph(seed, 20);
      const ConcatPlaces places(graph);
      const SignatureOptions same{options.concat_in_place ? &places : nullptr, options.fuse};
      for (int turn = 0; turn < 4; ++turn) {
        for (const Stage& stage : test::random_schedule(graph, random).stages) {
          const CanonicalStage found = canonical(graph, stage, same);
          const std::string plan = structure(lower_stage(graph, found.stage, 2, options));
          const auto [place, fresh] = first.emplace(found.signature, plan);
          repeated += fresh ? 0 : 1;
          ASSERT_EQ(place->second, plan) << "seed " << seed << "\n" << found.signature;
        }
      }
    }
    EXPECT_GT(repeated, 300U) << "otherwise this test says nothing";
    EXPECT_GT(first.size(), 1000U);
  }
}

// Without the options the same stages look alike that a device in place must tell apart.
TEST(SameStructure, PlainSignaturesAreNotEnough) {
  std::map<std::string, std::string> first;
  std::size_t different = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    std::mt19937 random(static_cast<std::uint32_t>(seed));
    const Graph graph = test::random_concat_graph(seed, 20);
    for (const Stage& stage : test::random_schedule(graph, random).stages) {
      const CanonicalStage found = canonical(graph, stage);
      const std::string plan = structure(lower_stage(graph, found.stage, 2, {true, true}));
      if (first.emplace(found.signature, plan).first->second != plan) ++different;
    }
  }
  EXPECT_GT(different, 20U);
}

}  // namespace
}  // namespace iosx
