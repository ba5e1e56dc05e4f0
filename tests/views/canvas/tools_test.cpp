#include <QSignalSpy>
#include <QTest>
#include <QtWidgets>

#include "models/networks/zoo.h"
#include "tests/support/graphs.h"
#include "tests/support/prelude.h"
#include "tests/views/canvas/canvas_graphs.h"
#include "views/canvas/canvas_bar.h"
#include "views/canvas/corner_cards.h"
#include "views/canvas/find_bar.h"
#include "views/canvas/graph_view.h"
#include "views/canvas/paint/unit_query.h"
#include "views/canvas/view_link.h"

namespace iosx::canvas::test {
namespace {

template <typename Action>
void wait_for(GraphView& view, const Action& action) {
  QSignalSpy spy(&view, &GraphView::layoutChanged);
  action();
  while (view.layoutPending()) ASSERT_TRUE(spy.wait(5000));
}

QPoint on_screen(const GraphView& view, const Point& p) {
  const Point at = view.camera().to_view(p);
  return QPointF(at.x, at.y).toPoint();
}

Point unit_center(const GraphView& view, UnitId unit) {
  const Layout& layout = *view.layoutShown();
  return layout.nodes[*layout.node_of[unit.index()]].box.center();
}

// What lies over and around the graph, under real mouse and key events: three parts of 20 units.
class CanvasTools : public testing::Test {
 protected:
  CanvasTools() {
    view_.resize(1000, 700);
    view_.setSelectionModel(&selection_);
    view_.show();
    view_.activateWindow();
    view_.setFocus();
    wait_for(view_, [this] { view_.setGraph(graph_); });
  }

  const FrameBox& frame(std::size_t f) const { return view_.layoutShown()->frames[f]; }
  QPoint header(std::size_t f) const {
    return on_screen(view_, {frame(f).header.center().x, frame(f).header.bottom() - 4 / view_.camera().zoom});
  }
  std::vector<UnitId> units(std::size_t part) const { return graph_->parts()[part].units; }
  QStringList crumbs() const {
    QStringList texts;
    for (const QToolButton* button : view_.findChild<CanvasBar*>()->findChildren<QToolButton*>()) {
      const QString name = button->accessibleName();
      if (name == "Network" || name == "Part" || name == "Selection")
        texts.append(button->isVisible() ? button->text() : "");
    }
    return texts;
  }

