#include "views/canvas/paint/scene.h"

#include <QFontMetricsF>
#include <QGuiApplication>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <unordered_map>

#include "core/analysis/compare/comparison.h"
#include "core/model/graph/partition.h"
#include "core/model/graph/work.h"
#include "core/model/schedule/schedule.h"
#include "views/canvas/layout/node_text.h"
#include "views/canvas/weave/weave.h"
#include "views/text/latency_text.h"
#include "views/text/qstring.h"
#include "views/text/translate.h"

namespace iosx::canvas {
namespace {

constexpr double kCell = 64;         // side of a place
constexpr double kFreeShare = 0.15;  // of the ground that lines may cover before they get fainter

struct Cell {
  std::size_t edges = 0;
  std::size_t last = 0;  // that was counted, from 1
};

Point on_segment(const Curve& curve, std::size_t at, double t) {
  const double s = 1 - t;
  const auto mix = [&](double a, double b, double c, double d) {
    return s * s * s * a + 3 * s * s * t * b + 3 * s * t * t * c + t * t * t * d;
  };
  return {mix(curve[at].x, curve[at + 1].x, curve[at + 2].x, curve[at + 3].x),
          mix(curve[at].y, curve[at + 1].y, curve[at + 2].y, curve[at + 3].y)};
}

// Calls `visit` with the cells along the curve; a cell may repeat.
template <typename Visit>
void along(const Curve& curve, const Visit& visit) {
  for (std::size_t i = 0; i + 3 < curve.size(); i += 3) {
    const double length = std::hypot(curve[i + 3].x - curve[i].x, curve[i + 3].y - curve[i].y);
    const int steps = std::clamp(static_cast<int>(2 * length / kCell) + 1, 1, 200);
    for (int k = 0; k <= steps; ++k) {
      const Point at = on_segment(curve, i, static_cast<double>(k) / steps);
      const auto column = static_cast<std::int64_t>(std::floor(at.x / kCell));
      const auto row = static_cast<std::int64_t>(std::floor(at.y / kCell));
      visit((column << 32) ^ (row & 0xFFFFFFFF));
    }
  }
}

}  // namespace

EdgeDensity::EdgeDensity(const Layout& layout) {
  std::unordered_map<std::int64_t, Cell> cells;
  for (std::size_t e = 0; e < layout.edges.size(); ++e) {
    along(layout.edges[e].curve, [&](std::int64_t at) {
      Cell& cell = cells[at];
      if (cell.last == e + 1) return;
      cell.last = e + 1;
      ++cell.edges;
    });
  }
  for (const EdgePath& edge : layout.edges) {
    double sum = 0;
    std::size_t places = 0;
    along(edge.curve, [&](std::int64_t at) {
      sum += static_cast<double>(cells[at].edges);
      ++places;
    });
    lines_.push_back(places == 0 ? 0 : sum / static_cast<double>(places) / kCell);
  }
}

double EdgeDensity::strength(std::size_t edge, double zoom) const {
  const double covered = linesPerLength(edge) / std::max(zoom, 1e-9);  // of the ground, by lines of one pixel
  return covered <= kFreeShare ? 1 : std::max(kFaintest, kFreeShare / covered);
}

namespace {

QFont canvas_font(int pixels) {
  QFont font = QGuiApplication::font();
  font.setPixelSize(pixels);
  return font;
}

// Makes all of the label but its name.
UnitLabel make_label(const Graph& graph, UnitId unit, const NodeText& text, const TextStyle& style) {
  constexpr double room = kMaxBoxWidth;  // the painter shortens them further
  UnitLabel label;
  for (const std::string& line : text.lines) label.lines.append(elide_middle(line, room, style.body));
  label.shape = elide_middle(text.shape, room, style.body);
  label.brief = shown_name(text.brief);
  const Attributes& dominant = graph.op(dominant_operator(graph, unit)).attributes;
  label.what = operator_class(dominant);
  label.merged = is_merged(dominant);
  const Work sum = work(graph, unit, 1);
  if (!sum.known) return label;
  label.flops = sum.flops;
  label.bytes = static_cast<double>(sum.bytes());
  return label;
}

void add_schedule(Model& model, const Schedule& schedule) {
  model.schedule = std::make_shared<const Schedule>(schedule);
  for (std::size_t s = 0; s < schedule.stages.size(); ++s) {
    model.strategies.push_back(strategy_of(*model.graph, schedule.stages[s]));
    const auto& groups = schedule.stages[s].groups;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      for (const Step& step : groups[g].steps) {
        for (const UnitId unit : step.units) model.places[unit.index()] = {s, g};
      }
    }
  }
}

bool fits(const Graph& graph, const Schedule& schedule) {
  const auto empty = [](const Stage& stage) {
    return stage.groups.empty() ||
           std::any_of(stage.groups.begin(), stage.groups.end(), [](const Group& g) { return g.steps.empty(); });
  };
  return std::none_of(schedule.stages.begin(), schedule.stages.end(), empty) &&
         check_legal(graph, schedule).has_value();
}

std::size_t merged_count(const Model& model, std::size_t stage) {
  const auto units = model.schedule->stages[stage].units();
  std::size_t count = 0;
  for (const UnitId unit : units) {
    const auto* conv = model.graph->op(model.graph->unit(unit).output()).as<Conv>();
    count += conv != nullptr && !conv->merged_from.empty() ? conv->merged_from.size() : 1;
  }
  return count;
}

}  // namespace

