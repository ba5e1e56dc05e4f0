#include <QTest>
#include <QtWidgets>

#include "tests/support/prelude.h"
#include "views/widgets/fitted_text.h"
#include "views/widgets/painted_view.h"

namespace iosx {
namespace {

// Squares of 20 pixels side by side, with a gap of 10 after each.
class Squares : public PaintedItems {
 public:
  explicit Squares(QWidget& view) : view_(view) {}

  std::size_t count() const override { return static_cast<std::size_t>(view_.property("count").toInt()); }
  QString name(std::size_t item) const override { return QStringLiteral("square %1").arg(item); }
  QRect rect(std::size_t item) const override { return {static_cast<int>(item) * 30, 0, 20, 20}; }
  bool selected(std::size_t item) const override { return focused() == item; }
  std::optional<std::size_t> focused() const override {
    const QVariant pressed = view_.property("pressed");
    return pressed.isValid() ? std::optional(static_cast<std::size_t>(pressed.toInt())) : std::nullopt;
  }
  std::optional<std::size_t> itemAt(const QPoint& at) const override {
    for (std::size_t i = 0; i < count(); ++i) {
      if (rect(i).contains(at)) return i;
    }
    return {};
  }
  void press(std::size_t item) override { view_.setProperty("pressed", static_cast<int>(item)); }

 private:
  QWidget& view_;
};

class SquaresBelowWidgets final : public Squares {
 public:
  using Squares::Squares;
  bool widgetsFollow() const override { return true; }
};

QAccessibleInterface* at(const QAccessibleInterface* list, const QWidget& view, const QPoint& point) {
  const QPoint global = view.mapToGlobal(point);
  return list->childAt(global.x(), global.y());
}

class PaintedItemsTest : public testing::Test {
 protected:
  PaintedItemsTest() {
    view_.setFocusPolicy(Qt::StrongFocus);
    view_.setProperty("count", 3);
    button_.setGeometry(30, 0, 20, 20);  // over the second square
    view_.resize(60, 60);
    view_.show();
  }

  template <typename Items>
  QAccessibleInterface* list() {
    QAccessibleInterface* made = accessible_list(view_, std::make_unique<Items>(view_));
    QAccessible::registerAccessibleInterface(made);
    return made;
  }

  QWidget view_;
  QPushButton button_{QStringLiteral("over it"), &view_};
};

TEST_F(PaintedItemsTest, AreAskedForWhatTheViewShowsByThen) {
  const QAccessibleInterface* squares = list<Squares>();
  EXPECT_EQ(squares->role(), QAccessible::List);
  ASSERT_EQ(squares->childCount(), 3);
  QAccessibleInterface* last = must(squares->child(2));
  EXPECT_EQ(squares->child(2), last);
  EXPECT_EQ(squares->indexOfChild(last), 2);
  EXPECT_EQ(last->role(), QAccessible::ListItem);
  EXPECT_EQ(last->text(QAccessible::Name), "square 2");
  EXPECT_EQ(last->text(QAccessible::Description), QString());
  EXPECT_EQ(last->rect(), QRect(view_.mapToGlobal(QPoint(60, 0)), QSize(20, 20)));
  EXPECT_TRUE(last->state().offscreen);
  EXPECT_FALSE(squares->child(1)->state().offscreen);
  view_.setProperty("pressed", 2);
  EXPECT_EQ(squares->focusChild(), last);
  view_.setProperty("count", 2);
  EXPECT_EQ(squares->focusChild(), nullptr);
  EXPECT_EQ(squares->child(2), nullptr);
  EXPECT_FALSE(last->isValid());
  EXPECT_TRUE(last->state().invalid);
  EXPECT_EQ(last->text(QAccessible::Name), QString());
  EXPECT_EQ(last->rect(), QRect());
  view_.setProperty("pressed", 0);
  last->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
  EXPECT_EQ(view_.property("pressed"), QVariant(0));
}

TEST_F(PaintedItemsTest, ArePressedAndHaveTheFocusThatTheViewHas) {
  const QAccessibleInterface* squares = list<Squares>();
  EXPECT_EQ(squares->focusChild(), nullptr);
  QAccessibleInterface* first = squares->child(0);
  first->actionInterface()->doAction(QAccessibleActionInterface::setFocusAction());
  EXPECT_FALSE(first->state().selected);
  first->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
  EXPECT_TRUE(first->state().selected);
  EXPECT_EQ(squares->focusChild(), first);
  button_.setFocus();
  ASSERT_TRUE(QTest::qWaitForWindowActive(&view_));
  EXPECT_FALSE(first->state().focused);
  view_.setFocus();
  EXPECT_TRUE(first->state().focused);
  EXPECT_FALSE(squares->child(1)->state().focused);
}

TEST_F(PaintedItemsTest, WidgetsOverThemAreFoundOnlyWhereTheyFollow) {
  const QAccessibleInterface* squares = list<Squares>();
  EXPECT_EQ(at(squares, view_, {5, 5}), squares->child(0));
  EXPECT_EQ(at(squares, view_, {35, 5}), squares->child(1));
  EXPECT_EQ(at(squares, view_, {25, 5}), nullptr);
  EXPECT_EQ(squares->indexOfChild(QAccessible::queryAccessibleInterface(&button_)), -1);
}

TEST_F(PaintedItemsTest, WidgetsThatFollowComeAfterThem) {
  const QAccessibleInterface* squares = list<SquaresBelowWidgets>();
  QAccessibleInterface* button = QAccessible::queryAccessibleInterface(&button_);
  ASSERT_EQ(squares->childCount(), 4);
  EXPECT_EQ(squares->child(3), button);
  EXPECT_EQ(squares->child(4), nullptr);
  EXPECT_EQ(squares->indexOfChild(button), 3);
  EXPECT_EQ(at(squares, view_, {5, 5}), squares->child(0));
  EXPECT_EQ(at(squares, view_, {35, 5}), button);
  squares->child(0)->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
  button_.setFocus();
  ASSERT_TRUE(QTest::qWaitForWindowActive(&view_));
  EXPECT_EQ(squares->focusChild(), button);
  view_.setFocus();
  EXPECT_EQ(squares->focusChild(), squares->child(0));
}

TEST(InstallPaintedItems, FindsTheItemsOfAnAreaThatScrollsInItsViewport) {
  install_painted_items<QAbstractScrollArea, Squares>();
  QAbstractScrollArea board;
  board.setProperty("count", 2);
  board.resize(120, 80);
  board.show();
  QAccessibleInterface* list = must(QAccessible::queryAccessibleInterface(&board));
  ASSERT_EQ(list->childCount(), 2);
  QAccessibleInterface* second = list->child(1);
  EXPECT_EQ(second->parent(), list);
  ASSERT_NE(board.viewport()->pos(), QPoint());
  EXPECT_EQ(second->rect().topLeft(), board.viewport()->mapToGlobal(QPoint(30, 0)));
  EXPECT_EQ(at(list, *board.viewport(), {35, 5}), second);
}

// Cut off at the end they would look alike.
TEST(ElidedComboBox, TextsThatDifferAtTheirEndsLookDifferentHoweverNarrowItIs) {
  ElidedComboBox box;
  box.addItems({QStringLiteral("A schedule with a long name, batch 1"),
                QStringLiteral("A schedule with a long name, batch 32")});
  box.resize(120, 28);
  const QImage first = box.grab().toImage();
  box.setCurrentIndex(1);
  EXPECT_NE(box.grab().toImage(), first);
  box.setCurrentIndex(0);
  EXPECT_EQ(box.grab().toImage(), first);
}

}  // namespace

}  // namespace iosx
