#include "views/edit_graph/edit_figure.h"

#include <QPainter>
#include <QStringList>
#include <algorithm>
#include <vector>

#include "core/base/file_stem.h"
#include "views/edit_graph/edit_painter.h"
#include "views/figures/csv.h"
#include "views/text/qstring.h"
#include "views/text/translate.h"

namespace iosx::editor {
namespace {

constexpr double kMargin = 28;  // frames and marks lie around the boxes

class EditFigure final : public Figure {
 public:
  EditFigure(const EditableGraph& graph, const GraphCheck& check, const EditScene& scene)
      : graph_(graph), check_(check), scene_(scene) {
    bounds_ = scene_.bounds();
    for (const EditFrame& part : scene_.parts()) bounds_ = bounds_.united(part.box);
    for (const EditWire& wire : scene_.wires()) bounds_ = bounds_.united(wire.bounds);
  }

  QString title() const override { return Text::tr("Graph of %1").arg(shown_name(graph_.name())); }
  QString fileStem() const override { return "drawing-" + QString::fromStdString(file_stem(graph_.name())); }
  QSizeF size() const override { return {bounds_.width + 2 * kMargin, bounds_.height + 2 * kMargin}; }
  QSizeF sizeWithin(double width) const override { return {width, bounds_.height * zoomWithin(width) + 2 * kMargin}; }

  void paint(QPainter& painter, const QRectF& area, const Theme& theme) const override {
    const double zoom = zoomWithin(area.width());
    if (zoom <= 0) return;
    EditState state;
    state.scene = &scene_;
    state.theme = &theme;
    state.visible = bounds_.grown(kMargin);
    state.zoom = zoom;
    painter.save();
    painter.fillRect(area, theme.canvas);
    painter.translate(area.left() + (area.width() - zoom * bounds_.width) / 2, area.top() + kMargin);
    painter.scale(zoom, zoom);
    painter.translate(-bounds_.x, -bounds_.y);
    paint_edit_scene(painter, state);
    painter.restore();
  }

  QString csv() const override {
    QString text = csv_record({"name", "kind", "unit", "part", "reads", "shape", "x", "y", "problems"});
    for (const EditBox& box : scene_.boxes()) {
      const EditOperator& op = graph_.op(box.key);
      const EditUnit* const unit = graph_.find(op.unit);
      const EditPart* const part = unit == nullptr ? nullptr : graph_.find(unit->part);
      QStringList reads;
      for (const EditInput& input : op.inputs) {
        const EditOperator* const from = graph_.find(input.producer);
        reads << (from == nullptr ? QString() : shown_name(from->name));
      }
      QStringList problems;
      for (const std::size_t p : box.problems) problems << shown_name(check_.problems[p].wording.text());
      const Shape* const shape = check_.shapes.find(box.key);
      text += csv_record({shown_name(op.name), qstring(kind_name(op.attributes)),
                          unit == nullptr ? QString() : shown_name(unit->name),
                          part == nullptr ? QString() : shown_name(part->name), reads.join("; "),
                          shape == nullptr ? QString() : QString::fromStdString(shape_text(*shape)),
                          csv_number(box.box.center().x), csv_number(box.box.center().y), problems.join("; ")});
    }
    return text;
  }

 private:
  // At most 1: a small graph does not grow with the page.
  double zoomWithin(double width) const { return std::min(1.0, (width - 2 * kMargin) / bounds_.width); }

  const EditableGraph graph_;  // values that share their operators
  const GraphCheck check_;
  const EditScene& scene_;
  canvas::Rect bounds_;
};

}  // namespace

std::unique_ptr<Figure> edit_figure(const EditableGraph& graph, const GraphCheck& check, const EditScene& scene) {
  return std::make_unique<EditFigure>(graph, check, scene);
}

}  // namespace iosx::editor
