#include "views/canvas/canvas_widget.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QTest>
#include <QWheelEvent>
#include <string>
#include <vector>

#include "views/canvas/find_bar.h"

namespace iosx::canvas::test {
namespace {

// What a tool heard, in words.
class LoggingTool final : public CanvasTool {
 public:
  LoggingTool(std::vector<std::string>& log, bool holds_scene) : log_(log), holds_scene_(holds_scene) {}
  void drag(const Pointer& pointer) override {
    const QPointF by = pointer.at - pointer.last;
    log_.push_back("drag " + std::to_string(static_cast<int>(by.x())));
  }
  void release(const Pointer& pointer) override { log_.emplace_back(pointer.dragged ? "drop" : "click"); }
  void cancel() override { log_.emplace_back("cancel"); }
  bool holdsScene() const override { return holds_scene_; }

 private:
  std::vector<std::string>& log_;
  bool holds_scene_;
};

// A canvas with a rectangle on it, on which words are found.
class SimpleCanvas final : public CanvasWidget {
 public:
  SimpleCanvas() : CanvasWidget(FocusRing::kByKeyboard, nullptr) { makeFindBar(); }

  using CanvasWidget::sceneReplaced;
  using CanvasWidget::spaceHeld;
  using CanvasWidget::tool;

  bool sees(const Rect& rect) const { return visible().contains(rect); }

  Rect scene_{0, 0, 400, 300};
  Rect selected_;
  QStringList words_{"conv one", "pool", "conv two", "conv three"};
  QStringList found_;
  QString gone_to_;
  std::vector<std::string> log_;
  bool holds_scene_ = true;

 protected:
  std::optional<Rect> sceneBounds() const override { return scene_; }
  Rect selectionBounds() const override { return selected_; }
  Rect fitArea(const Rect& /*scene*/) const override { return viewArea().grown(-10); }
  void paintCanvas(QPainter& painter) override {
    painter.fillRect(rect(), Qt::white);
    applyCamera(painter);
    painter.fillRect(QRectF(scene_.x, scene_.y, scene_.width, scene_.height), Qt::blue);
  }
  QString tipAt(const QPointF& /*at*/) const override { return {}; }
  std::shared_ptr<CanvasTool> toolAt(const Pointer& pointer) override {
    return pointer.button == Qt::LeftButton ? std::make_shared<LoggingTool>(log_, holds_scene_) : nullptr;
  }
  std::shared_ptr<CanvasTool> doubleClicked(const Pointer& /*pointer*/) override {
    log_.emplace_back("double");
    return nullptr;
  }
  void hover(const QPointF& /*at*/) override {}
  void unhover() override { log_.emplace_back("left"); }
  bool keyPressed(QKeyEvent& event) override { return event.key() == Qt::Key_X; }
  void search(const QString& text) override {
    found_ = text.isEmpty() ? QStringList() : words_.filter(text);
    text.isEmpty() ? findBar().showNothing() : findBar().showCount(-1, static_cast<int>(found_.size()));
  }
  std::size_t foundCount() override { return static_cast<std::size_t>(found_.size()); }
  void goToFound(std::size_t index) override { gone_to_ = found_[static_cast<qsizetype>(index)]; }
};

class CanvasWidgetTest : public testing::Test {
 protected:
  CanvasWidgetTest() {
    canvas_.resize(800, 600);
    canvas_.show();
    QApplication::setActiveWindow(&canvas_);
    canvas_.setFocus();
  }

  void move(const QPoint& at, Qt::MouseButton held) {
    QMouseEvent event(QEvent::MouseMove, at, canvas_.mapToGlobal(at), Qt::NoButton, held, {});
    QApplication::sendEvent(&canvas_, &event);
  }
  void wheel(const QPoint& at, int turned, Qt::KeyboardModifiers held = {}, const QPoint& pixels = {}) {
    QWheelEvent event(at, canvas_.mapToGlobal(at), pixels, QPoint(0, turned), Qt::NoButton, held, Qt::NoScrollPhase,
                      false);
    QApplication::sendEvent(&canvas_, &event);
  }
  void key(Qt::Key key, Qt::KeyboardModifiers held = {}) { QTest::keyClick(&canvas_, key, held); }
  FindBar& findBar() { return *canvas_.findChild<FindBar*>(); }
  QString count() { return findBar().findChild<QLabel*>()->text(); }

