#include "core/model/graph/concat_places.h"

#include "tests/support/graphs.h"
#include "tests/support/prelude.h"

namespace iosx {
namespace {

constexpr Shape kShape{4, 8, 8};

// Operators are named; relu keeps the channels.
class ConcatPlacesTest : public testing::Test {
 protected:
  Value op(const std::string& name, const Value& input) { return builder_.add(name, Activate{}, {input}); }
  Value concat(const std::string& name, std::vector<Value> inputs) {
    return builder_.add(name, Concat{}, std::move(inputs));
  }
  void build() {
    graph_.emplace(std::move(builder_).build().value());
    places_ = ConcatPlaces(*graph_);
  }
  void expect_place(std::string_view name, std::string_view root, std::int64_t begin) {
    const ChannelPlace place = places_.of(graph_->find_operator(name).value());
    EXPECT_EQ(graph_->op(place.root).name, root) << name;
    EXPECT_EQ(place.begin, begin) << name;
  }
  bool in_place(std::string_view name, std::size_t input) {
    return places_.in_place(*graph_, graph_->find_operator(name).value(), input);
  }
  bool shared(std::string_view name) { return places_.shared(graph_->find_operator(name).value()); }

  GraphBuilder builder_{"test"};
  Value in_ = builder_.input("in", kShape);
  std::optional<Graph> graph_;
  ConcatPlaces places_;
};

TEST_F(ConcatPlacesTest, InputsFollowOneAnother) {
  const Value a = op("a", in_);
  const Value b = op("b", in_);
  const Value c = op("c", a);
  concat("joined", {b, c, a});
  op("apart", in_);
  build();
  expect_place("b", "joined", 0);
  expect_place("c", "joined", 4);
  expect_place("a", "joined", 8);
  expect_place("joined", "joined", 0);
  expect_place("apart", "apart", 0);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_TRUE(in_place("joined", i));
  EXPECT_TRUE(shared("joined"));
  EXPECT_FALSE(shared("a"));
  EXPECT_FALSE(shared("apart"));
}

TEST_F(ConcatPlacesTest, SourcesSlicesAndRepetitionsAreCopied) {
  const Value a = op("a", in_);
  const Value b = op("b", in_);
  const Value fixed = builder_.constant("fixed", Tensor({4, 8, 8}, std::vector<float>(256, 1)));
  concat("joined", {in_, a, Value{b.producer, 0, 2}, a, fixed});
  build();
  expect_place("in", "in", 0);
  expect_place("fixed", "fixed", 0);
  expect_place("b", "b", 0);
  expect_place("a", "joined", 4);
  const std::vector<bool> expected{false, true, false, false, false};
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(in_place("joined", i), expected[i]) << i;
}

TEST_F(ConcatPlacesTest, OtherAxesAreCopied) {
  const Value a = op("a", in_);
  builder_.add("joined", Concat{1}, {a, op("b", in_)});
  build();
  expect_place("a", "a", 0);
  EXPECT_FALSE(in_place("joined", 0));
  EXPECT_FALSE(shared("joined"));
}

TEST_F(ConcatPlacesTest, NestedOnesLieInTheOutermost) {
  const Value inner = concat("inner", {op("a", in_), op("b", in_)});
  concat("outer", {op("c", in_), inner, op("d", inner)});
  build();
  expect_place("c", "outer", 0);
  expect_place("inner", "outer", 4);
  expect_place("a", "outer", 4);
  expect_place("b", "outer", 8);
  expect_place("d", "outer", 12);
  for (std::size_t i = 0; i < 2; ++i) EXPECT_TRUE(in_place("inner", i));
  for (std::size_t i = 0; i < 3; ++i) EXPECT_TRUE(in_place("outer", i));
}

// Written out anew from the start for every layer, as torchvision's DenseNets are.
TEST_F(ConcatPlacesTest, GrowingOnesArePrefixesOfTheLargest) {
  std::vector<Value> made{op("x", in_)};
  Value last = made.front();
  for (int i = 1; i <= 5; ++i) {
    made.push_back(op(fmt::format("y{}", i), Value{last.producer, last.channels() - 4, last.channels()}));
    last = concat(fmt::format("c{}", i), made);
  }
  build();
  for (int i = 1; i <= 5; ++i) {
    const std::string name = fmt::format("c{}", i);
    expect_place(name, "c5", 0);
    expect_place(fmt::format("y{}", i), "c5", 4 * i);
    for (int input = 0; input <= i; ++input) EXPECT_TRUE(in_place(name, static_cast<std::size_t>(input)));
  }
}

TEST_F(ConcatPlacesTest, WhatLiesSideBySideIsAView) {
  const Value a = op("a", in_);
  const Value b = op("b", in_);
  const Value c = op("c", in_);
  concat("middle", {b, Value{c.producer, 0, 3}});
  concat("turned", {c, b});
  concat("all", {a, b, c});
  concat("halves", {Value{a.producer, 0, 2}, Value{a.producer, 2, 4}});
  build();
  expect_place("middle", "all", 4);
  EXPECT_TRUE(in_place("middle", 1));
  expect_place("turned", "turned", 0);
  EXPECT_FALSE(in_place("turned", 0));
  EXPECT_FALSE(in_place("turned", 1));
  expect_place("halves", "all", 0);
}

// It must not move into another concatenation later: "same", as large as "halves", lies in "joined".
TEST_F(ConcatPlacesTest, WhatAViewLooksAtStays) {
  const Value a = op("a", in_);
  concat("halves", {Value{a.producer, 0, 2}, Value{a.producer, 2, 4}});
  const Value same = concat("same", {a});
  concat("joined", {same, op("b", in_)});
  build();
  expect_place("halves", "a", 0);
  expect_place("a", "a", 0);
  EXPECT_TRUE(shared("a"));
  expect_place("same", "joined", 0);
  EXPECT_FALSE(in_place("same", 0));
  EXPECT_TRUE(in_place("joined", 0));
}

TEST_F(ConcatPlacesTest, TheInputIsNeverThePlaceOfAResult) {
  concat("copy", {Value{in_.producer, 0, 2}, Value{in_.producer, 2, 4}});
  build();
  expect_place("copy", "copy", 0);
  EXPECT_FALSE(in_place("copy", 0));
}

TEST(ConcatPlaces, NoneWithoutGraph) {
  const ConcatPlaces none;
  EXPECT_EQ(none.of(OperatorId(3)), (ChannelPlace{OperatorId(3), 0}));
  EXPECT_FALSE(none.shared(OperatorId(3)));
}

}  // namespace
}  // namespace iosx
