// The boxes and edges of ScenePainter.
#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "views/graph/scene_painter.h"

namespace iosx::canvas {
namespace {

constexpr double kRadius = 5;

QColor mix(const QColor& a, const QColor& b, double share) {
  const auto channel = [share](int from, int to) { return static_cast<int>(std::lround(from + (to - from) * share)); };
  return {channel(a.red(), b.red()), channel(a.green(), b.green()), channel(a.blue(), b.blue())};
}

}  // namespace

QColor ScenePainter::accent(UnitId unit) const {
  return theme_.operatorFill(state_.model->labels[unit.index()].attributes);
}

QColor ScenePainter::fill(UnitId unit) const {
  if (state_.overlay->active()) return state_.overlay->color(unit, theme_);
  return detail_ == Detail::kFull ? mix(accent(unit), theme_.canvas, theme_.dark ? 0.74 : 0.78) : accent(unit);
}

bool ScenePainter::highlighted(const EdgePath& edge) const {
  const auto touches = [&](std::size_t node) {
    if (state_.hovered == node) return true;
    const UnitId unit = layout_.nodes[node].unit;
    return unit.valid() && state_.selection != nullptr && state_.selection->units.size() == 1 && selected(unit);
  };
  return touches(edge.from) || touches(edge.to);
}

void ScenePainter::paintEdges(const FrameBox& frame) {
  if (detail_ == Detail::kBlock) {  // thin straight lines: thousands of them in a frame's time
    std::vector<QLineF> lines;
    for (std::size_t e = frame.edges.first; e < frame.edges.second; ++e) {
      const EdgePath& edge = layout_.edges[e];
      if (!visible(edge.bounds)) continue;
      const Point& from = edge.curve.front();
      const Point& to = edge.curve.back();
      lines.emplace_back(from.x, from.y, to.x, to.y);
    }
    painter_.setRenderHint(QPainter::Antialiasing, false);
    painter_.setPen(QPen(theme_.outline, 0));
    painter_.drawLines(lines.data(), static_cast<int>(lines.size()));
    painter_.setRenderHint(QPainter::Antialiasing);
    return;
  }
  for (std::size_t e = frame.edges.first; e < frame.edges.second; ++e) {
    if (visible(layout_.edges[e].bounds)) paintEdge(e, theme_.outline, std::max(1.3, pixels(0.8)));
  }
}

void ScenePainter::paintHighlightedEdges(const FrameBox& frame) {
  if (state_.export_quality) return;
  for (std::size_t e = frame.edges.first; e < frame.edges.second; ++e) {
    const EdgePath& edge = layout_.edges[e];
    if (highlighted(edge) && visible(edge.bounds)) paintEdge(e, theme_.selection, std::max(2.0, pixels(1.5)));
  }
}

void ScenePainter::paintEdge(std::size_t edge, const QColor& color, double width) {
  painter_.setBrush(Qt::NoBrush);
  painter_.setPen(QPen(color, width, Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin));
  painter_.drawPath(state_.drawing->edges[edge]);
  if (detail_ == Detail::kFull) paintArrow(layout_.edges[edge], color);
}

void ScenePainter::paintArrow(const EdgePath& edge, const QColor& color) {
  const Point& tip = edge.curve.back();
  const Point& before = edge.curve[edge.curve.size() - 2];
  double dx = tip.x - before.x;
  double dy = tip.y - before.y;
  const double length = std::hypot(dx, dy);
  if (length < 1e-6) {
    dx = 0;
    dy = 1;
  } else {
    dx /= length;
    dy /= length;
  }
  const QPointF end(tip.x, tip.y);
  const QPointF back = end - 7.5 * QPointF(dx, dy);
  const QPointF side = 3.6 * QPointF(-dy, dx);
  painter_.setPen(Qt::NoPen);
  painter_.setBrush(color);
  painter_.drawPolygon(QPolygonF({end, back + side, back - side}));
}

void ScenePainter::paintBlocks(const FrameBox& frame) {
  painter_.setRenderHint(QPainter::Antialiasing, false);
  for (std::size_t n = frame.nodes.first; n < frame.nodes.second; ++n) {
    const NodeBox& node = layout_.nodes[n];
    if (!visible(node.box)) continue;
    painter_.fillRect(to_qt(node.box), node.unit.valid() ? fill(node.unit) : theme_.gridLine);
  }
  painter_.setRenderHint(QPainter::Antialiasing);
}

void ScenePainter::paintNode(std::size_t n) {
  const NodeBox& node = layout_.nodes[n];
  if (!node.unit.valid()) {
    paintPort(node);
    return;
  }
  const bool hovered = state_.hovered == n;
  const QColor back = fill(node.unit);
  const QColor edge = mix(accent(node.unit), theme_.text, theme_.dark ? 0.15 : 0.3);
  const UnitLabel& label = state_.model->labels[node.unit.index()];
  painter_.setPen(hovered ? QPen(theme_.selection, std::max(1.6, pixels(1.2)))
                          : QPen(edge, std::max(1.0, pixels(0.7))));
  painter_.setBrush(back);
  painter_.drawRoundedRect(to_qt(node.box), kRadius, kRadius);
  if (label.category == Category::kMergedConv) {
    painter_.setBrush(Qt::NoBrush);
    painter_.drawRoundedRect(to_qt(node.box.grown(3)), kRadius + 2, kRadius + 2);
  }
  detail_ == Detail::kFull ? paintUnitText(node, back) : paintBrief(node, back);
}

void ScenePainter::paintUnitText(const NodeBox& node, const QColor& fill) {
  const UnitLabel& label = state_.model->labels[node.unit.index()];
  const QRectF box = to_qt(node.box);
  const QColor strong = accent(node.unit);
  QPainterPath stripe;
  stripe.addRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), kRadius - 0.5, kRadius - 0.5);
  QPainterPath left;
  left.addRect(QRectF(box.left(), box.top(), kBoxStripe, box.height()));
  painter_.setPen(Qt::NoPen);
  painter_.setBrush(strong);
  painter_.drawPath(stripe.intersected(left));
  painter_.setPen(Theme::readableOn(strong));
  painter_.setFont(letter_font_);
  painter_.drawText(QRectF(box.left(), box.top() + 6, kBoxStripe, 16), Qt::AlignCenter,
                    category_letter(label.category));

  const QColor text = Theme::readableOn(fill);
  const double x = box.left() + kBoxStripe + kBoxPadding;
  const double width = box.width() - kBoxStripe - kBoxPadding - 2;
  double y = box.top() + kBoxPadding - 1;
  const auto line = [&](const QString& words, const QFont& font, double height, const QColor& color) {
    painter_.setFont(font);
    painter_.setPen(color);
    painter_.drawText(QRectF(x, y, width, height), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, words);
    y += height;
  };
  const double name_height = QFontMetricsF(name_font_).height();
  const double body_height = QFontMetricsF(body_font_).height();
  line(label.name, name_font_, name_height, text);
  for (const QString& words : label.lines) line(words, body_font_, body_height, text);
  const bool overlaid = state_.overlay->active();
  const QColor muted = mix(text, fill, 0.28);
  line(overlaid ? state_.overlay->text(node.unit) : label.shape, body_font_, body_height, overlaid ? text : muted);
}

