#include "views/edit_graph/edit_canvas.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>

#include "views/canvas/paint/scene.h"
#include "views/canvas/paint/scene_painter.h"
#include "views/figures/paint.h"
#include "views/style/theme.h"
#include "views/text/messages.h"

namespace iosx::editor {
namespace {

using canvas::Detail;
using canvas::Point;
using canvas::Rect;
using canvas::to_qt;

constexpr double kRound = 5;
constexpr double kMark = 8;        // radius of the sign of a mistake
constexpr double kLeastPiece = 8;  // pixels of a wire, zoomed out

class EditPainter {
 public:
  EditPainter(QPainter& painter, const EditState& state)
      : painter_(painter),
        state_(state),
        scene_(*state.scene),
        theme_(*state.theme),
        detail_(canvas::detail_at(state.zoom)),
        name_font_(canvas::name_font()),
        body_font_(canvas::body_font()),
        small_font_(sized(canvas::body_font(), 10)) {}

  void paint() {
    painter_.setRenderHint(QPainter::Antialiasing);
    paintFrames();
    paintWires();
    paintTitles();
    for (const EditBox& box : scene_.boxes()) {
      if (state_.visible.intersects(box.box.grown(2 * kMark))) paintBox(box);
    }
    paintPorts();
    paintPulled();
    paintBand();
  }

 private:
  double pixels(double n) const { return n / state_.zoom; }
  QPen pen(const QColor& color, double width, double least = 1) const {
    return {color, std::max(width, pixels(least)), Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin};
  }
  bool selected(OperatorKey key) const { return std::ranges::binary_search(state_.selected, key); }

  void paintFrames() {
    for (const EditFrame& part : scene_.parts()) {
      if (!state_.visible.intersects(part.box)) continue;
      paint_box(painter_, pen(theme_.gridLine, 1), theme_.panel, to_qt(part.box), 8);
    }
    for (const EditFrame& unit : scene_.units()) {
      if (!state_.visible.intersects(unit.box)) continue;
      QPen line = pen(theme_.boxLine, 1.2);
      line.setStyle(Qt::DashLine);
      paint_box(painter_, line, Qt::NoBrush, to_qt(unit.box), 7);
    }
  }

  // No wire crosses a name.
  void paintTitles() {
    for (const EditFrame& part : scene_.parts()) {
      if (state_.visible.intersects(part.box)) title(part, name_font_, theme_.mutedText, 6);
    }
  }

  // Zoomed out, names keep their size like a map's, as long as they cover no operator.
  void title(const EditFrame& frame, const QFont& font, const QColor& color, double inset) {
    const QTransform transform = painter_.transform();
    const bool small = detail_ != Detail::kFull;
    const QRectF area = small ? transform.mapRect(to_qt(frame.box)) : to_qt(frame.box);
    if (small) painter_.resetTransform();
    const double margin = small ? 1 : inset;
    const QFont shown = small ? small_font_ : font;
    const QFontMetricsF metrics(shown);
    const double room = small ? frame.title_room * state_.zoom : frame.title_room;
    if (margin + metrics.height() <= room && area.width() > 24) {
      const QString text = metrics.elidedText(frame.title, Qt::ElideMiddle, area.width() - 4 * margin);
      const QPointF corner(area.left() + 2 * margin, area.top() + margin);
      painter_.fillRect({corner, QSizeF(metrics.horizontalAdvance(text), metrics.height())}, theme_.panel);
      painter_.setFont(shown);
      painter_.setPen(color);
      painter_.drawText(corner + QPointF(0, metrics.ascent()), text);
    }
    painter_.setTransform(transform);
  }

  static QPainterPath path(const canvas::Curve& curve) {
    QPainterPath made(QPointF(curve.front().x, curve.front().y));
    for (std::size_t i = 1; i + 2 < curve.size(); i += 3) {
      made.cubicTo(curve[i].x, curve[i].y, curve[i + 1].x, curve[i + 1].y, curve[i + 2].x, curve[i + 2].y);
    }
    return made;
  }

