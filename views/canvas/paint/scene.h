#pragma once

#include <QFont>
#include <QPainterPath>
#include <QString>
#include <QStringList>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "core/model/cost/latency.h"
#include "core/model/schedule/schedule_table.h"
#include "views/canvas/layout/layout.h"
#include "views/text/messages.h"

namespace iosx::canvas {

// The number of edges near each edge, so that dense ones are drawn fainter instead of as one grey area. Made once
// per layout.
class EdgeDensity {
 public:
  EdgeDensity() = default;
  explicit EdgeDensity(const Layout& layout);

  // Returns the mean number of edges through the edge's places, itself included, as lines per unit of length; 0 for
  // an edge that the layout lacks.
  double linesPerLength(std::size_t edge) const { return edge < lines_.size() ? lines_[edge] : 0; }

  // Returns the edge's strength at a zoom, from kFaintest to 1: 1 while its lines of one pixel leave most of the
  // ground free, less where they would cover more.
  double strength(std::size_t edge, double zoom) const;
  static constexpr double kFaintest = 0.3;

 private:
  std::vector<double> lines_;  // per edge
};

// Returns an intermediate layout between two of the same graph: at share 0 its units are at their places in the first,
// at 1 it is the second. A band and a merge start around their units' places, a frame at the same piece of its
// part. New things start at their final place. Lines between frames are left out.
Layout morph(const Layout& from, const Layout& to, double share);

}  // namespace iosx::canvas

namespace iosx {
struct Comparison;
struct ScheduleResult;
}  // namespace iosx

namespace iosx::canvas {

// The fonts of the canvas at 100 % zoom: 13 and 12 pixels, which is 9.75 and 9 point at 96 dpi.
QFont name_font();
QFont body_font();
QFont small_font();      // keeps its size while the canvas is zoomed out
TextStyle text_style();  // GUI thread
FontWidths font_widths(const QFont& font);

// A unit's texts and figures, ready for painting.
struct UnitLabel {
  QString name;  // elided to the widest box, but distinct from other names
  QStringList lines;
  QString shape;
  QString brief;
  OperatorClass what = OperatorClass::kConv1x1;  // of the main operator
  bool merged = false;                           // which joins several
  std::optional<double> flops;                   // per sample; none: not known
  std::optional<double> bytes;                   // read and written, per sample; none: not known
};

// The place of a unit in a schedule.
struct UnitPlace {
  std::optional<std::size_t> stage;
  std::size_t group = 0;
};

// The place of one of a unit's kernels in a barrier-free schedule; both from 0.
struct UnitLaunch {
  std::size_t lane = 0;
  std::size_t launch = 0;  // among all of the plan's
  friend bool operator==(const UnitLaunch&, const UnitLaunch&) = default;
};

// The launches of every unit, in order; a unit with tensors in place has none.
using UnitLaunches = std::vector<std::vector<UnitLaunch>>;

// The name of a schedule.
struct ScheduleLabel {
  ScheduleId id;  // in selections; empty outside a comparison
  QString title;  // empty: the schedule's name
  // For a barrier-free one, one per unit: its stages are those that chose its kernels. Otherwise empty.
  UnitLaunches launches = {};
  std::shared_ptr<const UnitSpans> spans = nullptr;  // of its run; null: not traced
  bool tracks = false;                               // see canvas::Weave
};

// A graph with its schedule and texts. It is immutable; views, figures and layout jobs share it.
struct Model {
  std::shared_ptr<const Graph> graph;
  std::shared_ptr<const Schedule> schedule;  // may be null
  ScheduleLabel label;                       // of the schedule
  std::string family;                        // common prefix of the names of parts
  std::vector<Latency> latencies;            // per stage; empty when unknown
  std::vector<UnitLabel> labels;             // per unit
  std::vector<UnitPlace> places;             // per unit
  std::vector<Strategy> strategies;          // per stage
};

std::shared_ptr<const Model> make_model(std::shared_ptr<const Graph> graph, const TextStyle& style);
// Returns the same graph with another schedule (null: none). It drops latencies that are not one per stage, launches
// that are not one per unit, and a schedule that is illegal for the graph.
std::shared_ptr<const Model> with_schedule(const Model& model, const Schedule* schedule, std::vector<Latency> latencies,
                                           ScheduleLabel label = {});

// Returns the launches of a plan without barriers, for a graph with that many units; empty with stages.
UnitLaunches unit_launches(const ExecutionPlan& plan, std::size_t units);
// Returns what the layout of a schedule with that label shows.
Weave weave_of(const ScheduleLabel& label);
// Returns the label of lanes that no run traced.
ScheduleLabel lanes_label(const Graph& graph, const ExecutionPlan& plan, ScheduleId id, QString title);
// Returns the label of a result of a comparison, with its launches and the spans of its run.
ScheduleLabel schedule_label(const Comparison& comparison, const ScheduleResult& result, QString title);

// Returns "lane 2, launch 14; lane 3, launch 15".
QString launch_words(const std::vector<UnitLaunch>& launches);

// A layout with its painter paths, made on the layout's thread.
struct Drawing {
  Layout layout;
  std::vector<QPainterPath> edges;  // per edge of the layout
  EdgeDensity density;
};
std::shared_ptr<const Drawing> make_drawing(Layout layout);

// Returns a band's lines from the top: "stage 3", "concurrent · 4 groups", "0.162 ms simulated"; without barriers,
// where stages do not run, "from stage 3", "concurrent · 4 groups".
QStringList band_lines(const Model& model, std::size_t stage);
// Returns the longest text that fits, with "…" in the middle.
QString elide_middle(const std::string& utf8, double width, const FontWidths& widths);

}  // namespace iosx::canvas
