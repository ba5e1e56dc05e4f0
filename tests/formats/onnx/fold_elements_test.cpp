#include <gmock/gmock.h>

#include <cmath>
#include <cstdint>
#include <limits>

#include "tests/formats/onnx/fold_call.h"

namespace iosx::onnx_import {
namespace {

using namespace test;  // NOLINT: a test's own words
using testing::HasSubstr;
using testing::StartsWith;

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
  Node node;
  node.op_type = "Identity";
  EXPECT_TRUE(foldable(node));
  node.domain = "com.example";
  EXPECT_FALSE(foldable(node));
  EXPECT_FALSE(fold(node, {}, 17));
  EXPECT_THAT(Fold("Conv").of({list({1})}), HasSubstr("Conv cannot be computed"));
  EXPECT_THAT(Fold("Identity").outputs(2).of({list({1})}), HasSubstr("2 outputs"));
  EXPECT_EQ(Fold("Squeeze").of({ints({1}, {3}), std::nullopt}), "int64[] 3");
}

}  // namespace
}  // namespace iosx::onnx_import