  void paintWires() {
    painter_.setBrush(Qt::NoBrush);
    const auto& wires = scene_.wires();
    if (detail_ == Detail::kBlock) {
      std::vector<QLineF> lines;
      for (const EditWire& wire : wires) {
        if (!state_.visible.intersects(wire.bounds.grown(1))) continue;
        // A wire through many layers has hundreds of pieces, most of them smaller than anybody sees.
        Point from = wire.curve.front();
        for (std::size_t i = 3; i < wire.curve.size(); i += 3) {
          const Point& to = wire.curve[i];
          const bool last = i + 3 >= wire.curve.size();
          if (!last && std::abs(to.x - from.x) + std::abs(to.y - from.y) < pixels(kLeastPiece)) continue;
          lines.emplace_back(from.x, from.y, to.x, to.y);
          from = to;
        }
      }
      painter_.setRenderHint(QPainter::Antialiasing, false);
      painter_.setPen(QPen(theme_.outline, 0));
      painter_.drawLines(lines.data(), static_cast<int>(lines.size()));
      painter_.setRenderHint(QPainter::Antialiasing);
    }
    for (std::size_t w = 0; w < wires.size(); ++w) {
      const EditWire& wire = wires[w];
      if (!state_.visible.intersects(wire.bounds.grown(4))) continue;
      const bool chosen =
          state_.wire && scene_.boxes()[wire.to].key == state_.wire->op && wire.slot == state_.wire->slot;
      const bool hot = state_.hovered_wire == w;
      const bool near = selected(scene_.boxes()[wire.from].key) || selected(scene_.boxes()[wire.to].key);
      if (detail_ == Detail::kBlock && !chosen && !hot) continue;
      const QColor color = chosen || hot || near ? theme_.selection : theme_.outline;
      painter_.setPen(pen(color, chosen ? 3 : hot ? 2.4 : near ? 1.8 : 1.3));
      painter_.drawPath(path(wire.curve));
      if (detail_ == Detail::kFull) arrow(wire.curve.back(), color);
    }
  }

  void arrow(const Point& tip, const QColor& color) {
    paint_shape(
        painter_, Qt::NoPen, color,
        QPolygonF({QPointF(tip.x, tip.y), QPointF(tip.x - 3.6, tip.y - 7.5), QPointF(tip.x + 3.6, tip.y - 7.5)}));
    painter_.setBrush(Qt::NoBrush);
  }

  void paintBox(const EditBox& box) {
    const QColor fill = theme_.operatorFill(box.text->what);
    const QRectF area = to_qt(box.box);
    if (detail_ == Detail::kBlock) {
      painter_.setRenderHint(QPainter::Antialiasing, false);
      painter_.fillRect(area, box.problems.empty() ? fill : theme_.error);
      painter_.setRenderHint(QPainter::Antialiasing);
      if (selected(box.key)) outline(box);
      return;
    }
    paint_box(painter_, pen(box.problems.empty() ? theme_.boxLine : theme_.error, box.problems.empty() ? 1 : 2),
              detail_ == Detail::kFull ? theme_.window : fill, area, kRound);
    if (box.text->merged) {
      painter_.setBrush(Qt::NoBrush);
      painter_.drawRoundedRect(area.adjusted(-3, -3, 3, 3), kRound + 2, kRound + 2);
    }
    detail_ == Detail::kFull ? words(box, fill) : brief(box, fill);
    if (selected(box.key) || state_.target == box.key) outline(box);
    if (!box.problems.empty()) mark(box);
  }

  // The end of a name that tells it apart: of "inception3a.branch2.0" not the 0 alone.
  static QString short_end(const QString& name) {
    constexpr int kLeast = 3;  // letters
    int sections = 1;
    QString end = name.section(QLatin1Char('.'), -sections);
    while (end.size() < kLeast && end.size() < name.size()) end = name.section(QLatin1Char('.'), -++sections);
    return end;
  }

  // In the window's own pixels: the end of the name as far as it fits, else the letter of its kind.
  void brief(const EditBox& box, const QColor& fill) {
    const QTransform transform = painter_.transform();
    const QRectF area = transform.mapRect(to_qt(box.box));
    const QFontMetricsF metrics(small_font_);
    if (metrics.ascent() > area.height()) return;
    constexpr double kLeastWidth = 30;  // pixels: less shows too little of a longer name
    const double room = area.width() - 4;
    const QString end = short_end(box.text->name);
    const bool fits = room >= kLeastWidth || metrics.horizontalAdvance(end) <= room;
    painter_.resetTransform();
    paint_text(painter_, small_font_, Theme::readableOn(fill), area, Qt::AlignCenter | Qt::TextSingleLine,
               fits ? metrics.elidedText(end, Qt::ElideLeft, room) : class_sign(box.text->what));
    painter_.setTransform(transform);
  }

