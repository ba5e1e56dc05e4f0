#include "views/recording/fold_canvas.h"

#include <QKeyEvent>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>
#include <utility>

#include "views/canvas/find_bar.h"
#include "views/figures/paint.h"
#include "views/recording/recording_paint.h"
#include "views/recording/recording_text.h"
#include "views/text/latency_text.h"
#include "views/text/qstring.h"
#include "views/widgets/painted_view.h"

namespace iosx {
namespace {

constexpr double kSign = 20;         // of the scene: the room of + at the left
constexpr double kLeastText = 0.4;   // zoom
constexpr double kLeastTitle = 110;  // of the scene, of a frame's name beside its figures
constexpr double kReadable = 0.62;   // zoom
constexpr std::size_t kFirstBoxes[] = {150, 80, Unfolding::kFirst, 24, 14, 8};  // at most
constexpr std::size_t kFewBoxes = 8;                                            // fewer say too little
constexpr double kRoom = 16;                                                    // around everything
constexpr std::size_t kMostFound = 1000;

class BoxItems final : public PaintedItems {
 public:
  explicit BoxItems(FoldCanvas& canvas) : canvas_(canvas) {}

  std::size_t count() const override { return canvas_.layout().boxes.size(); }
  QString name(std::size_t item) const override { return canvas_.nameOf(item); }
  QRect rect(std::size_t item) const override { return canvas_.rectOf(item); }
  bool selected(std::size_t item) const override { return canvas_.chosen() == canvas_.layout().boxes[item].node; }
  std::optional<std::size_t> focused() const override {
    return canvas_.chosen() ? canvas_.layout().find(*canvas_.chosen()) : std::nullopt;
  }
  std::optional<std::size_t> itemAt(const QPoint& at) const override {
    return canvas_.layout().box_at(canvas_.toScene(at));
  }
  void press(std::size_t item) override { emit canvas_.boxChosen(canvas_.layout().boxes[item].node); }

 private:
  FoldCanvas& canvas_;
};

}  // namespace

// A click on something; a drag pans.
class FoldCanvas::ClickTool final : public canvas::CanvasTool {
 public:
  explicit ClickTool(FoldCanvas& canvas) : canvas_(canvas) {}
  void drag(const canvas::Pointer& pointer) override { canvas_.pan(pointer); }
  void release(const canvas::Pointer& pointer) override {
    if (!pointer.dragged) canvas_.click(pointer.at);
  }

