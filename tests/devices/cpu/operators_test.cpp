// Every kind of operator on the device against the plain loops of reference.h.

#include "core/devices/checks.h"
#include "core/model/graph/operator_table.h"
#include "core/model/schedule/baselines.h"
#include "tests/devices/cpu/feeds.h"
#include "tests/support/operator_cases.h"
#include "tests/support/prelude.h"
#include "tests/support/reference.h"

namespace iosx {
namespace {

using test::network_of;
using test::Placement;

class OperatorTest : public testing::TestWithParam<test::OperatorCase> {
 protected:
  static void SetUpTestSuite() { device_ = test::open_cpu(); }
  static void TearDownTestSuite() { device_.reset(); }

  static void check(const Graph& graph, std::int64_t batch) {
    const test::Feed feed{.batch = batch};
    const auto actual = test::outputs_of(*device_, graph, one_by_one_schedule(graph), feed);
    const auto expected = test::reference_outputs(graph, test::made_up_inputs(graph, feed), batch);
    ASSERT_EQ(actual.size(), expected.size());
    for (std::size_t i = 0; i < actual.size(); ++i) {
      EXPECT_LT(test::largest_error(expected[i], actual[i]), 2e-5) << "batch " << batch;
    }
  }

  static inline std::unique_ptr<Device> device_;
};

TEST_P(OperatorTest, AgreesWithTheReference) { check(network_of(GetParam(), Placement::kWhole), 1); }
TEST_P(OperatorTest, AgreesInABatch) { check(network_of(GetParam(), Placement::kWhole), 3); }
// NaN and infinities come out where NumPy has them.
TEST_P(OperatorTest, KeepsWhatIsNotFinite) {
  // No place has a coordinate that is not finite, NumPy sorts NaN by no order, what interpolation weights with 0 is not
  // read, and a product of many float32 may be 0 where one of double precision is not.
  for (const char* const kind : {"grid_sample", "top_k", "resize", "reduce_product", "lstm_both_states"}) {
    if (GetParam().name.starts_with(kind)) GTEST_SKIP() << "has no right value";
  }
  const Graph graph = network_of(GetParam(), Placement::kWhole);
  auto inputs = test::made_up_inputs(graph, {});
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  for (const float special : {std::numeric_limits<float>::quiet_NaN(), kInfinity, -kInfinity}) {
    for (Tensor& input : inputs) {
      std::vector<float> values(input.elements().begin(), input.elements().end());
      values[values.size() / 3] = special;
      input = Tensor({input.dims().begin(), input.dims().end()}, std::move(values));
    }
    const auto actual = test::outputs_with(*device_, graph, one_by_one_schedule(graph), inputs);
    const auto expected = test::reference_outputs(graph, inputs, 1);
    ASSERT_EQ(actual.size(), expected.size());
    for (std::size_t i = 0; i < actual.size(); ++i) {
      const auto unlike = test::first_unlike(expected[i], actual[i], 2e-5);
      if (!unlike) continue;
      ADD_FAILURE() << "with " << special << ": element " << *unlike << " is " << actual[i].elements()[*unlike] << ", "
                    << expected[i].elements()[*unlike] << " by the reference";
    }
  }
}
TEST_P(OperatorTest, ReadsAndWritesSlices) { check(network_of(GetParam(), Placement::kSliced), 2); }

INSTANTIATE_TEST_SUITE_P(OfTheHost, OperatorTest, testing::ValuesIn(test::host_operator_cases()),
                         [](const auto& info) { return info.param.name; });
INSTANTIATE_TEST_SUITE_P(Kinds, OperatorTest, testing::ValuesIn(test::operator_cases()),
                         [](const auto& info) { return info.param.name; });

TEST(OperatorCases, CoverEveryKindThatDevicesCompute) {
  for (const OperatorRow& row : operator_table::kRows) {
    if (row.role != OperatorRole::kLayer && row.role != OperatorRole::kKernel) continue;
    auto cases = test::operator_cases();
    for (auto& one : test::host_operator_cases()) cases.push_back(std::move(one));
    EXPECT_TRUE(std::ranges::any_of(cases, [&](const auto& one) { return one.attributes.index() == row.kind; }))
        << row.name;
  }
}

// A plan that asks for what nothing computes is refused, whatever it is.
TEST(PlanChecks, RefuseKernelsThatNothingComputes) {
  ExecutionPlan plan;
  plan.kernels.emplace_back();
  for (const Attributes& attributes : std::vector<Attributes>{Input{}, Constant{}, Opaque{}}) {
    plan.kernels.front().attributes = attributes;
    const auto executable = check_executable(plan, "CPU device");
    ASSERT_FALSE(executable.has_value()) << kind_name(attributes);
    EXPECT_NE(executable.error().what.text().find("cannot execute"), std::string::npos) << executable.error().text();
  }
}

}  // namespace
}  // namespace iosx
