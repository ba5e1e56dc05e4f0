#include "core/model/recording/recording.h"

#include <malloc.h>

#include "tests/support/prelude.h"
#include "tests/support/sanitized.h"

namespace iosx {
namespace {

TEST(Recording, OfHalfAMillionKernelsTakesLessThan100Megabytes) {
  if (test::kSanitized) GTEST_SKIP() << "the sanitizers' allocator does not count";
  const auto in_use = [] {
    const auto info = ::mallinfo2();
    return info.uordblks + info.hblkhd;
  };
  const std::size_t before = in_use();
  constexpr std::size_t kMany = 500'000;
  Recording recording;
  recording.kernels.resize(kMany);
  recording.launches.resize(kMany);
  recording.ranges.resize(kMany);  // an operator for each kernel
  recording.edges.resize(3 * kMany);
  EXPECT_GT(in_use() - before, std::size_t{75'000'000});
  EXPECT_LT(in_use() - before, std::size_t{100'000'000});
}

TEST(KernelKind, IsGuessedFromTheName) {
  EXPECT_EQ(kind_of_kernel("ncclDevKernel_AllReduce_Sum_f32_RING_LL"), KernelKind::kCollective);
  EXPECT_EQ(kind_of_kernel("ampere_sgemm_128x64_tn"), KernelKind::kGemm);
  EXPECT_EQ(kind_of_kernel("Cijk_Ailk_Bljk_SB_MT64x64x16"), KernelKind::kGemm);
  EXPECT_EQ(kind_of_kernel("implicit_convolve_sgemm"), KernelKind::kGemm);
  EXPECT_EQ(kind_of_kernel("cudnn::winograd_nonfused"), KernelKind::kConvolution);
  EXPECT_EQ(kind_of_kernel("Memcpy HtoD (Pageable -> Device)"), KernelKind::kHostCopy);
  EXPECT_EQ(kind_of_kernel("Memcpy DtoD (Device -> Device)"), KernelKind::kCopy);
  EXPECT_EQ(kind_of_kernel("Memset (Device)"), KernelKind::kCopy);
  EXPECT_EQ(kind_of_kernel("void at::native::vectorized_elementwise_kernel<4>"), KernelKind::kPointwise);
  EXPECT_EQ(kind_of_kernel("my_kernel"), KernelKind::kOther);
}

Recording of_two_lanes() {
  Recording recording;
  recording.names = {"", "a", "b", "step"};
  recording.lanes = {{.device = 0, .stream = "1"}, {.device = 0, .stream = "2"}, {.device = 1, .stream = "3"}};
  recording.launches = {{0, 1, 0}, {10, 11, 0}};
  recording.kernels = {{.begin = 30, .end = 40, .name = 1, .launch = 1, .lane = 2},
                       {.begin = 5, .end = 9, .name = 2, .launch = 0, .lane = 0}};
  recording.edges = {{1, 0, EdgeKind::kGraph, EdgeCertainty::kKnown}};
  recording.ranges = {{.begin = 9, .end = 20, .name = 3, .kind = RangeKind::kStep}};
  recording.host_waits = {{7, 8, 1}, {1, 2, 2}};
  return recording;
}

TEST(Recording, IsSettledByBeginAndKeepsItsEdges) {
  Recording recording = of_two_lanes();
  settle(recording);
  ASSERT_EQ(recording.lanes.size(), 2U);
  EXPECT_EQ(recording.kernels[0].name, 2U);
  EXPECT_EQ(recording.kernels[1].lane, 1U);
  EXPECT_EQ(recording.lanes[1].stream, "3");
  EXPECT_EQ(recording.lanes[1].kernels, 1U);
  EXPECT_THAT(recording.edges, ElementsAre(RecordedEdge{0, 1, EdgeKind::kGraph, EdgeCertainty::kKnown}));
  ASSERT_EQ(recording.host_waits.size(), 2U);
  EXPECT_EQ(recording.host_waits[0].lane, 1U);
  EXPECT_EQ(recording.host_waits[1].lane, kIdleLane);
}

TEST(Recording, IsCutToAStepOrADevice) {
  Recording recording = of_two_lanes();
  settle(recording);
  EXPECT_EQ(main_device(recording), 0);
  Recording step = recording;
  EXPECT_FALSE(cut_to_step(step, 0, {}));
  ASSERT_EQ(step.kernels.size(), 1U);
  EXPECT_EQ(step.kernels[0].begin, 30);
  EXPECT_TRUE(step.edges.empty());
  EXPECT_THAT(must(cut_to_step(recording, 1, {})).text(), HasSubstr("has only 1 of them"));
  EXPECT_THAT(must(cut_to_step(recording, 0, "x")).text(), HasSubstr("has no range named 'x'"));
  EXPECT_TRUE(cut_to_device(recording, 1));
  EXPECT_EQ(recording.kernels.size(), 1U);
  EXPECT_FALSE(cut_to_device(recording, 5));
}

Recording named_kernels(const std::vector<std::string>& names) {
  Recording recording;
  recording.lanes = {{.stream = "7"}};
  for (const std::string& name : names) {
    recording.names.push_back(name);
    const auto at = static_cast<double>(recording.kernels.size());
    recording.kernels.push_back({.begin = at, .end = at + 1, .name = static_cast<NameId>(recording.names.size() - 1)});
  }
  settle(recording);
  return recording;
}

TEST(ShortNames, KeepTheArgumentWhereMostKernelsWouldHaveOneName) {
  const Recording alike = named_kernels({"stem", "void cutlass::Kernel<conv_branch0_0>(Params)",
                                         "void cutlass::Kernel<conv_branch1_0>(Params)",
                                         "void at::native::fill<4, true, at::native::FillFunctor<int, 2>, Array>(int)",
                                         "void at::native::fill<4, at::native::(anonymous namespace)::Sum >(int)"});
  EXPECT_EQ(alike.short_name(1), "stem");
  EXPECT_EQ(alike.short_name(2), "Kernel<conv_branch0_0>");
  EXPECT_EQ(alike.short_name(3), "Kernel<conv_branch1_0>");
  EXPECT_EQ(alike.short_name(4), "fill<FillFunctor>");
  const Recording apart = named_kernels(
      {"a", "b", "void cutlass::Kernel<conv_branch0_0>(Params)", "void cutlass::Kernel<conv_branch1_0>(Params)"});
  EXPECT_EQ(apart.short_name(3), "Kernel") << "only half of the kernels";
  EXPECT_EQ(named_kernels({"void Kernel<a>(int)", "void Kernel<a>(int)"}).short_name(1), "Kernel") << "one function";
}

}  // namespace
}  // namespace iosx