 private:
  FoldCanvas& canvas_;
};

FoldCanvas::FoldCanvas(QWidget* parent) : CanvasWidget(FocusRing::kByKeyboard, parent) {
  install_painted_items<FoldCanvas, BoxItems>();
  setAccessibleName(tr("Graph of kernels"));
  makeFindBar();
  findBar().setHint(tr("Find a kernel, operator or module"), tr("Find in the graph of kernels"),
                    tr("A part of a name"));
  follow_theme(this, [this](const Theme& theme) { setTheme(theme); });
}

void FoldCanvas::setRecording(std::shared_ptr<const OpenedRecording> opened) {
  opened_ = std::move(opened);
  unfolding_.reset();
  if (opened_) unfolding_.emplace(opened_->fold);
  chosen_.reset();
  found_.clear();
  touched_ = false;
  firsts_.clear();
  layOut();
  showBeginning();
}

// Shows all of it, with as many boxes unfolded as can be read, or else its beginning.
void FoldCanvas::showBeginning() {
  zoomToFit();
  if (!opened_) return;
  for (std::size_t i = 0; i < std::size(kFirstBoxes); ++i) {
    showFirst(i);
    if (camera_.zoom >= kReadable && layout_.boxes.size() >= kFewBoxes) return;
  }
  camera_.zoom = kReadable;
  camera_.put({-kRoom, -kRoom}, {0, 0});
  moved();
}

void FoldCanvas::showFirst(std::size_t number) {
  if (firsts_.size() <= number) {
    const Unfolding unfolding(opened_->fold, kFirstBoxes[number]);
    firsts_.push_back({unfolding, recorded::lay_out(*opened_, unfolding)});
  }
  unfolding_ = firsts_[number].unfolding;
  layout_ = firsts_[number].layout;
  hovered_.reset();
  sceneReplaced();
  zoomToFit();
}

void FoldCanvas::resizeEvent(QResizeEvent* event) {
  CanvasWidget::resizeEvent(event);
  if (!touched_) showBeginning();
}

void FoldCanvas::viewMoved() { touched_ = touched_ || underMouse(); }

void FoldCanvas::layOut() {
  hovered_.reset();
  layout_ = opened_ ? recorded::lay_out(*opened_, *unfolding_) : recorded::FoldLayout();
  sceneReplaced();
  update();
}

void FoldCanvas::setUnfolded(std::uint32_t node, bool unfolded) {
  if (!opened_ || unfolding_->unfolded(node) == unfolded || node == 0) return;
  touched_ = true;
  const auto before = layout_.find(node);
  const canvas::Point corner =
      before ? canvas::Point{layout_.boxes[*before].box.x, layout_.boxes[*before].box.y} : canvas::Point();
  if (!unfolded) {
    unfolding_->fold(node);
  } else if (!unfolding_->unfold(node)) {
    if (!opened_->fold.nodes[node].leaf)
      emit refused(tr("At most %1 boxes are shown at once: fold others first.").arg(Unfolding::kMost));
    return;
  }
  layOut();
  if (fitted_) return zoomToFit();
  // The box keeps its place in the window.
  const auto after = layout_.find(node);
  if (before && after) {
    camera_.put({layout_.boxes[*after].box.x, layout_.boxes[*after].box.y}, camera_.to_view(corner));
    moved();
  }
}

void FoldCanvas::choose(std::optional<std::uint32_t> box, bool reveal) {
  chosen_ = box;
  touched_ = touched_ || box.has_value();
  if (box && opened_ && !layout_.find(*box) && reveal && unfolding_->reveal(*box)) layOut();
  const auto shown = box ? layout_.find(*box) : std::nullopt;
  if (shown && reveal) revealRect(layout_.boxes[*shown].box, viewArea(), kRoom);
  update();
}

void FoldCanvas::showKernel(std::optional<std::uint32_t> kernel) {
  choose(kernel && opened_ ? std::optional(unfolding_->box_of(*kernel)) : std::nullopt, true);
}

QString FoldCanvas::nameOf(std::size_t box) const {
  const FoldNode& node = opened_->fold.nodes[layout_.boxes[box].node];
  const QString name = box_text(*opened_, layout_.boxes[box].node);
  const QString kernels = kernels_text(opened_->recording, node.kernels);
  return opened_->recording.timed ? QStringLiteral("%1, %2, %3").arg(name, kernels, duration_text(Micros(node.time)))
                                  : QStringLiteral("%1, %2").arg(name, kernels);
}

// Its size, and how long its kernels took together where that was recorded.
QString FoldCanvas::aboutBox(const FoldNode& node) const {
  const QString kernels = kernels_text(opened_->recording, node.kernels);
  return opened_->recording.timed ? tr("%1 · %2").arg(kernels, duration_text(Micros(node.time))) : kernels;
}

QRect FoldCanvas::rectOf(std::size_t box) const { return rectInView(layout_.boxes[box].box).toAlignedRect(); }

std::optional<canvas::Rect> FoldCanvas::sceneBounds() const {
  return layout_.boxes.empty() ? std::nullopt : std::optional(layout_.bounds.grown(kRoom));
}

canvas::Rect FoldCanvas::selectionBounds() const {
  const auto shown = chosen_ ? layout_.find(*chosen_) : std::nullopt;
  return shown ? layout_.boxes[*shown].box.grown(kRoom) : canvas::Rect();
}

canvas::Rect FoldCanvas::fitArea(const canvas::Rect& /*scene*/) const { return whole(); }

void FoldCanvas::paintLine(QPainter& painter, const recorded::FoldLine& line) const {
  if (line.curve.size() < 2) return;
  const bool touched = chosen_ && (line.edge.before == *chosen_ || line.edge.after == *chosen_);
  QPainterPath path({line.curve.front().x, line.curve.front().y});
  for (std::size_t i = 1; i + 2 < line.curve.size(); i += 3) {
    path.cubicTo(line.curve[i].x, line.curve[i].y, line.curve[i + 1].x, line.curve[i + 1].y, line.curve[i + 2].x,
                 line.curve[i + 2].y);
  }
  QPen pen(touched ? theme_.selection : theme_.outline, touched ? 2 : 1.3);
  if (!line.edge.known) pen.setStyle(Qt::DotLine);
  painter.setPen(pen);
  painter.setBrush(Qt::NoBrush);
  painter.drawPath(path);
}

void FoldCanvas::paintBox(QPainter& painter, const recorded::FoldBox& shown) const {
  const FoldNode& node = opened_->fold.nodes[shown.node];
  const QRectF box(shown.box.x, shown.box.y, shown.box.width, shown.box.height);
  const bool chosen = chosen_ == shown.node;
  const bool words = camera_.zoom >= kLeastText;
  const QFont bold = sized(font(), 12, true);
  const QFont small = sized(font(), 11);
  const QString about = aboutBox(node);
  const QPen border(chosen          ? theme_.selection
                    : shown.on_path ? theme_.text
                                    : theme_.boxLine,
                    chosen          ? 2.5
                    : shown.on_path ? 2.2
                                    : 1);
  if (shown.open) {
    paint_box(painter, border, with_alpha(theme_.mutedText, 0.06F), box, 5);
    if (!words) return;
    const QRectF header(box.left() + 8, box.top() + 2, box.width() - 16, recorded::kFrameHeader - 2);
    const QString title = QStringLiteral("− %1").arg(box_text(*opened_, shown.node));
    const double room = header.width() - QFontMetricsF(small).horizontalAdvance(about) - 12;
    painter.setFont(bold);
    const bool both = room >= std::min(QFontMetricsF(bold).horizontalAdvance(title), kLeastTitle);
    const QString name = QFontMetricsF(bold).elidedText(title, Qt::ElideRight, both ? room : header.width());
    paint_text(painter, bold, theme_.text, header, kAtLeft, name);
    if (both) paint_text(painter, small, theme_.mutedText, header, kAtRight, about);
    return;
  }
  paint_box(painter, border, theme_.panel, box, 4);
  const QColor fill = kernel_fill(theme_, opened_->recording.kernels[shown.kind_kernel].kind);
  // The colour says what it does; the bar below how much of all the time it takes, or else of all operators it has.
  painter.fillRect(QRectF(box.left() + 1.5, box.top() + 1.5, 7, box.height() - 3), fill);
  const FoldNode& all = opened_->fold.nodes[0];
  const double share = opened_->recording.timed ? node.time / std::max(all.time, 1e-9)
                                                : static_cast<double>(node.kernels) / std::max(all.kernels, 1U);
  painter.fillRect(QRectF(box.left() + 8.5, box.bottom() - 4.5, (box.width() - 10) * share, 3), fill);
  if (!words) return;
  const double left = node.leaf ? 14 : 14 + kSign - 6;
  const QRectF text = box.adjusted(left, 3, -6, -6);
  if (!node.leaf)
    paint_text(painter, bold, theme_.mutedText, box.adjusted(14, 3, 0, -20), kAtLeft, QStringLiteral("+"));
  const QString name = QFontMetricsF(bold).elidedText(box_text(*opened_, shown.node), Qt::ElideMiddle, text.width());
  paint_text(painter, bold, theme_.text, QRectF(text.left(), text.top(), text.width(), 18), kAtLeft, name);
  paint_text(painter, small, theme_.mutedText, QRectF(text.left(), text.top() + 17, text.width(), 16), kAtLeft, about);
}

void FoldCanvas::paintCanvas(QPainter& painter) {
  painter.fillRect(rect(), theme_.canvas);
  if (!opened_) return;
  painter.setRenderHint(QPainter::Antialiasing);
  applyCamera(painter);
  const canvas::Rect visible = this->visible();
  for (const recorded::FoldBox& box : layout_.boxes) {
    if (box.open && box.box.intersects(visible)) paintBox(painter, box);
  }
  for (const recorded::FoldLine& line : layout_.lines) paintLine(painter, line);
  for (const recorded::FoldBox& box : layout_.boxes) {
    if (!box.open && box.box.intersects(visible)) paintBox(painter, box);
  }
  if (!hovered_ || *hovered_ >= layout_.boxes.size()) return;
  const canvas::Rect& over = layout_.boxes[*hovered_].box;
  paint_box(painter, QPen(theme_.selection, 1.2), Qt::NoBrush, QRectF(over.x, over.y, over.width, over.height), 4);
}

QString FoldCanvas::tipAt(const QPointF& at) const {
  const auto box = layout_.box_at(toScene(at));
  if (!box) return {};
  const std::uint32_t node = layout_.boxes[*box].node;
  const FoldNode& own = opened_->fold.nodes[node];
  QStringList lines{shown_name(opened_->recording.name(own.name)), nameOf(*box)};
  if (own.leaf && opened_->recording.timed)
    lines << tr("First kernel: %1").arg(kernel_name(opened_->recording, own.kernel));
  if (own.repeats > 1) lines << tr("%1 equal ones; the boxes inside it are those of the first").arg(own.repeats);
  if (!own.leaf)
    lines << (layout_.boxes[*box].open ? tr("A click on the header folds it") : tr("A double click unfolds it"));
  return plain_tip(lines.join(QLatin1Char('\n')));
}

std::shared_ptr<canvas::CanvasTool> FoldCanvas::toolAt(const canvas::Pointer& /*pointer*/) {
  return std::make_shared<ClickTool>(*this);
}

std::shared_ptr<canvas::CanvasTool> FoldCanvas::doubleClicked(const canvas::Pointer& pointer) {
  if (const auto box = layout_.box_at(toScene(pointer.at)); box && !layout_.boxes[*box].open)
    setUnfolded(layout_.boxes[*box].node, true);
  return nullptr;
}

bool FoldCanvas::onSign(const recorded::FoldBox& box, const canvas::Point& at) const {
  if (opened_->fold.nodes[box.node].leaf) return false;
  if (box.open) return at.y <= box.box.y + recorded::kFrameHeader;
  return at.x <= box.box.x + kSign + 8;
}

void FoldCanvas::click(const QPointF& at) {
  const canvas::Point scene = toScene(at);
  const auto box = layout_.box_at(scene);
  if (!box) {
    emit cleared();
    return;
  }
  const recorded::FoldBox hit = layout_.boxes[*box];
  if (onSign(hit, scene)) return setUnfolded(hit.node, !hit.open);
  emit boxChosen(hit.node);
}

void FoldCanvas::hover(const QPointF& at) {
  const auto box = layout_.box_at(toScene(at));
  if (std::exchange(hovered_, box) != box) update();
}

void FoldCanvas::unhover() { hovered_.reset(); }

bool FoldCanvas::keyPressed(QKeyEvent& event) {
  if (layout_.boxes.empty()) return false;
  const auto at = chosen_ ? layout_.find(*chosen_) : std::nullopt;
  const auto go = [&](std::ptrdiff_t by) {
    const auto last = static_cast<std::ptrdiff_t>(layout_.boxes.size()) - 1;
    const std::ptrdiff_t next = at ? static_cast<std::ptrdiff_t>(*at) + by : 0;
    emit boxChosen(layout_.boxes[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(next, 0, last))].node);
    choose(chosen_, true);
    return true;
  };
  switch (event.key()) {
    case Qt::Key_Right:
    case Qt::Key_Down: return go(1);
    case Qt::Key_Left:
    case Qt::Key_Up: return go(-1);
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (at) setUnfolded(*chosen_, !layout_.boxes[*at].open);
      return true;
    case Qt::Key_Escape: emit cleared(); return true;
    default: return false;
  }
}

void FoldCanvas::search(const QString& text) {
  found_.clear();
  if (opened_ && !text.trimmed().isEmpty()) {
    for (std::uint32_t n = 1; n < opened_->fold.nodes.size() && found_.size() < kMostFound; ++n) {
      const FoldNode& node = opened_->fold.nodes[n];
      if (shown_name(opened_->recording.name(node.name)).contains(text.trimmed(), Qt::CaseInsensitive))
        found_.push_back(n);
    }
  }
  if (text.trimmed().isEmpty()) return findBar().showNothing();
  findBar().showCount(-1, static_cast<int>(found_.size()));
}

void FoldCanvas::goToFound(std::size_t index) {
  emit boxChosen(found_[index]);
  choose(found_[index], true);
  findBar().showCount(static_cast<int>(index), static_cast<int>(found_.size()));
}

}  // namespace iosx

#include "moc_fold_canvas.cpp"
