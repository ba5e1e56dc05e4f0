#include "tests/formats/onnx/fold_call.h"
#include "tests/support/prelude.h"

namespace iosx::onnx_import {
namespace {

using namespace test;  // NOLINT: a test's own words

constexpr float kInfinity = std::numeric_limits<float>::infinity();

TEST(FoldArithmetic, Broadcasts) {
  EXPECT_EQ(Fold("Add").of({ints({2, 1}, {1, 2}), list({10, 20})}), "int64[2,2] 11 21 12 22");
  EXPECT_EQ(Fold("Mul").of({floats({}, {2}), floats({2}, {1, 0.5F})}), "float32[2] 2 1");
  EXPECT_EQ(Fold("Sub").of({ints({1, 0}, {}), list({1})}), "int64[1,0]");
  EXPECT_THAT(Fold("Add").of({list({1, 2}), list({1, 2, 3})}), HasSubstr("[2] and [3] cannot be broadcast"));
  EXPECT_THAT(Fold("Add").of({list({1}), floats({1}, {1})}), HasSubstr("different types: int64 and float32"));
  EXPECT_THAT(Fold("Add").of({bools({1}, {1}), bools({1}, {1})}), HasSubstr("bool"));
  EXPECT_THAT(Fold("Add").of({list({1})}), HasSubstr("has 1 inputs"));
  EXPECT_THAT(Fold("Add").of({std::nullopt, list({1})}), HasSubstr("input 0 is absent"));
  const HostTensor large = ints({1 << 15, 1}, std::vector<std::int64_t>(1 << 15));
  const HostTensor wide = ints({1, 1 << 15}, std::vector<std::int64_t>(1 << 15));
  EXPECT_THAT(Fold("Add").of({large, wide}), HasSubstr("too many elements"));
}

TEST(FoldArithmetic, DividesIntegersTowardsZero) {
  EXPECT_EQ(Fold("Div").of({list({7, -7, 7, -7}), list({2, 2, -2, -2})}), "int64[4] 3 -3 -3 3");
  EXPECT_EQ(Fold("Div").of({list({INT64_MIN}), list({-1})}), fmt::format("int64[1] {}", INT64_MIN));
  EXPECT_THAT(Fold("Div").of({list({1}), list({0})}), HasSubstr("by 0"));
  EXPECT_EQ(Fold("Div").of({floats({1}, {1}), floats({1}, {0})}), "float32[1] inf");
}

TEST(FoldArithmetic, Mod) {
  EXPECT_EQ(Fold("Mod").of({list({-4, 7, 5, 4, -7, 8}), list({2, -3, 8, -2, 3, 5})}), "int64[6] 0 -2 5 0 2 3");
  EXPECT_EQ(Fold("Mod").with("fmod", 1).of({list({-4, 7, -7}), list({3, -3, 3})}), "int64[3] -1 1 -1");
  EXPECT_EQ(Fold("Mod").with("fmod", 1).of({floats({2}, {-5.5F, 5.5F}), floats({}, {2})}), "float32[2] -1.5 1.5");
  EXPECT_EQ(Fold("Mod").of({list({INT64_MIN}), list({-1})}), "int64[1] 0");
  EXPECT_THAT(Fold("Mod").of({list({1}), list({0})}), HasSubstr("by 0"));
}

TEST(FoldArithmetic, WrapsAtTheWidthOfTheType) {
  EXPECT_EQ(Fold("Add").of({ints({1}, {INT32_MAX}, ElementType::kInt32), ints({1}, {1}, ElementType::kInt32)}),
            fmt::format("int32[1] {}", INT32_MIN));
  EXPECT_EQ(Fold("Sub").of({ints({1}, {0}, ElementType::kUint8), ints({1}, {1}, ElementType::kUint8)}), "uint8[1] 255");
  EXPECT_EQ(Fold("Mul").of({list({INT64_MAX}), list({2})}), "int64[1] -2");
  EXPECT_EQ(Fold("Neg").of({list({INT64_MIN, 5})}), fmt::format("int64[2] {} -5", INT64_MIN));
  EXPECT_EQ(Fold("Abs").of({list({INT64_MIN, -5})}), fmt::format("int64[2] {} 5", INT64_MIN));
  EXPECT_THAT(Fold("Sub").of({ints({1}, {0}, ElementType::kUint64), ints({1}, {1}, ElementType::kUint64)}),
              HasSubstr("2^63"));
  EXPECT_EQ(Fold("Add").of({floats({1}, {2048}, ElementType::kFloat16), floats({1}, {1}, ElementType::kFloat16)}),
            "float16[1] 2048");
}

TEST(FoldArithmetic, Pow) {
  EXPECT_EQ(Fold("Pow").of({list({2, -3, 5, 2}), list({10, 3, 0, -1})}), "int64[4] 1024 -27 1 0");
  EXPECT_EQ(Fold("Pow").of({list({1, -1, -1}), list({-5, -5, -4})}), "int64[3] 1 -1 1");
  EXPECT_EQ(Fold("Pow").of({floats({2}, {4, 2}), floats({2}, {0.5F, -1})}), "float32[2] 2 0.5");
  EXPECT_EQ(Fold("Pow").of({floats({1}, {3}), list({2})}), "float32[1] 9");
  EXPECT_EQ(Fold("Pow").of({list({9, 10}), floats({2}, {0.5F, 30})}), fmt::format("int64[2] 3 {}", INT64_MAX));
  EXPECT_EQ(Fold("Pow").of({list({3}), list({INT64_MAX})}).substr(0, 8), "int64[1]");
}

TEST(FoldArithmetic, MinMaxSum) {
  EXPECT_EQ(Fold("Max").of({list({1, 5}), list({3}), list({2, 9})}), "int64[2] 3 9");
  EXPECT_EQ(Fold("Min").of({floats({2}, {1, std::nanf("")}), floats({}, {0.5F})}), "float32[2] 0.5 nan");
  EXPECT_EQ(Fold("Max").of({floats({2}, {1, 0}), floats({2}, {std::nanf(""), 2})}), "float32[2] nan 2");
  EXPECT_EQ(Fold("Sum").of({list({1}), list({2}), list({3})}), "int64[1] 6");
  EXPECT_EQ(Fold("Min").of({list({4})}), "int64[1] 4");
}

TEST(FoldArithmetic, ElementByElement) {
  EXPECT_EQ(Fold("Floor").of({floats({2}, {-1.5F, 1.5F})}), "float32[2] -2 1");
  EXPECT_EQ(Fold("Ceil").of({floats({2}, {-1.5F, 1.5F})}), "float32[2] -1 2");
  EXPECT_EQ(Fold("Round").of({floats({4}, {0.5F, 1.5F, 2.5F, -1.5F})}), "float32[4] 0 2 2 -2");
  EXPECT_EQ(Fold("Sqrt").of({floats({1}, {9})}), "float32[1] 3");
  EXPECT_EQ(Fold("Exp").of({floats({1}, {0})}), "float32[1] 1");
  EXPECT_EQ(Fold("Log").of({floats({1}, {1})}), "float32[1] 0");
  EXPECT_EQ(Fold("Reciprocal").of({floats({2}, {4, 0})}), "float32[2] 0.25 inf");
  EXPECT_EQ(Fold("Sign").of({list({-3, 0, 3})}), "int64[3] -1 0 1");
  EXPECT_THAT(Fold("Sqrt").of({list({9})}), HasSubstr("of type int64"));
  EXPECT_THAT(Fold("Neg").of({bools({1}, {1})}), HasSubstr("of type bool"));
}

TEST(FoldCompare, GivesBool) {
  EXPECT_EQ(Fold("Equal").of({list({1, 2}), ints({}, {2})}), "bool[2] 0 1");
  EXPECT_EQ(Fold("Less").of({floats({2}, {1, std::nanf("")}), floats({}, {2})}), "bool[2] 1 0");
  EXPECT_EQ(Fold("GreaterOrEqual").of({list({1, 2, 3}), list({2})}), "bool[3] 0 1 1");
  EXPECT_EQ(Fold("Not").of({bools({2}, {0, 1})}), "bool[2] 1 0");
  EXPECT_EQ(Fold("And").of({bools({2, 1}, {0, 1}), bools({2}, {1, 0})}), "bool[2,2] 0 0 1 0");
  EXPECT_EQ(Fold("Or").of({bools({2}, {0, 1}), bools({}, {0})}), "bool[2] 0 1");
  EXPECT_EQ(Fold("Xor").of({bools({2}, {0, 1}), bools({}, {1})}), "bool[2] 1 0");
  EXPECT_THAT(Fold("And").of({list({1}), list({1})}), HasSubstr("bool"));
  EXPECT_THAT(Fold("Not").of({list({1})}), HasSubstr("bool"));
}

TEST(FoldReduce, Axes) {
  const HostTensor six = ints({2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(Fold("ReduceProd").of({list({2, 3, 4})}), "int64[1] 24");
  EXPECT_EQ(Fold("ReduceProd").with("keepdims", 0).of({list({2, 3, 4})}), "int64[] 24");
  EXPECT_EQ(Fold("ReduceSum").of({six, list({-1})}), "int64[2,1] 6 15");
  EXPECT_EQ(Fold("ReduceSum").opset(11).with("axes", Dims{0}).with("keepdims", 0).of({six}), "int64[3] 5 7 9");
  EXPECT_EQ(Fold("ReduceMax").with("axes", Dims{0, 1}).with("keepdims", 0).of({six}), "int64[] 6");
  EXPECT_EQ(Fold("ReduceMin").opset(18).of({six, list({1})}), "int64[2,1] 1 4");
  EXPECT_EQ(Fold("ReduceMean").with("axes", Dims{1}).with("keepdims", 0).of({floats({2, 2}, {1, 2, 3, 4})}),
            "float32[2] 1.5 3.5");
  EXPECT_EQ(Fold("ReduceSum").with("noop_with_empty_axes", 1).of({six}), "int64[2,3] 1 2 3 4 5 6");
  EXPECT_EQ(Fold("ReduceSum").of({six, list({})}), "int64[1,1] 21");
  EXPECT_THAT(Fold("ReduceSum").of({six, list({2})}), HasSubstr("axis 2"));
  EXPECT_THAT(Fold("ReduceSum").of({six, list({0, -2})}), HasSubstr("twice"));
}

TEST(FoldReduce, NothingAtAll) {
  EXPECT_EQ(Fold("ReduceSum").of({ints({0, 2}, {}), list({0})}), "int64[1,2] 0 0");
  EXPECT_EQ(Fold("ReduceProd").of({ints({0}, {})}), "int64[1] 1");
  EXPECT_THAT(Fold("ReduceMax").of({ints({0}, {})}), HasSubstr("no elements"));
  EXPECT_EQ(Fold("ReduceMax").with("axes", Dims{1}).of({ints({0, 2}, {})}), "int64[0,1]");
  EXPECT_EQ(Fold("ReduceMax").of({floats({2}, {-kInfinity, -kInfinity})}), "float32[1] -inf");
}

TEST(FoldSource, Constants) {
  EXPECT_EQ(Fold("Constant").with("value", Attribute(list({1, 2}))).of({}), "int64[2] 1 2");
  EXPECT_EQ(Fold("Constant").with("value_int", 3).of({}), "int64[] 3");
  EXPECT_EQ(Fold("Constant").with("value_ints", Dims{3, 4}).of({}), "int64[2] 3 4");
  EXPECT_EQ(Fold("Constant").with("value_float", Attribute(0.5F)).of({}), "float32[] 0.5");
  EXPECT_EQ(Fold("Constant").with("value_floats", Attribute(std::vector<float>{0.5F})).of({}), "float32[1] 0.5");
  EXPECT_EQ(Fold("Constant").with("value_string", Attribute(std::string("text"))).of({}), "string[]");
  EXPECT_EQ(Fold("Constant").with("sparse_value", Attribute(list({0, 2}))).of({}), "int64[2] 0 2");
  EXPECT_THAT(Fold("Constant").of({}), HasSubstr("without a value"));
  EXPECT_THAT(Fold("Constant").with("value", Attribute(Subgraphs{})).of({}), HasSubstr("not a value"));
  EXPECT_EQ(Fold("ConstantOfShape").of({list({2, 1})}), "float32[2,1] 0 0");
  EXPECT_EQ(Fold("ConstantOfShape").with("value", Attribute(ints({1}, {7}))).of({list({})}), "int64[] 7");
  EXPECT_THAT(Fold("ConstantOfShape").of({list({1 << 20, 1 << 20})}), HasSubstr("too many elements"));
  EXPECT_THAT(Fold("ConstantOfShape").of({list({-1})}), StartsWith("error"));
  EXPECT_THAT(Fold("ConstantOfShape").with("value", Attribute(list({1, 2}))).of({list({1})}), HasSubstr("one element"));
}

TEST(FoldSource, ShapesOfWhatHasNoValues) {
  const HostTensor opaque = HostTensor::opaque({2, 3, 4}, ElementType::kFloat32, verbatim("it comes later"));
  EXPECT_EQ(Fold("Shape").of({opaque}), "int64[3] 2 3 4");
  EXPECT_EQ(Fold("Shape").with("start", 1).of({opaque}), "int64[2] 3 4");
  EXPECT_EQ(Fold("Shape").with("start", -2).with("end", -1).of({opaque}), "int64[1] 3");
  EXPECT_EQ(Fold("Shape").with("start", 2).with("end", 1).of({opaque}), "int64[0]");
  EXPECT_EQ(Fold("Shape").with("start", -9).with("end", 9).of({opaque}), "int64[3] 2 3 4");
  EXPECT_EQ(Fold("Size").of({opaque}), "int64[] 24");
  EXPECT_THAT(Fold("Neg").of({opaque}), HasSubstr("input 0 has no values here: it comes later"));
}

TEST(FoldSource, Range) {
  const auto scalars = [](std::int64_t a, std::int64_t b, std::int64_t c) {
    return std::vector<std::optional<HostTensor>>{ints({}, {a}), ints({}, {b}), ints({}, {c})};
  };
  EXPECT_EQ(Fold("Range").of(scalars(1, 8, 3)), "int64[3] 1 4 7");
  EXPECT_EQ(Fold("Range").of(scalars(5, 0, -2)), "int64[3] 5 3 1");
  EXPECT_EQ(Fold("Range").of(scalars(5, 0, 2)), "int64[0]");
  EXPECT_EQ(Fold("Range").of(scalars(INT64_MIN, INT64_MAX, INT64_MAX)),
            fmt::format("int64[3] {} -1 {}", INT64_MIN, INT64_MAX - 1));
  EXPECT_EQ(Fold("Range").of(scalars(INT64_MAX, INT64_MIN, INT64_MIN)), fmt::format("int64[2] {} -1", INT64_MAX));
  EXPECT_THAT(Fold("Range").of(scalars(INT64_MIN, INT64_MAX, 1)), StartsWith("error"));
  EXPECT_THAT(Fold("Range").of(scalars(0, 1, 0)), HasSubstr("step of 0"));
  EXPECT_EQ(Fold("Range").of({floats({}, {0}), floats({}, {1}), floats({}, {0.25F})}), "float32[4] 0 0.25 0.5 0.75");
  EXPECT_THAT(Fold("Range").of({floats({}, {0}), floats({}, {kInfinity}), floats({}, {1})}), StartsWith("error"));
  EXPECT_THAT(Fold("Range").of({floats({}, {std::nanf("")}), floats({}, {1}), floats({}, {1})}), StartsWith("error"));
  EXPECT_THAT(Fold("Range").of({list({}), list({1}), list({1})}), HasSubstr("not one number"));
}

std::string cast(const HostTensor& tensor, ElementType to) {
  return Fold("Cast").with("to", Attribute(onnx_number_of(to))).of({tensor});
}

TEST(FoldSource, Cast) {
  const HostTensor values = floats({6}, {-1.9F, 1.9F, 300, std::nanf(""), kInfinity, -kInfinity});
  EXPECT_EQ(cast(values, ElementType::kInt64), fmt::format("int64[6] -1 1 300 0 {} {}", INT64_MAX, INT64_MIN));
  EXPECT_EQ(cast(values, ElementType::kInt8), "int8[6] -1 1 127 0 127 -128");
  EXPECT_EQ(cast(values, ElementType::kUint8), "uint8[6] 0 1 255 0 255 0");
  EXPECT_EQ(cast(floats({3}, {0, 0.1F, -0.0F}), ElementType::kBool), "bool[3] 0 1 0");
  EXPECT_EQ(cast(list({0, 256, 7}), ElementType::kBool), "bool[3] 0 1 1");
  EXPECT_EQ(cast(list({300, -1}), ElementType::kUint8), "uint8[2] 44 255");
  EXPECT_EQ(cast(list({3}), ElementType::kFloat32), "float32[1] 3");
  EXPECT_EQ(cast(floats({2}, {2049, 70000}), ElementType::kFloat16), "float16[2] 2048 inf");
  EXPECT_EQ(cast(floats({1}, {1.001F}), ElementType::kBfloat16), "bfloat16[1] 1");
  EXPECT_THAT(cast(list({1}), ElementType::kString), HasSubstr("not supported"));
  EXPECT_THAT(Fold("Cast").of({list({1})}), StartsWith("error"));
  EXPECT_THAT(Fold("Cast").with("to", Attribute(std::string("int"))).of({list({1})}), HasSubstr("not an integer"));
  EXPECT_EQ(Fold("CastLike").of({list({1}), floats({1}, {0})}), "float32[1] 1");
}

TEST(Fold, KnowsWhatItKnows) {
  EXPECT_TRUE(foldable("Reshape"));
  EXPECT_FALSE(foldable("Conv"));
  Node node{.op_type = "Identity"};
  EXPECT_TRUE(foldable(node));
  node.domain = "com.example";
  EXPECT_FALSE(foldable(node));
  EXPECT_FALSE(fold(node, {}, 17));
  EXPECT_THAT(Fold("Conv").of({list({1})}), HasSubstr("Conv cannot be computed"));
  EXPECT_THAT(Fold("Identity").outputs(2).of({list({1})}), HasSubstr("2 outputs"));
  EXPECT_EQ(Fold("Squeeze").of({ints({1}, {3}), std::nullopt}), "int64[] 3");
}

using namespace test;  // NOLINT: a test's own words

const HostTensor kSix = ints({2, 3}, {0, 1, 2, 3, 4, 5});

TEST(FoldLayout, Concat) {
  EXPECT_EQ(Fold("Concat").with("axis", 0).of({list({1}), list({2, 3}), list({})}), "int64[3] 1 2 3");
  EXPECT_EQ(Fold("Concat").with("axis", -1).of({kSix, ints({2, 1}, {7, 8})}), "int64[2,4] 0 1 2 7 3 4 5 8");
  EXPECT_EQ(Fold("Concat").with("axis", 1).of({floats({1, 1}, {0.5F}), floats({1, 1}, {2})}), "float32[1,2] 0.5 2");
  EXPECT_THAT(Fold("Concat").with("axis", 1).of({kSix, ints({1, 3}, {1, 2, 3})}), StartsWith("error"));
  EXPECT_THAT(Fold("Concat").with("axis", 2).of({kSix}), HasSubstr("axis 2"));
  EXPECT_THAT(Fold("Concat").with("axis", 0).of({list({1}), floats({1}, {1})}), HasSubstr("different types"));
  EXPECT_THAT(Fold("Concat").with("axis", 0).of({list({1}), std::nullopt, list({1})}), HasSubstr("absent"));
  EXPECT_THAT(Fold("Concat").with("axis", 0).of({ints({}, {1})}), StartsWith("error"));
}

TEST(FoldLayout, SliceByAttributes) {
  EXPECT_EQ(
      Fold("Slice").opset(9).with("starts", Dims{1}).with("ends", Dims{INT64_MAX}).with("axes", Dims{1}).of({kSix}),
      "int64[2,2] 1 2 4 5");
  EXPECT_EQ(Fold("Slice").opset(9).with("starts", Dims{-1}).with("ends", Dims{9}).of({kSix}), "int64[1,3] 3 4 5");
  EXPECT_THAT(Fold("Slice").opset(9).with("starts", Dims{1}).of({kSix}), HasSubstr("no ends"));
}

TEST(FoldLayout, SliceByInputs) {
  const HostTensor ten = list({0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
  const auto slice = [&](std::int64_t start, std::int64_t end, std::int64_t step) {
    return Fold("Slice").of({ten, list({start}), list({end}), list({0}), list({step})});
  };
  EXPECT_EQ(slice(2, 8, 3), "int64[2] 2 5");
  EXPECT_EQ(slice(-3, INT64_MAX, 1), "int64[3] 7 8 9");
  EXPECT_EQ(slice(-1, INT64_MIN, -4), "int64[3] 9 5 1");
  EXPECT_EQ(slice(3, 0, -1), "int64[3] 3 2 1");
  EXPECT_EQ(slice(20, -20, -3), "int64[4] 9 6 3 0");
  EXPECT_EQ(slice(5, 5, 1), "int64[0]");
  EXPECT_EQ(slice(5, 2, 1), "int64[0]");
  EXPECT_EQ(slice(0, 10, INT64_MAX), "int64[1] 0");
  EXPECT_EQ(slice(9, INT64_MIN, INT64_MIN), "int64[1] 9");
  EXPECT_THAT(slice(0, 1, 0), HasSubstr("step of 0"));
  EXPECT_EQ(Fold("Slice").of({kSix, list({0, 1}), list({1, 3})}), "int64[1,2] 1 2");
  EXPECT_EQ(Fold("Slice").of({kSix, list({0}), list({1}), list({-1})}), "int64[2,1] 0 3");
  EXPECT_THAT(Fold("Slice").of({kSix, list({0, 0}), list({1, 1}), list({0, 0})}), HasSubstr("axis twice"));
  EXPECT_THAT(Fold("Slice").of({kSix, list({0, 0}), list({1})}), HasSubstr("do not match"));
  EXPECT_THAT(Fold("Slice").of({kSix, list({0}), list({1}), list({5})}), HasSubstr("axis 5"));
}

TEST(FoldLayout, UnsqueezeAndSqueeze) {
  EXPECT_EQ(Fold("Unsqueeze").opset(11).with("axes", Dims{0, -1}).of({list({7, 8})}), "int64[1,2,1] 7 8");
  EXPECT_EQ(Fold("Unsqueeze").of({ints({}, {7}), list({0})}), "int64[1] 7");
  EXPECT_THAT(Fold("Unsqueeze").of({list({7}), list({0, 0})}), HasSubstr("twice"));
  EXPECT_THAT(Fold("Unsqueeze").of({list({7})}), HasSubstr("no axes"));
  EXPECT_EQ(Fold("Squeeze").of({ints({1, 2, 1}, {7, 8})}), "int64[2] 7 8");
  EXPECT_EQ(Fold("Squeeze").of({ints({1, 2, 1}, {7, 8}), list({-1})}), "int64[1,2] 7 8");
  EXPECT_EQ(Fold("Squeeze").opset(11).with("axes", Dims{0}).of({list({7})}), "int64[] 7");
  EXPECT_THAT(Fold("Squeeze").of({kSix, list({0})}), HasSubstr("removes axis 0, which has 2"));
}

TEST(FoldLayout, Reshape) {
  EXPECT_EQ(Fold("Reshape").of({kSix, list({3, 2})}), "int64[3,2] 0 1 2 3 4 5");
  EXPECT_EQ(Fold("Reshape").of({kSix, list({0, -1, 1})}), "int64[2,3,1] 0 1 2 3 4 5");
  EXPECT_EQ(Fold("Reshape").of({list({7}), list({})}), "int64[] 7");
  EXPECT_EQ(Fold("Reshape").with("allowzero", 1).of({ints({0, 3}, {}), list({3, 0})}), "int64[3,0]");
  EXPECT_THAT(Fold("Reshape").of({kSix, list({-1, -1})}), HasSubstr("two dims"));
  EXPECT_THAT(Fold("Reshape").of({kSix, list({4, -1})}), HasSubstr("do not fit"));
  EXPECT_THAT(Fold("Reshape").of({kSix, list({6, -2})}), StartsWith("error"));
  EXPECT_THAT(Fold("Reshape").of({kSix, list({2, 3, 0})}), HasSubstr("copies dim 2"));
  EXPECT_THAT(Fold("Reshape").of({kSix, list({INT64_MAX, INT64_MAX, -1})}), StartsWith("error"));
  EXPECT_THAT(Fold("Reshape").of({ints({0}, {}), list({0, -1})}), HasSubstr("cannot be inferred"));
  EXPECT_THAT(Fold("Reshape").of({list({1}), list(Dims(65, 1))}), HasSubstr("65 axes"));
}

TEST(FoldLayout, FlattenTransposeExpandTile) {
  EXPECT_EQ(Fold("Flatten").of({ints({2, 1, 3}, {0, 1, 2, 3, 4, 5})}), "int64[2,3] 0 1 2 3 4 5");
  EXPECT_EQ(Fold("Flatten").with("axis", 0).of({kSix}), "int64[1,6] 0 1 2 3 4 5");
  EXPECT_EQ(Fold("Flatten").with("axis", 2).of({kSix}), "int64[6,1] 0 1 2 3 4 5");
  EXPECT_THAT(Fold("Flatten").with("axis", 3).of({kSix}), StartsWith("error"));
  EXPECT_EQ(Fold("Transpose").of({kSix}), "int64[3,2] 0 3 1 4 2 5");
  EXPECT_EQ(Fold("Transpose").with("perm", Dims{0, 2, 1}).of({ints({1, 2, 2}, {1, 2, 3, 4})}), "int64[1,2,2] 1 3 2 4");
  EXPECT_THAT(Fold("Transpose").with("perm", Dims{0, 0}).of({kSix}), HasSubstr("twice"));
  EXPECT_THAT(Fold("Transpose").with("perm", Dims{0}).of({kSix}), HasSubstr("every axis"));
  EXPECT_EQ(Fold("Expand").of({ints({2, 1}, {1, 2}), list({3, 1, 2})}), "int64[3,2,2] 1 1 2 2 1 1 2 2 1 1 2 2");
  EXPECT_THAT(Fold("Expand").of({kSix, list({4})}), HasSubstr("broadcast"));
  EXPECT_THAT(Fold("Expand").of({list({1}), list({100'000, 100'000})}), HasSubstr("too many elements"));
  EXPECT_THAT(Fold("Expand").of({list({1}), list({-2})}), StartsWith("error"));
  EXPECT_EQ(Fold("Tile").of({ints({1, 2}, {1, 2}), list({2, 2})}), "int64[2,4] 1 2 1 2 1 2 1 2");
  EXPECT_EQ(Fold("Tile").of({list({1}), list({0})}), "int64[0]");
  EXPECT_THAT(Fold("Tile").of({list({1}), list({INT64_MAX})}), HasSubstr("too many"));
  EXPECT_THAT(Fold("Tile").of({list({1, 2}), list({INT64_MAX})}), StartsWith("error"));
  EXPECT_THAT(Fold("Tile").of({list({1}), list({-1})}), StartsWith("error"));
}

std::string split(const Fold& fold, const std::vector<std::optional<HostTensor>>& inputs) {
  const auto results = fold.all(inputs);
  if (!results) return "error: " + results.error().what.text();
  std::string text;
  for (const HostTensor& tensor : *results) text += Fold::text(tensor) + "; ";
  return text;
}

TEST(FoldLayout, Split) {
  const HostTensor five = list({0, 1, 2, 3, 4});
  EXPECT_EQ(split(Fold("Split").opset(11).with("split", Dims{2, 3}).outputs(2), {five}),
            "int64[2] 0 1; int64[3] 2 3 4; ");
  EXPECT_EQ(split(Fold("Split").outputs(2), {five, list({5, 0})}), "int64[5] 0 1 2 3 4; int64[0]; ");
  EXPECT_EQ(split(Fold("Split").with("axis", 1).outputs(3), {kSix}),
            "int64[2,1] 0 3; int64[2,1] 1 4; int64[2,1] 2 5; ");
  EXPECT_EQ(split(Fold("Split").opset(18).with("num_outputs", 2).outputs(2), {five}), "int64[3] 0 1 2; int64[2] 3 4; ");
  EXPECT_THAT(split(Fold("Split").outputs(2), {five}), HasSubstr("does not split"));
  EXPECT_THAT(split(Fold("Split").outputs(2), {five, list({2, 2})}), HasSubstr("an axis of 5 into 4"));
  EXPECT_THAT(split(Fold("Split").outputs(3), {five, list({2, 3})}), HasSubstr("different numbers of outputs"));
  EXPECT_THAT(split(Fold("Split").outputs(2), {five, list({-1, 6})}), StartsWith("error"));
  EXPECT_THAT(split(Fold("Split").opset(18).with("num_outputs", 0).outputs(0), {five}), StartsWith("error"));
}

TEST(FoldLayout, GatherAndWhere) {
  EXPECT_EQ(Fold("Gather").of({list({5, 6, 7}), ints({}, {-1})}), "int64[] 7");
  EXPECT_EQ(Fold("Gather").with("axis", 1).of({kSix, ints({1, 2}, {2, 0})}), "int64[2,1,2] 2 0 5 3");
  EXPECT_THAT(Fold("Gather").of({list({5}), list({1})}), HasSubstr("element 1 of an axis with 1"));
  EXPECT_THAT(Fold("Gather").of({list({5}), floats({1}, {0})}), HasSubstr("not integers"));
  EXPECT_THAT(Fold("Gather").of({ints({}, {5}), list({0})}), StartsWith("error"));
  EXPECT_EQ(Fold("GatherElements").with("axis", 1).of({kSix, ints({2, 2}, {0, -1, 1, 1})}), "int64[2,2] 0 2 4 4");
  EXPECT_THAT(Fold("GatherElements").of({kSix, ints({1, 4}, {0, 0, 0, 0})}), HasSubstr("more indices"));
  EXPECT_EQ(Fold("Where").of({bools({2, 1}, {1, 0}), list({1, 2}), ints({}, {9})}), "int64[2,2] 1 2 9 9");
  EXPECT_THAT(Fold("Where").of({list({1}), list({1}), list({1})}), HasSubstr("bool"));
  EXPECT_EQ(Fold("NonZero").of({floats({2, 2}, {1, 0, 0, 2})}), "int64[2,2] 0 1 0 1");
}

TEST(FoldLayout, ScatterNdReplacesWhatIsNamed) {
  EXPECT_EQ(Fold("ScatterND").of({kSix, ints({2, 2}, {0, 0, -1, 2}), ints({2}, {7, 8})}), "int64[2,3] 7 1 2 3 4 8");
  EXPECT_EQ(Fold("ScatterND").of({kSix, ints({1, 1}, {1}), ints({1, 3}, {7, 8, 9})}), "int64[2,3] 0 1 2 7 8 9");
  EXPECT_THAT(Fold("ScatterND").of({kSix, ints({1, 1}, {2}), ints({1, 3}, {7, 8, 9})}), HasSubstr("element 2"));
  EXPECT_THAT(Fold("ScatterND").of({kSix, ints({1, 3}, {0, 0, 0}), ints({1}, {7})}),
              HasSubstr("do not name positions"));
  EXPECT_THAT(Fold("ScatterND").of({kSix, ints({1, 1}, {0}), ints({1, 2}, {7, 8})}), HasSubstr("do not have the dims"));
  EXPECT_EQ(
      Fold("ScatterND").with("reduction", "add").of({kSix, ints({2, 1}, {0, 0}), ints({2, 3}, {7, 8, 9, 1, 1, 1})}),
      "int64[2,3] 8 10 12 3 4 5");
  EXPECT_THAT(Fold("ScatterND").with("reduction", "xor").of({kSix, ints({1, 1}, {0}), ints({1, 3}, {7, 8, 9})}),
              HasSubstr("combines by 'xor'"));
}

TEST(FoldLayout, TensorsWithoutElements) {
  const HostTensor none = ints({std::int64_t{1} << 40, std::int64_t{1} << 40, 0}, {});
  EXPECT_THAT(Fold("Transpose").of({none}), StartsWith("int64[0,"));
  EXPECT_THAT(Fold("Concat").with("axis", 2).of({none, none}), StartsWith("int64[1099511627776,1099511627776,0]"));
  EXPECT_THAT(Fold("Slice").of({none, list({1}), list({2}), list({0})}), StartsWith("int64[1,"));
  EXPECT_THAT(Fold("Flatten").with("axis", 2).of({none}), StartsWith("error"));
  EXPECT_THAT(Fold("ReduceSum").with("keepdims", 0).of({none, list({2})}), StartsWith("error"));
  EXPECT_THAT(Fold("Squeeze").of({none}), StartsWith("int64["));
  EXPECT_THAT(Fold("Add").of({none, none}), StartsWith("int64["));
  EXPECT_EQ(Fold("Gather").of({ints({0, 2}, {}), list({})}), "int64[0,2]");
}

}  // namespace

}  // namespace iosx::onnx_import
