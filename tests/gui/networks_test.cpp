// Several networks on one device, in the window.
#include <QAction>
#include <QLabel>
#include <QLineEdit>
#include <QTableView>
#include <nlohmann/json.hpp>

#include "core/analysis/compare/report.h"
#include "core/model/graph/networks.h"
#include "tests/gui/window_fixture.h"
#include "views/edit_graph/graph_controller.h"
#include "views/window/actions/actions.h"
#include "views/window/shell/graph_editing.h"

namespace iosx {
namespace {

class SeveralNetworksWindowTest : public test::WindowTest {
 protected:
  void add(const char* letters) {
    window_->actionsOfWindow()["add-network"]->trigger();
    auto* typed = window_->findChild<QLineEdit*>(QStringLiteral("palette-typed"));
    ASSERT_NE(typed, nullptr);
    QTest::keyClicks(typed, QString::fromLatin1(letters));
    QTest::keyClick(typed, Qt::Key_Return);
    ASSERT_TRUE(QTest::qWaitFor([this] { return session_->source().contains(QLatin1Char('+')); }, 30000));
    idle();
  }
  std::vector<std::string> networks() const {
    const auto names = session_->document().graph->networks();
    return {names.begin(), names.end()};
  }
};

TEST_F(SeveralNetworksWindowTest, OneIsAddedToTheOneThatIsOpen) {
  EXPECT_FALSE(window_->actionsOfWindow()["add-network"]->isEnabled());
  open(QStringLiteral("sample"));
  EXPECT_TRUE(window_->actionsOfWindow()["add-network"]->isEnabled());
  add("add iossamp");
  EXPECT_EQ(session_->source(), QStringLiteral("sample+sample"));
  EXPECT_EQ(networks(), (std::vector<std::string>{"sample", "sample 2"}));
  ASSERT_TRUE(session_->comparison());
  EXPECT_NE(session_->comparison()->find(ScheduleKind::kSideBySide), nullptr);
  // Each one's own latency stands in the list of schedules and below the result.
  const auto* model = table("schedules-table")->model();
  QStringList heads;
  for (int column = 0; column < model->columnCount(); ++column) {
    heads << model->headerData(column, Qt::Horizontal).toString();
  }
  EXPECT_TRUE(heads.contains(QStringLiteral("sample 2\n[ms]"))) << heads.join(QLatin1Char('|')).toStdString();
  EXPECT_TRUE(
      window_->findChild<QLabel*>(QStringLiteral("headline-detail"))->text().contains(QStringLiteral("sample 2 ")));
}

TEST_F(SeveralNetworksWindowTest, AreKeptByProjectsAndRuns) {
  open(QStringLiteral("sample"));
  add("add iossamp");
  const auto compared = comparison_json(*session_->comparison());
  jobs_->saveProject(path("both.iosproj"));
  jobs_->saveRun(path("both.iosrun"));
  idle();
  for (const char* const file : {"both.iosproj", "both.iosrun"}) {
    open(QStringLiteral("squeezenet"));
    open(path(file));
    if (file == std::string("both.iosproj")) {
      session_->showNetwork(session_->workspace().networks().back().id);
      EXPECT_EQ(session_->source(), QStringLiteral("sample+sample"));
    }
    EXPECT_EQ(networks(), (std::vector<std::string>{"sample", "sample 2"})) << file;
    ASSERT_TRUE(session_->comparison()) << file;
    EXPECT_EQ(comparison_json(*session_->comparison()), compared) << file;
  }
}

TEST_F(SeveralNetworksWindowTest, AreEditedAsOne) {
  open(QStringLiteral("sample"));
  add("add iossamp");
  window_->activateWindow();  // the palette had the keys
  ASSERT_TRUE(QTest::qWaitForWindowActive(window_.get()));
  QTest::keyClick(window_.get(), Qt::Key_2, Qt::ControlModifier);
  ASSERT_EQ(window_->mode(), Mode::kEditGraph);
  GraphController& controller = window_->graphEditing().controller();
  const std::string name = session_->document().graph->networks()[1] + "/sample.conv_b";
  const auto key = controller.graph().find_operator(name);
  ASSERT_TRUE(key) << name;
  EXPECT_EQ(controller.graph().op(*key).network, "sample 2");
  ASSERT_TRUE(controller.resize(SweepParameter::kKernel, QString::fromStdString(name), 5));
  const Graph* const edited = controller.built().get();
  EXPECT_TRUE(has_independent_networks(*edited));
  controller.undo();
  EXPECT_TRUE(has_independent_networks(*controller.built()));
}

TEST_F(SeveralNetworksWindowTest, AFailureNamesWhatWasToBeAdded) {
  open(QStringLiteral("sample"));
  jobs_->addNetwork(path("missing.onnx"));
  idle();
  EXPECT_EQ(session_->source(), QStringLiteral("sample"));
  EXPECT_TRUE(window_->messages().text().contains(QStringLiteral("missing.onnx")));
}

}  // namespace
}  // namespace iosx
