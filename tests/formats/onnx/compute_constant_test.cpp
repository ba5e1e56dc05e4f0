#include <gmock/gmock.h>

#include <cmath>

#include "tests/formats/onnx/converted.h"
#include "tests/support/reference.h"

// Weights that the file computes by operators that folding does not know.
namespace iosx::onnx_import::test {
namespace {

using testing::ElementsAre;
using testing::FloatNear;
using testing::HasSubstr;
using testing::Pointwise;

OnnxOptions computing() {
  OnnxOptions options;
  options.compute = [](const Graph& graph, const std::vector<Tensor>& inputs) -> Result<std::vector<Tensor>> {
    return iosx::test::reference_outputs(graph, inputs, 1);
  };
  return options;
}

// A convolution of x, 2 x 1 x 1 kernels of 2 channels, whose weights a chain of operators makes of a constant.
onnx::ModelProto chain(const std::vector<std::string>& operators) {
  auto model = model_of({{"x", {-1, 2, 3, 3}}});
  add_floats(model, "w0", {2, 2, 1, 1}, {1, -2, 3, 0.5F});
  for (std::size_t i = 0; i < operators.size(); ++i) {
    add_node(model, operators[i], {"w" + std::to_string(i)}, {"w" + std::to_string(i + 1)});
  }
  add_node(model, "Conv", {"x", "w" + std::to_string(operators.size())}, {"y"});
  add_output(model, "y");
  return model;
}

TEST(ComputedConstant, IsTheWeightsOfAConvolution) {
  const auto model = chain({"LogSoftmax", "HardSwish"});
  const auto without = converted(model);
  ASSERT_TRUE(without) << without.error().text();
  EXPECT_THAT(without->warnings.front().text(), HasSubstr("cannot be executed"));
  const auto loaded = converted(model, computing());
  ASSERT_TRUE(loaded) << loaded.error().text();
  EXPECT_TRUE(loaded->batched);
  EXPECT_THAT(loaded->warnings, ElementsAre());
  EXPECT_EQ(loaded->graph.operators().size(), 2U);  // the input and the convolution
  // The softmax goes along the last axis, of one element: its logarithm is 0, and so is what follows.
  EXPECT_THAT(weights_of(loaded->graph, "y"), ElementsAre(0, 0, 0, 0));
}

TEST(ComputedConstant, GoesOnThroughFoldedOperators) {
  const auto loaded = converted(chain({"Neg", "Softplus", "Abs", "Softsign"}), computing());
  ASSERT_TRUE(loaded) << loaded.error().text();
  std::vector<float> expected;
  for (const float w : {1.0F, -2.0F, 3.0F, 0.5F}) {
    const float soft = std::log1p(std::exp(-w));
    expected.push_back(soft / (1 + soft));
  }
  EXPECT_THAT(weights_of(loaded->graph, "y"), Pointwise(FloatNear(1e-6F), expected));
}

// Integers of constants by an operator that sums; x is added so that the model has an input.
std::string warning_of(std::vector<std::int64_t> a, std::vector<std::int64_t> b) {
  auto model = model_of({{"x", {1, 1}}});
  add_ints(model, "a", std::move(a));
  add_ints(model, "b", std::move(b));
  add_node(model, "MatMul", {"a", "b"}, {"product"});
  auto& cast = add_node(model, "Cast", {"product"}, {"number"});
  set_int(cast, "to", 1);
  add_node(model, "Add", {"x", "number"}, {"y"});
  add_output(model, "y");
  const auto loaded = converted(model, computing());
  if (!loaded) return loaded.error().text();
  return loaded->warnings.empty() ? "" : loaded->warnings.front().text();
}

// In float32 the first would be 4095.
TEST(ComputedConstant, IsNotMadeOfIntegersThatFloat32DoesNotHold) {
  EXPECT_THAT(warning_of({4097, 4097, -4097}, {4097, 1, 4097}), HasSubstr("integers that may lie beyond 2^24"));
  EXPECT_THAT(warning_of({1, 2}, {16'777'217, 3}), HasSubstr("integers that may lie beyond 2^24"));
  EXPECT_EQ(warning_of({40, 41, -40}, {40, 1, 40}), "");
}

}  // namespace
}  // namespace iosx::onnx_import::test
