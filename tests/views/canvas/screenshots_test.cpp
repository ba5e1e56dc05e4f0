#include <QDir>
#include <QSignalSpy>

#include "core/model/schedule/baselines.h"
#include "models/networks/zoo.h"
#include "tests/support/graphs.h"
#include "tests/support/prelude.h"
#include "tests/views/canvas/canvas_graphs.h"
#include "views/canvas/graph_view.h"

namespace iosx::canvas::test {
namespace {

// Pictures for people to look at; written into the folder that IOSX_SCREENSHOTS names.
class Screenshots : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = qEnvironmentVariable("IOSX_SCREENSHOTS");
    if (folder_.isEmpty()) GTEST_SKIP() << "set IOSX_SCREENSHOTS to a folder to get pictures";
    ASSERT_TRUE(QDir().mkpath(folder_));
    view_.resize(1500, 940);
    view_.setSelectionModel(&selection_);
    view_.show();
  }
  ~Screenshots() override { tell_theme(Theme::light()); }

  void show(std::shared_ptr<const Graph> graph, const Schedule* schedule) {
    view_.setGraph(std::move(graph));
    std::vector<Latency> latencies;
    if (schedule != nullptr) {
      for (std::size_t s = 0; s < schedule->stages.size(); ++s) {
        latencies.push_back({Millis(0.05 + 0.013 * static_cast<double>(s % 7)), Millis(0), 1, Origin::kSimulated});
      }
      view_.setSchedule(schedule, latencies);
    }
    QSignalSpy spy(&view_, &GraphView::layoutChanged);
    while (view_.layoutPending()) ASSERT_TRUE(spy.wait(20000));
    view_.zoomToFit();
  }

  void save(const QString& name) { ASSERT_TRUE(view_.grab().save(QDir(folder_).filePath(name + ".png"))); }

  QString folder_;
  SelectionModel selection_;
  GraphView view_;
};

TEST_F(Screenshots, Sample) {
  const auto graph = std::make_shared<const Graph>(*zoo_network("sample"));
  show(graph, nullptr);
  save("sample");
  const Schedule greedy = greedy_schedule(*graph);
  show(graph, &greedy);
  save("sample-greedy");
  tell_theme(Theme::darkTheme());
  selection_.select({greedy.stages[0].units(), ScheduleId(greedy.name), 0});
  save("sample-greedy-dark");
}

TEST_F(Screenshots, SmallWithMerge) {
  const auto [graph, schedule] = small_scheduled();
  show(graph, &schedule);
  selection_.select({{UnitId(2)}, {}, {}});
  save("small");
}

TEST_F(Screenshots, InceptionV3) {
  const auto graph = std::make_shared<const Graph>(*zoo_network("inception_v3"));
  show(graph, nullptr);
  save("inception");
  view_.setOverlay(Overlay::kFlops);
  save("inception-flops");
  view_.setOverlay(Overlay::kNone);
  selection_.select({graph->parts()[5].units, {}, {}});
  view_.zoomToSelection();
  save("inception-part");
  selection_.clear();
  const Schedule greedy = greedy_schedule(*graph);
  show(graph, &greedy);
  save("inception-greedy");
  selection_.select({graph->parts()[5].units, {}, {}});
  view_.zoomToSelection();
  save("inception-greedy-part");
  selection_.clear();
  view_.setExpandedPart(PartId(11));
  show(graph, &greedy);
  view_.setOverlay(Overlay::kLatency);
  save("inception-greedy-expanded");
  view_.setOverlay(Overlay::kNone);
  view_.setExpandedPart(std::nullopt);
  const Schedule sequential = one_by_one_schedule(*graph);
  show(graph, &sequential);
  save("inception-sequential");
}

