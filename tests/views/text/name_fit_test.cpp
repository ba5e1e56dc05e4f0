#include "views/text/name_fit.h"
#include "tests/support/prelude.h"

namespace iosx::test {
namespace {

// Every character is 10 wide, "…" too.
double width_of(std::string_view text) {
  double width = 0;
  for (const char c : text) width += (static_cast<unsigned char>(c) & 0xC0U) == 0x80U ? 0 : 10;
  return width;
}

std::vector<std::string> family(const std::vector<std::string>& names, double room) {
  return fit_family(names, std::vector<double>(names.size(), room), width_of);
}

using Names = std::vector<std::string>;

TEST(NameFit, LeavesNamesWholeThatFit) {
  const Names names{"stem", "mixed_5b", "mixed_5c", "mixed_5d", "pool"};
  EXPECT_EQ(family(names, 80), names);
}

TEST(NameFit, AFamilyGoesWithoutWhatItShares) {
  EXPECT_EQ(family({"stem", "mixed_5b", "mixed_5c", "mixed_5d", "pool"}, 70),
            (Names{"stem", "5b", "5c", "5d", "pool"}));
  EXPECT_EQ(family({"block1", "block2", "block10"}, 60), (Names{"1", "2", "10"}))
      << "all of it, where one does not fit";
  EXPECT_EQ(family({"block1", "block2", "block3"}, 60), (Names{"block1", "block2", "block3"}));
  EXPECT_EQ(family({"trunk (1/3)", "trunk (2/3)", "trunk (3/3)"}, 80), (Names{"tr…(1/3)", "tr…(2/3)", "tr…(3/3)"}))
      << "pieces of a part keep its name";
  EXPECT_EQ(family({"cell_stem_0", "cell_0", "cell_1", "cell_17"}, 60), (Names{"stem_0", "0", "1", "17"}));
}

TEST(NameFit, TwoNamesOrAFewOfManyAreNoFamily) {
  EXPECT_EQ(family_prefix(Names{"mixed_5b", "mixed_5c"}), "");
  EXPECT_EQ(family_prefix(Names{"dark2", "dark3", "dark4", "stem", "neck.up4", "heads"}), "");
  EXPECT_EQ(family_prefix(Names{}), "");
  EXPECT_EQ(family_prefix(Names{"a_", "a_", "a_"}), "") << "nothing would be left";
}

TEST(NameFit, WhatIsLeftIsAWord) {
  const Names names{"branch1x1", "branch7x7_1", "branch7x7_2", "branch7x7dbl_1", "branch_pool"};
  EXPECT_EQ(family_prefix(names), "branch");
  EXPECT_EQ(without_family("branch7x7_2", "branch"), "7x7_2");
  EXPECT_EQ(without_family("branch_pool", "branch"), "branch_pool");
}

TEST(NameFit, WhatIsLeftIsNeverAnotherName) { EXPECT_EQ(family_prefix(Names{"a_x", "a_y", "a_z", "x"}), ""); }

TEST(NameFit, ElidesInTheMiddleAroundWhatTellsNeighboursApart) {
  EXPECT_EQ(family({"neck.down4", "neck.down5", "stem"}, 80), (Names{"n…down4", "n…down5", "stem"}));
  EXPECT_EQ(family({"patches", "stem"}, 50), (Names{"pa…es", "stem"})) << "both ends, where all of it tells it apart";
  const Names narrow = family({"reduction_left_cell", "reduction_right_cell", "out"}, 90);
  EXPECT_NE(narrow[0], narrow[1]);
  for (const std::string& name : narrow) EXPECT_LE(width_of(name), 90) << name;
}

TEST(NameFit, NamesThatDifferStillDo) {
  Names names;
  for (int i = 0; i < 30; ++i) names.push_back("encoder/layer_" + std::to_string(i) + "/attention/projection");
  for (const double room : {60.0, 90.0, 150.0}) {
    const Names shown = family(names, room);
    EXPECT_EQ(std::set<std::string>(shown.begin(), shown.end()).size(), names.size()) << room;
  }
}

}  // namespace
}  // namespace iosx::test
