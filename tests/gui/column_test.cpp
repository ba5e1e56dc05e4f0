// Colouring the graph by a column of somebody's table, as a user does.
#include <QAction>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QTableView>

#include "tests/gui/window_fixture.h"
#include "views/canvas/graph_view.h"
#include "views/compare/canvas_pair.h"
#include "views/compare/compare_page.h"
#include "views/text/format.h"
#include "views/window/menus/column_menu.h"
#include "views/window/panels/compared_runs.h"
#include "views/window/panels/views.h"

namespace iosx {
namespace {

class ColumnTest : public test::WindowTest {
 protected:
  void SetUp() override {
    choose("tesla-v100");
    open(QStringLiteral("sample"));  // units sample.conv_a to sample.conv_d, sample.concat
  }

  GraphView& graph() { return *window_->views().graph(); }
  QString written(const char* name, const QByteArray& text) {
    QFile file(path(name));
    EXPECT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(text);
    return file.fileName();
  }
  void read(const char* name, const QByteArray& text) {
    window_->columns().read(written(name, text));
    ASSERT_TRUE(QTest::qWaitFor([this] { return !jobs_->busy(); }, 60000));
  }
  std::string said() { return window_->messages().text().toStdString(); }
  QAction* choice() { return window_->actionsOfWindow()["colour-column"]; }
};

TEST_F(ColumnTest, ATableOfOneColumnIsShownAtOnce) {
  EXPECT_FALSE(choice()->isEnabled());
  window_->setMode(Mode::kEditSchedule);
  read("memory.csv", "name,memory (MB)\nsample.conv_a,1\nsample.conv_b,4\nsample.conv_d,2.5\nelsewhere,9\n");
  EXPECT_EQ(window_->mode(), Mode::kExplore);
  EXPECT_EQ(graph().overlay(), canvas::Overlay::kColumn);
  EXPECT_EQ(graph().overlayScale().title(), "memory (MB)");
  EXPECT_EQ(graph().overlayScale().text(UnitId(3)), "2.5");
  EXPECT_EQ(graph().overlayScale().text(UnitId(2)), "");
  EXPECT_TRUE(choice()->isEnabled());
  EXPECT_TRUE(choice()->isChecked());
  EXPECT_NE(said().find("3 of 4 names of memory.csv are operators of sample"), std::string::npos) << said();
  EXPECT_NE(said().find("elsewhere"), std::string::npos);
  window_->selection().select({{UnitId(3)}, {}, {}});
  const auto* inspector = window_->findChild<QDockWidget*>(QStringLiteral("inspector"))->findChild<QTableView*>();
  QStringList names;
  for (int row = 0; row < inspector->model()->rowCount(); ++row) {
    names << inspector->model()->index(row, 0).data().toString() + "=" +
                 inspector->model()->index(row, 1).data().toString();
  }
  EXPECT_TRUE(names.contains("memory (MB)=2.5")) << names.join('\n').toStdString();
}

TEST_F(ColumnTest, WhatIsComparedIsColouredWhereItStands) {
  window_->setMode(Mode::kCompare);
  const CanvasPair& pair = *window_->views().compared()->page()->canvases();
  EXPECT_TRUE(pair.canvasA()->columnTitle().isEmpty());
  read("memory.csv", "name,memory (MB)\nsample.conv_a,1\nsample.conv_b,4\nsample.conv_d,2.5\n");
  EXPECT_EQ(window_->mode(), Mode::kCompare);
  for (const GraphView* canvas : {pair.canvasA(), pair.canvasB()}) {
    EXPECT_EQ(canvas->columnTitle(), "memory (MB)");
    EXPECT_EQ(canvas->overlay(), canvas::Overlay::kColumn);
    EXPECT_EQ(canvas->overlayScale().text(UnitId(3)), "2.5");
  }
  // A run of another network has none of it.
  open(QStringLiteral("squeezenet"));
  EXPECT_TRUE(pair.canvasA()->columnTitle().isEmpty());
  EXPECT_EQ(pair.canvasA()->overlay(), canvas::Overlay::kNone);
}

TEST_F(ColumnTest, OfSeveralColumnsOneIsAskedFor) {
  read(
      "table.json",
      R"([{"name": "sample.conv_a", "memory": 1, "error": -0.5}, {"name": "sample.conv_b", "memory": 3, "error": 0.25}])");
  auto* dialog = window_->findChild<ColumnDialog*>();
  ASSERT_NE(dialog, nullptr);
  EXPECT_EQ(graph().overlay(), canvas::Overlay::kNone) << "nothing is chosen yet";
  auto* column = dialog->findChild<QComboBox*>(QStringLiteral("column"));
  auto* join = dialog->findChild<QComboBox*>(QStringLiteral("join"));
  ASSERT_EQ(column->count(), 2);
  column->setCurrentIndex(column->findText(QStringLiteral("memory")));
  EXPECT_EQ(join->currentIndex(), static_cast<int>(ColumnJoin::kSum));
  column->setCurrentIndex(column->findText(QStringLiteral("error")));
  EXPECT_EQ(join->currentIndex(), static_cast<int>(ColumnJoin::kLargest)) << "errors do not add up";
  EXPECT_TRUE(dialog->findChild<QLabel*>(QStringLiteral("found"))->text().contains(QStringLiteral("All 2 names")));
  dialog->accept();
  EXPECT_EQ(graph().overlayScale().title(), "error");
  EXPECT_EQ(graph().overlayScale().high(), "0.5");  // as far as the other side of zero
  EXPECT_EQ(session_->shownNetwork()->column->join, ColumnJoin::kLargest);
}

TEST_F(ColumnTest, EachNetworkHasItsOwn) {
  read("memory.csv", "name,memory\nsample.conv_a,1\nsample.conv_b,4\n");
  const NetworkId first = session_->networkId();
  open(QStringLiteral("squeezenet"));
  EXPECT_EQ(graph().overlay(), canvas::Overlay::kNone);
  EXPECT_FALSE(choice()->isEnabled());
  session_->showNetwork(first);
  EXPECT_TRUE(choice()->isEnabled());
  graph().setOverlay(canvas::Overlay::kColumn);
  ASSERT_TRUE(QTest::qWaitFor([this] { return !graph().layoutPending(); }, 60000));
  EXPECT_EQ(graph().overlayScale().title().toStdString(), "memory");
  const std::unique_ptr<Figure> figure = window_->views().figure(FigureKind::kGraph);
  EXPECT_TRUE(figure->csv().contains(QStringLiteral(",memory\n"))) << figure->csv().toStdString();
}

TEST_F(ColumnTest, WhatIsNoTableOfThisNetworkChangesNothing) {
  read("other.csv", "name,v\nw,1\nx,2\n");
  EXPECT_TRUE(window_->messages().showsError());
  EXPECT_NE(said().find("None of the 2 names of other.csv is an operator of sample"), std::string::npos) << said();
  read("words.csv", "name,v\na,x\n");
  EXPECT_NE(said().find("has no column of numbers"), std::string::npos) << said();
  window_->columns().read(QStringLiteral("/no/such/table.csv"));
  ASSERT_TRUE(QTest::qWaitFor([this] { return !jobs_->busy(); }, 60000));
  EXPECT_NE(said().find("table.csv"), std::string::npos);
  EXPECT_EQ(graph().overlay(), canvas::Overlay::kNone);
  EXPECT_FALSE(session_->shownNetwork()->column);
  EXPECT_FALSE(choice()->isEnabled());
}

}  // namespace
}  // namespace iosx
