// Many operators from the clipboard at once: which ones come, and where they stand.

#include "tests/support/editing.h"
#include "tests/support/graphs.h"
#include "tests/support/prelude.h"
#include "tests/views/app_model/session_fixture.h"
#include "views/edit_graph/graph_controller.h"

namespace iosx {
namespace {

// Sums one after another, each with a constant of its own.
Graph sums(std::size_t count) {
  auto [builder, last] = test::sketch("sums", Shape{2, 3});
  for (std::size_t i = 0; i < count; ++i) {
    last =
        builder.add(fmt::format("sum{}", i), Add{}, {last, builder.constant(fmt::format("number{}", i), Shape{2, 1})});
  }
  return std::move(builder).build().value();
}

class PasteTest : public test::SessionFixture {
 protected:
  PasteTest() : made_(make()), controller_(made_->session, made_->jobs) { controller_.attach(selection_); }

  std::unique_ptr<test::SessionWithJobs> made_;
  SelectionModel selection_;
  GraphController controller_;
};

// Twice: what is pasted beside the first has other names, and reads its own operators.
TEST_F(PasteTest, ThousandsOfOperatorsComeAsTheyWereCopied) {
  const std::size_t count = test::kSanitized ? 200 : 1500;
  const EditableGraph copied = editable(sums(count));
  Document document{.graph = std::make_shared<const Graph>(sums(count))};
  made_->session.editor().addDocument(document, QStringLiteral("sums"), {});
  controller_.setActive(true);
  controller_.selectAll();
  controller_.copy();
  controller_.newGraph();
  const auto& all = controller_.graph().operators();
  const std::size_t size = copied.operators().size();
  // The pasted operators from this one on are those that were copied, and read one another as those do.
  const auto expect_copies = [&](std::size_t first, bool same_names) {
    for (std::size_t i = 0; i < size; ++i) {
      const EditOperator& own = *copied.operators()[i].second;
      const EditOperator& made = *all[first + i].second;
      ASSERT_EQ(made.attributes, own.attributes);
      ASSERT_EQ(made.name == own.name, same_names) << made.name;
      ASSERT_EQ(made.inputs.size(), own.inputs.size());
      for (std::size_t slot = 0; slot < own.inputs.size(); ++slot) {
        const std::size_t read = copied.operators().position(own.inputs[slot].producer);
        ASSERT_EQ(made.inputs[slot].producer, all[first + read].first);
      }
    }
  };
  ASSERT_TRUE(controller_.paste());
  ASSERT_EQ(all.size(), size);
  expect_copies(0, true);
  ASSERT_TRUE(controller_.paste());
  ASSERT_EQ(all.size(), 2 * size);
  EXPECT_EQ(test::problems(controller_.graph()), "");
  EXPECT_EQ(controller_.selected().size(), size);
  expect_copies(0, true);
  expect_copies(size, false);
  controller_.undo();
  ASSERT_EQ(all.size(), size);
  expect_copies(0, true);
}

// A constant stands in the layer above what reads it, not in the first one, from where its connection would pass all
// layers between.
TEST(EditLayout, WhatReadsNothingStandsAboveItsFirstReader) {
  const std::size_t count = 40;
  const EditableGraph graph = editable(sums(count));
  editor::Sizes sizes;
  for (const auto& [key, op] : graph.operators()) sizes[key] = {100, 40};
  const editor::EditLayout layout = editor::lay_out(graph, check(graph), sizes, {}, 1e-3);  // too narrow to be folded
  const auto at = [&](const std::string& name) { return layout.places.at(test::key_of(graph, name)); };
  for (std::size_t i = 1; i < count; ++i) {
    const std::string constant = fmt::format("number{}", i);
    EXPECT_EQ(at(constant).y, at(fmt::format("sum{}", i - 1)).y) << constant;
    EXPECT_LT(at(constant).y, at(fmt::format("sum{}", i)).y) << constant;
    EXPECT_GE(std::abs(at(constant).x - at(fmt::format("sum{}", i - 1)).x), 100) << constant;
  }
  for (const auto& [route, curve] : layout.routes) EXPECT_LE(curve.size(), 10U);
}

}  // namespace
}  // namespace iosx
