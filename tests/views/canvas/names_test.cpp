#include "views/canvas/layout/names.h"

#include <gtest/gtest.h>

#include <set>

#include "core/model/graph/builder.h"
#include "tests/views/canvas/canvas_graphs.h"
#include "views/canvas/paint/scene.h"

namespace iosx::canvas::test {
namespace {

std::vector<std::string> fitted(const std::vector<std::string>& names, double room) {
  return fit_names(names, std::vector<double>(names.size(), room), plain_style().body);
}

TEST(Names, KeepWhatTellsThemApart) {
  const std::vector<std::string> names{"backbone/stage3/block_11/branch_3x3_reduce/conv",
                                       "backbone/stage3/block_12/branch_3x3_reduce/conv",
                                       "backbone/stage3/block_12/branch_5x5_reduce/conv"};
  const auto shown = fitted(names, 160);
  EXPECT_NE(shown[0].find("11"), std::string::npos) << shown[0];
  EXPECT_NE(shown[1].find("3x3"), std::string::npos) << shown[1];
  EXPECT_NE(shown[2].find("5x5"), std::string::npos) << shown[2];
  for (const std::string& text : shown) EXPECT_LE(plain_style().body.width(text), 160) << text;
}

TEST(Names, ThatDifferStillDoHoweverNarrow) {
  std::vector<std::string> names;
  for (int a = 0; a < 12; ++a) {
    for (int b = 0; b < 12; ++b) {
      names.push_back("encoder/layer_" + std::to_string(a) + "/attention/self/head_" + std::to_string(b) +
                      "/projection/matmul");
    }
  }
  for (const double room : {90.0, 140.0, 220.0}) {
    const auto shown = fitted(names, room);
    EXPECT_EQ(std::set<std::string>(shown.begin(), shown.end()).size(), names.size()) << room;
    for (const std::string& text : shown) EXPECT_LE(plain_style().body.width(text), room) << text;
  }
}

TEST(Names, ShortOnesStayWhole) {
  const std::vector<std::string> names{"conv1", "pool", "conv1"};
  EXPECT_EQ(fitted(names, 100), names);
}

TEST(Names, CutBetweenCharactersOfUtf8) {
  const FontWidths widths = plain_style().body;
  std::string name;
  for (int i = 0; i < 40; ++i) name += "层";
  for (double width = 0; width < 200; width += 7) {
    const std::string shown = elide_around(name, 30, 60, width, widths);
    EXPECT_EQ(QString::fromStdString(shown).toStdString(), shown);
    EXPECT_FALSE(QString::fromStdString(shown).contains(QChar(QChar::ReplacementCharacter)));
  }
}

TEST(Names, LeaveOutWhatAllHaveInFront) {
  GraphBuilder builder("g");
  Value last = builder.input("in", {8, 8, 8});
  Conv conv;
  conv.out_channels = 8;
  for (const char* name : {"/model/stem/conv", "/model/stem/conv_1", "/model/neck/conv"}) {
    last = builder.add(name, conv, {last});
  }
  const auto graph = std::move(builder).build();
  ASSERT_TRUE(graph.has_value());
  EXPECT_EQ(shared_prefix(*graph), "/model/");
  EXPECT_EQ(unit_titles(*graph), (std::vector<std::string>{"stem/conv", "stem/conv_1", "neck/conv"}));
}

// A name of a million characters beside one that differs in the middle: both are shown, apart, and soon.
TEST(Names, OfAMillionCharactersAreElidedAtOnce) {
  std::string one(1'000'000, 'x');
  std::string other = one;
  one.replace(500'000, 3, "ONE");
  other.replace(500'000, 3, "TWO");
  const auto shown = fitted({one, other}, 200);
  EXPECT_NE(shown[0].find("ONE"), std::string::npos) << shown[0];
  EXPECT_NE(shown[1].find("TWO"), std::string::npos) << shown[1];
  EXPECT_LT(shown[0].size(), 60U);
  EXPECT_LT(short_name(one).size(), 220U);
  // What is kept is asked for character by character, what is left out is not: as many steps as for a short name.
  EXPECT_EQ(elide_middle(one, 100, plain_style().body).size(),
            elide_middle(std::string(1000, 'x'), 100, plain_style().body).size());
}

TEST(Names, OfAnyLengthMakeAModel) {
  GraphBuilder builder("long");
  const Value in = builder.input(std::string(300'000, 'i'), {8, 8, 8});
  Conv conv;
  conv.out_channels = 8;
  builder.add(std::string(1'000'000, 'n'), conv, {in});
  auto graph = std::move(builder).build();
  ASSERT_TRUE(graph.has_value());
  const auto model = make_model(std::make_shared<const Graph>(std::move(*graph)), plain_style());
  EXPECT_LT(model->labels[0].name.size(), 60);
  const Layout layout = lay_out(model->graph);
  EXPECT_LT(layout.bounds.width, 2000);
}

}  // namespace
}  // namespace iosx::canvas::test
