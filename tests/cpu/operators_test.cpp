// Every kind of operator on the device against the plain loops of reference.h.

#include <gtest/gtest.h>

#include "core/schedule/baselines.h"
#include "tests/cpu/operator_cases.h"
#include "tests/cpu/reference.h"
#include "tests/cpu/support.h"

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
    const auto actual = test::outputs_of(*device_, graph, sequential_schedule(graph), feed);
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
TEST_P(OperatorTest, ReadsAndWritesSlices) { check(network_of(GetParam(), Placement::kSliced), 2); }

INSTANTIATE_TEST_SUITE_P(Kinds, OperatorTest, testing::ValuesIn(test::operator_cases()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace iosx
