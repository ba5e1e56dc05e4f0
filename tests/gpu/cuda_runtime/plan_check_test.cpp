// Convolutions of cuDNN on a real GPU, each plan against plain loops (ctest -L gpu); and, anywhere, that the comparison
// finds what is wrong.
#include "tests/gpu/cuda_runtime/plan_check.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>

#include "gpu/ops/conv/cudnn_library.h"
#include "gpu/ops/conv/plan_store.h"
#include "gpu/ops/conv/trial_log.h"
#include "gpu/runtime/cuda_runtime.h"
#include "gpu/runtime/errors.h"
#include "gpu/runtime/probe.h"
#include "tests/gpu/support/host_convolutions.h"
#include "tests/gpu/support/host_runtime.h"

namespace iosx::gpu {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr Math kMaths[] = {Math::kTf32, Math::kStrict, Math::kHalf, Math::kBfloat16};
constexpr const char* kMathNames[] = {"tf32", "strict", "half", "bfloat16"};
constexpr int kFirstWithBfloat16 = 80;  // compute capability

struct Form {
  const char* name;
  ConvProblem (*problem)(Math math);
};
constexpr Form kForms[] = {{"bias_and_relu", test::small_conv},
                           {"residual", test::small_conv_with_residual},
                           {"into_a_slice", test::small_conv_into_slice}};

class CudnnOnGpu : public testing::TestWithParam<std::tuple<Math, Form>> {};

TEST_P(CudnnOnGpu, EveryPlanComputesWhatPlainLoopsDo) {
  const SystemFacts facts = probe_system();
  if (const Message why = refusal(facts); !why.empty()) GTEST_SKIP() << why;
  if (const Message why = refusal(facts.devices.front()); !why.empty()) GTEST_SKIP() << why;
  const auto& [math, form] = GetParam();
  const auto runtime = make_cuda_runtime(0);
  if (math == Math::kBfloat16 && runtime->properties().compute_capability < kFirstWithBfloat16) {
    GTEST_SKIP() << runtime->properties().name << " does not compute bfloat16";
  }
  const auto library = CudnnLibrary::open(0);
  TrialLog trials(default_plan_folder(), fmt::format("plan check, {}, driver {}, {}", runtime->properties().name,
                                                     runtime->properties().driver, library->version()));
  library->set_trials(&trials);
  const test::PlanReport report = test::check_plans(*runtime, *library, form.problem(math));
  std::printf("%s", report.text.c_str());
  std::fflush(stdout);  // so that it is there if time runs out
  for (const std::string& failure : report.failures) ADD_FAILURE() << failure;
}

INSTANTIATE_TEST_SUITE_P(Small, CudnnOnGpu, testing::Combine(testing::ValuesIn(kMaths), testing::ValuesIn(kForms)),
                         [](const auto& info) {
                           return std::string(kMathNames[static_cast<int>(std::get<0>(info.param))]) + "_" +
                                  std::get<1>(info.param).name;
                         });

TEST(PlanCheck, PassesWhatIsRight) {
  for (const Form& form : kForms) {
    for (const Math math : kMaths) {
      test::HostRuntime runtime;
      test::HostConvolutions library;
      const test::PlanReport report = test::check_plans(runtime, library, form.problem(math));
      EXPECT_THAT(report.failures, IsEmpty()) << form.name;
      EXPECT_THAT(report.text, AllOf(HasSubstr("  host engine 1, 0 bytes of workspace: 0\n"),
                                     HasSubstr("  host engine 2, restored, 4096 bytes of workspace: 0\n")));
    }
  }
}

// A library that is asked for one problem and answers with the plans of another.
class Wrong final : public ConvLibrary {
 public:
  using Change = std::function<void(ConvProblem&)>;
  explicit Wrong(Change change) : change_(std::move(change)) {}

  const std::string& version() const override { return right_.version(); }
  bool fuses(const Activation& activation) const override { return right_.fuses(activation); }
  std::vector<ConvPlanPtr> plans(const ConvProblem& problem) override { return right_.plans(changed(problem)); }
  ConvPlanPtr restore(const ConvProblem& problem, const std::string& text) override {
    return right_.restore(changed(problem), text);
  }

 private:
  ConvProblem changed(ConvProblem problem) const {
    change_(problem);
    return problem;
  }

  Change change_;
  test::HostConvolutions right_;
};

TEST(PlanCheck, FindsWhatIsWrong) {
  const auto failures = [](ConvProblem (*form)(Math), const Wrong::Change& change) {
    test::HostRuntime runtime;
    Wrong library(change);
    return test::check_plans(runtime, library, form(Math::kTf32)).failures;
  };
  // Two plans, made and restored, three times on two streams.
  const auto always = AllOf(SizeIs(24), Each(HasSubstr("of the largest value")));
  EXPECT_THAT(failures(test::small_conv, [](ConvProblem& p) { p.bias = false; }), always);
  EXPECT_THAT(failures(test::small_conv, [](ConvProblem& p) { p.activation = Activation::kIdentity; }), always);
  EXPECT_THAT(failures(test::small_conv_with_residual, [](ConvProblem& p) { p.residual = false; }), always);
  const auto half_written = failures(test::small_conv, [](ConvProblem& p) { p.out_channels = 32; });
  EXPECT_THAT(half_written, AllOf(SizeIs(24), Each(HasSubstr("was not written"))));
  // Begins in the middle of a pixel, and goes on into the next one's other half.
  const auto outside = failures(test::small_conv_into_slice, [](ConvProblem& p) { p.y.pitch = 64; });
  EXPECT_THAT(outside, AllOf(SizeIs(24), Each(HasSubstr("not y's, became"))));
}

TEST(PlanCheck, GoesOnAfterAPlanThatThrows) {
  test::HostRuntime runtime;
  Wrong library([](ConvProblem& p) { p.batch = 1000; });  // reads and writes outside of memory
  const auto failures = test::check_plans(runtime, library, test::small_conv(Math::kHalf)).failures;
  EXPECT_THAT(failures, AllOf(SizeIs(4), Each(HasSubstr("host engine"))));
  EXPECT_THAT(failures, Contains(HasSubstr("host engine 2, restored: ")));
}

TEST(PlanCheck, LeavesOutWhatEndedAnEarlierRun) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "plan_check_test";
  std::filesystem::remove_all(folder);
  const ConvProblem problem = test::small_conv(Math::kTf32);
  test::HostConvolutions library;
  std::string name;
  {  // the GPU is lost in the second plan
    TrialLog log(folder, "key");
    library.set_trials(&log);
    const auto plans = library.plans(problem);
    name = plans[1]->name();
    log.begin(fmt::format("check {}: {}", key_of(problem), name));
  }
  TrialLog log(folder, "key");
  EXPECT_EQ(log.known(), 1U);
  library.set_trials(&log);
  test::HostRuntime runtime;
  const auto report = test::check_plans(runtime, library, problem);
  EXPECT_THAT(report.failures, IsEmpty());
  EXPECT_THAT(report.text, HasSubstr(name + ": left out"));
  EXPECT_THAT(report.text, HasSubstr("host engine 1, 0 bytes"));
  std::filesystem::remove_all(folder);
}

TEST(PlanCheck, FindsThatThereAreNoPlans) {
  test::HostRuntime runtime;
  test::HostConvolutions library({.residuals = false});
  const auto report = test::check_plans(runtime, library, test::small_conv_with_residual(Math::kTf32));
  EXPECT_THAT(report.failures, testing::ElementsAre("no plans"));
}

}  // namespace
}  // namespace iosx::gpu
