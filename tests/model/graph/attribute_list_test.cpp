#include "core/model/graph/attribute_list.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "core/model/graph/operator_table.h"

namespace iosx {
namespace {

AttributeEntry entry_of(const Attributes& attributes, std::string_view name) {
  for (const AttributeEntry& entry : attribute_list(attributes)) {
    if (entry.name == name) return entry;
  }
  ADD_FAILURE() << name;
  return {};
}

TEST(AttributeList, EveryAttributeHasItsNameAndComesBackAsItWas) {
  std::set<std::string_view> ids;
  for (std::size_t kind = 0; kind < std::variant_size_v<Attributes>; ++kind) {
    const Attributes attributes = attributes_of_kind(kind);
    ASSERT_EQ(attributes.index(), kind);
    const std::string_view id = operator_row(attributes).id;
    EXPECT_TRUE(ids.insert(id).second) << id;
    EXPECT_EQ(kind_of_id(id), kind);
    std::set<std::string_view> names;
    for (const AttributeEntry& entry : attribute_list(attributes)) {
      SCOPED_TRACE(std::string(id) + "." + std::string(entry.name));
      EXPECT_TRUE(names.insert(entry.name).second);
      EXPECT_LT(entry.least, entry.most);
      Attributes same = attributes;
      EXPECT_TRUE(set_attribute(same, entry.name, entry.value));
      EXPECT_TRUE(same == attributes);
    }
    Attributes same = attributes;
    EXPECT_FALSE(set_attribute(same, "of no kind", std::int64_t{1}));
  }
  EXPECT_FALSE(kind_of_id("of no kind"));
}

TEST(AttributeList, ValuesAreSetByName) {
  Attributes conv = Conv{};
  EXPECT_TRUE(set_attribute(conv, "out_channels", std::int64_t{8}));
  EXPECT_TRUE(set_attribute(conv, "kernel", std::int64_t{3}));
  EXPECT_TRUE(set_attribute(conv, "padding", std::vector<std::int64_t>{1, 2}));
  EXPECT_TRUE(set_attribute(conv, "activation", Activation::kRelu));
  EXPECT_TRUE(conv == Attributes(Conv{
                          .out_channels = 8, .kernel = {3, 3}, .padding = {1, 2}, .activation = Activation::kRelu}));
  EXPECT_FALSE(set_attribute(conv, "kernel", 1.5));
  EXPECT_FALSE(set_attribute(conv, "kernel", std::vector<std::int64_t>{1, 2, 3}));
  EXPECT_FALSE(set_attribute(conv, "groups", std::string("two")));
  Attributes softmax = Softmax{};
  EXPECT_FALSE(set_attribute(softmax, "axis", std::int64_t{-1}));
  Attributes pad = Pad{};
  EXPECT_TRUE(set_attribute(pad, "mode", std::int64_t{2}));
  EXPECT_TRUE(pad == Attributes(Pad{.mode = PadMode::kEdge}));
  EXPECT_FALSE(set_attribute(pad, "mode", std::int64_t{3})) << "there are three words";
  EXPECT_EQ(entry_of(pad, "mode").words.size(), 3U);
}

TEST(AttributeList, WhatMeansNothingBesideTheOthersIsSaidSo) {
  EXPECT_TRUE(entry_of(Pool{.kind = PoolKind::kMax}, "kernel").means_something);
  EXPECT_FALSE(entry_of(Pool{.kind = PoolKind::kGlobalMax}, "kernel").means_something);
  EXPECT_FALSE(entry_of(Pad{.mode = PadMode::kEdge}, "value").means_something);
  EXPECT_TRUE(entry_of(Conv{}, "dilation").usual);
  EXPECT_FALSE(entry_of(Conv{.dilation = {2, 1}}, "dilation").usual);
}

TEST(AttributeList, BoundsAreThoseOfTheRows) {
  EXPECT_TRUE(check_bounds(Conv{.out_channels = 1}));
  EXPECT_EQ(check_bounds(Conv{.out_channels = 0}).error().what, "Output channels 0 must lie in 1..16777216");
  EXPECT_EQ(check_bounds(Conv{.out_channels = 1, .padding = {0, -1}}).error().what,
            "Padding [0, -1] must lie in 0..16777216");
  EXPECT_FALSE(check_bounds(Pool{.kernel = {0, 0}}));
  EXPECT_TRUE(check_bounds(Pool{.kind = PoolKind::kGlobalAverage, .kernel = {0, 0}})) << "it has no window";
}

}  // namespace
}  // namespace iosx
