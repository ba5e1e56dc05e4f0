// How long the canvas takes for a frame, offscreen: panning, zooming, hovering and a playhead over graphs of 1,000 and
// 8,000 operators, without and with a schedule, and over NASNet. Median and 99th percentile of the thread's processor
// time, which is the same on a machine that does other things too; the aim is 16 ms.
//   QT_QPA_PLATFORM=offscreen bin/canvas_bench [WIDTH HEIGHT [TEXT]]: only graphs whose names contain TEXT
#include <fmt/format.h>

#include <QApplication>
#include <QEventLoop>
#include <QImage>
#include <QMouseEvent>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <functional>

#include "core/model/graph/builder.h"
#include "core/model/schedule/baselines.h"
#include "models/networks/zoo.h"
#include "views/canvas/graph_view.h"
#include "views/canvas/paint/scene.h"
#include "views/canvas/weave/weave.h"

namespace {

using namespace iosx;

// Branches of four convolutions joined by a concatenation, in parts of 50 units.
std::shared_ptr<const Graph> branches(std::size_t units) {
  GraphBuilder builder("branches");
  Value last = builder.input("in", {16, 32, 32});
  std::vector<Value> open;
  for (std::size_t u = 0; u < units; ++u) {
    if (u % 50 == 0) {
      builder.begin_part(fmt::format("part {}", u / 50));
      if (!open.empty()) last = open.back();
      open.clear();
    }
    if (open.size() == 4) {
      last = builder.add(fmt::format("cat{}", u), Concat{}, std::exchange(open, {}));
      continue;
    }
    Conv conv{.out_channels = 4};
    const std::int64_t kernel = u % 2 == 0 ? 1 : 3;
    conv.kernel = {kernel, kernel};
    conv.padding = {kernel / 2, kernel / 2};
    open.push_back(builder.add(fmt::format("conv{}", u), conv, {last}));
  }
  return std::make_shared<const Graph>(*std::move(builder).build());
}

void wait_for_layout(GraphView& view) {
  QEventLoop loop;
  QObject::connect(&view, &GraphView::layoutChanged, &loop, &QEventLoop::quit);
  while (view.layoutPending()) loop.exec();
}

double worked() {  // ms of the processor
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

// The least of some times, with tracks.
void print_layout_time(const std::shared_ptr<const Graph>& graph, const Schedule* schedule, const std::string& what) {
  canvas::LayoutRequest request{.graph = graph};
  if (schedule != nullptr) request.schedule = std::make_shared<const Schedule>(*schedule);
  request.weave.tracks = true;
  double least = 1e9;
  for (int i = 0; i < 5; ++i) {
    const double before = worked();
    canvas::weave_graph(request);
    least = std::min(least, worked() - before);
  }
  fmt::print("{:34} {:28} {:7.2f}\n", what, "layout", least);
}

class Bench {
 public:
  Bench(GraphView& view, std::string graph)
      : view_(view), graph_(std::move(graph)), image_(view.size(), QImage::Format_ARGB32_Premultiplied) {}

  void run(const std::string& what, int frames, const std::function<void(int)>& step) {
    std::vector<double> times;
    double most = 0;
    double most_at = 0;  // zoom
    view_.render(&image_);
    for (int i = 0; i < frames; ++i) {
      const double before = worked();
      step(i);
      view_.render(&image_);
      times.push_back(worked() - before);
      if (times.back() > most) most_at = view_.camera().zoom;
      most = std::max(most, times.back());
    }
    std::sort(times.begin(), times.end());
    const auto at = [&](double share) {
      return times[static_cast<std::size_t>(share * static_cast<double>(times.size() - 1))];
    };
    fmt::print("{:34} {:28} {:7.2f} {:7.2f} {:7.2f} at {:.3f}\n", graph_, what, at(0.5), at(0.99), most, most_at);
    std::fflush(stdout);
  }

  void everything() {
    for (const double zoom : {0.0, 0.15, 0.22, 0.4, 0.55, 1.0}) {
      view_.zoomToFit();
      if (zoom > 0) view_.zoomBy(zoom / view_.camera().zoom);
      const std::string at = fmt::format("{:.3f}", view_.camera().zoom);
      run("pan, zoom " + at, 200, [this](int i) {
        const QPointF from(400 + i % 7, 300);
        mouse(QEvent::MouseButtonPress, from, Qt::LeftButton);
        mouse(QEvent::MouseMove, from + QPointF(i % 40 < 20 ? 13 : -13, i % 40 < 20 ? 7 : -7), Qt::LeftButton);
        mouse(QEvent::MouseButtonRelease, from, Qt::LeftButton);
      });
      run("hover, zoom " + at, 200,
          [this](int i) { mouse(QEvent::MouseMove, QPointF(200 + 37 * i % 1100, 120 + 23 * i % 600), Qt::NoButton); });
      run("running, zoom " + at, 200, [this](int i) {
        const auto u = static_cast<std::size_t>(i);
        view_.setRunning({UnitId(4 * u), UnitId(4 * u + 1), UnitId(4 * u + 2)});
      });
    }
    view_.zoomToFit();
    run("zoom in and out", 300, [this](int i) { view_.zoomBy(i % 100 < 50 ? 1.06 : 1 / 1.06); });
  }

 private:
  void mouse(QEvent::Type type, const QPointF& at, Qt::MouseButton button) {
    const bool move = type == QEvent::MouseMove;
    const Qt::MouseButtons held = type == QEvent::MouseButtonRelease ? Qt::NoButton : Qt::MouseButtons(button);
    QMouseEvent event(type, at, view_.mapToGlobal(at), move ? Qt::NoButton : button, held, Qt::NoModifier);
    QCoreApplication::sendEvent(&view_, &event);
  }

  GraphView& view_;
  std::string graph_;
  QImage image_;
};

}  // namespace

int main(int argc, char** argv) {
  QApplication application(argc, argv);
  const QSize size = argc > 2 ? QSize(std::atoi(argv[1]), std::atoi(argv[2])) : QSize(1600, 1000);
  fmt::print("{:34} {:28} {:>7} {:>7} {:>7}\n", "graph", "frame, ms", "median", "99 %", "most");
  const std::vector<std::pair<std::string, std::shared_ptr<const Graph>>> graphs{
      {"1000 operators", branches(1000)},
      {"8000 operators", branches(8000)},
      {"nasnet", std::make_shared<const Graph>(*zoo_network("nasnet"))},
      {"randwire_320, 1,128 units", std::make_shared<const Graph>(*zoo_network("randwire_320"))}};
  for (const auto& [name, graph] : graphs) {
    const Schedule greedy = greedy_schedule(*graph);
    for (const bool scheduled : {false, true}) {
      const std::string what = name + (scheduled ? ", greedy stages" : "");
      if (argc > 3 && what.find(argv[3]) == std::string::npos) continue;
      SelectionModel selection;
      GraphView view;
      view.setSelectionModel(&selection);
      view.resize(size);
      view.show();
      view.setGraph(graph);
      if (scheduled)
        view.setSchedule(&greedy, std::vector<Latency>(greedy.stages.size(),
                                                       Latency{Millis(0.1), Millis(0), 1, Origin::kSimulated}));
      wait_for_layout(view);
      print_layout_time(graph, scheduled ? &greedy : nullptr, what);
      Bench(view, what).everything();
    }
  }
  return 0;
}
