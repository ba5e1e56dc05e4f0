// What a frame of the timeline, with the plots of why it is faster below it, takes: from an event until both are
// painted; and the processor's time of that, which is the same on a machine that does nothing else and says more on one
// that does. timeline_bench [nasnet | NUMBER_OF_SPANS]...: without arguments NASNet, 10^5 and 10^6 spans. Draws
// offscreen.
#include <QApplication>
#include <QElapsedTimer>
#include <QMouseEvent>
#include <QSplitter>
#include <QWheelEvent>
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/analysis/compare/compare.h"
#include "core/base/check.h"
#include "core/model/graph/builder.h"
#include "models/devices/simulated_devices.h"
#include "models/networks/zoo.h"
#include "tests/support/lower.h"
#include "views/explore/timeline/timeline_view.h"
#include "views/explore/utilization/why_view.h"

namespace {

using iosx::Comparison;
using iosx::Counter;
using iosx::KernelId;
using iosx::KernelSpan;
using iosx::Micros;
using iosx::ScheduleKind;
using iosx::ScheduleResult;
using iosx::Trace;

constexpr int kFrames = 200;
constexpr std::size_t kLanes = 8;
constexpr std::size_t kSpansOfALane = 5;  // in a stage

std::shared_ptr<const Comparison> nasnet() {
  iosx::DeviceRegistry devices;
  iosx::add_simulated_devices(devices);
  const auto device = devices.open("tesla-v100");
  IOS_CHECK(device.has_value());
  auto graph = iosx::zoo_network("nasnet");
  IOS_CHECK(graph.has_value());
  iosx::CompareOptions options{
      .schedule_kinds = {ScheduleKind::kSequential, ScheduleKind::kGreedy, ScheduleKind::kIosBoth}};
  options.search.pruning = {2, 4};
  auto compared = iosx::compare(*graph, **device, options, {});
  IOS_CHECK(compared.has_value());
  return std::make_shared<const Comparison>(*std::move(compared));
}

// Arbitrary, but the same in every run: 1 to 9 µs.
Micros some_duration(std::size_t i) { return Micros(1.0 + static_cast<double>((i * 0x9E3779B97F4A7C15ULL) >> 61)); }

// Kernels on all lanes, stage after stage, with a counter that changes where one begins or ends.
Trace long_trace(std::size_t spans, std::size_t kernels) {
  Trace trace{.lanes = kLanes};
  Counter counter{"active warps", "warps", 5120, {}, {}};
  std::vector<std::pair<Micros, double>> changes;
  Micros now{0};
  for (std::size_t made = 0; made < spans;) {
    Micros end = now;
    const std::size_t stage = trace.stages.size();
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      Micros at = now;
      for (std::size_t i = 0; i < kSpansOfALane && made < spans; ++i, ++made) {
        const Micros until = at + some_duration(made);
        const KernelId kernel(made % kernels);
        trace.kernels.push_back({"conv" + std::to_string(kernel.index()), kernel, lane, stage, at, until});
        changes.emplace_back(at, 300);
        changes.emplace_back(until, -300);
        at = until;
      }
      end = std::max(end, at);
    }
    trace.stages.push_back({now, end});
    now = end + Micros(1);
  }
  std::stable_sort(trace.kernels.begin(), trace.kernels.end(),
                   [](const KernelSpan& a, const KernelSpan& b) { return a.begin < b.begin; });
  std::stable_sort(changes.begin(), changes.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  double active = 0;
  for (const auto& [time, change] : changes) {
    active += change;
    if (!counter.times.empty() && counter.times.back() == time) {
      counter.values.back() = active;
    } else {
      counter.times.push_back(time);
      counter.values.push_back(active);
    }
  }
  trace.counters.push_back(std::move(counter));
  trace.duration = now;
  return trace;
}

// Two schedules with half of the spans each.
std::shared_ptr<const Comparison> made_up(std::size_t spans) {
  constexpr std::size_t kKernels = 96;
  iosx::GraphBuilder builder("chain");
  iosx::Value value = builder.input("image", {4, 8, 8});
  iosx::Schedule schedule{"sequential", {}};
  for (std::size_t i = 0; i < kKernels; ++i) {
    iosx::Conv conv{.out_channels = 4};
    value = i % 3 == 2 ? builder.add("conv" + std::to_string(i),
                                     iosx::Pool{iosx::PoolKind::kMax, {1, 1}, {1, 1}, {0, 0}, false}, {value})
                       : builder.add("conv" + std::to_string(i), conv, {value});
    schedule.stages.push_back(iosx::single_unit_stage(iosx::UnitId(i)));
  }
  auto graph = std::move(builder).build();
  IOS_CHECK(graph.has_value());
  auto comparison = std::make_shared<Comparison>();
  comparison->graph = std::make_shared<const iosx::Graph>(*std::move(graph));
  for (const ScheduleKind schedule_kind : {ScheduleKind::kSequential, ScheduleKind::kGreedy}) {
    ScheduleResult& result = comparison->add(schedule_kind, schedule);
    result.plan = iosx::lower(*comparison->graph, result.schedule, 1, {});
    result.trace = long_trace(spans / 2, result.plan.kernels.size());
    result.latency = {result.trace.duration, iosx::Millis(0), 1, iosx::Origin::kSimulated};
  }
  return comparison;
}

// Counts paints, so that a frame is known to have been drawn.
class Painted final : public QObject {
 public:
  explicit Painted(QWidget* widget) : QObject(widget) { widget->installEventFilter(this); }
  int count = 0;

