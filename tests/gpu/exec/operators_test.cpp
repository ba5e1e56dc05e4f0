// Every kind of operator as the executor computes it, against the plain loops of reference.h.

#include "core/model/schedule/baselines.h"
#include "tests/gpu/exec/bench.h"
#include "tests/support/operator_cases.h"
#include "tests/support/prelude.h"

namespace iosx::gpu::test {
namespace {

using iosx::test::network_of;
using iosx::test::OperatorCase;
using iosx::test::Placement;

class ExecutedOperator : public testing::TestWithParam<OperatorCase> {
 protected:
  static void check(Bench& bench, Placement placement, std::int64_t batch) {
    const Graph graph = network_of(GetParam(), placement);
    expect_reference(bench, graph, one_by_one_schedule(graph), batch, tolerance_of(bench.exec_context.math));
  }
};

TEST_P(ExecutedOperator, AgreesWithTheReference) {
  Bench bench;
  check(bench, Placement::kWhole, 1);
  check(bench, Placement::kWhole, 3);
  check(bench, Placement::kSliced, 1);
  check(bench, Placement::kSliced, 2);
}

TEST_P(ExecutedOperator, AgreesWhereTheLibraryCanDoLittle) {
  Bench bench(Math::kStrict, {}, {.slices = false, .residuals = false, .activations = false, .products = false});
  check(bench, Placement::kWhole, 2);
  check(bench, Placement::kSliced, 2);
}

TEST_P(ExecutedOperator, AgreesInHalfPrecision) {
  Bench bench(Math::kHalf);
  check(bench, Placement::kWhole, 1);
  check(bench, Placement::kSliced, 2);
}

TEST_P(ExecutedOperator, AgreesInBfloat16) {
  Bench bench(Math::kBfloat16);
  check(bench, Placement::kWhole, 1);
  check(bench, Placement::kSliced, 2);
}

TEST(RefusedOperators, AreNamed) {
  for (const OperatorCase& one : iosx::test::host_operator_cases()) {
    // It runs those of sparse matrices, where NaN counts wherever it stands.
    if (std::holds_alternative<MatMul>(one.attributes)) continue;
    const Graph graph = network_of(one, Placement::kWhole);
    Bench bench;
    const auto made =
        PreparedPlan::prepare(lower(graph, one_by_one_schedule(graph), 1, kLowering), bench.exec_context, {}, {});
    ASSERT_FALSE(made.has_value()) << one.name;
    EXPECT_NE(made.error().text().find(kind_name(one.attributes)), std::string::npos) << made.error().text();
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, ExecutedOperator, testing::ValuesIn(iosx::test::operator_cases()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace iosx::gpu::test
