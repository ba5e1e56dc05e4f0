#pragma once

#include <QFont>
#include <QPainterPath>
#include <QString>
#include <QStringList>
#include <memory>
#include <optional>
#include <vector>

#include "core/model/cost/latency.h"
#include "core/model/schedule/schedule_table.h"
#include "views/canvas/paint/edge_density.h"
#include "views/canvas/layout/layout.h"
#include "views/canvas/paint/unit_launches.h"
#include "views/text/class_text.h"

namespace iosx::canvas {

// These are the fonts of the canvas at 100 % zoom: 13 and 12 pixels, which is 9.75 and 9 point at 96 dpi.
QFont name_font();
QFont body_font();
QFont small_font();                       // keeps its size while the canvas is zoomed out
double small_width(const QString& text);  // in that font, pixels
TextStyle text_style();                   // GUI thread
FontWidths font_widths(const QFont& font);

// Holds what a painter needs to know about a unit, ready to draw.
struct UnitLabel {
  QString name;  // elided to fit the widest box, but different from those of other names
  QStringList lines;
  QString shape;
  QString brief;
  OperatorClass what = OperatorClass::kConv1x1;  // of the dominant operator
  bool merged = false;                           // that is one in the place of several
  double flops = 0;                              // for one sample
  double bytes = 0;                              // read and written, for one sample
};

// Says where a unit stands in a schedule.
struct UnitPlace {
  std::optional<std::size_t> stage;
  std::size_t group = 0;
};

// Says what a schedule is called.
struct ScheduleLabel {
  ScheduleId id;  // in selections; empty for one that stands in no comparison
  QString title;  // empty: the schedule's name
  // Of one without barriers, one a unit: its stages are then those that chose its kernels. Else empty.
  UnitLaunches launches = {};
};

// A model is a graph with its schedule and texts; it is immutable and shared by views, figures and layout jobs.
struct Model {
  std::shared_ptr<const Graph> graph;
  std::shared_ptr<const Schedule> schedule;  // may be null
  ScheduleLabel label;                       // of the schedule
  std::vector<Latency> latencies;            // a stage; empty when unknown
  std::vector<UnitLabel> labels;             // a unit
  // Of several networks, a unit: what labels are in frames of one network, which say its name, and in frames of all.
  // Empty of one network.
  std::vector<UnitLabel> own_labels, whole_labels;
  std::vector<UnitPlace> places;     // a unit
  std::vector<Strategy> strategies;  // a stage
};

std::shared_ptr<const Model> make_model(std::shared_ptr<const Graph> graph, const TextStyle& style);
// Returns the same graph with another schedule (null: none). A latency list that is not one a stage is dropped, so are
// launches that are not one a unit, and a schedule that is illegal for the graph.
std::shared_ptr<const Model> with_schedule(const Model& model, const Schedule* schedule, std::vector<Latency> latencies,
                                           ScheduleLabel label = {});

// Holds a layout with its painter paths; it is made on the layout's thread.
struct Drawing {
  Layout layout;
  std::vector<QPainterPath> edges;  // an edge of the layout
  EdgeDensity density;
};
std::shared_ptr<const Drawing> make_drawing(Layout layout);

// Returns what a band says, top down: "stage 3", "concurrent · 4 groups", "0.162 ms simulated"; without barriers, where
// stages run nowhere, "from stage 3", "concurrent · 4 groups".
QStringList band_lines(const Model& model, std::size_t stage);
// Returns the longest text that fits, with "…" in the middle.
QString elide_middle(const std::string& utf8, double width, const FontWidths& widths);

}  // namespace iosx::canvas