TEST_F(Screenshots, FileWithMergedConvolutions) {
  const auto folder = iosx::test::reference_folder();
  if (folder.empty()) GTEST_SKIP() << "no reference folder";
  const auto document = must(load_document(folder / "graphs" / "inception_v3-ios-v100.json"));
  show(document.graph, &document.schedule->schedule);
  save("v100");
  selection_.select({document.graph->parts()[1].units, {}, {}});
  view_.zoomToSelection();
  save("v100-part");
  tell_theme(Theme::darkTheme());
  save("v100-part-dark");
  selection_.select({document.graph->parts()[6].units, {}, {}});
  view_.zoomToSelection();
  save("v100-part6-dark");
}

TEST_F(Screenshots, LargeNetworks) {
  for (const char* name : {"nasnet", "randwire", "squeezenet", "resnet50"}) {
    const auto graph = std::make_shared<const Graph>(*zoo_network(name));
    show(graph, nullptr);
    save(name);
    selection_.select({graph->parts()[graph->parts().size() / 2].units, {}, {}});
    view_.zoomToSelection();
    save(QString(name) + "-part");
    selection_.clear();
    const Schedule greedy = greedy_schedule(*graph);
    show(graph, &greedy);
    selection_.select({graph->parts()[graph->parts().size() / 2].units, {}, {}});
    view_.zoomToSelection();
    save(QString(name) + "-greedy-part");
    selection_.clear();
  }
}

// Networks whose parts are long columns, folded; overlays, search and marks over them; both palettes.
TEST_F(Screenshots, FoldedNetworks) {
  for (const char* name : {"resnet50", "mobilenet_v3_large", "yolox_s", "vit_b16"}) {
    const auto network = zoo_network(name);
    if (!network) continue;
    const auto graph = std::make_shared<const Graph>(*network);
    show(graph, nullptr);
    save(QString(name) + "-folded");
    const Schedule greedy = greedy_schedule(*graph);
    show(graph, &greedy);
    save(QString(name) + "-greedy-folded");
    selection_.select({graph->parts()[graph->parts().size() / 2].units, {}, {}});
    view_.zoomToSelection();
    save(QString(name) + "-greedy-folded-part");
    selection_.clear();
    view_.zoomToFit();
    tell_theme(Theme::darkTheme());
    view_.setOverlay(Overlay::kCriticalPath);
    save(QString(name) + "-critical-dark");
    view_.setOverlay(Overlay::kSlack);
    save(QString(name) + "-slack-dark");
    view_.setOverlay(Overlay::kNone);
    save(QString(name) + "-greedy-dark");
    tell_theme(Theme::light());
  }
}

TEST_F(Screenshots, SearchMarksAndPlayhead) {
  const auto graph = std::make_shared<const Graph>(*zoo_network("inception_v3"));
  const Schedule greedy = greedy_schedule(*graph);
  for (const bool dark : {false, true}) {
    tell_theme(dark ? Theme::darkTheme() : Theme::light());
    show(graph, &greedy);
    const QString mode = dark ? "-dark" : "-light";
    view_.find();
    view_.setQuery("type:conv kernel:1x7");
    save("search" + mode);
    view_.findNext();
    save("search-next" + mode);
    view_.closeSearch();
    std::vector<UnitMark> marks(graph->units().size());
    for (std::size_t u = 0; u < marks.size(); ++u) marks[u].change = static_cast<UnitChange>(u % kUnitChanges);
    view_.setUnitMarks(marks);
    view_.zoomToFit();
    save("marks-all" + mode);
    selection_.select({graph->parts()[6].units, {}, {}});
    view_.zoomToSelection();
    save("marks-part" + mode);
    view_.setUnitMarks({});
    selection_.clear();
    view_.setRunning(greedy.stages[20].units());
    save("running" + mode);
    view_.setRunning({});
    view_.resize(900, 600);
    view_.zoomToFit();
    save("small-window" + mode);
    view_.resize(560, 340);
    view_.zoomToFit();
    save("tiny-window" + mode);
    view_.resize(1500, 940);
  }
}

}  // namespace
}  // namespace iosx::canvas::test