  std::shared_ptr<const Graph> graph_ = branches(60, 3);
  SelectionModel selection_;
  GraphView view_;
};

TEST_F(CanvasTools, AHeaderIsATarget) {
  QTest::mouseMove(&view_, QPoint(500, 690));
  const QImage before = view_.grab().toImage();
  QTest::mouseMove(&view_, header(1));
  EXPECT_EQ(view_.cursor().shape(), Qt::PointingHandCursor);
  EXPECT_NE(view_.grab().toImage(), before);
  QTest::mouseClick(&view_, Qt::LeftButton, {}, header(1));
  EXPECT_EQ(selection_.current().units, units(1));
  QTest::mouseClick(&view_, Qt::LeftButton, {}, header(2));
  EXPECT_EQ(selection_.current().units, units(2));
  const double zoom = view_.camera().zoom;
  QTest::mouseDClick(&view_, Qt::LeftButton, {}, header(0));
  EXPECT_GT(view_.camera().zoom, zoom);
  EXPECT_EQ(selection_.current().units, units(0));
  const QRect box(on_screen(view_, {frame(0).box.x, frame(0).box.y}),
                  on_screen(view_, {frame(0).box.right(), frame(0).box.bottom()}));
  EXPECT_TRUE(view_.rect().contains(box));
}

TEST_F(CanvasTools, TheBreadcrumbSaysWhereTheSelectionIs) {
  EXPECT_EQ(crumbs()[0], "branches");
  EXPECT_EQ(crumbs()[2], "");
  selection_.select({{units(1)[2]}, {}, {}});
  EXPECT_TRUE(crumbs()[1].contains("part 20")) << crumbs()[1].toStdString();
  EXPECT_TRUE(crumbs()[2].contains("conv22")) << crumbs()[2].toStdString();
  selection_.select({units(2), {}, {}});
  EXPECT_TRUE(crumbs()[2].contains("20 units"));
  view_.zoomBy(3);
  const auto buttons = view_.findChild<CanvasBar*>()->findChildren<QToolButton*>();
  QTest::mouseClick(
      *std::find_if(buttons.begin(), buttons.end(), [](auto* b) { return b->accessibleName() == "Network"; }),
      Qt::LeftButton);
  EXPECT_TRUE(view_.place().fitted);
}

// In Compare, which shows what units take, and of the baseline itself.
TEST_F(CanvasTools, SavedCanBePressedWhereItIsKnown) {
  const auto buttons = view_.findChild<CanvasBar*>()->findChildren<QToolButton*>();
  const QToolButton* saved = *std::ranges::find(buttons, QStringLiteral("Saved"), &QToolButton::text);
  const Delta delta{Millis(-0.2), Millis(0.01)};
  EXPECT_FALSE(saved->isEnabled());
  const QString why = saved->toolTip();
  view_.setDeltas({"Sequential", true, {delta}, false, {{{UnitId(0)}, delta}}});
  EXPECT_TRUE(saved->isEnabled());
  EXPECT_NE(saved->toolTip(), why);
  view_.setGainsShown(false);
  EXPECT_TRUE(saved->isEnabled()) << "to press it again";
  view_.setDeltas({"Sequential", false, {delta}});
  EXPECT_FALSE(saved->isEnabled());
  EXPECT_EQ(saved->toolTip(), why);
}

TEST_F(CanvasTools, WhereTheLegendHasNoRoomItOpensOverAllElse) {
  const auto buttons = view_.findChild<CanvasBar*>()->findChildren<QToolButton*>();
  QToolButton* button = *std::ranges::find(buttons, QStringLiteral("Legend"), &QToolButton::text);
  const auto popup = [this]() -> LegendCard* {
    for (auto* card : view_.findChildren<LegendCard*>()) {
      if (card->isWindow()) return card;
    }
    return nullptr;
  };
  QTest::mouseClick(button, Qt::LeftButton);
  EXPECT_FALSE(view_.legendVisible());
  QTest::mouseClick(button, Qt::LeftButton);
  EXPECT_TRUE(button->isChecked());
  view_.resize(1000, 200);
  EXPECT_TRUE(button->isEnabled());
  EXPECT_FALSE(button->isChecked());
  QTest::mouseClick(button, Qt::LeftButton);
  ASSERT_NE(popup(), nullptr);
  EXPECT_TRUE(popup()->isVisible());
  EXPECT_GT(popup()->height(), 30);
  QTest::mouseClick(popup(), Qt::LeftButton);
  QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
  EXPECT_EQ(popup(), nullptr);
  QTest::keyClick(&view_, Qt::Key_L);
  ASSERT_NE(popup(), nullptr);
  QTest::keyClick(popup(), Qt::Key_L);
  QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
  EXPECT_EQ(popup(), nullptr);
  view_.resize(1000, 700);
  EXPECT_TRUE(button->isChecked()) << "as it was wanted";
  EXPECT_TRUE(view_.legendVisible());
}

TEST_F(CanvasTools, KeysGoFromPartToPart) {
  QTest::keyClick(&view_, Qt::Key_PageDown);
  EXPECT_EQ(selection_.current().units, units(0));
  QTest::keyClick(&view_, Qt::Key_PageDown);
  EXPECT_EQ(selection_.current().units, units(1));
  QTest::keyClick(&view_, Qt::Key_PageUp);
  EXPECT_EQ(selection_.current().units, units(0));
  QTest::keyClick(&view_, Qt::Key_PageUp);  // the first stays
  EXPECT_EQ(selection_.current().units, units(0));
}

TEST_F(CanvasTools, TheListOfPartsJumpsToOne) {
  QTest::keyClick(&view_, Qt::Key_G);
  auto* list = view_.findChild<PartList*>();
  ASSERT_TRUE(list->isVisible());
  auto* line = list->findChild<QLineEdit*>();
  EXPECT_EQ(list->findChild<QListWidget*>()->count(), 3);
  QTest::keyClicks(line, "part 40");
  QTest::keyClick(line, Qt::Key_Return);
  EXPECT_FALSE(list->isVisible());
  EXPECT_EQ(selection_.current().units, units(2));
}

TEST_F(CanvasTools, CtrlFFindsAndGoesFromMatchToMatch) {
  auto* bar = view_.findChild<FindBar*>();
  EXPECT_FALSE(bar->isVisible());
  QTest::keyClick(&view_, Qt::Key_F, Qt::ControlModifier);
  ASSERT_TRUE(bar->isVisible());
  auto* line = bar->findChild<QLineEdit*>();
  auto* count = bar->findChild<QLabel*>();
  const QImage before = view_.grab().toImage();
  QTest::keyClicks(line, "type:concat");
  EXPECT_EQ(view_.found().size(), 12U);
  EXPECT_EQ(count->text(), "12 matches");
  EXPECT_NE(view_.grab().toImage(), before);  // they are marked
  QTest::keyClick(line, Qt::Key_Return);
  EXPECT_EQ(count->text(), "1 of 12");
  EXPECT_EQ(selection_.current().units, std::vector<UnitId>{view_.found()[0]});
  EXPECT_TRUE(view_.rect().contains(on_screen(view_, unit_center(view_, view_.found()[0]))));
  QTest::keyClick(line, Qt::Key_F3);
  EXPECT_EQ(selection_.current().units, std::vector<UnitId>{view_.found()[1]});
  QTest::keyClick(line, Qt::Key_F3, Qt::ShiftModifier);
  QTest::keyClick(line, Qt::Key_Return, Qt::ShiftModifier);
  EXPECT_EQ(count->text(), "12 of 12");  // around
  QTest::keyClick(line, Qt::Key_Escape);
  EXPECT_FALSE(bar->isVisible());
  EXPECT_TRUE(view_.found().empty());
}

// While there is a text, what does not match is dim, on the canvas too; without one nothing is.
TEST_F(CanvasTools, FindDimsWhatDoesNotMatch) {
  const auto colour_of = [this](UnitId unit) {
    const QPoint at = on_screen(view_, unit_center(view_, unit)) - QPoint(0, 3);
    return view_.grab().toImage().pixelColor(at);
  };
  const UnitId conv(0);
  view_.find();
  auto* line = view_.findChild<FindBar*>()->findChild<QLineEdit*>();
  QTest::keyClicks(line, "type:concat");
  ASSERT_FALSE(view_.found().empty());
  const UnitId concat = view_.found().front();
  EXPECT_TRUE(view_.dimmed(conv));
  EXPECT_FALSE(view_.dimmed(concat));
  const QColor dim = colour_of(conv);
  line->clear();
  EXPECT_FALSE(view_.dimmed(conv));
  EXPECT_NE(colour_of(conv), dim);
  QTest::keyClicks(line, "type:nothing-of-the-kind");
  EXPECT_TRUE(view_.dimmed(conv) && view_.dimmed(concat));
  QTest::keyClick(line, Qt::Key_Escape);
  EXPECT_FALSE(view_.dimmed(conv) || view_.dimmed(concat));
}

TEST_F(CanvasTools, ABadExpressionIsSaidInWords) {
  view_.find();
  auto* bar = view_.findChild<FindBar*>();
  QTest::keyClicks(bar->findChild<QLineEdit*>(), "name:/conv(/");
  EXPECT_TRUE(bar->findChild<QLabel*>()->text().contains("not a regular expression"));
  EXPECT_TRUE(view_.found().empty());
  QTest::keyClick(bar->findChild<QLineEdit*>(), Qt::Key_Return);
  EXPECT_TRUE(selection_.current().empty());
}

TEST_F(CanvasTools, TheOverviewShowsWhereTheViewIsAndMovesIt) {
  auto* map = view_.findChild<Minimap*>();
  EXPECT_FALSE(map->isVisible());  // all is in view
  view_.zoomBy(4);
  ASSERT_TRUE(map->isVisible());
  EXPECT_LE(map->width(), 0.25 * view_.width());
  QTest::mousePress(map, Qt::LeftButton, {}, QPoint(8, 8));
  const Point middle = view_.camera().to_scene({500, 365});
  const Rect& bounds = view_.layoutShown()->bounds;
  EXPECT_LT(middle.x, bounds.x + 0.1 * bounds.width);
  EXPECT_LT(middle.y, bounds.y + 0.1 * bounds.height);
  QTest::mouseMove(map, QPoint(map->width() / 2, map->height() / 2));
  QTest::mouseRelease(map, Qt::LeftButton, {}, QPoint(map->width() / 2, map->height() / 2));
  const QImage with = view_.grab().toImage();
  QTest::keyClick(&view_, Qt::Key_M);
  EXPECT_FALSE(map->isVisible());
  EXPECT_NE(view_.grab().toImage(), with);
}

TEST_F(CanvasTools, OverlaysAreChosenInTheBar) {
  QSignalSpy changed(&view_, &GraphView::overlayChanged);
  auto* bar = view_.findChild<CanvasBar*>();
  const auto buttons = bar->findChildren<QToolButton*>();
  const auto* colour = *std::find_if(buttons.begin(), buttons.end(),
                                     [](auto* b) { return b->accessibleName() == "Colour the units by"; });
  ASSERT_EQ(colour->menu()->actions().size(), static_cast<int>(kOverlays));
  for (QAction* action : colour->menu()->actions()) EXPECT_FALSE(action->toolTip().isEmpty());
  const QImage before = view_.grab().toImage();
  colour->menu()->actions()[static_cast<int>(Overlay::kBytes)]->trigger();
  EXPECT_EQ(view_.overlay(), Overlay::kBytes);
  EXPECT_EQ(changed.size(), 1);
  EXPECT_NE(view_.grab().toImage(), before);
  view_.setOverlay(Overlay::kIntensity);  // from a menu of the window
  EXPECT_TRUE(colour->menu()->actions()[static_cast<int>(Overlay::kIntensity)]->isChecked());
}

TEST_F(CanvasTools, AColumnIsOfferedByItsNameWhileThereIsOne) {
  auto* bar = view_.findChild<CanvasBar*>();
  const auto buttons = bar->findChildren<QToolButton*>();
  const auto* colour = *std::find_if(buttons.begin(), buttons.end(),
                                     [](auto* b) { return b->accessibleName() == "Colour the units by"; });
  const QAction* entry = colour->menu()->actions()[static_cast<int>(Overlay::kColumn)];
  EXPECT_FALSE(entry->isVisible());
  const std::size_t units = view_.modelShown()->labels.size();
  auto column = std::make_shared<UnitColumn>();
  column->title = "memory & more (MB)";
  column->values.assign(units, 1.0);
  column->values[0] = 3.0;
  view_.setColumn(column);
  EXPECT_TRUE(entry->isVisible());
  EXPECT_EQ(entry->text(), "memory && more (MB)");
  const QImage before = view_.grab().toImage();
  view_.setOverlay(Overlay::kColumn);
  EXPECT_EQ(view_.overlayScale().title(), "memory & more (MB)");
  EXPECT_NE(view_.grab().toImage(), before);
  EXPECT_TRUE(colour->text().contains("memory && more")) << colour->text().toStdString();
  EXPECT_TRUE(view_.figure()->csv().startsWith("name,kind,part,stage,group,channels,height,width,flops,shape,"));
  EXPECT_TRUE(view_.figure()->csv().section("\n", 1, 1).endsWith(",3"));
  view_.setColumn(nullptr);  // what it said is not left standing
  EXPECT_EQ(view_.overlay(), Overlay::kNone);
  EXPECT_FALSE(entry->isVisible());
}

TEST_F(CanvasTools, RunningUnitsLightUpAndGoOut) {
  const QImage before = view_.grab().toImage();
  view_.setRunning({UnitId(3), UnitId(4)});
  EXPECT_NE(view_.grab().toImage(), before);
  view_.setRunning({});
  EXPECT_EQ(view_.grab().toImage(), before);
}

TEST_F(CanvasTools, EveryChangeHasASignOfItsOwn) {
  std::vector<QImage> pictures{view_.grab().toImage()};
  for (std::size_t c = 1; c < kUnitChanges; ++c) {
    std::vector<UnitMark> marks(60);
    marks[7] = {static_cast<UnitChange>(c), "stage 1 → 2"};
    view_.setUnitMarks(marks);
    const QImage picture = view_.grab().toImage();
    for (const QImage& other : pictures) EXPECT_NE(picture, other) << c;
    pictures.push_back(picture);
    const Hit hit{Hit::Kind::kNode, *view_.layoutShown()->node_of[7]};
    const QString tip = tool_tip(*view_.modelShown(), *view_.layoutShown(), hit, {nullptr, &marks});
    EXPECT_TRUE(tip.contains(change_word(static_cast<UnitChange>(c))) && tip.contains("stage 1 → 2"));
  }
  view_.setUnitMarks({});
  EXPECT_EQ(view_.grab().toImage(), pictures[0]);
  view_.setUnitMarks(std::vector<UnitMark>(3));  // not one a unit
  EXPECT_EQ(view_.grab().toImage(), pictures[0]);
}

// Panning draws only what comes into view: the picture is the same as one drawn at once. At 100 %, because Qt places
// the glyphs of scaled text otherwise where they begin left of the window.
TEST_F(CanvasTools, APannedPictureIsTheSameAsAFreshOne) {
  view_.zoomBy(1 / view_.camera().zoom);
  view_.grab();
  const QPoint from(500, 400);
  QTest::mousePress(&view_, Qt::LeftButton, {}, from);
  for (int i = 1; i < 12; ++i) {
    QTest::mouseMove(&view_, from + QPoint(17 * i, -11 * i));
    view_.grab();
  }
  QTest::mouseRelease(&view_, Qt::LeftButton, {}, from + QPoint(17 * 11, -11 * 11));
  QTest::mouseMove(&view_, QPoint(2, 2));
  const QImage panned = view_.grab().toImage();
  view_.setTheme(Theme::light());  // draws everything again
  EXPECT_EQ(view_.grab().toImage(), panned);
}

TEST_F(CanvasTools, AssistiveTechnologyWalksThroughTheUnits) {
  QAccessible::setActive(true);
  QAccessibleInterface* graph = must(QAccessible::queryAccessibleInterface(&view_));
  EXPECT_EQ(graph->text(QAccessible::Name), "Network graph");
  ASSERT_GE(graph->childCount(), 60);
  QAccessibleInterface* unit = must(graph->child(7));
  EXPECT_EQ(unit, graph->child(7));
  EXPECT_EQ(graph->indexOfChild(unit), 7);
  EXPECT_EQ(unit->parent(), graph);
  EXPECT_EQ(unit->text(QAccessible::Name).toStdString(), graph_->units()[7].name);
  EXPECT_TRUE(unit->text(QAccessible::Description).contains("conv"));
  const QPoint center = view_.mapToGlobal(on_screen(view_, unit_center(view_, UnitId(7))));
  EXPECT_LE((unit->rect().center() - center).manhattanLength(), 3);
  EXPECT_EQ(graph->childAt(unit->rect().center().x(), unit->rect().center().y()), unit);
  EXPECT_FALSE(unit->state().selected);
  unit->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
  EXPECT_EQ(selection_.current().units, std::vector<UnitId>{UnitId(7)});
  EXPECT_TRUE(unit->state().selected);
  bool bar = false;  // the widgets come after the units
  for (int i = 60; i < graph->childCount(); ++i) bar = bar || graph->child(i)->text(QAccessible::Name) == "Graph bar";
  EXPECT_TRUE(bar);
  wait_for(view_, [this] { view_.setGraph(branches(12, 1)); });  // the unit may be gone
  EXPECT_TRUE(graph->child(7)->isValid());
  wait_for(view_, [this] { view_.setGraph(branches(5, 1)); });
  EXPECT_FALSE(unit->isValid());
  EXPECT_EQ(unit->text(QAccessible::Name), "");
}

TEST(ToolTip, NamesArePlainTextHoweverLong) {
  GraphBuilder builder("evil");
  const Value in = builder.input("<img src='http://example.org/x.png'>", {8, 8, 8});
  Conv conv{.out_channels = 8};
  const Value a = builder.add("<font color=red>red</font>", conv, {in});
  builder.add(std::string(1'000'000, 'x'), conv, {a});
  auto graph = must(std::move(builder).build());
  const auto shared = std::make_shared<const Graph>(std::move(graph));
  const auto model = make_model(shared, plain_style());
  const Layout layout = lay_out(shared);
  for (std::size_t n = 0; n < layout.nodes.size(); ++n) {
    const QString tip = tool_tip(*model, layout, {Hit::Kind::kNode, n});
    EXPECT_FALSE(tip.contains("<font") || tip.contains("<img")) << tip.toStdString();
    EXPECT_LT(tip.size(), 2000);
  }
}

// Two canvases with different schedules of one graph.
class LinkedViews : public testing::Test {
 protected:
  LinkedViews() {
    for (GraphView* view : {&a_, &b_}) {
      view->resize(600, 500);
      view->show();
    }
    a_.setSelectionModel(&selection_a_);
    b_.setSelectionModel(&selection_b_);
  }
  void show(const std::shared_ptr<const Graph>& a, const std::shared_ptr<const Graph>& b) {
    wait_for(a_, [&] { a_.setGraph(a); });
    wait_for(b_, [&] { b_.setGraph(b); });
  }
  static Point offset(const GraphView& view, UnitId unit) {
    const Point at = view.camera().to_view(unit_center(view, unit));
    return {at.x - view.width() / 2.0, at.y - view.height() / 2.0};
  }

