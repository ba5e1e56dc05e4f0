#include <gtest/gtest.h>

#include <algorithm>

#include "core/formats/onnx/convert/load_onnx.h"
#include "core/formats/onnx/write/export.h"
#include "tests/support/operator_cases.h"
#include "tests/support/reference.h"

// What comes back as other operators than those written (recurrent layers of all samples at once) computes the same.
namespace iosx::onnx_import::test {
namespace {

using iosx::test::OperatorCase;
using iosx::test::Placement;
using iosx::test::reference_outputs;

constexpr std::int64_t kBatch = 3;

// Samples as the graph reads them: beside it, or as an axis of its own.
std::vector<Tensor> samples_of(const Graph& graph) {
  std::vector<Tensor> inputs;
  for (const OperatorId id : graph.inputs()) {
    const Shape& shape = graph.op(id).output;
    std::vector<std::int64_t> dims{kBatch};
    dims.insert(dims.end(), shape.dims().begin(), shape.dims().end());
    const auto seed = synthetic_seed(graph.op(id).name);
    inputs.emplace_back(std::move(dims), synthetic_values(seed, kBatch * shape.elements(), ParameterInit::kScaled));
  }
  return inputs;
}

Tensor with_dims(const Tensor& tensor, std::vector<std::int64_t> dims) {
  return {std::move(dims), {tensor.elements().begin(), tensor.elements().end()}};
}

class ExportNumbers : public testing::TestWithParam<OperatorCase> {
 protected:
  static void check(const Graph& graph) {
    const auto bytes = to_onnx(graph, {.batch = kBatch});
    ASSERT_TRUE(bytes) << bytes.error().text();
    const auto model = parse_onnx(std::as_bytes(std::span(*bytes)), {});
    ASSERT_TRUE(model) << model.error().text();
    const auto loaded = to_graph(*model, {.batch = kBatch}, graph.name());
    ASSERT_TRUE(loaded) << loaded.error().text();
    EXPECT_TRUE(std::ranges::none_of(loaded->graph.operators(), [](const Operator& op) { return op.as<Opaque>(); }));
    const auto inputs = samples_of(graph);
    const auto expected = reference_outputs(graph, inputs, kBatch);
    auto again = inputs;
    if (!loaded->batched) {
      for (Tensor& input : again) {
        std::vector<std::int64_t> dims{1};
        dims.insert(dims.end(), input.dims().begin(), input.dims().end());
        input = with_dims(input, std::move(dims));
      }
    }
    const auto actual = reference_outputs(loaded->graph, again, loaded->batched ? kBatch : 1);
    ASSERT_EQ(actual.size(), expected.size());
    for (std::size_t i = 0; i < actual.size(); ++i) {
      const auto dims = actual[i].dims().subspan(loaded->batched ? 0 : 1);
      ASSERT_TRUE(std::ranges::equal(dims, expected[i].dims()));
      const Tensor same = with_dims(actual[i], {expected[i].dims().begin(), expected[i].dims().end()});
      EXPECT_LT(iosx::test::largest_error(expected[i], same), 1e-6);
    }
  }
};

TEST_P(ExportNumbers, StayWhatTheyWere) { check(network_of(GetParam(), Placement::kWhole)); }
TEST_P(ExportNumbers, StayThoseOfSlices) { check(network_of(GetParam(), Placement::kSliced)); }

INSTANTIATE_TEST_SUITE_P(Operators, ExportNumbers, testing::ValuesIn(iosx::test::host_operator_cases()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace iosx::onnx_import::test