  // A stripe of the kind's colour with its letter, then name, what it computes and what comes of it.
  void words(const EditBox& box, const QColor& fill) {
    const QRectF area = to_qt(box.box);
    const double right = area.left() + canvas::kBoxStripe;
    const double arc = 2 * kRound - 1;
    QPainterPath stripe(QPointF(right, area.top() + 0.5));
    stripe.lineTo(right, area.bottom() - 0.5);
    stripe.arcTo(QRectF(area.left() + 0.5, area.bottom() - 0.5 - arc, arc, arc), 270, -90);
    stripe.arcTo(QRectF(area.left() + 0.5, area.top() + 0.5, arc, arc), 180, -90);
    stripe.closeSubpath();
    paint_shape(painter_, Qt::NoPen, fill, stripe);
    const QFontMetricsF body(body_font_);
    paint_text(painter_, body_font_, Theme::readableOn(fill),
               QRectF(area.left(), area.top(), canvas::kBoxStripe, area.height()), Qt::AlignCenter,
               class_sign(box.text->what));
    const double x = right + canvas::kBoxPadding;
    const QFontMetricsF name(name_font_);
    double y = area.top() + canvas::kBoxPadding - 1;
    painter_.setFont(name_font_);
    painter_.setPen(theme_.text);
    painter_.drawText(QPointF(x, y + name.ascent()), box.text->name);
    y += name.height();
    painter_.setFont(body_font_);
    painter_.drawText(QPointF(x, y + body.ascent()), box.text->line);
    y += body.height();
    painter_.setPen(theme_.mutedText);
    painter_.drawText(QPointF(x, y + body.ascent()), box.text->shape);
  }

  void outline(const EditBox& box) {
    paint_box(painter_, pen(theme_.selection, 2.5, 2), Qt::NoBrush, to_qt(box.box.grown(2)), kRound + 2);
  }

  void mark(const EditBox& box) {
    const double radius = std::max(kMark, pixels(6));
    const QPointF centre(box.box.right() - 2, box.box.y + 2);
    painter_.setPen(pen(theme_.canvas, 1.5));
    painter_.setBrush(theme_.error);
    painter_.drawEllipse(centre, radius, radius);
    if (detail_ != Detail::kFull) return;
    QFont bold = name_font_;
    paint_text(painter_, bold, Theme::readableOn(theme_.error),
               QRectF(centre.x() - radius, centre.y() - radius, 2 * radius, 2 * radius), Qt::AlignCenter,
               QStringLiteral("!"));
  }

  void port(const Point& at, bool hot, bool open) {
    const double radius = std::max(hot ? EditScene::kPortRadius + 2 : EditScene::kPortRadius, pixels(3));
    painter_.setPen(pen(hot ? theme_.selection : theme_.outline, 1.6));
    painter_.setBrush(hot ? theme_.selection : open ? theme_.canvas : theme_.outline);
    painter_.drawEllipse(QPointF(at.x, at.y), radius, radius);
  }

  void portsOf(const EditBox& box) {
    for (std::size_t slot = 0; slot < EditScene::ports(box); ++slot) {
      const bool hot = state_.hovered_slot == Slot{box.key, slot};
      const bool more = slot >= box.inputs;
      const Point at = EditScene::input(box, slot);
      port(at, hot, true);
      if (!more) continue;
      painter_.setPen(pen(hot ? theme_.canvas : theme_.outline, 1.4));
      painter_.drawLine(QPointF(at.x - 2.5, at.y), QPointF(at.x + 2.5, at.y));
      painter_.drawLine(QPointF(at.x, at.y - 2.5), QPointF(at.x, at.y + 2.5));
    }
    port(scene_.output(box), false, false);
  }

  // For the hovered and the selected operators; open slots of all, because they need a connection.
  void paintPorts() {
    if (detail_ == Detail::kBlock) return;
    for (const EditBox& box : scene_.boxes()) {
      if (!state_.visible.intersects(box.box.grown(8))) continue;
      const bool shown = state_.hovered == box.key || state_.target == box.key || state_.pulled ||
                         (state_.selected.size() == 1 && selected(box.key));
      if (shown) portsOf(box);
    }
  }

  void paintPulled() {
    if (!state_.pulled) return;
    const auto& [from, to, refused] = *state_.pulled;
    const double bend = std::clamp(std::abs(to.y - from.y) / 2, 18.0, 120.0);
    QPen line = pen(refused ? theme_.error : theme_.selection, 2.2, 2);
    if (refused) line.setStyle(Qt::DashLine);
    paint_shape(painter_, line, Qt::NoBrush, path({from, {from.x, from.y + bend}, {to.x, to.y - bend}, to}));
  }

  void paintBand() {
    if (!state_.band) return;
    const QColor fill = with_alpha(theme_.selection, 0.12F);
    paint_box(painter_, pen(theme_.selection, 1), fill, to_qt(*state_.band));
  }

  QPainter& painter_;
  const EditState& state_;
  const EditScene& scene_;
  const Theme& theme_;
  Detail detail_;
  QFont name_font_;
  QFont body_font_;
  QFont small_font_;  // in the window's pixels
};

}  // namespace

void paint_edit_scene(QPainter& painter, const EditState& state) { EditPainter(painter, state).paint(); }

}  // namespace iosx::editor
