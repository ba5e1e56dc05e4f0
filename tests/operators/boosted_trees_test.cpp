#include "core/operators/boosted_trees.h"

#include "core/operators/regressor.h"
#include "tests/support/attacks.h"
#include "tests/support/prelude.h"

namespace iosx {
namespace {

constexpr std::size_t kColumns = 3;

FeatureMatrix rows() {
  std::mt19937 random(1);
  FeatureMatrix made;
  for (int i = 0; i < 60; ++i) {
    std::vector<float> row;
    for (std::size_t c = 0; c < kColumns; ++c) row.push_back(std::uniform_real_distribution<float>(-1, 1)(random));
    made.add(row);
  }
  return made;
}

// A model as XGBoost saves it: its first column decides.
const std::string& saved() {
  static const std::string bytes = [] {
    const auto trees = make_regressor(RegressorKind::kTrees);
    const FeatureMatrix all = rows();
    std::vector<float> targets;
    for (std::size_t i = 0; i < all.rows(); ++i) targets.push_back(all.row(i)[0] > 0 ? 2.F : -1.F);
    EXPECT_TRUE(trees->fit(all, targets, {}));
    return trees->saved();
  }();
  return bytes;
}

// Puts a number first in the first tree's list of this name.
std::string with(std::string bytes, const std::string& list, std::uint32_t number) {
  std::size_t at = bytes.find('[', bytes.find(list)) + 5 + 8;  // "[$l#L", and the count
  for (int shift = 24; shift >= 0; shift -= 8) bytes[at++] = static_cast<char>(number >> shift & 0xFFU);
  return bytes;
}

TEST(BoostedTrees, SayWhatTheyLearned) {
  const auto trees = must(BoostedTrees::read(saved()));
  EXPECT_EQ(trees.columns(), kColumns);
  const FeatureMatrix all = rows();
  for (std::size_t i = 0; i < all.rows(); ++i) EXPECT_NEAR(trees.predict(all.row(i)), all.row(i)[0] > 0 ? 2 : -1, 0.1);
}

TEST(BoostedTrees, WhatIsNoTreeIsRefused) {
  const struct {
    const char* list;
    std::uint32_t number;
  } cases[] = {
      {"left_children", 0},              // a node that is its own child
      {"left_children", 0x40000000},     // far outside
      {"left_children", 0xC0000000},     // before the first
      {"left_children", 0xFFFFFFFF},     // only a right one
      {"left_children", 2},              // both of them are one
      {"right_children", 0x00FFFFFF},    // outside
      {"split_indices", kColumns},       // a column that no row has
      {"split_indices", 0xFFFFFFFF},     // the one before the first
      {"split_conditions", 0x7F800000},  // infinite
      {"split_conditions", 0x7FC00000},  // no number
      {"split_conditions", 0x7F7FFFFF},  // so large that a sum may be none
  };
  for (const auto& [list, number] : cases) {
    EXPECT_FALSE(BoostedTrees::read(with(saved(), list, number))) << list << " " << number;
  }
}

TEST(BoostedTrees, ListsOfATreeAreOfOneLength) {
  for (const char* list : {"left_children", "right_children", "split_indices", "split_conditions", "default_left"}) {
    std::string bytes = saved();
    const std::size_t name = bytes.find(list);
    bytes[name] = '_';  // without it
    EXPECT_FALSE(BoostedTrees::read(bytes)) << list;
    bytes = saved();
    const std::size_t begin = bytes.find('[', name);
    const std::size_t size = bytes[begin + 2] == 'U' ? 1 : 4;
    --bytes[begin + 12];  // the lowest byte of the count
    bytes.erase(begin + 13, size);
    EXPECT_FALSE(BoostedTrees::read(bytes)) << list;
  }
}

TEST(BoostedTrees, OtherModelsAreRefused) {
  for (const char* word : {"gbtree", "reg:squarederror", "num_feature", "base_score", "trees"}) {
    std::string bytes = saved();
    bytes[bytes.rfind(word)] = '_';
    EXPECT_FALSE(BoostedTrees::read(bytes)) << word;
  }
  for (const std::size_t length : {std::size_t{0}, std::size_t{1}, saved().size() / 2, saved().size() - 1}) {
    EXPECT_FALSE(BoostedTrees::read(std::string_view(saved()).substr(0, length))) << length;
  }
  EXPECT_FALSE(BoostedTrees::read(saved() + "Z"));
  EXPECT_FALSE(BoostedTrees::read(std::string(1'000'000, '[')));
  EXPECT_FALSE(BoostedTrees::read("[$L#L\xff\xff\xff\xff\xff\xff\xff\xff"));
}

// Whatever else is in the file, reading and walking it ends.
TEST(BoostedTrees, AnyOtherBytesAreReadOrRefused) {
  const FeatureMatrix all = rows();
  test::attack_often(10'000 / test::every(20), [&](std::mt19937& random) {
    std::string bytes = saved();
    const auto within = [&](std::size_t size) {
      return std::uniform_int_distribution<std::size_t>(0, size - 1)(random);
    };
    for (std::size_t changes = 1 + within(8); changes > 0; --changes) bytes[within(4000)] = static_cast<char>(random());
    const auto trees = BoostedTrees::read(bytes);
    if (trees && trees->columns() == kColumns) {
      EXPECT_FALSE(std::isnan(trees->predict(all.row(0))));
    }
  });
}

}  // namespace
}  // namespace iosx
