#include "views/canvas/paint/scene_painter.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <array>
#include <cmath>

#include "views/canvas/paint/hit.h"
#include "views/figures/paint.h"
#include "views/style/fills.h"
#include "views/text/qstring.h"

namespace iosx::canvas {
namespace {

constexpr double kFullZoom = 0.5;   // 12-pixel text becomes 6 pixels
constexpr double kBriefZoom = 0.2;  // a box is then about 12 pixels high

constexpr double kRadius = 5;
constexpr double kHatchStep = 9;

}  // namespace

Detail detail_at(double zoom) {
  if (zoom >= kFullZoom) return Detail::kFull;
  return zoom >= kBriefZoom ? Detail::kBrief : Detail::kBlock;
}

QRectF to_qt(const Rect& rect) { return {rect.x, rect.y, rect.width, rect.height}; }

ScenePainter::ScenePainter(QPainter& painter, const SceneState& state)
    : painter_(painter),
      state_(state),
      layout_(state.drawing->layout),
      theme_(*state.theme),
      detail_(state.export_quality ? Detail::kFull : detail_at(state.zoom)),
      name_font_(name_font()),
      body_font_(body_font()),
      letter_font_(font(true, 10)),
      small_font_(small_font()),
      small_bold_font_(letter_font_),
      small_text_(small_text()),
      name_ascent_(QFontMetricsF(name_font_).ascent()),
      name_height_(QFontMetricsF(name_font_).height()),
      body_ascent_(QFontMetricsF(body_font_).ascent()),
      body_height_(QFontMetricsF(body_font_).height()) {}

QTransform ScenePainter::toPixels() const { return painter_.transform() * state_.page.inverted(); }

void ScenePainter::paint() {
  paintBase();
  paintTop();
}

void ScenePainter::paintBase() {
  painter_.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
  paintLinks();
  for (std::size_t f = 0; f < layout_.frames.size(); ++f) {
    if (visible(layout_.frames[f].box.grown(40))) paintFrame(f);
  }
  paintTies();
}

void ScenePainter::paintTop() {
  painter_.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
  for (const FrameBox& frame : layout_.frames) {
    if (visible(frame.box)) paintHighlightedEdges(frame);
  }
  paintAhead();
  paintUnlit();
  paintDim();
  paintRunning();
  paintFound();
  paintSelection();
  paintPointed();
  paintHovered();
}

void ScenePainter::paintFrame(std::size_t f) {
  const FrameBox& frame = layout_.frames[f];
  painter_.setPen(pen(theme_.gridLine, 1, 1));
  painter_.setBrush(theme_.panel);
  for (std::size_t c = 0; c < frame.columns.size(); ++c) {
    painter_.drawRoundedRect(to_qt(panel_box(frame, c, state_.zoom)), 8, 8);
  }
  paintRows(frame);
  paintParts(frame);
  for (std::size_t b = frame.bands.first; b < frame.bands.second; ++b) paintStageNumber(layout_.bands[b]);
  for (std::size_t m = frame.merged.first; m < frame.merged.second; ++m) paintMerged(layout_.merged[m]);
  paintEdges(frame);
  paintCriticalEdges(frame);
  for (std::size_t m = frame.merged.first; m < frame.merged.second; ++m) paintMergedBar(layout_.merged[m]);
  for (std::size_t n = frame.nodes.first; n < frame.nodes.second; ++n) paintPieces(n);
  paintMarks(frame);
  paintPartNames(frame);
  paintHeader(f);
}

void ScenePainter::paintLinks() {
  painter_.setBrush(Qt::NoBrush);
  for (std::size_t l = 0; l < layout_.links.size(); ++l) {
    QPolygonF points;
    for (const Point& p : layout_.links[l]) points.append(QPointF(p.x, p.y));
    points.last().setY(header_target(layout_.frames[l + 1], state_.zoom).y);  // where the panel begins at this zoom
    if (!state_.visible.intersects(points.boundingRect().adjusted(-9, -9, 9, 9))) continue;
    painter_.setPen(QPen(theme_.outline, std::max(2.0, pixels(1)), Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin));
    painter_.drawPolyline(points);
    const QPointF tip = points.last();
    paint_shape(painter_, Qt::NoPen, theme_.outline, QPolygonF({tip, tip + QPointF(-5, -9), tip + QPointF(5, -9)}));
    painter_.setBrush(Qt::NoBrush);
  }
}

QRectF ScenePainter::snapped(const QRectF& box) const {
  const double ratio = painter_.device()->devicePixelRatioF();
  // Not std::round(), which turns about at 0: a picture that was moved is to have the same pixels.
  const auto whole = [ratio](double at) { return std::floor(at * ratio + 0.5) / ratio; };
  return {QPointF(whole(box.left()), whole(box.top())), QPointF(whole(box.right()), whole(box.bottom()))};
}

QPointF ScenePainter::onPixel(const QPointF& at) const {
  const QTransform to_window = toPixels();
  return to_window.inverted().map(snapped(QRectF(to_window.map(at), QSizeF(0, 0))).topLeft());
}

void ScenePainter::fillCut(const QRectF& box, const QColor& color) {
  painter_.setRenderHint(QPainter::Antialiasing, false);
  if (box.height() < 5 || box.width() < 5) {
    fill_translucent(painter_, box, color);
  } else {
    painter_.fillRect(QRectF(box.left() + 1, box.top(), box.width() - 2, 1), color);
    fill_translucent(painter_, box.adjusted(0, 1, 0, -1), color);
    painter_.fillRect(QRectF(box.left() + 1, box.bottom() - 1, box.width() - 2, 1), color);
  }
  painter_.setRenderHint(QPainter::Antialiasing);
}

void ScenePainter::paintMerged(const MergedBox& merged) {
  if (!visible(merged.box)) return;
  if (detail_ == Detail::kFull) {
    paint_box(painter_, QPen(theme_.boxLine, std::max(1.4, pixels(0.8))), theme_.canvas, to_qt(merged.box), 7);
    painter_.setBrush(Qt::NoBrush);
    painter_.drawRoundedRect(to_qt(merged.box.grown(-3)), 5, 5);
    return;
  }
  const QTransform transform = painter_.transform();
  const QRectF box = snapped(toPixels().mapRect(to_qt(merged.box)));
  painter_.setTransform(state_.page);
  fillCut(box, theme_.boxLine);
  const double line = detail_ == Detail::kBrief ? kBriefMergedLine : 1;
  if (box.width() > 2 * line && box.height() > 2 * line) {
    fillCut(box.adjusted(line, line, -line, -line), theme_.canvas);
  }
  painter_.setTransform(transform);
}

// Returns a pen of at least that many pixels. Thin ones are cosmetic, which Qt strokes several times faster.
QPen ScenePainter::pen(const QColor& color, double width, double least_pixels) const {
  QPen result(color, std::max(width, pixels(least_pixels)), Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin);
  if (state_.export_quality || width / pixels(1) > least_pixels) return result;
  result.setCosmetic(true);
  result.setWidthF(std::max(1.0, painter_.device()->devicePixelRatioF()));  // in pixels of the device
  return result;
}

void ScenePainter::outline(UnitId unit, double grown, const QPen& pen) {
  for (const Rect& box : rects_of(unit)) {
    if (!visible(box)) continue;
    painter_.setPen(pen);
    painter_.drawRoundedRect(to_qt(box.grown(grown + pen.widthF() / 2)), kRadius + 2, kRadius + 2);
  }
}

std::vector<Rect> ScenePainter::rects_of(UnitId unit) const {
  const Rect* box = layout_.box_of(unit);
  if (box == nullptr) return {};
  std::vector<Rect> rects{*box};
  const NodeShape& shape = layout_.nodes[*layout_.node_of[unit.index()]].shape;
  for (const auto* list : {&shape.pieces, &shape.stems, &shape.chips}) {
    for (const Rect& piece : *list) {
      if (!box->contains(piece)) rects.push_back(piece);  // in another panel, or beside the unit above
    }
  }
  return rects;
}

void ScenePainter::paintSelection() {
  if (state_.selection == nullptr || state_.selection->empty()) return;
  painter_.setBrush(Qt::NoBrush);
  const QPen pen(theme_.selection, std::max(2.5, pixels(2)));
  for (const BandBox& band : layout_.bands) {
    const bool chosen = state_.selection->stage == band.stage && state_.selection->schedule == state_.model->label.id;
    if (!chosen || !visible(band.box)) continue;
    painter_.setPen(QPen(theme_.selection, std::max(2.0, pixels(2))));
    painter_.drawRoundedRect(to_qt(band.box), 6, 6);
  }
  for (const UnitId unit : state_.selection->units) outline(unit, 1, pen);
}

// Paints a dashed line around each, a thick one around the one that is gone to; never so small that it is not seen.
void ScenePainter::paintFound() {
  if (state_.found == nullptr) return;
  const QPen pen(theme_.found, std::max(2.0, pixels(2)));
  const QPen thick(theme_.found, std::max(4.0, pixels(4)));
  const QColor fill = with_alpha(theme_.found, 0.28F);
  painter_.setBrush(fill);
  for (const UnitId unit : *state_.found)
    outline(unit, std::max(2.0, pixels(1.5)), state_.current == unit ? thick : pen);
  painter_.setBrush(Qt::NoBrush);
}

// Paints a bright frame and a triangle, as on a play button.
void ScenePainter::paintRunning() {
  if (state_.running == nullptr) return;
  const QColor fill = with_alpha(theme_.running, 0.25F);
  for (const UnitId unit : *state_.running) {
    painter_.setBrush(fill);
    outline(unit, 1, QPen(theme_.running, std::max(3.5, pixels(2.5))));
    const Rect* box = layout_.box_of(unit);
    const double size = std::max(9.0, pixels(6));
    if (box == nullptr || !visible(*box) || size > box->height) continue;
    const QPointF corner(box->x, box->y);
    paint_shape(painter_, Qt::NoPen, theme_.running,
                QPolygonF({corner + QPointF(-size, 0), corner + QPointF(0, size / 2), corner + QPointF(-size, size)}));
  }
  painter_.setBrush(Qt::NoBrush);
}

// Paints a dashed line around each, over that of what is selected.
void ScenePainter::paintPointed() {
  if (state_.pointed == nullptr) return;
  QPen under(theme_.canvas, std::max(5.0, pixels(5)));
  QPen dashes(theme_.running, std::max(3.0, pixels(3)), Qt::DashLine);
  painter_.setBrush(Qt::NoBrush);
  for (const UnitId unit : *state_.pointed) {
    outline(unit, 0, under);
    outline(unit, 1, dashes);
  }
}

// Paints a veil, as thin as lets the box still be seen.
void ScenePainter::veil(const Rect& box) {
  const QColor color = with_alpha(theme_.canvas, 0.72F);
  painter_.fillRect(to_qt(box.grown(2)), color);
}

// Paints a veil over what a search does not look for.
void ScenePainter::paintDim() {
  if (state_.matches == nullptr) return;
  painter_.setRenderHint(QPainter::Antialiasing, false);
  for (const NodeBox& node : layout_.nodes) {
    if (!dim(node.unit)) continue;
    for (const Rect& box : rects_of(node.unit)) {
      if (visible(box)) veil(box);
    }
  }
  painter_.setRenderHint(QPainter::Antialiasing);
}

// Paints a veil over what has not begun at the time that is looked at.
void ScenePainter::paintAhead() {
  if (state_.ahead == nullptr) return;
  painter_.setRenderHint(QPainter::Antialiasing, false);
  for (const UnitId unit : *state_.ahead) {
    for (const Rect& box : rects_of(unit)) {
      if (visible(box)) veil(box);
    }
  }
  painter_.setRenderHint(QPainter::Antialiasing);
}

// Paints a veil over what did not run beside the unit under the pointer, or not in the measured range.
void ScenePainter::paintUnlit() {
  if (state_.lit == nullptr || state_.lit->empty()) return;
  painter_.setRenderHint(QPainter::Antialiasing, false);
  for (const NodeBox& node : layout_.nodes) {
    if (std::ranges::binary_search(*state_.lit, node.unit)) continue;
    for (const Rect& box : rects_of(node.unit)) {
      if (visible(box)) veil(box);
    }
  }
  painter_.setRenderHint(QPainter::Antialiasing);
}

void ScenePainter::paintHovered() {
  if (state_.hovered) {
    painter_.setBrush(Qt::NoBrush);
    outline(layout_.nodes[*state_.hovered].unit, -1, QPen(theme_.selection, std::max(1.6, pixels(1.2))));
  }
  if (!state_.hovered_header) return;
  const FrameBox& frame = layout_.frames[*state_.hovered_header];
  const QColor fill = with_alpha(theme_.selection, 0.14F);
  painter_.setPen(QPen(theme_.selection, std::max(1.2, pixels(1))));
  painter_.setBrush(fill);
  const Rect target = header_target(frame, state_.zoom);
  painter_.drawRoundedRect(to_qt(target), kRadius, kRadius);
  painter_.setBrush(Qt::NoBrush);
}

// Paints them thick, so that the chain can be followed.
void ScenePainter::paintCriticalEdges(const FrameBox& frame) {
  for (std::size_t e = frame.edges.first; e < frame.edges.second; ++e) {
    const EdgePath& edge = layout_.edges[e];
    const UnitId from = layout_.nodes[edge.from].unit;
    const UnitId to = layout_.nodes[edge.to].unit;
    if (!from.valid() || !to.valid() || !state_.overlay->follows(from, to) || !visible(edge.bounds)) continue;
    paintEdge(e, theme_.text, std::max(2.6, pixels(2)));
  }
}

bool ScenePainter::visible(const Rect& rect) const { return state_.visible.intersects(to_qt(rect.grown(3))); }

QFont ScenePainter::font(bool bold, double size) const {
  QFont result = body_font_;
  result.setPixelSize(std::max(1, static_cast<int>(std::lround(size))));
  if (bold) result.setWeight(QFont::Bold);
  return result;
}

QColor ScenePainter::accent(UnitId unit) const { return theme_.operatorFill(state_.model->labels[unit.index()].what); }

QColor ScenePainter::fill(UnitId unit) const {
  if (state_.overlay->active()) return state_.overlay->color(unit, theme_);
  return detail_ == Detail::kFull ? mixed(accent(unit), theme_.canvas, theme_.dark ? 0.74 : 0.78) : accent(unit);
}

bool ScenePainter::highlighted(const EdgePath& edge) const {
  const auto touches = [&](std::size_t node) {
    if (state_.hovered == node) return true;
    const UnitId unit = layout_.nodes[node].unit;
    return state_.selection != nullptr && state_.selection->units.size() == 1 && selected(unit);
  };
  return touches(edge.from) || touches(edge.to);
}

void ScenePainter::paintEdges(const FrameBox& frame) {
  constexpr std::ptrdiff_t kMostSmooth = 600;
  const auto first = layout_.edges.begin() + static_cast<std::ptrdiff_t>(frame.edges.first);
  const auto last = layout_.edges.begin() + static_cast<std::ptrdiff_t>(frame.edges.second);
  const auto in_sight = std::count_if(first, last, [this](const EdgePath& edge) { return visible(edge.bounds); });
  const bool many = in_sight > kMostSmooth && !state_.export_quality;
  if (detail_ == Detail::kBlock || many) {  // thin straight lines: thousands of them in a frame's time
    constexpr std::size_t kSteps = 5;       // of strength
    std::array<std::vector<QLineF>, kSteps> lines;
    for (std::size_t e = frame.edges.first; e < frame.edges.second; ++e) {
      const EdgePath& edge = layout_.edges[e];
      if (!visible(edge.bounds) || (edge.across && detail_ == Detail::kBlock)) continue;
      auto& alike = lines.at(static_cast<std::size_t>(std::lround(strength(e) * (kSteps - 1))));
      const std::size_t step = edge.corners ? 3 : edge.curve.size() - 1;  // around its corners, or straight
      for (std::size_t i = 0; i + step < edge.curve.size(); i += step) {
        alike.emplace_back(edge.curve[i].x, edge.curve[i].y, edge.curve[i + step].x, edge.curve[i + step].y);
      }
    }
    painter_.setRenderHint(QPainter::Antialiasing, false);
    for (std::size_t s = 0; s < kSteps; ++s) {
      painter_.setPen(QPen(edgeColor(static_cast<double>(s) / (kSteps - 1)), 0));
      painter_.drawLines(lines.at(s).data(), static_cast<int>(lines.at(s).size()));
    }
    painter_.setRenderHint(QPainter::Antialiasing);
    return;
  }
  for (std::size_t e = frame.edges.first; e < frame.edges.second; ++e) {
    if (visible(layout_.edges[e].bounds)) paintEdge(e, edgeColor(strength(e)), 1.3);
  }
}

void ScenePainter::paintHighlightedEdges(const FrameBox& frame) {
  if (state_.export_quality) return;
  for (std::size_t e = frame.edges.first; e < frame.edges.second; ++e) {
    const EdgePath& edge = layout_.edges[e];
    const bool first = highlighted(edge);
    if ((!first && !raised(edge)) || !visible(edge.bounds)) continue;
    paintEdge(e, first ? theme_.selection : theme_.boxLine, first ? std::max(2.0, pixels(1.5)) : 1.3);
  }
}

// Edges are fainter where many are, and where a search looks for something else.
double ScenePainter::strength(std::size_t e) const {
  constexpr double kDim = 0.25;
  const EdgePath& edge = layout_.edges[e];
  const double density = state_.export_quality ? 1 : state_.drawing->density.strength(e, state_.zoom);
  const bool aside = dim(layout_.nodes[edge.from].unit) || dim(layout_.nodes[edge.to].unit);
  return aside ? std::min(density, kDim) : density;
}

// The line is as if it were translucent, without getting stronger where lines cross.
QColor ScenePainter::edgeColor(double strength) const { return mixed(theme_.panel, theme_.outline, strength); }

bool ScenePainter::dim(UnitId unit) const { return state_.matches != nullptr && !(*state_.matches)[unit.index()]; }

bool ScenePainter::raised(const EdgePath& edge) const {
  const auto touches = [&](std::size_t node) { return selected(layout_.nodes[node].unit); };
  return touches(edge.from) || touches(edge.to);
}

void ScenePainter::paintEdge(std::size_t edge, const QColor& color, double width) {
  paint_shape(painter_, pen(color, width, 1), Qt::NoBrush, state_.drawing->edges[edge]);
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
  paint_shape(painter_, Qt::NoPen, color, QPolygonF({end, back + side, back - side}));
}

void ScenePainter::paintMergedFrame(const NodeBox& node) {
  paint_box(painter_, pen(theme_.boxLine, 1.2, 1), Qt::NoBrush, to_qt(node.box.grown(3)), kRadius + 2);
}

// Paints slanted lines, cut by hand: SVG has neither clipping nor patterns.
void ScenePainter::paintHatch(const QRectF& box, const QColor& color) {
  const QColor faint = with_alpha(color, 0.35F);
  painter_.setPen(pen(faint, 1, 1));
  const double step = std::max(kHatchStep, pixels(4));
  std::vector<QLineF> lines;
  const double end = box.right() + box.height() - kRadius;
  for (int i = 1; box.left() + i * step < end; ++i) {
    const double x = box.left() + i * step;
    const double low = std::max(0.0, x - box.right());           // above the bottom, where the line begins
    const double high = std::min(box.height(), x - box.left());  // where it ends
    lines.emplace_back(x - low, box.top() + low, x - high, box.top() + high);
  }
  painter_.drawLines(lines.data(), static_cast<int>(lines.size()));
}

}  // namespace iosx::canvas