QFont name_font() {
  QFont font = canvas_font(13);
  font.setWeight(QFont::Bold);
  return font;
}

QFont body_font() { return canvas_font(12); }

QFont small_font() { return canvas_font(10); }

FontWidths font_widths(const QFont& font) {
  const QFontMetricsF metrics(font);
  FontWidths widths;
  for (int c = 32; c < 127; ++c) widths.ascii[static_cast<std::size_t>(c)] = metrics.horizontalAdvance(QChar(c));
  widths.times = metrics.horizontalAdvance(QChar(0xD7));
  widths.dot = metrics.horizontalAdvance(QChar(0xB7));
  widths.other = metrics.horizontalAdvance(QChar(0x2192));
  widths.wide = metrics.horizontalAdvance(QChar(0x6BB5));
  widths.line_height = metrics.height();
  return widths;
}

TextStyle text_style() { return {font_widths(name_font()), font_widths(body_font())}; }

QString elide_middle(const std::string& utf8, double width, const FontWidths& widths) {
  return qstring(elide_around(printable(utf8), 0, 0, width, widths));
}

namespace {

// Shortens the names of a part's units. They go without what they share only where words are left: "7_3" says less of
// "branch7x7_3" than its two ends.
std::vector<std::string> fit_units(std::span<const std::string> names, std::span<const double> room,
                                   const FontWidths& widths) {
  const std::string family = family_prefix(names);
  const bool words =
      std::ranges::all_of(names, [&](const std::string& name) { return has_letter(without_family(name, family)); });
  const bool at_joint = !family.empty() && !has_letter(family.substr(family.size() - 1));
  return words && at_joint ? fit_family(names, room, widths) : fit_names(names, room, widths);
}

std::vector<UnitLabel> make_labels(const Graph& graph, const TextStyle& style, bool of_networks) {
  std::vector<UnitLabel> labels;
  std::vector<std::string> titles = unit_titles(graph, of_networks);
  std::vector<double> room;
  for (std::size_t u = 0; u < titles.size(); ++u) {
    const NodeText text = node_text(graph, UnitId(u), titles[u]);
    labels.push_back(make_label(graph, UnitId(u), text, style));
    room.push_back(kWeaveRoom);
  }
  for (const Part& part : graph.parts()) {  // names of one part must differ
    const std::size_t first = part.units.front().index();
    const auto names = fit_units(std::span(titles).subspan(first, part.units.size()),
                                 std::span(room).subspan(first, part.units.size()), style.name);
    for (std::size_t i = 0; i < names.size(); ++i) labels[first + i].name = qstring(names[i]);
  }
  return labels;
}

}  // namespace

std::shared_ptr<const Model> make_model(std::shared_ptr<const Graph> graph, const TextStyle& style) {
  auto model = std::make_shared<Model>();
  model->graph = std::move(graph);
  model->labels = make_labels(*model->graph, style, model->graph->networks().size() > 1);
  std::vector<std::string> titles;
  for (const Part& part : shown_parts(*model->graph)) titles.push_back(part.name);
  if (model->graph->networks().size() < 2) model->family = family_prefix(titles);
  model->places.resize(model->labels.size());
  return model;
}

std::shared_ptr<const Model> with_schedule(const Model& model, const Schedule* schedule, std::vector<Latency> latencies,
                                           ScheduleLabel label) {
  auto changed = std::make_shared<Model>();
  changed->graph = model.graph;
  changed->family = model.family;
  changed->labels = model.labels;
  changed->places.resize(model.labels.size());
  if (schedule != nullptr && fits(*model.graph, *schedule)) {
    add_schedule(*changed, *schedule);
    changed->label = std::move(label);
    if (changed->label.title.isEmpty()) changed->label.title = shown_name(schedule->name);
    if (changed->label.launches.size() != changed->labels.size()) changed->label.launches.clear();
    if (changed->label.spans && changed->label.spans->size() != changed->labels.size()) changed->label.spans.reset();
    if (latencies.size() == schedule->stages.size()) changed->latencies = std::move(latencies);
  }
  return changed;
}

