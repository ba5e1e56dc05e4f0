#include "views/canvas/paint/graph_figure.h"

#include <QPainter>

#include "core/base/text.h"
#include "views/canvas/paint/graph_legend.h"
#include "views/canvas/paint/scene_painter.h"
#include "views/canvas/weave/weave.h"
#include "views/text/qstring.h"
#include "views/text/translate.h"

namespace iosx {
namespace canvas {
namespace {

constexpr double kMargin = 16;
constexpr double kLeastWidth = 420;  // of the drawing and the legend below it
// Between the two, the text of full detail would be smaller than any other in a figure.
constexpr double kLeastFullZoom = 0.85;
constexpr double kMostBriefZoom = 0.49;

class GraphFigure final : public Figure {
 public:
  GraphFigure(std::shared_ptr<const Model> model, std::shared_ptr<const Drawing> drawing, FigureExtras extras,
              QString context)
      : model_(std::move(model)),
        drawing_(std::move(drawing)),
        overlay_(*model_, extras.overlay, extras.deltas, extras.column.get()),
        marks_(std::move(extras.marks)),
        gains_(extras.gains ? PartGains(extras.deltas) : PartGains()),
        running_(std::move(extras.running)),
        ahead_(std::move(extras.ahead)),
        with_legend_(extras.legend),
        legend_(*model_, marks_, gains_),
        column_(extras.overlay == Overlay::kColumn && overlay_.active() ? std::move(extras.column) : nullptr),
        context_(std::move(context)) {
    if (context_.isEmpty()) context_ = shown_name(model_->graph->name());
  }

  QString title() const override {
    if (!model_->schedule) return Text::tr("Graph of %1").arg(context_);
    return (model_->label.launches.empty() ? Text::tr("Stages of %1: %2") : Text::tr("Lanes of %1: %2"))
        .arg(model_->label.title, context_);
  }

  QString fileStem() const override {
    if (!model_->schedule) return QStringLiteral("graph");
    const std::string& id = model_->label.id.text();
    return "graph-" + QString::fromStdString(id.empty() ? file_stem(model_->schedule->name) : id);
  }

  QSizeF size() const override {
    const Rect& bounds = drawing_->layout.bounds;
    const double width = std::max(bounds.width, kLeastWidth);
    return {width + 2 * kMargin, bounds.height + below(width)};
  }

  // Narrower, the drawing is as in the window zoomed out: with the text that fits, at its usual size.
  QSizeF sizeWithin(double width) const override {
    const double room = width - 2 * kMargin;
    return {width, drawing_->layout.bounds.height * zoomWithin(width) + below(room)};
  }

  void paint(QPainter& painter, const QRectF& area, const Theme& theme) const override {
    const double zoom = zoomWithin(area.width());
    if (zoom <= 0) return;
    const Rect& bounds = drawing_->layout.bounds;
    SceneState state;
    state.model = model_.get();
    state.drawing = drawing_.get();
    state.theme = &theme;
    state.overlay = &overlay_;
    state.gains = &gains_;
    state.visible = to_qt(bounds.grown(kMargin));
    state.marks = &marks_;
    state.running = &running_;
    state.ahead = &ahead_;
    state.export_quality = zoom == 1;
    state.zoom = zoom < kLeastFullZoom ? std::min(zoom, kMostBriefZoom) : zoom;
    painter.save();
    painter.fillRect(area, theme.canvas);
    painter.translate(area.topLeft());
    state.page = painter.transform();
    painter.save();
    painter.translate((area.width() - zoom * bounds.width) / 2, kMargin);
    painter.scale(zoom, zoom);
    painter.translate(-bounds.x, -bounds.y);
    ScenePainter(painter, state).paint();
    painter.restore();
    if (with_legend_) {
      const double width = area.width() - 2 * kMargin;
      const QRectF box(kMargin, zoom * bounds.height + 2 * kMargin, width, legend_.height(width, overlay_));
      legend_.paint(painter, box, overlay_, theme);
    }
    painter.restore();
  }

