#include "views/canvas/paint/scene.h"

#include <QFontMetricsF>
#include <QGuiApplication>
#include <algorithm>

#include "core/analysis/compare/comparison.h"
#include "core/model/graph/work.h"
#include "core/model/schedule/legality.h"
#include "views/canvas/layout/names.h"
#include "views/text/latency_text.h"
#include "views/text/qstring.h"
#include "views/text/translate.h"

namespace iosx::canvas {
namespace {

QFont canvas_font(int pixels) {
  QFont font = QGuiApplication::font();
  font.setPixelSize(pixels);
  return font;
}

double text_room(const NodeText& text, const TextStyle& style) {
  return box_size(text, style).width - 2 * kBoxPadding - kBoxStripe;
}

// Makes all of the label but its name.
UnitLabel make_label(const Graph& graph, UnitId unit, const NodeText& text, const TextStyle& style) {
  const double room = text_room(text, style);
  UnitLabel label;
  for (const std::string& line : text.lines) label.lines.append(elide_middle(line, room, style.body));
  label.shape = elide_middle(text.shape, room, style.body);
  label.brief = shown_name(text.brief);
  const Attributes& dominant = graph.op(dominant_operator(graph, unit)).attributes;
  label.what = operator_class(dominant);
  label.merged = is_merged(dominant);
  const Work sum = work(graph, unit, 1);
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

double small_width(const QString& text) {
  return text.isEmpty() ? 0 : QFontMetricsF(small_font()).horizontalAdvance(text);
}

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

std::vector<UnitLabel> make_labels(const Graph& graph, const TextStyle& style, bool of_networks) {
  std::vector<UnitLabel> labels;
  std::vector<std::string> titles = unit_titles(graph, of_networks);
  std::vector<double> room;
  for (std::size_t u = 0; u < titles.size(); ++u) {
    const NodeText text = node_text(graph, UnitId(u), titles[u]);
    labels.push_back(make_label(graph, UnitId(u), text, style));
    room.push_back(text_room(text, style));
  }
  for (const Part& part : graph.parts()) {  // names of one part must differ
    const std::size_t first = part.units.front().index();
    const auto names = fit_names(std::span(titles).subspan(first, part.units.size()),
                                 std::span(room).subspan(first, part.units.size()), style.name);
    for (std::size_t i = 0; i < names.size(); ++i) labels[first + i].name = qstring(names[i]);
  }
  return labels;
}

}  // namespace

std::shared_ptr<const Model> make_model(std::shared_ptr<const Graph> graph, const TextStyle& style) {
  auto model = std::make_shared<Model>();
  model->graph = std::move(graph);
  const bool several = model->graph->networks().size() > 1;
  model->labels = make_labels(*model->graph, style, several);
  if (several) {
    model->own_labels = model->labels;
    model->whole_labels = make_labels(*model->graph, style, false);
  }
  model->places.resize(model->labels.size());
  return model;
}

std::shared_ptr<const Model> with_schedule(const Model& model, const Schedule* schedule, std::vector<Latency> latencies,
                                           ScheduleLabel label) {
  auto changed = std::make_shared<Model>();
  changed->graph = model.graph;
  changed->labels = model.own_labels.empty() ? model.labels : model.own_labels;
  changed->own_labels = model.own_labels;
  changed->whole_labels = model.whole_labels;
  changed->places.resize(model.labels.size());
  if (schedule != nullptr && fits(*model.graph, *schedule)) {
    add_schedule(*changed, *schedule);
    if (!changed->whole_labels.empty() && !frames_of_networks(*model.graph, schedule)) {
      changed->labels = changed->whole_labels;
    }
    changed->label = std::move(label);
    if (changed->label.title.isEmpty()) changed->label.title = shown_name(schedule->name);
    if (changed->label.launches.size() != changed->labels.size()) changed->label.launches.clear();
    if (latencies.size() == schedule->stages.size()) changed->latencies = std::move(latencies);
  }
  return changed;
}

UnitLaunches unit_launches(const ScheduleResult& result, std::size_t units) {
  if (!result.lanes) return {};
  UnitLaunches launches(units);
  for (std::size_t k = 0; k < result.plan.kernels.size(); ++k) {
    const Kernel& kernel = result.plan.kernels[k];
    for (const UnitId unit : kernel.units) {
      if (unit.index() < units) launches[unit.index()].push_back({kernel.lane, k});
    }
  }
  return launches;
}

QString launch_badge(const std::vector<UnitLaunch>& launches) {
  if (launches.empty()) return {};
  const QString text =
      QString::fromUtf8("%1 \u00B7 %2").arg(launches.front().lane + 1).arg(launches.front().launch + 1);
  return launches.size() > 1 ? text + QLatin1Char('+') : text;
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
    lines.append(Text::tr("%1 ms %2").arg(latency.value.count(), 0, 'f', 3).arg(origin_text(latency.origin)));
  }
  return lines;
}

}  // namespace iosx::canvas
