// Ten thousand random edits with undo and redo.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <random>

#include "core/formats/wire/edit_text.h"
#include "core/model/edit/arrange.h"
#include "core/model/edit/connect.h"
#include "core/model/edit/default_attributes.h"
#include "core/model/edit/fragment.h"
#include "core/model/edit/operators.h"
#include "core/model/edit/units.h"
#include "tests/support/editing.h"
#include "tests/support/graphs.h"
#include "tests/support/sanitized.h"

namespace iosx {
namespace {

constexpr int kEdits = test::kSanitized ? 2'000 : 10'000;
constexpr std::size_t kMostOperators = 60;

// Does at random what a person may do, sensible or not. The same on every platform.
class Walk {
 public:
  explicit Walk(EditableGraph graph) : history(std::move(graph), kEdits) {}

  // True if the graph changed.
  bool step() {
    const std::size_t choice = pick(20);
    if (choice < 3) return history.undo() != nullptr;
    if (choice < 5) return history.redo() != nullptr;
    const bool full = history.graph().operators().size() > kMostOperators;
    if (full || history.graph().operators().empty()) return push(full ? remove() : add());
    switch (choice) {
      case 5: return push(add());
      case 6: return push(remove());
      case 7: return push(insert());
      case 8: return push(disconnect(graph(), any(), pick(2)));
      case 9: return push(rename_operator(graph(), any(), fmt::format("n{}", pick(200))));
      case 10: return push(group());
      case 11: return push(units());
      case 12: return push(parts());
      case 13: return push(place());
      case 14: return push(duplicate(graph(), some(), {5, 5}).patch);
      case 15: return push(paste());
      case 16: return push(attributes());
      case 17: return push(inputs());
      default: return push(join());
    }
  }

  EditHistory history;

 private:
  const EditableGraph& graph() const { return history.graph(); }
  std::size_t pick(std::size_t n) { return random_() % n; }
  OperatorKey any() { return graph().operators()[pick(graph().operators().size())].first; }
  UnitKey any_unit() { return graph().units()[pick(graph().units().size())].first; }
  std::vector<OperatorKey> some() {
    const std::size_t first = pick(graph().operators().size());
    std::vector<OperatorKey> keys;
    for (std::size_t i = first; i < std::min(graph().operators().size(), first + 1 + pick(3)); ++i) {
      keys.push_back(graph().operators()[i].first);
    }
    return keys;
  }
  Attributes kind() {
    if (pick(5) == 0) return Input{{8, 16, 16}};
    return default_attributes(pick(std::variant_size_v<Attributes>), Shape{8, 16, 16});
  }

