#include "views/canvas/paint/hit.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/model/graph/work.h"
#include "views/canvas/layout/node_text.h"
#include "views/canvas/paint/weave_tips.h"
#include "views/text/attribute_properties.h"
#include "views/text/format.h"
#include "views/text/qstring.h"
#include "views/text/translate.h"

namespace iosx::canvas {
namespace {

std::optional<UnitId> straightest(std::span<const UnitId> candidates, const Layout& layout, const Point& from) {
  std::optional<UnitId> best;
  double least = std::numeric_limits<double>::max();
  for (const UnitId unit : candidates) {
    const auto node = layout.node_of[unit.index()];
    if (!node) continue;
    const double off = std::abs(layout.nodes[*node].box.center().x - from.x);
    if (off >= least) continue;
    least = off;
    best = unit;
  }
  return best;
}

std::optional<UnitId> beside(const Layout& layout, std::size_t from, double sign) {
  const Rect& box = layout.nodes[from].box;
  std::optional<UnitId> best;
  double least = std::numeric_limits<double>::max();
  for (const NodeBox& node : layout.nodes) {
    const double ahead = sign * (node.box.center().x - box.center().x);
    const double aside = std::abs(node.box.center().y - box.center().y);
    if (ahead <= 1 || aside > ahead) continue;
    const double cost = ahead + 4 * aside;
    if (cost >= least) continue;
    least = cost;
    best = node.unit;
  }
  return best;
}

}  // namespace

Rect header_target(const FrameBox& frame, double zoom) {
  const Rect row = header_row(frame, 0, zoom);
  return {frame.box.x, row.y, frame.box.width, row.height};
}

Rect disclosure_target(const FrameBox& frame, double zoom) {
  constexpr double kWidth = 28;
  constexpr double kLeast = 0.75;  // zoom
  if (zoom < kLeast) return {};
  const Rect row = header_row(frame, 0, zoom);
  return {row.x, row.y, kWidth, row.height};
}

Hit hit(const Layout& layout, const Point& at, double zoom) {
  for (std::size_t f = 0; f < layout.frames.size(); ++f) {
    const FrameBox& frame = layout.frames[f];
    if (!frame.box.contains(at)) continue;
    const bool on_header = header_target(frame, zoom).contains(at);
    if (const Rect triangle = disclosure_target(frame, zoom); !triangle.empty() && triangle.contains(at)) {
      return {Hit::Kind::kDisclosure, f};
    }
    if (on_header) return {Hit::Kind::kHeader, f};
    const auto has = [&at](const Rect& rect) { return rect.contains(at); };
    for (std::size_t n = frame.nodes.first; n < frame.nodes.second; ++n) {
      if (std::ranges::any_of(layout.nodes[n].shape.chips, has)) return {Hit::Kind::kNode, n};  // over another unit
    }
    for (std::size_t n = frame.nodes.first; n < frame.nodes.second; ++n) {
      const NodeBox& node = layout.nodes[n];
      if (has(node.box) || std::ranges::any_of(node.shape.pieces, has)) return {Hit::Kind::kNode, n};
    }
    for (std::size_t b = frame.bands.first; b < frame.bands.second; ++b) {
      const BandBox& band = layout.bands[b];
      if (band.box.contains(at) && at.x < band.label.right()) return {Hit::Kind::kBand, b};
    }
    for (std::size_t r = frame.rows.first; r < frame.rows.second; ++r) {
      if (layout.rows[r].box.contains(at)) return {Hit::Kind::kRow, r};
    }
    return {};
  }
  return {};
}

std::optional<UnitId> neighbour(const Graph& graph, const Layout& layout, UnitId from, Direction direction) {
  const auto node = layout.node_of[from.index()];
  if (!node) return std::nullopt;
  const Point center = layout.nodes[*node].box.center();
  switch (direction) {
    case Direction::kUp: return straightest(graph.predecessors(from), layout, center);
    case Direction::kDown: return straightest(graph.successors(from), layout, center);
    case Direction::kLeft: return beside(layout, *node, -1);
    case Direction::kRight: return beside(layout, *node, 1);
  }
  return std::nullopt;
}

namespace {

// Names are untrusted: they are plain text, however long or similar to HTML.
QString escaped(const std::string& text) { return qstring(short_name(text)).toHtmlEscaped(); }

// The first line of an operator has it.
bool told_above(const QString& property) {
  return property == Inspector::tr("Kernel") || property == Inspector::tr("Window") ||
         property == Inspector::tr("Stride") || property == Inspector::tr("Function");
}

QString unit_tip(const Model& model, UnitId id) {
  const Graph& graph = *model.graph;
  const Unit& unit = graph.unit(id);
  QStringList lines{"<b>" + escaped(unit.name) + "</b>" + (unit.hint.empty() ? QString() : " " + escaped(unit.hint))};
  for (const OperatorId op_id : unit.operators) {
    const Operator& op = graph.op(op_id);
    QString line = escaped(operator_text(graph, op)) + " → " + format::shape(op.output).toHtmlEscaped();
    for (const Property& property : attribute_properties(op)) {
      if (!told_above(property.name)) line += ", " + (property.name.toLower() + " " + property.value).toHtmlEscaped();
    }
    lines.append(line);
  }
  const Work sum = work(graph, id, 1);
  lines.append(
      sum.known ? Text::tr("%1, %2 parameters, one sample").arg(format::flops(sum.flops), format::count(sum.parameters))
                : Text::tr("unknown cost"));
  if (const UnitPlace& place = model.places[id.index()]; place.stage) {
    const bool barrier_free = !model.label.launches.empty();
    if (barrier_free && !model.label.launches[id.index()].empty()) {
      lines.append(launch_words(model.label.launches[id.index()]));
    }
    lines.append((barrier_free ? Text::tr("from stage %1, group %2") : Text::tr("stage %1, group %2"))
                     .arg(*place.stage + 1)
                     .arg(place.group + 1));
  }
  lines.append(partner_lines(model, id));
  return lines.join("<br>");
}

}  // namespace

QString tool_tip(const Model& model, const Layout& layout, const Hit& hit, const TipExtras& extras) {
  switch (hit.kind) {
    case Hit::Kind::kNode: {
      const NodeBox& node = layout.nodes[hit.index];
      QString text = unit_tip(model, node.unit);
      if (extras.overlay != nullptr && extras.overlay->active()) {
        const QString value = extras.overlay->text(node.unit);
        if (!value.isEmpty()) text += "<br>" + (extras.overlay->title() + ": " + value).toHtmlEscaped();
      }
      if (extras.marks != nullptr && node.unit.index() < extras.marks->size()) {
        const UnitMark& mark = (*extras.marks)[node.unit.index()];
        if (mark.change != UnitChange::kSame)
          text += "<br><b>" + change_word(mark.change) + "</b> " + mark.note.toHtmlEscaped();
      }
      return text;
    }
    case Hit::Kind::kRow: return row_tip(model, layout.rows[hit.index]);
    case Hit::Kind::kBand: {
      const QStringList lines = band_lines(model, layout.bands[hit.index].stage);
      QString text = "<b>" + lines.front() + "</b><br>" + lines.mid(1).join("<br>");
      if (extras.gains != nullptr) {
        const QString figure = extras.gains->stageFigure(layout.bands[hit.index].stage);
        if (!figure.isEmpty()) {
          text += "<br>" + Text::tr("%1 ms against %2").arg(figure, extras.gains->baseline()).toHtmlEscaped();
        }
      }
      return text;
    }
    case Hit::Kind::kHeader:
      return "<b>" + escaped(layout.frames[hit.index].title) + "</b><br>" +
             Text::tr("click: select its units; double click: fit it into the canvas");
    case Hit::Kind::kDisclosure:
      return layout.frames[hit.index].collapsed ? Text::tr("show only this part")
                                                : Text::tr("show only this part, or all again");
    case Hit::Kind::kNothing: return {};
  }
  return {};
}

}  // namespace iosx::canvas