  SelectionModel selection_a_;
  SelectionModel selection_b_;
  GraphView a_;
  GraphView b_;
};

TEST_F(LinkedViews, LookAtTheSameUnitWhicheverIsMoved) {
  const auto data = small_scheduled();
  show(data.graph, data.graph);
  wait_for(b_, [&] { b_.setSchedule(&data.schedule, {}); });
  ViewLink link(a_, b_);
  QSignalSpy a_moved(&a_, &GraphView::placeChanged);
  QSignalSpy b_moved(&b_, &GraphView::placeChanged);
  selection_a_.select({{UnitId(3)}, {}, {}});
  a_.zoomToSelection();
  EXPECT_DOUBLE_EQ(a_.camera().zoom, b_.camera().zoom);
  EXPECT_NEAR(offset(a_, UnitId(3)).x, offset(b_, UnitId(3)).x, 0.01);
  EXPECT_NEAR(offset(a_, UnitId(3)).y, offset(b_, UnitId(3)).y, 0.01);
  EXPECT_EQ(selection_b_.current().units, std::vector<UnitId>{UnitId(3)});
  EXPECT_GE(a_moved.size(), 1);
  EXPECT_EQ(b_moved.size(), 0);  // no echo
  b_.zoomBy(1.5);
  EXPECT_DOUBLE_EQ(a_.camera().zoom, b_.camera().zoom);
  link.setEnabled(false);
  b_.zoomBy(1.5);
  EXPECT_NE(a_.camera().zoom, b_.camera().zoom);
}

TEST_F(LinkedViews, AreFittedAtTheSmallerZoomOfBoth) {
  show(branches(160, 2), branches(40, 2));
  const double smaller = a_.camera().zoom;
  const double own = b_.camera().zoom;
  ASSERT_LT(smaller, own);
  ViewLink link(a_, b_);
  EXPECT_TRUE(b_.place().fitted);
  EXPECT_DOUBLE_EQ(a_.camera().zoom, smaller);
  EXPECT_DOUBLE_EQ(b_.camera().zoom, smaller);
  b_.zoomBy(2);
  b_.zoomToFit();
  EXPECT_DOUBLE_EQ(b_.camera().zoom, smaller);
  EXPECT_DOUBLE_EQ(a_.camera().zoom, smaller);
  link.setEnabled(false);
  EXPECT_DOUBLE_EQ(b_.camera().zoom, own);
}

TEST_F(LinkedViews, OfDifferentGraphsFollowTheMatchOrTheShare) {
  show(branches(60, 3), branches(40, 2));
  ViewLink link(a_, b_);
  ViewLink::Match a_to_b(60);
  ViewLink::Match b_to_a(40);
  for (std::size_t u = 0; u < 20; ++u) {
    a_to_b[u + 20] = UnitId(u);
    b_to_a[u] = UnitId(u + 20);
  }
  link.setMatch(a_to_b, b_to_a);
  selection_a_.select({{UnitId(25), UnitId(45)}, {}, {}});
  EXPECT_EQ(selection_b_.current().units, std::vector<UnitId>{UnitId(5)});  // the other has no counterpart
  selection_a_.select({{UnitId(25)}, {}, {}});
  a_.zoomToSelection();
  ASSERT_TRUE(a_.place().unit.has_value());
  const UnitId near = *a_.place().unit;
  ASSERT_TRUE(a_to_b[near.index()].has_value());
  EXPECT_NEAR(offset(a_, near).x, offset(b_, *a_to_b[near.index()]).x, 0.01);
  selection_a_.select({{UnitId(59)}, {}, {}});
  a_.zoomToSelection();  // nothing like it in the other: the same share of the drawing
  EXPECT_NEAR(a_.place().share.y, b_.place().share.y, 0.01);
}

TEST_F(LinkedViews, OneMayGoAway) {
  show(branches(60, 3), branches(60, 3));
  auto other = std::make_unique<GraphView>();
  ViewLink link(a_, *other);
  other.reset();
  a_.zoomBy(2);
  selection_a_.select({{UnitId(1)}, {}, {}});
  SUCCEED();
}

class Query : public testing::Test {
 protected:
  Query() {
    auto [builder, in] = iosx::test::sketch("net", {16, 32, 32});
    builder.begin_part("stem");
    Conv conv{.out_channels = 32, .kernel = {3, 3}, .stride = {2, 2}, .padding = {1, 1}};
    const Value a = builder.add("stem/conv 1", conv, {in});
    builder.begin_part("mixed_5b");
    conv.kernel = {1, 1};
    conv.stride = {1, 1};
    conv.padding = {0, 0};
    const Value b = builder.add("mixed_5b/branch:0", conv, {a});
    conv.kernel = {1, 7};
    conv.padding = {0, 3};
    conv.activation = Activation::kRelu;
    const Value c = builder.add("mixed_5b/branch_1", conv, {a});
    Pool pool{.kernel = {3, 3}, .padding = {1, 1}};
    const Value d = builder.add("mixed_5b/pool", pool, {a});
    builder.add("mixed_5b/concat", Concat{}, {b, c, d});
    auto graph = must(std::move(builder).build());
    const auto shared = std::make_shared<const Graph>(std::move(graph));
    Schedule schedule;
    schedule.stages.push_back(single_unit_stage(UnitId(0)));
    schedule.stages.push_back({{Group{{Step{{UnitId(1)}}}}, Group{{Step{{UnitId(2)}}, Step{{UnitId(3)}}}}}});
    schedule.stages.push_back(single_unit_stage(UnitId(4)));
    model_ = with_schedule(*make_model(shared, plain_style()), &schedule, {});
  }