  bool push(Result<Patch> patch) {
    if (!patch) {
      EXPECT_FALSE(patch.error().what.empty());
      return false;
    }
    return history.push(*std::move(patch), pick(4) == 0 ? 1 : 0);
  }
  Patch add() {
    return add_operator(graph(), kind(), pick(2) == 0 ? std::optional(CanvasPlace{1, 2}) : std::nullopt).patch;
  }
  Patch remove() { return remove_operators(graph(), some(), pick(2) == 0 ? Healing::kHeal : Healing::kNone); }
  Result<Patch> insert() {
    auto added = insert_operator(graph(), check(graph()), kind(), any(), 0);
    if (!added) return tl::unexpected(added.error());
    return added->patch;
  }
  Result<Patch> join() {
    const GraphCheck found = check(graph());
    if (pick(2) == 0 && !found.shapes.empty()) {  // to something that is open
      for (const Problem& problem : found.problems) {
        if (problem.kind != ProblemKind::kOpenInput || pick(3) != 0) continue;
        const OperatorKey producer = found.shapes[pick(found.shapes.size())].first;
        return connect(graph(), found, {producer, {}}, problem.operators.front(), *problem.slot);
      }
    }
    EditInput from{any(), {}};
    if (pick(5) == 0) from.channels = {static_cast<std::int64_t>(pick(4)), 4 + static_cast<std::int64_t>(pick(8))};
    return connect(graph(), found, from, any(), pick(3));
  }
  Result<Patch> group() { return group_operators(graph(), check(graph()), some()); }
  Result<Patch> units() {
    if (graph().units().empty()) return fail(message("no units"));
    if (pick(2) == 0) return split_unit(graph(), any_unit());
    return rename_unit(graph(), any_unit(), fmt::format("n{}", pick(200)));
  }
  Result<Patch> parts() {
    if (graph().units().empty()) return fail(message("no units"));
    if (pick(2) == 0) return declare_part(graph(), check(graph()), any_unit(), fmt::format("p{}", pick(9)));
    return join_part(graph(), graph().parts()[pick(graph().parts().size())].key);
  }
  Patch place() {
    const PlacedOperator placed{any(), {static_cast<double>(pick(100)) / 8, 1}};
    return place_operators(graph(), std::span(&placed, 1));
  }
  Result<Patch> paste() {
    const auto fragment = fragment_from_text(fragment_to_text(fragment_of(graph(), some())), "clipboard");
    if (!fragment) return tl::unexpected(fragment.error());
    return insert_fragment(graph(), *fragment, {.outside = pick(2) == 0 ? OutsideSlots::kByName : OutsideSlots::kOpen})
        .patch;
  }
  Result<Patch> attributes() {
    const OperatorKey key = any();
    Attributes changed = graph().op(key).attributes;
    if (auto* const conv = std::get_if<Conv>(&changed)) {
      conv->kernel.height = static_cast<std::int64_t>(pick(6));
    } else {
      changed = default_attributes(changed.index(), Shape{4, 8, 8});
    }
    return set_attributes(graph(), key, std::move(changed));
  }
  Result<Patch> inputs() {
    const OperatorKey key = any();
    switch (pick(3)) {
      case 0: return add_input(graph(), key);
      case 1: return remove_input(graph(), key, pick(3));
      default: return move_input(graph(), key, pick(3), pick(3));
    }
  }

  std::mt19937 random_{14};
};

TEST(RandomWalk, UndoingEverythingGivesTheSameBytes) {
  const EditableGraph first = editable(test::random_dag(3, 20));
  const std::string start = edit_to_text(first);
  Walk walk(first);
  int changed = 0;
  int looked_at = 0;
  int built = 0;
  for (int i = 0; i < kEdits; ++i) {
    if (!walk.step()) continue;
    if (++changed % test::every(4) != 0) continue;
    ++looked_at;
    const std::string text = edit_to_text(walk.history.graph());
    const auto read = edit_from_text(text, "step");
    ASSERT_TRUE(read) << read.error().text();
    ASSERT_EQ(edit_to_text(*read), text) << "at edit " << i;
    const GraphCheck found = check(walk.history.graph());
    const auto made = to_graph(walk.history.graph(), found);
    ASSERT_TRUE(made || found.shapes.empty() || made.error().what == "no operator can be computed yet")
        << made.error().text();
    if (!made) continue;
    ++built;
    ASSERT_EQ(made->operators.size() + made->left_out.size(), walk.history.graph().operators().size());
    ASSERT_EQ(made->operators.size(), made->graph.operators().size());
  }
  EXPECT_GT(changed, kEdits / 2);
  EXPECT_GT(built, looked_at / 2);
  const std::string end = edit_to_text(walk.history.graph());
  std::size_t undone = 0;
  for (; walk.history.undo() != nullptr; ++undone) {
  }
  EXPECT_GT(undone, 100U);
  EXPECT_EQ(edit_to_text(walk.history.graph()), start);
  for (std::size_t i = 0; i < undone; ++i) ASSERT_NE(walk.history.redo(), nullptr);
  EXPECT_EQ(edit_to_text(walk.history.graph()), end);
}

}  // namespace
}  // namespace iosx
