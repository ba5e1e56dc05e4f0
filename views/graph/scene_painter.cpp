#include "views/graph/scene_painter.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

namespace iosx::canvas {
namespace {

constexpr double kFullZoom = 0.5;   // 12-pixel text becomes 6 pixels
constexpr double kBriefZoom = 0.2;  // a box is then about 12 pixels high

QString translated(const char* text) { return QCoreApplication::translate("GraphView", text); }

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
      letter_font_(font(true, 10)) {}

void ScenePainter::paint() {
  painter_.setRenderHint(QPainter::Antialiasing);
  painter_.setRenderHint(QPainter::TextAntialiasing);
  paintLinks();
  for (const FrameBox& frame : layout_.frames) {
    if (visible(frame.box.grown(40))) paintFrame(frame);
  }
}

void ScenePainter::paintFrame(const FrameBox& frame) {
  painter_.setPen(QPen(theme_.gridLine, std::max(1.0, pixels(0.8))));
  painter_.setBrush(theme_.panel);
  painter_.drawRoundedRect(to_qt(frame.box), 8, 8);
  for (std::size_t b = frame.bands.first; b < frame.bands.second; ++b) paintBand(layout_.bands[b]);
  for (std::size_t g = frame.groups.first; g < frame.groups.second; ++g) paintGroup(layout_.groups[g]);
  for (std::size_t m = frame.merged.first; m < frame.merged.second; ++m) paintMerged(layout_.merged[m]);
  paintEdges(frame);
  paintHighlightedEdges(frame);
  if (detail_ == Detail::kBlock) {
    paintBlocks(frame);
  } else {
    for (std::size_t n = frame.nodes.first; n < frame.nodes.second; ++n) {
      if (visible(layout_.nodes[n].box)) paintNode(n);
    }
  }
  paintSelection(frame);
  paintHeader(frame);
}

void ScenePainter::paintHeader(const FrameBox& frame) {
  // Stays readable when zoomed out, like a map's names: it then grows into the gap above the frame.
  const double size = std::min(std::max(13.0, pixels(11)), 42.0);
  if (size / pixels(1) < 6) return;
  const QFont title_font = font(true, size);
  const QFontMetricsF metrics(title_font);
  const double left = frame.header.x + 12;
  const double room = frame.header.width - 24;
  const double bottom = frame.header.bottom() - 3;
  const QRectF line(left, bottom - metrics.height(), room, metrics.height());
  const QString units = frame.units == 1 ? translated("1 unit") : translated("%1 units").arg(frame.units);
  const QString title = (frame.collapsed ? QString(QChar(0x25B8)) : QString(QChar(0x25BE))) + QLatin1Char(' ') +
                        QString::fromStdString(frame.title);
  painter_.setFont(title_font);
  painter_.setPen(theme_.text);
  const QString shown = metrics.elidedText(title, Qt::ElideMiddle, room);
  painter_.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, shown);
  const QFont units_font = font(false, size * 12 / 13);
  const double used = metrics.horizontalAdvance(shown) + 10;
  if (used + QFontMetricsF(units_font).horizontalAdvance(units) > room) return;
  painter_.setFont(units_font);
  painter_.setPen(theme_.mutedText);
  painter_.drawText(line.adjusted(used, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, units);
}

void ScenePainter::paintLinks() {
  painter_.setBrush(Qt::NoBrush);
  for (const auto& line : layout_.links) {
    QPolygonF points;
    for (const Point& p : line) points.append(QPointF(p.x, p.y));
    painter_.setPen(QPen(theme_.outline, std::max(2.0, pixels(1)), Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin));
    painter_.drawPolyline(points);
    const QPointF tip = points.last();
    painter_.setPen(Qt::NoPen);
    painter_.setBrush(theme_.outline);
    painter_.drawPolygon(QPolygonF({tip, tip + QPointF(-5, -9), tip + QPointF(5, -9)}));
    painter_.setBrush(Qt::NoBrush);
  }
}

void ScenePainter::paintBand(const BandBox& band) {
  if (!visible(band.box)) return;
  const bool chosen = state_.selection != nullptr && state_.selection->stage == band.stage &&
                      state_.selection->schedule == state_.model->schedule->name;
  painter_.setPen(chosen ? QPen(theme_.selection, std::max(2.0, pixels(2))) : QPen(Qt::NoPen));
  painter_.setBrush(theme_.stageBand(band.stage));
  painter_.drawRoundedRect(to_qt(band.box), 6, 6);
  paintBandLabel(band);
}

void ScenePainter::paintBandLabel(const BandBox& band) {
  const QStringList lines = band_lines(*state_.model, band.stage);
  const QRectF area = to_qt(band.label);
  if (detail_ != Detail::kFull) {
    const double size = std::min({area.height() * 0.62, pixels(10.0), 34.0});
    if (size / pixels(1) < 7) return;
    painter_.setFont(font(true, size));
    painter_.setPen(theme_.text);
    painter_.drawText(area, Qt::AlignLeft | Qt::AlignVCenter, lines.front());
    return;
  }
  double y = area.top();
  for (qsizetype i = 0; i < lines.size(); ++i) {
    painter_.setFont(i == 0 ? name_font_ : body_font_);
    painter_.setPen(i == 1 ? theme_.mutedText : theme_.text);
    painter_.drawText(QRectF(area.left(), y, area.width(), 16), Qt::AlignLeft | Qt::AlignVCenter, lines[i]);
    y += 16;
  }
}

void ScenePainter::paintGroup(const GroupBox& group) {
  if (!group.outlined || !visible(group.box)) return;
  QColor back = theme_.canvas;
  back.setAlphaF(0.55F);
  painter_.setPen(QPen(theme_.outline, std::max(1.2, pixels(0.8)), Qt::DashLine));
  painter_.setBrush(back);
  painter_.drawRoundedRect(to_qt(group.box), 6, 6);
  if (detail_ != Detail::kFull) return;
  painter_.setFont(body_font_);
  painter_.setPen(theme_.mutedText);
  const QRectF label(group.box.x + kGroupPadding, group.box.y + 3, group.box.width, kGroupLabelHeight);
  painter_.drawText(label, Qt::AlignLeft | Qt::AlignVCenter, translated("group %1").arg(group.group + 1));
}

void ScenePainter::paintMerged(const MergedBox& merged) {
  if (!visible(merged.box)) return;
  const QColor line = accent(merged.units.front()).darker(theme_.dark ? 90 : 130);
  painter_.setPen(QPen(line, std::max(1.4, pixels(0.8))));
  painter_.setBrush(theme_.canvas);
  painter_.drawRoundedRect(to_qt(merged.box), 7, 7);
  if (detail_ == Detail::kBlock) return;
  painter_.setBrush(Qt::NoBrush);
  painter_.drawRoundedRect(to_qt(merged.box.grown(-3)), 5, 5);
  if (detail_ != Detail::kFull) return;
  painter_.setFont(font(true, 12));
  painter_.setPen(theme_.text);
  const QRectF label(merged.box.x + 10, merged.box.y + 5, merged.box.width - 20, 17);
  painter_.drawText(label, Qt::AlignLeft | Qt::AlignVCenter,
                    translated("merged: %1 convs run as one").arg(merged.units.size()));
}

void ScenePainter::paintSelection(const FrameBox& frame) {
  if (state_.selection == nullptr || state_.selection->empty()) return;
  painter_.setBrush(Qt::NoBrush);
  const double width = std::max(2.5, pixels(2));
  painter_.setPen(QPen(theme_.selection, width));
  for (const UnitId unit : state_.selection->units) {
    if (unit.index() >= layout_.node_of.size()) continue;
    const auto node = layout_.node_of[unit.index()];
    if (!node || *node < frame.nodes.first || *node >= frame.nodes.second) continue;
    const Rect& box = layout_.nodes[*node].box;
    if (visible(box)) painter_.drawRoundedRect(to_qt(box.grown(1 + width / 2)), 7, 7);
  }
}

bool ScenePainter::visible(const Rect& rect) const { return state_.visible.intersects(to_qt(rect.grown(3))); }

QFont ScenePainter::font(bool bold, double size) const {
  QFont result = body_font_;
  result.setPixelSize(std::max(1, static_cast<int>(std::lround(size))));
  if (bold) result.setWeight(QFont::DemiBold);
  return result;
}

}  // namespace iosx::canvas