UnitLaunches unit_launches(const ExecutionPlan& plan, std::size_t units) {
  if (!plan.barrier_free) return {};
  UnitLaunches launches(units);
  for (std::size_t k = 0; k < plan.kernels.size(); ++k) {
    for (const UnitId unit : plan.kernels[k].units) {
      if (unit.index() < units) launches[unit.index()].push_back({plan.kernels[k].lane, k});
    }
  }
  return launches;
}

Weave weave_of(const ScheduleLabel& label) {
  return {.spans = label.spans, .tracks = label.tracks, .barrier_free = !label.launches.empty()};
}

ScheduleLabel lanes_label(const Graph& graph, const ExecutionPlan& plan, ScheduleId id, QString title) {
  ScheduleLabel label{std::move(id), std::move(title), unit_launches(plan, graph.units().size())};
  label.spans = std::make_shared<const UnitSpans>(expected_spans(graph, plan));
  label.tracks = true;
  return label;
}

ScheduleLabel schedule_label(const Comparison& comparison, const ScheduleResult& result, QString title) {
  const Graph& graph = *comparison.graph;
  ScheduleLabel label{result.id, std::move(title), unit_launches(result.plan, graph.units().size())};
  label.spans = std::make_shared<const UnitSpans>(
      result.trace.kernels.empty() ? expected_spans(graph, result.plan) : unit_spans(graph, result.plan, result.trace));
  label.tracks = std::ranges::any_of(comparison.results, [](const auto& each) { return each.lanes.has_value(); });
  return label;
}

QString launch_words(const std::vector<UnitLaunch>& launches) {
  QStringList words;
  for (const UnitLaunch& each : launches) {
    words << Text::tr("lane %1, launch %2").arg(each.lane + 1).arg(each.launch + 1);
  }
  return words.join(Text::tr("; "));
}

std::shared_ptr<const Drawing> make_drawing(Layout layout) {
  auto drawing = std::make_shared<Drawing>();
  drawing->layout = std::move(layout);
  drawing->density = EdgeDensity(drawing->layout);
  for (const EdgePath& edge : drawing->layout.edges) {
    QPainterPath path(QPointF(edge.curve.front().x, edge.curve.front().y));
    for (std::size_t i = 1; i + 2 < edge.curve.size(); i += 3) {
      path.cubicTo(edge.curve[i].x, edge.curve[i].y, edge.curve[i + 1].x, edge.curve[i + 1].y, edge.curve[i + 2].x,
                   edge.curve[i + 2].y);
    }
    drawing->edges.push_back(std::move(path));
  }
  return drawing;
}

QStringList band_lines(const Model& model, std::size_t stage) {
  const bool barrier_free = !model.label.launches.empty();
  QStringList lines{barrier_free ? Text::tr("from stage %1").arg(stage + 1) : Text::tr("stage %1").arg(stage + 1)};
  if (model.strategies[stage] == Strategy::kMerge) {
    lines.append(Text::tr("merge · %1 layers").arg(merged_count(model, stage)));
  } else if (model.schedule->stages[stage].groups.size() > 1) {
    lines.append(Text::tr("concurrent · %1 groups").arg(model.schedule->stages[stage].groups.size()));
  } else {
    const std::size_t units = model.schedule->stages[stage].units().size();
    lines.append(units == 1 ? Text::tr("one group · 1 unit") : Text::tr("one group · %1 units").arg(units));
  }
  if (!model.latencies.empty() && !barrier_free) {
    const Latency& latency = model.latencies[stage];
    lines.append(latency.value > Millis(0)
                     ? Text::tr("%1 ms %2").arg(latency.value.count(), 0, 'f', 3).arg(origin_text(latency.origin))
                     : Text::tr("unknown"));
  }
  return lines;
}