  std::vector<std::size_t> found(const char* text) const {
    const auto query = UnitQuery::parse(QString::fromUtf8(text));
    EXPECT_TRUE(query.has_value()) << text << ": " << query.error().toStdString();
    std::vector<std::size_t> units;
    if (!query) return units;
    for (const UnitId unit : query->matches(*model_)) units.push_back(unit.index());
    return units;
  }
  static std::string error(const char* text) {
    const auto query = UnitQuery::parse(QString::fromUtf8(text));
    return query ? std::string() : query.error().toStdString();
  }

  using Units = std::vector<std::size_t>;
  std::shared_ptr<const Model> model_;
};

TEST_F(Query, WordsAreTextAnywhere) {
  EXPECT_EQ(found("BRANCH"), (Units{1, 2}));
  EXPECT_EQ(found("mixed pool"), (Units{3}));
  EXPECT_EQ(found("stem"), (Units{0}));
  EXPECT_EQ(found("nothing like this"), Units{});
  EXPECT_EQ(found(""), Units{});
  EXPECT_EQ(found("   "), Units{});
}

TEST_F(Query, QuotesHoldSpacesAndColons) {
  EXPECT_EQ(found("\"1 conv\""), Units{});  // without quotes two words, in any order
  EXPECT_NE(found("1 conv"), Units{});
  EXPECT_EQ(found("\"branch:0\""), (Units{1}));
  EXPECT_EQ(found("name:\"conv 1\""), (Units{0}));
}

TEST_F(Query, KeysLookAtOneThing) {
  EXPECT_EQ(found("name:pool"), (Units{3}));
  EXPECT_EQ(found("type:conv"), (Units{0, 1, 2}));
  EXPECT_EQ(found("type:pool"), (Units{3}));
  EXPECT_EQ(found("part:stem"), (Units{0}));
  EXPECT_EQ(found("-type:conv"), (Units{3, 4}));
  EXPECT_EQ(found("part:mixed -branch"), (Units{3, 4}));
  EXPECT_EQ(found("shape:32x16x16"), (Units{0, 1, 2, 3}));
}

TEST_F(Query, AttributesAreTakenWhole) {
  EXPECT_EQ(found("kernel:3x3"), (Units{0, 3}));
  EXPECT_EQ(found("kernel:3"), (Units{0, 3}));
  EXPECT_EQ(found("type:conv kernel:3×3"), (Units{0}));
  EXPECT_EQ(found("kernel:1x7"), (Units{2}));
  EXPECT_EQ(found("kernel:/^1/"), (Units{1, 2}));
  EXPECT_EQ(found("stride:2"), (Units{0}));
  EXPECT_EQ(found("activation:relu"), (Units{2}));
}

TEST_F(Query, NumbersAreNumbersOrRanges) {
  EXPECT_EQ(found("stage:2"), (Units{1, 2, 3}));
  EXPECT_EQ(found("stage:2-3"), (Units{1, 2, 3, 4}));
  EXPECT_EQ(found("stage:>1 group:2"), (Units{2, 3}));
  EXPECT_EQ(found("stage:<2"), (Units{0}));
  EXPECT_EQ(found("channels:>=96"), (Units{4}));
  EXPECT_EQ(found("flops:>2M"), (Units{0, 2}));  // 2·32·16²·9·16 and ·7·32, but not ·1·32
  EXPECT_EQ(found("parameters:>4.2k"), (Units{0, 2}));
}

TEST_F(Query, ExpressionsAreRegular) {
  EXPECT_EQ(found("/branch[:_][01]$/"), (Units{1, 2}));
  EXPECT_EQ(found("name:/^mixed_5.*(pool|concat)/"), (Units{3, 4}));
  EXPECT_EQ(found("/conv 1$/"), (Units{0}));
  EXPECT_EQ(found("/MIXED/ type:conv"), (Units{1, 2}));
  EXPECT_EQ(found("-/branch/ part:mixed"), (Units{3, 4}));
  EXPECT_EQ(found("5b/pool"), (Units{3}));  // a path, no expression
  EXPECT_EQ(found("/pool"), (Units{3}));
}

TEST_F(Query, SaysWhatIsWrong) {
  EXPECT_NE(error("name:/mixed(/").find("mixed("), std::string::npos);
  EXPECT_NE(error("name:/mixed(/").find("not a regular expression"), std::string::npos);
  EXPECT_NE(error("colour:red").find("colour"), std::string::npos);
  EXPECT_NE(error("stage:first").find("first"), std::string::npos);
  EXPECT_NE(error("stage:5-2").find("not a number"), std::string::npos);
  EXPECT_NE(error("kernel:").find("kernel"), std::string::npos);
  EXPECT_EQ(error("conv"), "");
}

// (a+)+$ on a text of a's takes as many steps as there are ways to split it up: it is given up.
TEST_F(Query, AnExpressionThatTakesForEverIsGivenUp) {
  auto [builder, in] = iosx::test::sketch("net", {4, 8, 8});
  builder.add(std::string(60, 'a') + "!", Activate{}, {in});
  auto graph = must(std::move(builder).build());
  const auto model = make_model(std::make_shared<const Graph>(std::move(graph)), plain_style());
  EXPECT_TRUE(UnitQuery::parse("name:/^(a+)+$/")->matches(*model).empty());
}

}  // namespace

}  // namespace iosx::canvas::test