 protected:
  bool eventFilter(QObject* /*watched*/, QEvent* event) override {
    if (event->type() == QEvent::Paint) ++count;
    return false;
  }
};

class Bench {
 public:
  explicit Bench(const std::shared_ptr<const Comparison>& comparison) {
    QObject::connect(timeline_, &iosx::TimelineView::whyChanged, why_, &iosx::WhyView::setPanel);
    window_.addWidget(timeline_);
    window_.addWidget(why_);
    window_.resize(1600, 640);
    window_.setSizes({400, 240});
    window_.show();
    timeline_->setTracks(tracks_of(comparison), std::nullopt);
    above_ = new Painted(timeline_->viewport());
    below_ = new Painted(why_->viewport());
    refine();
  }

  void run(const std::string& what) {
    const QPointF middle(900, 150);
    report(what, "zoom", [&](int i) { wheel(middle, {0, i / 20 % 2 == 0 ? 120 : -120}); });
    const Micros all = axis_.extent().end;
    axis_.setVisible({all * 0.4, all * 0.5});
    refine();
    report(what, "pan", [&](int i) { wheel(middle, {i / 40 % 2 == 0 ? 30 : -30, 0}); });
    report(what, "hover", [&](int i) { hover({400.0 + i * 4, 60.0 + i}); });
    axis_.fitAll();
    refine();
    report(what, "hover, all in view", [&](int i) { hover({400.0 + i * 4, 60.0 + i}); });
  }

 private:
  void wheel(QPointF at, QPoint delta) {
    QWheelEvent event(at, timeline_->viewport()->mapToGlobal(at), {}, delta, Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(timeline_->viewport(), &event);
  }
  void hover(QPointF at) {
    QMouseEvent event(QEvent::MouseMove, at, timeline_->viewport()->mapToGlobal(at), Qt::NoButton, Qt::NoButton, {});
    QCoreApplication::sendEvent(timeline_->viewport(), &event);
  }
  void refine() {
    for (int i = 0; i < 20; ++i) QCoreApplication::processEvents();
  }
  struct Frame {
    double passed = 0;  // ms
    double worked = 0;  // ms of the processor
  };
  static double worked() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
  }
  Frame frame(const std::function<void()>& event) {
    const int above = above_->count;
    const int below = below_->count;
    const double before = worked();
    QElapsedTimer timer;
    timer.start();
    event();
    for (int i = 0; i < 1000 && (above_->count == above || below_->count == below); ++i) {
      QCoreApplication::processEvents();
    }
    return {static_cast<double>(timer.nsecsElapsed()) / 1e6, worked() - before};
  }
  static std::string summary(std::vector<double> times) {
    std::sort(times.begin(), times.end());
    char text[64];
    std::snprintf(text, sizeof text, "median %8.2f   99 %% %8.2f ms", times[times.size() / 2],
                  times[times.size() * 99 / 100]);
    return text;
  }
  void report(const std::string& what, const char* action, const std::function<void(int)>& event) {
    std::vector<double> passed;
    std::vector<double> worked;
    QElapsedTimer all;
    all.start();
    for (int i = 0; i < kFrames && all.elapsed() < 20000; ++i) {
      const Frame done = frame([&] { event(i); });
      passed.push_back(done.passed);
      worked.push_back(done.worked);
    }
    refine();
    std::printf("%-10s %-18s %s, of the processor %s, %zu frames\n", what.c_str(), action, summary(passed).c_str(),
                summary(worked).c_str(), passed.size());
    std::fflush(stdout);
  }

  iosx::SelectionModel selection_;
  iosx::TimeAxisModel axis_;
  QSplitter window_{Qt::Vertical};
  iosx::TimelineView* timeline_ = new iosx::TimelineView(&selection_, &axis_);
  iosx::WhyView* why_ = new iosx::WhyView(&axis_);
  Painted* above_ = nullptr;
  Painted* below_ = nullptr;
};

}  // namespace

int main(int argc, char** argv) {
  qputenv("QT_QPA_PLATFORM", "offscreen");
  qputenv("QT_QPA_UPDATE_IDLE_TIME", "0");
  QApplication app(argc, argv);
  std::vector<std::string> what(argv + 1, argv + argc);
  if (what.empty()) what = {"nasnet", "100000", "1000000"};
  for (const std::string& name : what) {
    const auto comparison = name == "nasnet" ? nasnet() : made_up(std::stoul(name));
    std::size_t spans = 0;
    for (const ScheduleResult& result : comparison->results) spans += result.trace.kernels.size();
    std::printf("%s: %zu spans in %zu schedules\n", name.c_str(), spans, comparison->results.size());
    Bench(comparison).run(name);
  }
  return 0;
}
