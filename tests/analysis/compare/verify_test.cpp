#include "core/analysis/compare/verify.h"

#include "core/analysis/compare/compare.h"
#include "core/analysis/compare/report.h"
#include "core/model/schedule/baselines.h"
#include "tests/support/fake_devices.h"
#include "tests/support/graphs.h"
#include "tests/support/lower.h"
#include "tests/support/prelude.h"

namespace iosx {
namespace {

using test::ComputingDevice;
using test::with;

const std::vector<std::string> kName{"y"};

Tensor tensor(std::vector<float> elements) {
  const auto count = static_cast<std::int64_t>(elements.size());
  return {{1, count}, std::move(elements)};
}

OutputDifference difference(std::vector<float> output, std::vector<float> reference, double tolerance = 1e-4) {
  const Tensor a = tensor(std::move(output));
  const Tensor b = tensor(std::move(reference));
  return must(differences(kName, std::span(&a, 1), std::span(&b, 1), tolerance)).front();
}

TEST(Differences, OfTheSameAreZero) {
  const OutputDifference same = difference({1, -2, 0}, {1, -2, 0}, 0);
  EXPECT_TRUE(same.passed);
  EXPECT_EQ(same.max_abs, 0);
  EXPECT_EQ(same.max_rel, 0);
  EXPECT_EQ(same.scaled(), 0);
  EXPECT_EQ(same.magnitude, 2);
  EXPECT_TRUE(difference({0, 0}, {0, 0}, 0).passed);
}

TEST(Differences, AreMeasuredAsTheHeaderSays) {
  // M is 100: 0.5 counts as 1 for the relative error, 10 as itself.
  const OutputDifference found = difference({0.25F, 10.5F, -100}, {0.5F, 10, -100});
  EXPECT_DOUBLE_EQ(found.magnitude, 100);
  EXPECT_DOUBLE_EQ(found.max_abs, 0.5);
  EXPECT_DOUBLE_EQ(found.max_rel, 0.25);
  EXPECT_DOUBLE_EQ(found.scaled(), 0.005);
  EXPECT_EQ(found.worst, 1U);
  EXPECT_EQ(found.value, 10.5F);
  EXPECT_EQ(found.reference, 10);
  EXPECT_FALSE(found.passed);
  EXPECT_TRUE(difference({0.25F, 10.5F, -100}, {0.5F, 10, -100}, 0.005).passed);
  EXPECT_FALSE(difference({0.25F, 10.5F, -100}, {0.5F, 10, -100}, 0.00499).passed);
}

TEST(Differences, FromZerosAreWhollyWrong) {
  const OutputDifference found = difference({0, 1e-20F}, {0, 0});
  EXPECT_FALSE(found.passed);
  EXPECT_EQ(found.max_rel, 1);
  EXPECT_EQ(found.scaled(), std::numeric_limits<double>::infinity());
}

TEST(Differences, ThatAreNotFinitePassWhereBothAreTheSame) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinity = std::numeric_limits<float>::infinity();
  for (const auto& [output, reference] : {std::pair(nan, 1.0F), std::pair(1.0F, nan), std::pair(infinity, -infinity),
                                          std::pair(nan, infinity), std::pair(-infinity, 2.0F)}) {
    const OutputDifference found = difference({1, output, 5}, {1, reference, 3}, 1e9);
    EXPECT_FALSE(found.finite);
    EXPECT_FALSE(found.passed);
    EXPECT_EQ(found.worst, 1U);
    EXPECT_EQ(found.max_abs, 2);
  }
  for (const float same : {nan, infinity, -infinity}) {
    EXPECT_TRUE(difference({1, same, 3}, {1, same, 3}, 0).passed) << same;
    EXPECT_FALSE(difference({1, same, 4}, {1, same, 3}, 0.1).passed) << same;
  }
}

TEST(Differences, OfAnotherSizeAreAnError) {
  const std::vector<Tensor> reference{tensor({1, 2, 3})};
  const auto error = [&](const std::vector<Tensor>& outputs) {
    const auto found = differences(kName, outputs, reference, 1);
    return found ? std::string() : found.error().text();
  };
  EXPECT_THAT(error({tensor({1, 2})}), AllOf(HasSubstr("'y'"), HasSubstr("1 x 2"), HasSubstr("1 x 3")));
  EXPECT_THAT(error({Tensor({3, 1}, {1, 2, 3})}), HasSubstr("3 x 1"));
  EXPECT_THAT(error({Tensor()}), HasSubstr("'y'"));
  EXPECT_THAT(error({}), HasSubstr("0 outputs"));
  EXPECT_THAT(error({tensor({1}), tensor({2})}), HasSubstr("2 outputs"));
}

TEST(Tolerance, IsWiderForShorterNumbers) {
  EXPECT_EQ(tolerance_of("f32"), 1e-4);
  EXPECT_GT(tolerance_of("bf16"), tolerance_of("f16"));
  EXPECT_GT(tolerance_of("f16"), tolerance_of("f32"));
}

class VerifierTest : public testing::Test {
 protected:
  Result<Verification> verify(Device* reference = nullptr) {
    Verifier verifier(graph_, device_, 2, {}, reference);
    return verifier.verify(*load(device_, 2), {});
  }
  std::unique_ptr<LoadedPlan> load(Device& device, std::int64_t batch) const {
    return must(device.load(lower(graph_, greedy_schedule(graph_), batch), {}, {}));
  }
  const Graph graph_ = test::fork_join(3);
  ComputingDevice device_;
};

TEST_F(VerifierTest, PassesWhatIsEqual) {
  const auto verification = must(verify());
  EXPECT_TRUE(verification.passed());
  EXPECT_EQ(verification.reference, "sequential on Computing");
  EXPECT_EQ(verification.tolerance, 1e-4);
  EXPECT_EQ(verification_text(verification), "passed: the output is exactly that of sequential on Computing");
  ASSERT_EQ(verification.outputs.size(), 1U);
  EXPECT_EQ(verification.outputs[0].dims.front(), 2);
  EXPECT_GT(verification.outputs[0].magnitude, 1);
}

// Both runs get the same made-up inputs, one run each.
TEST_F(VerifierTest, RunsBothOnTheSameInputs) {
  ASSERT_TRUE(verify());
  ASSERT_EQ(device_.computed.size(), 2U);
  EXPECT_LT(device_.stages[0], device_.stages[1]);  // sequential first: a stage a part
  for (const RunOptions& options : device_.computed) {
    EXPECT_EQ(options.timing.max_repeats, 1);
    ASSERT_EQ(options.inputs.size(), 1U);
    EXPECT_FALSE(options.inputs[0].empty());
    EXPECT_EQ(options.inputs[0].elements().data(), device_.computed[0].inputs[0].elements().data());
  }
}

TEST_F(VerifierTest, RunsTheReferenceOnce) {
  Verifier verifier(graph_, device_, 1);
  const auto plan = load(device_, 1);
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(verifier.verify(*plan, {}));
  EXPECT_EQ(device_.computed.size(), 4U);
}

TEST_F(VerifierTest, TellsASmallDifferenceFromALargeOne) {
  double part = 1e-5;  // of the largest value
  device_.change = [&](std::size_t run, std::vector<Tensor>& outputs) {
    if (run == 0) return;
    const std::span<const float> elements = outputs[0].elements();
    outputs[0] = with(outputs[0], 3, static_cast<float>(elements[3] + part * elements.back()));
  };
  EXPECT_TRUE(verify()->passed());
  device_.computed.clear();
  EXPECT_THAT(verification_text(*verify()), AllOf(StartsWith("passed: output"), HasSubstr("(tolerance 0.0001)")));
  device_.computed.clear();
  part = 1e-3;
  const auto verification = verify();
  EXPECT_FALSE(verification->passed());
  EXPECT_EQ(verification->worst().worst, 3U);
  EXPECT_NEAR(verification->worst().scaled(), 1e-3, 1e-5);
}

TEST_F(VerifierTest, FailsOnNotANumber) {
  device_.change = [](std::size_t run, std::vector<Tensor>& outputs) {
    if (run == 1) outputs[0] = with(outputs[0], 7, std::nanf(""));
  };
  const auto verification = must(verify());
  EXPECT_FALSE(verification.passed());
  EXPECT_THAT(verification_text(verification), AllOf(HasSubstr("FAILED"), HasSubstr("element 7 is nan")));
  EXPECT_TRUE(
      nlohmann::ordered_json::parse(verification_json(verification).dump()).at("outputs")[0].at("value").is_null());
}

TEST_F(VerifierTest, RefusesWhatHasTheWrongSize) {
  device_.change = [](std::size_t run, std::vector<Tensor>& outputs) {
    if (run == 1) outputs[0] = tensor({1, 2, 3});
  };
  EXPECT_THAT(verify().error().text(), HasSubstr("bug of the device"));
  device_.computed.clear();
  device_.change = [](std::size_t, std::vector<Tensor>& outputs) { outputs.clear(); };
  EXPECT_THAT(verify().error().text(), HasSubstr("0 outputs"));
}

TEST_F(VerifierTest, TakesAnotherDeviceAsReference) {
  ComputingDevice other("other");
  other.info_.precision = "bf16";
  other.info_.name = "Other";
  const auto verification = must(verify(&other));
  EXPECT_EQ(verification.reference, "sequential on Other");
  EXPECT_EQ(verification.tolerance, tolerance_of("bf16"));
  EXPECT_EQ(other.computed.size(), 1U);
  EXPECT_EQ(device_.computed.size(), 1U);
}

TEST_F(VerifierTest, AComparisonTakesAnotherDeviceAsReference) {
  ComputingDevice other("other");
  other.info_.name = "Other";
  CompareOptions options{.verify = true};
  const auto comparison = must(compare(graph_, device_, options, {}, {.reference = &other}));
  for (const ScheduleResult& result : comparison.results) {
    EXPECT_EQ(result.verification->reference, "sequential on Other");
  }
  EXPECT_EQ(other.computed.size(), 1U);
  EXPECT_EQ(device_.computed.size(), comparison.results.size());
  const auto result = must(evaluate(graph_, greedy_schedule(graph_), device_, 1, {}, {}, true, &other));
  EXPECT_EQ(result.verification->reference, "sequential on Other");
  test::FakeDevice simulated;
  EXPECT_THAT(compare(graph_, device_, options, {}, {.reference = &simulated}).error().text(),
              HasSubstr("computes no outputs"));
}

TEST_F(VerifierTest, SaysThatASimulatedDeviceCannot) {
  test::FakeDevice simulated;
  Verifier verifier(graph_, simulated, 1);
  const auto verification = verifier.verify(*load(simulated, 1), {});
  EXPECT_THAT(verification.error().text(), AllOf(HasSubstr("fake"), HasSubstr("computes no outputs")));
  CompareOptions options{.verify = true};
  EXPECT_THAT(compare(graph_, simulated, options, {}).error().text(), HasSubstr("computes no outputs"));
  EXPECT_EQ(simulated.plans_measured, 0U);
  EXPECT_FALSE(evaluate(graph_, greedy_schedule(graph_), simulated, 1, {}, {}, true));
}

TEST_F(VerifierTest, VerifiesEveryScheduleOfAComparison) {
  const auto comparison = must(compare(graph_, device_, CompareOptions{.verify = true}, {}));
  for (const ScheduleResult& result : comparison.results) {
    ASSERT_TRUE(result.verification);
    EXPECT_TRUE(result.verification->passed());
  }
  EXPECT_FALSE(comparison.failed_verification());
  EXPECT_EQ(device_.computed.size(), comparison.results.size() + 1);
  // The plans that were timed, and the reference.
  EXPECT_EQ(device_.loads.size(), comparison.results.size() + 1);
  EXPECT_THAT(comparison_table(comparison), AllOf(HasSubstr("verified"), HasSubstr("verify: passed")));
}

TEST_F(VerifierTest, TellsWhichScheduleFailed) {
  device_.change = [](std::size_t run, std::vector<Tensor>& outputs) {
    if (run == 2) outputs[0] = with(outputs[0], 0, 1e6F);  // after the reference and sequential: greedy
  };
  const auto comparison = must(compare(graph_, device_, CompareOptions{.verify = true}, {}));
  EXPECT_TRUE(comparison.failed_verification());
  const std::string text = comparison_table(comparison);
  EXPECT_THAT(text, AllOf(HasSubstr("NO"), HasSubstr("verify: greedy: FAILED"), Not(HasSubstr("passed"))));
  const auto json = comparison_json(comparison);
  EXPECT_EQ(json.at("schedules")[0].at("verification").at("passed"), true);
  EXPECT_EQ(json.at("schedules")[1].at("verification").at("passed"), false);
  EXPECT_EQ(json.at("schedules")[1].at("verification").at("outputs")[0].at("worst"), 0);
}

TEST_F(VerifierTest, AStopLeavesTheRestUnverified) {
  std::stop_source stop;
  device_.change = [&](std::size_t run, std::vector<Tensor>&) {
    if (run == 1) stop.request_stop();
  };
  CompareOptions options{.verify = true};
  const auto comparison = must(compare(graph_, device_, options, {stop.get_token(), {}}));
  EXPECT_FALSE(comparison.complete);
  EXPECT_TRUE(comparison.results[0].verification);
  EXPECT_FALSE(comparison.results[1].verification);
}

TEST_F(VerifierTest, EvaluateVerifiesIfAskedFor) {
  EXPECT_FALSE(evaluate(graph_, greedy_schedule(graph_), device_, 1, {}, {})->verification);
  const auto result = must(evaluate(graph_, greedy_schedule(graph_), device_, 1, {}, {}, true));
  EXPECT_TRUE(result.verification->passed());
  EXPECT_EQ(result.peak_bytes, 1'500'000);
}

}  // namespace
}  // namespace iosx
