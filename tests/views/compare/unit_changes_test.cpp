#include "views/compare/unit_changes.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/graphs.h"
#include "tests/support/subjects.h"

namespace iosx {
namespace {

constexpr UnitChange kSame = UnitChange::kSame;
constexpr UnitChange kMoved = UnitChange::kMoved;

TEST(MarkedUnits, AreTheFewerOnes) {
  using Changes = std::vector<UnitChange>;
  EXPECT_EQ(marked_units(Changes{kSame, kSame, kMoved}, Changes{kSame, kSame, kMoved}), Marked::kWhatDiffers);
  EXPECT_EQ(marked_units(Changes{kSame, kMoved, UnitChange::kJoined}, Changes{kSame, kMoved, UnitChange::kSplit}),
            Marked::kWhatIsTheSame);
  EXPECT_EQ(marked_units(Changes{kSame, kMoved}, Changes{kSame, kMoved}), Marked::kWhatDiffers) << "as many of each";
  EXPECT_EQ(marked_units({}, {}), Marked::kWhatDiffers);
  // Both canvases count together: they have one legend.
  EXPECT_EQ(marked_units(Changes{kSame}, Changes{UnitChange::kAdded, UnitChange::kAdded, kSame, kSame}),
            Marked::kWhatDiffers);
  EXPECT_EQ(marked_units(Changes{kSame}, Changes{UnitChange::kAdded, UnitChange::kAdded}), Marked::kWhatIsTheSame);
}

std::shared_ptr<const StagePair> pair_of(const std::vector<std::vector<std::vector<std::size_t>>>& a,
                                         const std::vector<std::vector<std::vector<std::size_t>>>& b) {
  const auto graph = std::make_shared<const Graph>(test::two_parts());
  const Subject first = test::subject_of(graph, test::schedule_of(a), {.stages = std::vector<double>(a.size(), 1)});
  const Subject second = test::subject_of(graph, test::schedule_of(b), {.stages = std::vector<double>(b.size(), 1)});
  return make_stage_pair(first, second, match_graphs(*graph, *graph));
}

std::size_t drawn(const std::vector<canvas::UnitMark>& marks) {
  return static_cast<std::size_t>(std::ranges::count_if(
      marks, [](const canvas::UnitMark& mark) { return !mark.quiet && mark.change != canvas::UnitChange::kSame; }));
}

TEST(UnitMarks, OfFewDifferencesAreOnWhatDiffers) {
  const auto pair = pair_of({{{0}}, {{1}}, {{2}}, {{3}}}, {{{0}}, {{1}}, {{2}}, {{3}}});
  EXPECT_EQ(drawn(unit_marks(*pair, true)), 0U);
  const auto some = pair_of({{{0}}, {{1}}, {{2}}, {{3}}}, {{{0}}, {{1}}, {{2, 3}}});
  const auto marks = unit_marks(*some, true);
  EXPECT_EQ(drawn(marks), 2U);
  EXPECT_TRUE(marks[0].quiet);
  EXPECT_FALSE(marks[3].quiet);
  EXPECT_FALSE(marks[3].note.isEmpty());
}

TEST(UnitMarks, OfManyDifferencesAreOnWhatIsTheSame) {
  const auto pair = pair_of({{{0}}, {{1}}, {{2}}, {{3}}}, {{{0}}, {{1, 2, 3}}});
  ASSERT_EQ(marked_units(pair->difference.units_a, pair->difference.units_b), Marked::kWhatIsTheSame);
  for (const bool of_a : {true, false}) {
    const auto marks = unit_marks(*pair, of_a);
    EXPECT_EQ(drawn(marks), 1U);
    EXPECT_EQ(marks[0].change, canvas::UnitChange::kAlike);
    EXPECT_TRUE(marks[3].quiet);
    EXPECT_NE(marks[3].change, canvas::UnitChange::kSame) << "the tool tip still says what became of it";
    EXPECT_FALSE(marks[3].note.isEmpty());
  }
}

}  // namespace
}  // namespace iosx