  SimpleCanvas canvas_;
};

TEST_F(CanvasWidgetTest, FitsUntilItIsMoved) {
  EXPECT_TRUE(canvas_.sees(canvas_.scene_));
  canvas_.resize(300, 200);
  EXPECT_TRUE(canvas_.sees(canvas_.scene_));
  canvas_.zoomBy(2);
  const double zoom = canvas_.camera().zoom;
  canvas_.resize(500, 500);
  EXPECT_EQ(canvas_.camera().zoom, zoom);
  key(Qt::Key_F);
  EXPECT_TRUE(canvas_.sees(canvas_.scene_));
}

TEST_F(CanvasWidgetTest, FitsTheSelectionOrElseEverything) {
  canvas_.selected_ = {20, 30, 40, 50};
  canvas_.scene_ = {0, 0, 4000, 3000};
  key(Qt::Key_Z);
  EXPECT_TRUE(canvas_.sees(canvas_.selected_));
  EXPECT_FALSE(canvas_.sees(canvas_.scene_));
  canvas_.selected_ = {};
  key(Qt::Key_Z);
  EXPECT_TRUE(canvas_.sees(canvas_.scene_));
}

TEST_F(CanvasWidgetTest, AnEmptySceneHasItsOriginInTheMiddle) {
  canvas_.scene_ = {};
  key(Qt::Key_Home);
  EXPECT_EQ(canvas_.camera().zoom, 1);
  EXPECT_EQ(canvas_.toView({0, 0}), QPointF(400, 300));
}

TEST_F(CanvasWidgetTest, TheWheelZoomsAtThePointer) {
  const Point before = canvas_.toScene({200, 150});
  const double zoom = canvas_.camera().zoom;
  wheel({200, 150}, 120);
  EXPECT_NEAR(canvas_.camera().zoom / zoom, 1.197, 0.001);
  EXPECT_NEAR(canvas_.toView(before).x(), 200, 1e-6);
  wheel({200, 150}, 120, Qt::ShiftModifier);
  EXPECT_NEAR(canvas_.toView(before).x(), 320, 1e-6);
  EXPECT_NEAR(canvas_.toView(before).y(), 150, 1e-6);
  wheel({200, 150}, 0, {}, {5, -7});  // a touch pad
  EXPECT_NEAR(canvas_.toView(before).x(), 325, 1e-6);
  EXPECT_NEAR(canvas_.toView(before).y(), 143, 1e-6);
}

TEST_F(CanvasWidgetTest, AWheelThatTurnsAsideScrollsAside) {
  const Point before = canvas_.toScene({200, 150});
  const double zoom = canvas_.camera().zoom;
  QWheelEvent event({200, 150}, canvas_.mapToGlobal(QPoint(200, 150)), {}, QPoint(-120, 0), Qt::NoButton, {},
                    Qt::NoScrollPhase, false);
  QApplication::sendEvent(&canvas_, &event);
  EXPECT_EQ(canvas_.camera().zoom, zoom);
  EXPECT_NEAR(canvas_.toView(before).x(), 80, 1e-6);
}

TEST_F(CanvasWidgetTest, ALargeSceneIsZoomedOutOfUntilAllIsInSight) {
  canvas_.scene_ = {0, 0, 4e6, 3e6};
  canvas_.zoomToFit();
  const double all = canvas_.camera().zoom;
  for (int i = 0; i < 30; ++i) canvas_.zoomBy(1.5);
  for (int i = 0; i < 100; ++i) wheel({400, 300}, -120);
  EXPECT_DOUBLE_EQ(canvas_.camera().zoom, all);
}

TEST_F(CanvasWidgetTest, KeysZoomInTheMiddle) {
  const Point middle = canvas_.toScene({400, 300});
  const double zoom = canvas_.camera().zoom;
  key(Qt::Key_Plus);
  EXPECT_DOUBLE_EQ(canvas_.camera().zoom, zoom * 1.25);
  EXPECT_NEAR(canvas_.toView(middle).x(), 400, 1e-6);
  key(Qt::Key_Minus);
  EXPECT_DOUBLE_EQ(canvas_.camera().zoom, zoom);
}

TEST_F(CanvasWidgetTest, TheMiddleButtonAndSpacePan) {
  const Point before = canvas_.toScene({100, 100});
  QTest::mousePress(&canvas_, Qt::MiddleButton, {}, {100, 100});
  move({102, 101}, Qt::MiddleButton);  // at once
  EXPECT_EQ(canvas_.toView(before), QPointF(102, 101));
  QTest::mouseRelease(&canvas_, Qt::MiddleButton, {}, {102, 101});

  QTest::keyPress(&canvas_, Qt::Key_Space);
  QTest::mousePress(&canvas_, Qt::LeftButton, {}, {100, 100});
  move({140, 100}, Qt::LeftButton);
  QTest::mouseRelease(&canvas_, Qt::LeftButton, {}, {140, 100});
  EXPECT_NEAR(canvas_.toView(before).x(), 142, 1e-6);
  EXPECT_TRUE(canvas_.log_.empty());
  QTest::keyRelease(&canvas_, Qt::Key_Space);
  EXPECT_FALSE(canvas_.spaceHeld());
}

TEST_F(CanvasWidgetTest, SpaceIsLetGoWithTheFocus) {
  QTest::keyPress(&canvas_, Qt::Key_Space);
  EXPECT_TRUE(canvas_.spaceHeld());
  EXPECT_EQ(canvas_.cursor().shape(), Qt::OpenHandCursor);
  QFocusEvent away(QEvent::FocusOut, Qt::OtherFocusReason);
  QApplication::sendEvent(&canvas_, &away);
  EXPECT_FALSE(canvas_.spaceHeld());
  EXPECT_NE(canvas_.cursor().shape(), Qt::OpenHandCursor);
}

TEST_F(CanvasWidgetTest, AToolHearsOfADragOnceItIsOne) {
  const Camera before = canvas_.camera();
  QTest::mousePress(&canvas_, Qt::LeftButton, {}, {100, 100});
  move({103, 101}, Qt::LeftButton);  // a hand trembles
  EXPECT_TRUE(canvas_.log_.empty());
  move({106, 100}, Qt::LeftButton);
  move({101, 100}, Qt::LeftButton);
  QTest::mouseRelease(&canvas_, Qt::LeftButton, {}, {101, 100});
  EXPECT_EQ(canvas_.log_, (std::vector<std::string>{"drag 6", "drag -5", "drop"}));
  EXPECT_EQ(canvas_.tool(), nullptr);
  EXPECT_EQ(canvas_.camera().origin, before.origin);
}

TEST_F(CanvasWidgetTest, AClickIsADragOfNothing) {
  QTest::mouseClick(&canvas_, Qt::LeftButton, {}, {100, 100});
  QTest::mouseClick(&canvas_, Qt::RightButton, {}, {100, 100});
  EXPECT_EQ(canvas_.log_, std::vector<std::string>{"click"});
  canvas_.log_.clear();
  QTest::mouseDClick(&canvas_, Qt::LeftButton, {}, {300, 100});
  EXPECT_EQ(canvas_.log_, std::vector<std::string>{"double"});
}

TEST_F(CanvasWidgetTest, EscapeAndAnotherSceneEndAToolThatHoldsIt) {
  const auto press = [&] { QTest::mousePress(&canvas_, Qt::LeftButton, {}, {100, 100}); };
  press();
  key(Qt::Key_Escape);
  press();
  canvas_.sceneReplaced();
  EXPECT_EQ(canvas_.log_, (std::vector<std::string>{"cancel", "cancel"}));
  canvas_.log_.clear();
  canvas_.holds_scene_ = false;
  press();
  canvas_.sceneReplaced();
  key(Qt::Key_Escape);
  EXPECT_TRUE(canvas_.log_.empty());
  press();  // another button's, say: the first tool is done with
  EXPECT_EQ(canvas_.log_, std::vector<std::string>{"cancel"});
  QTest::mouseRelease(&canvas_, Qt::LeftButton, {}, {100, 100});
  EXPECT_EQ(canvas_.log_.back(), "click");
}

TEST_F(CanvasWidgetTest, FindsRoundAndRound) {
  key(Qt::Key_F, Qt::ControlModifier);
  EXPECT_TRUE(findBar().isVisible());
  canvas_.setQuery("conv");
  EXPECT_EQ(count(), "3 matches");
  std::vector<QString> way;
  for (int i = 0; i < 4; ++i) {
    canvas_.findNext();
    way.push_back(canvas_.gone_to_);
  }
  EXPECT_EQ(way, (std::vector<QString>{"conv one", "conv two", "conv three", "conv one"}));
  key(Qt::Key_F3, Qt::ShiftModifier);
  EXPECT_EQ(canvas_.gone_to_, "conv three");
  EXPECT_EQ(count(), "3 of 3");
  canvas_.closeSearch();
  EXPECT_FALSE(findBar().isVisible());
  EXPECT_TRUE(canvas_.found_.isEmpty());
}

TEST_F(CanvasWidgetTest, ASearchThatIsOpenedAgainGoesOnWithItsWords) {
  canvas_.setQuery("conv");
  canvas_.findNext();
  canvas_.findNext();
  canvas_.find();
  EXPECT_EQ(count(), "2 of 3");
  canvas_.findNext();
  EXPECT_EQ(canvas_.gone_to_, "conv three");
  canvas_.closeSearch();
  key(Qt::Key_Slash);
  EXPECT_EQ(count(), "3 matches");
}

TEST_F(CanvasWidgetTest, OnlyTabGivesTheFocusARing) {
  const auto ring = [&](Qt::FocusReason reason) {
    QFocusEvent focus(QEvent::FocusIn, reason);
    QApplication::sendEvent(&canvas_, &focus);
    return canvas_.grab().toImage().pixelColor(0, 0) == Theme::light().selection;
  };
  EXPECT_TRUE(ring(Qt::TabFocusReason));
  EXPECT_FALSE(ring(Qt::MouseFocusReason));
}

}  // namespace
}  // namespace iosx::canvas::test
