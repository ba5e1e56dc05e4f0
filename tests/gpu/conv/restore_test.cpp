#include <gtest/gtest.h>

#include "gpu/ops/conv/cudnn_library.h"
#include "gpu/ops/conv/sealed_text.h"
#include "tests/gpu/conv/descriptions.h"
#include "tests/gpu/conv/problems.h"

namespace iosx::gpu {
namespace {

class Restore : public testing::Test {
 protected:
  ConvProblem problem_ = test::conv3x3(Math::kHalf);
  std::unique_ptr<CudnnLibrary> library_ = CudnnLibrary::described(test::h200());
};

TEST_F(Restore, PlansComeBackAsTheyWere) {
  for (ConvProblem problem : {problem_, test::transposed3x3(Math::kTf32)}) {
    problem.y.pitch = 768;
    const auto plans = library_->plans(problem);
    ASSERT_FALSE(plans.empty());
    for (const ConvPlanPtr& plan : plans) {
      const ConvPlanPtr restored = library_->restore(problem, plan->serialised());
      ASSERT_NE(restored, nullptr) << plan->name();
      EXPECT_EQ(restored->name(), plan->name());
      EXPECT_EQ(restored->workspace_bytes(), plan->workspace_bytes());
      EXPECT_EQ(restored->problem(), problem);
      EXPECT_EQ(restored->serialised(), plan->serialised());
    }
  }
}

TEST_F(Restore, AnotherRunOfTheProgramCanDoIt) {
  const ConvPlanPtr plan = library_->plans(problem_).at(0);
  library_ = CudnnLibrary::described(test::h200());
  ASSERT_NE(library_->restore(problem_, plan->serialised()), nullptr);
}

TEST_F(Restore, PlansOutliveTheirLibrary) {
  const ConvPlanPtr plan = library_->plans(problem_).at(0);
  library_.reset();
  EXPECT_FALSE(plan->serialised().empty());
}

TEST_F(Restore, NotForAnotherProblem) {
  ConvProblem other = problem_;
  other.y.pitch = 768;
  EXPECT_EQ(library_->restore(other, library_->plans(problem_).at(0)->serialised()), nullptr);
}

TEST_F(Restore, NotForAnotherGpu) {
  const auto a100 = CudnnLibrary::described(test::a100());
  EXPECT_EQ(a100->restore(problem_, library_->plans(problem_).at(0)->serialised()), nullptr);
}

TEST_F(Restore, NoDamagedText) {
  const std::string text = library_->plans(problem_).at(0)->serialised();
  ASSERT_GT(text.size(), 1000U);
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string damaged = text;
    damaged[i] = static_cast<char>(damaged[i] ^ (1 << i % 8));
    ASSERT_EQ(library_->restore(problem_, damaged), nullptr) << "byte " << i;
    ASSERT_EQ(library_->restore(problem_, text.substr(0, i)), nullptr) << "first " << i << " bytes";
  }
  for (const char* garbage : {"", "\n", "{}", "0123456789abcdef\n{}"}) {
    EXPECT_EQ(library_->restore(problem_, garbage), nullptr);
  }
}

TEST(SealedText, ComesBackOnlyForItsPurpose) {
  const std::string text = sealed("purpose", "a\ntext");
  EXPECT_EQ(unsealed("purpose", text), "a\ntext");
  EXPECT_EQ(unsealed("other", text), std::nullopt);
  EXPECT_EQ(unsealed("purpose", sealed("purpos", "e\na\ntext")), std::nullopt);
  EXPECT_EQ(unsealed("", sealed("", "")), "");
}

}  // namespace
}  // namespace iosx::gpu
