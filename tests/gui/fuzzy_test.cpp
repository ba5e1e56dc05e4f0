#include "tests/support/prelude.h"
#include "views/window/actions/command_palette.h"

namespace iosx {
namespace {

QString text(const char* words) { return QString::fromUtf8(words); }

std::vector<qsizetype> letters(const char* typed, const char* in) {
  const auto match = fuzzy_match(text(typed), text(in));
  return match ? match->letters : std::vector<qsizetype>{-1};
}

int score(const char* typed, const char* in) {
  const auto match = fuzzy_match(text(typed), text(in));
  return match ? match->score : -1;
}

std::vector<std::string> ranked(const std::vector<PaletteItem>& items, const char* typed,
                                const QStringList& recent = {}) {
  return mapped<std::string>(rank(items, text(typed), recent),
                             [&](const Ranked& each) { return items[each.item].id.toStdString(); });
}

TEST(Fuzzy, NeedsAllLettersInTheirOrder) {
  EXPECT_EQ(letters("zf", "Zoom to fit"), (std::vector<qsizetype>{0, 8}));
  EXPECT_EQ(letters("ZOOM", "Zoom to fit"), (std::vector<qsizetype>{0, 1, 2, 3}));
  EXPECT_FALSE(fuzzy_match(text("fz"), text("Zoom to fit")));
  EXPECT_FALSE(fuzzy_match(text("zoom to fitt"), text("Zoom to fit")));
  EXPECT_FALSE(fuzzy_match(text("a"), text("")));
  EXPECT_EQ(score("", "anything"), 0);
}

TEST(Fuzzy, TakesTheLettersThatReadBest) {
  // The beginning of a word beats a letter in the middle of an earlier one, letters in a row beat scattered ones.
  EXPECT_EQ(letters("s", "Reset schedule"), (std::vector<qsizetype>{6}));
  EXPECT_EQ(letters("pro", "Export profile"), (std::vector<qsizetype>{7, 8, 9}));
  EXPECT_EQ(letters("v3", "Inception V3"), (std::vector<qsizetype>{10, 11}));
}

TEST(Fuzzy, ScoresWholeWordsAndShortTextsHigher) {
  EXPECT_GT(score("open", "Open…"), score("open", "Copy the name"));
  EXPECT_GT(score("zoom", "Zoom in"), score("zoom", "Take the zoom of the other view"));
  EXPECT_GT(score("opt", "Optimize"), score("opt", "Copy text"));
}

TEST(Fuzzy, LongTextsAreMatchedByTheirBeginning) {
  const QString name(1'000'000, QLatin1Char('a'));
  EXPECT_TRUE(fuzzy_match(text("aaa"), name));
  EXPECT_FALSE(fuzzy_match(text("b"), name + QLatin1Char('b')));
}

class RankTest : public testing::Test {
 protected:
  std::vector<PaletteItem> items_{{text("open"), text("Open…"), text("File"), true},
                                  {text("optimize"), text("Optimize"), text("Schedule"), false},
                                  {text("inception"), text("Open Inception V3"), text("Built-in networks"), true},
                                  {text("fit"), text("Zoom to fit"), text("View"), true},
                                  {text("fit-2"), text("Zoom to fit"), text("View"), true}};
};

TEST_F(RankTest, PutsTheBestFirstAndKeepsTheOrderOfEquals) {
  EXPECT_EQ(ranked(items_, "open inc"), std::vector<std::string>{"inception"});
  EXPECT_EQ(ranked(items_, "open").front(), "open");
  EXPECT_EQ(ranked(items_, "fit"), (std::vector<std::string>{"fit", "fit-2"}));
  EXPECT_TRUE(ranked(items_, "xyz").empty());
}

TEST_F(RankTest, FindsByThePlaceToo) {
  EXPECT_EQ(ranked(items_, "view fit"), (std::vector<std::string>{"fit", "fit-2"}));
  EXPECT_EQ(ranked(items_, "built"), std::vector<std::string>{"inception"});
}

TEST_F(RankTest, WhatWasUsedComesFirst) {
  const QStringList recent{text("fit-2"), text("optimize")};
  EXPECT_EQ(ranked(items_, "", recent), (std::vector<std::string>{"fit-2", "optimize", "open", "inception", "fit"}));
  EXPECT_EQ(ranked(items_, "fit", recent), (std::vector<std::string>{"fit-2", "fit"}));
  // But what fits much better stays ahead of it.
  EXPECT_EQ(ranked(items_, "open", {text("inception")}).front(), "open");
}

TEST_F(RankTest, NothingTypedPutsWhatCannotBeUsedLast) { EXPECT_EQ(ranked(items_, "").back(), "optimize"); }

TEST_F(RankTest, TheLettersOfTheTitleAreTold) {
  const auto found = rank(items_, text("zo fit"), {});
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found.front().letters, (std::vector<qsizetype>{0, 1, 8, 9, 10}));
}

}  // namespace
}  // namespace iosx
