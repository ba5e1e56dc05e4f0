#include "core/model/edit/history.h"

#include <gmock/gmock.h>

#include "core/formats/wire/edit_text.h"
#include "core/model/edit/arrange.h"
#include "core/model/edit/operators.h"
#include "tests/support/editing.h"
#include "tests/support/graphs.h"

namespace iosx {
namespace {

using test::key_of;

Patch move_a(const EditableGraph& graph, double x) {
  const PlacedOperator placed{key_of(graph, "a"), {x, 0}};
  return place_operators(graph, std::span(&placed, 1));
}

TEST(History, OneGestureIsOneStep) {
  EditHistory history(editable(test::chain(2)));
  const std::string before = edit_to_text(history.graph());
  for (int x = 1; x <= 10; ++x) history.push(move_a(history.graph(), x), 7);
  EXPECT_EQ(history.graph().op(key_of(history.graph(), "a")).place, (CanvasPlace{10, 0}));
  history.push(move_a(history.graph(), 11), 8);
  ASSERT_NE(history.undo(), nullptr);
  EXPECT_EQ(history.graph().op(key_of(history.graph(), "a")).place, (CanvasPlace{10, 0}));
  ASSERT_NE(history.undo(), nullptr);
  EXPECT_EQ(edit_to_text(history.graph()), before);
  EXPECT_EQ(history.undo(), nullptr);
  ASSERT_NE(history.redo(), nullptr);
  EXPECT_EQ(history.graph().op(key_of(history.graph(), "a")).place, (CanvasPlace{10, 0}));
}

TEST(History, AGestureThatComesBackIsNoStep) {
  EditHistory history(editable(test::chain(2)));
  history.push(move_a(history.graph(), 5), 1);
  history.push(move_a(history.graph(), 6), 2);
  history.push(move_a(history.graph(), 5), 2);
  EXPECT_EQ(history.graph().op(key_of(history.graph(), "a")).place, (CanvasPlace{5, 0}));
  history.undo();
  EXPECT_EQ(history.to_undo(), nullptr);
}

TEST(History, WhatIsNoGestureStaysApart) {
  EditHistory history(editable(test::chain(2)));
  history.push(move_a(history.graph(), 1));
  history.push(move_a(history.graph(), 2));
  history.undo();
  EXPECT_EQ(history.graph().op(key_of(history.graph(), "a")).place, (CanvasPlace{1, 0}));
}

TEST(History, KnowsWhatIsSaved) {
  EditHistory history(editable(test::chain(2)));
  EXPECT_TRUE(history.clean());
  history.push(move_a(history.graph(), 1), 1);
  EXPECT_FALSE(history.clean());
  history.mark_clean();
  history.push(move_a(history.graph(), 2), 1);  // the same gesture, but what is saved lies between
  EXPECT_FALSE(history.clean());
  history.undo();
  EXPECT_TRUE(history.clean());
  EXPECT_EQ(history.graph().op(key_of(history.graph(), "a")).place, (CanvasPlace{1, 0}));
  history.undo();
  EXPECT_FALSE(history.clean());
  history.push(move_a(history.graph(), 3));  // what was saved cannot be reached any more
  EXPECT_FALSE(history.clean());
  history.undo();
  EXPECT_FALSE(history.clean());
}

TEST(History, NothingDoneCostsNoRedo) {
  EditHistory history(editable(test::chain(2)));
  history.push(move_a(history.graph(), 1));
  history.undo();
  EXPECT_FALSE(history.push(Patch{}));
  EXPECT_NE(history.to_redo(), nullptr);
}

TEST(History, ForgetsTheOldestSteps) {
  EditHistory history(editable(test::chain(2)), 3);
  for (int x = 1; x <= 5; ++x) history.push(move_a(history.graph(), x));
  while (history.undo() != nullptr) {
  }
  EXPECT_EQ(history.graph().op(key_of(history.graph(), "a")).place, (CanvasPlace{2, 0}));
  EXPECT_FALSE(history.clean());
}

TEST(History, KeysAreNeverUsedAgain) {
  EditHistory history{EditableGraph()};
  const AddedOperator first = add_operator(history.graph(), Identity{});
  history.push(first.patch);
  history.undo();
  const AddedOperator second = add_operator(history.graph(), Identity{});
  EXPECT_NE(second.key, first.key);
}

}  // namespace
}  // namespace iosx