namespace {

Rect between(const Rect& a, const Rect& b, double share) {
  const auto mix = [share](double x, double y) { return x + (y - x) * share; };
  return {mix(a.x, b.x), mix(a.y, b.y), mix(a.width, b.width), mix(a.height, b.height)};
}

// The earlier places of things, as far as they had any.
class Before {
 public:
  Before(const Layout& from, const Layout& to) : to_(to) {
    std::map<PartId, std::vector<const FrameBox*>> pieces;
    for (const FrameBox& frame : from.frames) pieces[frame.part].push_back(&frame);
    std::map<PartId, std::size_t> taken;
    nodes_.resize(to.nodes.size());
    for (const FrameBox& frame : to.frames) {
      const auto& of_part = pieces[frame.part];
      const std::size_t piece = taken[frame.part]++;
      frames_.push_back(piece < of_part.size() ? of_part[piece]->box : frame.box);
      const double dx = frames_.back().x - frame.box.x;
      const double dy = frames_.back().y - frame.box.y;
      for (std::size_t n = frame.nodes.first; n < frame.nodes.second; ++n) {
        const NodeBox& node = to.nodes[n];
        const bool known = node.unit.index() < from.node_of.size();
        const auto at = known ? from.node_of[node.unit.index()] : std::nullopt;
        nodes_[n] = at ? from.nodes[*at].box : node.box.moved(dx, dy);
      }
    }
  }

  const Rect& node(std::size_t n) const { return nodes_[n]; }
  const Rect& frame(std::size_t f) const { return frames_[f]; }

  // A box around nodes keeps its distance to them.
  Rect around(const Rect& box, const FrameBox& frame) const {
    Rect now;
    Rect before;
    for (std::size_t n = frame.nodes.first; n < frame.nodes.second; ++n) {
      if (!box.contains(to_.nodes[n].box.center())) continue;
      now = now.united(to_.nodes[n].box);
      before = before.united(nodes_[n]);
    }
    if (now.empty()) return box;
    return {before.x - (now.x - box.x), before.y - (now.y - box.y), before.width + box.width - now.width,
            before.height + box.height - now.height};
  }

 private:
  const Layout& to_;
  std::vector<Rect> nodes_;
  std::vector<Rect> frames_;
};

// A point of a curve moves as its ends do, the more the nearer it is to each.
Curve between_ends(const Curve& curve, const Point& start, const Point& end) {
  Curve moved = curve;
  const double last = static_cast<double>(curve.size()) - 1;
  for (std::size_t i = 0; i < moved.size(); ++i) {
    const double along = last > 0 ? static_cast<double>(i) / last : 0;
    moved[i].x += start.x * (1 - along) + end.x * along;
    moved[i].y += start.y * (1 - along) + end.y * along;
  }
  return moved;
}

}  // namespace

Layout morph(const Layout& from, const Layout& to, double share) {
  if (share >= 1) return to;
  const Before before(from, to);
  Layout now = to;
  now.bounds = between(from.bounds, to.bounds, share);
  now.links.clear();
  for (std::size_t n = 0; n < to.nodes.size(); ++n) {
    Rect& box = now.nodes[n].box = between(before.node(n), to.nodes[n].box, share);
    NodeShape& shape = now.nodes[n].shape;
    for (auto* list : {&shape.pieces, &shape.stems, &shape.chips}) {
      for (Rect& piece : *list) piece = piece.moved(box.x - to.nodes[n].box.x, box.y - to.nodes[n].box.y);
    }
  }
  const auto shift = [&](std::size_t n) {
    const Point was = to.nodes[n].box.center();
    const Point is = now.nodes[n].box.center();
    return Point{is.x - was.x, is.y - was.y};
  };
  for (EdgePath& edge : now.edges) {
    edge.curve = between_ends(edge.curve, shift(edge.from), shift(edge.to));
    edge.bounds = bounds_of(edge.curve);
  }
  for (std::size_t f = 0; f < to.frames.size(); ++f) {
    const FrameBox& frame = to.frames[f];
    now.frames[f].box = between(before.frame(f), frame.box, share);
    const double dx = now.frames[f].box.x - frame.box.x;
    const double dy = now.frames[f].box.y - frame.box.y;
    now.frames[f].header = frame.header.moved(dx, dy);
    for (Rect& column : now.frames[f].columns) column = column.moved(dx, dy);
    const auto move = [&](Rect& box) { box = between(before.around(box, frame), box, share); };
    for (std::size_t b = frame.bands.first; b < frame.bands.second; ++b) {
      BandBox& band = now.bands[b];
      const Rect goal = band.box;
      move(band.box);
      band.label = band.label.moved(band.box.x - goal.x, band.box.y - goal.y);
    }
    for (std::size_t m = frame.merged.first; m < frame.merged.second; ++m) move(now.merged[m].box);
    for (std::size_t r = frame.rows.first; r < frame.rows.second; ++r) {
      now.rows[r].box = now.rows[r].box.moved(dx, dy);
      now.rows[r].tally = now.rows[r].tally.moved(dx, dy);
    }
    for (std::size_t p = frame.parts.first; p < frame.parts.second; ++p)
      now.parts[p].box = now.parts[p].box.moved(dx, dy);
  }
  return now;
}

}  // namespace iosx::canvas
