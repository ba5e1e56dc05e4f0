#include "tests/models/structure.h"

#include <gtest/gtest.h>

#include "core/model/graph/builder.h"

namespace iosx::test {
namespace {

struct Variant {
  std::int64_t channels = 8;
  std::int64_t padding = 1;
  bool swapped = false;
  bool one_unit = false;
  std::string hint = {};
};

// Two convolutions of the input and the sum of both.
Graph small(const Variant& variant) {
  GraphBuilder builder("small");
  const Value in = builder.input("in", {4, 8, 8});
  Conv conv;
  conv.out_channels = variant.channels;
  conv.kernel = {3, 3};
  conv.padding = {variant.padding, variant.padding};
  const Value a = builder.add("a", conv, {in});
  conv.activation = Activation::kRelu;
  builder.begin_unit(variant.one_unit ? "sum" : "b", variant.hint);
  Value b = builder.add("b", conv, {in});
  if (!variant.one_unit) b = builder.end_unit();
  builder.add("sum", Add{}, variant.swapped ? std::vector{b, a} : std::vector{a, b});
  if (variant.one_unit) builder.end_unit();
  return std::move(builder).build().value();
}

TEST(Structure, EqualGraphsDoNotDiffer) {
  EXPECT_EQ(first_difference(small({}), small({})), "");
  EXPECT_EQ(first_difference(small({.hint = "h"}), small({})), "");
}

TEST(Structure, FindsEveryKindOfDifference) {
  EXPECT_NE(first_difference(small({}), small({.channels = 9})), "");
  EXPECT_NE(first_difference(small({}), small({.padding = 0})), "");
  EXPECT_NE(first_difference(small({}), small({.one_unit = true})), "");
  EXPECT_NE(first_difference(small({}), small({.hint = "h"})), "");
}

TEST(Structure, OrderOfASumMattersUnlessAskedOtherwise) {
  EXPECT_NE(first_difference(small({}), small({.swapped = true})), "");
  EXPECT_EQ(first_difference(small({}), small({.swapped = true}), {.unordered_sums = true}), "");
}

}  // namespace
}  // namespace iosx::test
