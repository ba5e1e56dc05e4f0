#include <gmock/gmock.h>

#include <cstdint>

#include "tests/formats/onnx/fold_call.h"

namespace iosx::onnx_import {
namespace {

using namespace test;  // NOLINT: a test's own words
using testing::HasSubstr;
using testing::StartsWith;

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