void ScenePainter::paintBrief(const NodeBox& node, const QColor& fill) {
  const UnitLabel& label = state_.model->labels[node.unit.index()];
  const double size = std::min(pixels(10), node.box.height * 0.6);
  if (size / pixels(1) < 7) return;
  // Digits and lower-case letters are about 0.62 em wide.
  if (static_cast<double>(label.brief.size()) * 0.62 * size > node.box.width - 6) return;
  painter_.setFont(font(false, size));
  painter_.setPen(Theme::readableOn(fill));
  painter_.drawText(to_qt(node.box), Qt::AlignCenter | Qt::TextSingleLine, label.brief);
}

void ScenePainter::paintPort(const NodeBox& node) {
  const QRectF box = to_qt(node.box);
  painter_.setPen(QPen(theme_.outline, std::max(1.0, pixels(0.7))));
  painter_.setBrush(theme_.canvas);
  painter_.drawRoundedRect(box, box.height() / 2, box.height() / 2);
  if (detail_ != Detail::kFull) return;
  painter_.setFont(body_font_);
  painter_.setPen(theme_.mutedText);
  const QString words = QString::fromStdString(port_text(*state_.model->graph, node.source));
  painter_.drawText(box, Qt::AlignCenter | Qt::TextSingleLine,
                    QFontMetricsF(body_font_).elidedText(words, Qt::ElideMiddle, box.width() - 12));
}

}  // namespace iosx::canvas