  QString csv() const override {
    QStringList header{"name", "kind", "part", "stage", "group", "channels", "height", "width", "flops", "shape"};
    const UnitLaunches& launches = model_->label.launches;
    if (!launches.empty())
      header << "lane"
             << "launch";
    if (column_) header << shown_name(column_->title);
    QString text = csv_record(header);
    const Graph& graph = *model_->graph;
    for (std::size_t u = 0; u < graph.units().size(); ++u) {
      const Unit& unit = graph.units()[u];
      QStringList kinds;
      for (const OperatorId op : unit.operators) kinds.append(shown_name(operator_text(graph, graph.op(op))));
      const UnitPlace& place = model_->places[u];
      const Shape& shape = graph.op(unit.output()).output;
      QStringList fields{shown_name(unit.name),
                         kinds.join("; "),
                         QString::number(unit.part.index() + 1),
                         place.stage ? QString::number(*place.stage + 1) : QString(),
                         place.stage ? QString::number(place.group + 1) : QString(),
                         QString::number(shape.channels()),
                         QString::number(shape.height()),
                         QString::number(shape.width()),
                         model_->labels[u].flops ? csv_number(*model_->labels[u].flops) : QString(),
                         QString::fromStdString(shape_text(shape))};
      if (!launches.empty()) {
        QStringList lanes;
        QStringList turns;
        for (const auto& launch : launches[u]) {  // of each of its kernels
          lanes << QString::number(launch.lane + 1);
          turns << QString::number(launch.launch + 1);
        }
        fields << lanes.join("; ") << turns.join("; ");
      }
      if (column_) fields << (column_->values[u] ? csv_number(*column_->values[u]) : QString());
      text += csv_record(fields);
    }
    return text;
  }

 private:
  // The height of all but the drawing: margins, and the legend with one more.
  double below(double width) const {
    return 2 * kMargin + (with_legend_ ? legend_.height(width, overlay_) + kMargin : 0);
  }
  // At most 1: a small graph does not grow with the page.
  double zoomWithin(double width) const {
    const double room = width - 2 * kMargin;
    return drawing_->layout.bounds.width > room ? room / drawing_->layout.bounds.width : 1;
  }

  std::shared_ptr<const Model> model_;
  std::shared_ptr<const Drawing> drawing_;
  OverlayScale overlay_;
  std::vector<UnitMark> marks_;
  PartGains gains_;
  std::vector<UnitId> running_;
  std::vector<UnitId> ahead_;
  bool with_legend_;
  GraphLegend legend_;
  std::shared_ptr<const UnitColumn> column_;  // that is shown; null: none
  QString context_;
};

}  // namespace

std::unique_ptr<Figure> make_figure(std::shared_ptr<const Model> model, std::shared_ptr<const Drawing> drawing,
                                    FigureExtras extras, QString context) {
  return std::make_unique<GraphFigure>(std::move(model), std::move(drawing), std::move(extras), std::move(context));
}

}  // namespace canvas

std::unique_ptr<Figure> graph_figure(std::shared_ptr<const Graph> graph, const Schedule* schedule,
                                     std::vector<Latency> latencies, QString context, canvas::Overlay overlay,
                                     canvas::ScheduleLabel label) {
  const canvas::TextStyle style = canvas::text_style();
  const auto model = canvas::with_schedule(*canvas::make_model(std::move(graph), style), schedule, std::move(latencies),
                                           std::move(label));
  canvas::LayoutRequest request;
  request.graph = model->graph;
  request.schedule = model->schedule;
  request.weave = canvas::weave_of(model->label);
  return canvas::make_figure(model, canvas::make_drawing(canvas::weave_graph(request)), {overlay, {}, {}, false},
                             std::move(context));
}

}  // namespace iosx
