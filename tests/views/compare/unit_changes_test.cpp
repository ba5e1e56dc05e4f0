#include "views/compare/unit_changes.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/graphs.h"
#include "tests/support/subjects.h"
#include "views/canvas/paint/graph_legend.h"

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

// Two schedules of the same six convolutions side by side, a millisecond a stage.
std::shared_ptr<const StagePair> of_fork(const std::vector<std::vector<std::vector<std::size_t>>>& a,
                                         const std::vector<std::vector<std::vector<std::size_t>>>& b) {
  const auto graph = std::make_shared<const Graph>(test::fork(6));
  const Subject first = test::subject_of(graph, test::schedule_of(a), {.stages = std::vector<double>(a.size(), 1)});
  const Subject second = test::subject_of(graph, test::schedule_of(b), {.stages = std::vector<double>(b.size(), 1)});
  return make_stage_pair(first, second, match_graphs(*graph, *graph));
}

std::size_t drawn(const std::vector<canvas::UnitMark>& marks) {
  return static_cast<std::size_t>(std::ranges::count_if(
      marks, [](const canvas::UnitMark& mark) { return !mark.quiet && mark.change != canvas::UnitChange::kSame; }));
}

TEST(UnitMarks, OfFewDifferencesAreOnWhatDiffers) {
  const auto none = of_fork({{{0}, {1}}, {{2, 3}}, {{4}}, {{5}}}, {{{1}, {0}}, {{2, 3}}, {{4}}, {{5}}});
  EXPECT_EQ(drawn(unit_marks(*none, true)), 0U);
  const auto one = of_fork({{{0}, {1}, {2}}, {{3}, {4}}, {{5}}}, {{{0}, {1}}, {{2}, {3}, {4}}, {{5}}});
  for (const bool of_a : {true, false}) {
    const auto marks = unit_marks(*one, of_a);
    EXPECT_EQ(drawn(marks), 1U);
    EXPECT_EQ(marks[2].change, canvas::UnitChange::kMoved);
    EXPECT_FALSE(marks[2].quiet);
    EXPECT_FALSE(marks[2].note.isEmpty());
    EXPECT_EQ(marks[0].change, canvas::UnitChange::kSame);
  }
}

TEST(UnitMarks, OfManyDifferencesAreOnWhatIsTheSame) {
  const auto pair = of_fork({{{0}}, {{1}}, {{2}, {3}}, {{4}}, {{5}}}, {{{0}, {1}}, {{2}}, {{3}}, {{4}}, {{5}}});
  ASSERT_EQ(marked_units(pair->difference.units_a, pair->difference.units_b), Marked::kWhatIsTheSame);
  for (const bool of_a : {true, false}) {
    const auto marks = unit_marks(*pair, of_a);
    EXPECT_EQ(drawn(marks), 2U);
    EXPECT_EQ(marks[4].change, canvas::UnitChange::kAlike);
    EXPECT_FALSE(marks[4].quiet);
    EXPECT_TRUE(marks[0].quiet);
    EXPECT_EQ(marks[0].change, canvas::UnitChange::kJoined) << "the tool tip still says what became of it";
    EXPECT_FALSE(marks[0].note.isEmpty());
  }
}

// The legend has what is drawn: the signs of what differs, or the one of what is the same.
TEST(UnitMarks, TheLegendNamesWhatIsDrawnAndNothingElse) {
  const canvas::Model model;
  const auto texts = [&](canvas::UnitMark mark) { return canvas::GraphLegend(model, {mark}).texts().join(QString()); };
  EXPECT_EQ(texts({canvas::UnitChange::kMoved, {}, false}), canvas::change_word(canvas::UnitChange::kMoved));
  EXPECT_EQ(texts({canvas::UnitChange::kMoved, {}, true}), QString());
  EXPECT_TRUE(texts({canvas::UnitChange::kAlike, {}, false}).contains(QStringLiteral("same in both")));
  canvas::GraphLegend both(model, {{canvas::UnitChange::kMoved, {}, false}});
  both.add(
      canvas::GraphLegend(model, {{canvas::UnitChange::kMoved, {}, false}, {canvas::UnitChange::kAdded, {}, false}}));
  EXPECT_EQ(both.texts(), (QStringList{canvas::change_word(canvas::UnitChange::kMoved),
                                       canvas::change_word(canvas::UnitChange::kAdded)}));
}

}  // namespace
}  // namespace iosx
