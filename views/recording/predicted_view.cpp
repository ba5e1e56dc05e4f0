#include "views/recording/predicted_view.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <numeric>

#include "views/figures/paint.h"
#include "views/recording/recording_metrics.h"
#include "views/recording/recording_paint.h"
#include "views/recording/recording_text.h"
#include "views/style/fills.h"
#include "views/text/latency_text.h"

namespace iosx {
namespace {

constexpr double kRowOfBars = 30;  // of a row with two bars
constexpr double kTitle = 26;      // above the lanes
constexpr double kLaneRow = 24;
constexpr double kMarkHeight = 3;
constexpr double kLeastLined = 4;   // pixels of a kernel
constexpr double kLeastNamed = 28;  // pixels of a kernel for its name
constexpr double kLineStep = 5;     // pixels between lines
constexpr double kLabelRoom = 330;  // right of the bars

QString lanes_text(std::size_t lanes) {
  return lanes == 1 ? PredictedView::tr("1 lane") : PredictedView::tr("%1 lanes").arg(lanes);
}

// A hatched box with an outline, so that it never looks like something recorded.
void paint_predicted(QPainter& painter, const QRectF& box, const QColor& color) {
  painter.fillRect(box, with_alpha(color, box.width() < kLeastLined ? 0.55F : 0.12F));
  if (box.width() < kLeastLined) return;
  painter.setPen(QPen(color, 1));
  for (const QLineF& line : hatch_lines(box, Hatch::kRising, kLineStep)) painter.drawLine(line);
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5));
}

}  // namespace

void PredictedPicture::layOut() {
  rows.clear();
  if (!any() || chosen >= lanes().size()) return;
  const std::vector<PlacedKernel>& placed = lanes()[chosen].as_graph.kernels;
  std::vector<std::uint32_t> order(placed.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return placed[i].begin; });
  for (const std::uint32_t i : order) {
    auto row = std::ranges::find(rows, placed[i].lane, &LaneRow::lane);
    if (row == rows.end()) row = rows.insert(rows.end(), LaneRow{placed[i].lane});
    row->spans.add(i, placed[i].begin, placed[i].end);
  }
  std::ranges::sort(rows, {}, &LaneRow::lane);
}

TimeAxis PredictedPicture::axis(double width) const {
  double end = opened->report.usage.span;
  for (const PredictedLanes& each : lanes()) end = std::max({end, each.as_launched, each.as_graph.span});
  return {.range = {Micros(0), Micros(std::max(end, 1.0))},
          .left = recorded::kHeaderWidth,
          .width = std::max(width - recorded::kHeaderWidth - kLabelRoom, 60.0)};
}

TimeAxis PredictedPicture::laneAxis(double width) const {
  constexpr double kRight = 12;
  return {.range = {Micros(0), Micros(std::max(lanes()[chosen].as_graph.span, 1.0))},
          .left = recorded::kHeaderWidth,
          .width = std::max(width - recorded::kHeaderWidth - kRight, 60.0)};
}

double PredictedPicture::topOfLane(std::size_t row) const {
  return kRowOfBars * static_cast<double>(lanes().size() + 1) + kTitle + kLaneRow * static_cast<double>(row);
}

double PredictedPicture::topOfBar(std::size_t lanes) const { return kRowOfBars * static_cast<double>(lanes + 1); }

double PredictedPicture::height() const { return topOfLane(rows.size()) + 8; }

void PredictedPicture::paint(QPainter& painter, double width, const Theme& theme) const {
  const TimeAxis axis = this->axis(width);
  const QFont small = sized(painter.font(), 11);
  const QFont bold = sized(painter.font(), 12, true);
  const auto head = [&](double top, double height, const QString& title, const QFont& shown) {
    painter.fillRect(QRectF(0, top, axis.left - 1, height), theme.panel);
    paint_text(painter, shown, theme.text, QRectF(12, top, axis.left - 24, height), kAtLeft, title);
  };
  const auto line = [&](double y) {
    painter.setPen(theme.gridLine);
    painter.drawLine(QPointF(0, y - 0.5), QPointF(width, y - 0.5));
  };
  head(0, kRowOfBars, PredictedView::tr("Recorded"), bold);
  const Micros span(opened->report.usage.span);
  const QRectF recorded_bar(axis.left, 7, axis.pixels(span), kRowOfBars - 14);
  painter.fillRect(recorded_bar, theme.boxLine);
  paint_text(painter, bold, theme.text, QRectF(recorded_bar.right() + 8, 0, kLabelRoom - 12, kRowOfBars), kAtLeft,
             duration_text(span));
  line(kRowOfBars);
  for (std::size_t i = 0; i < lanes().size(); ++i) {
    const PredictedLanes& each = lanes()[i];
    const QRectF row = QRectF(0, topOfBar(i), width, kRowOfBars);
    if (i == chosen) painter.fillRect(row, theme.selectionFill);
    if (i != chosen) painter.fillRect(QRectF(0, row.top(), axis.left - 1, row.height()), theme.panel);
    paint_text(painter, bold, theme.text, QRectF(12, row.top(), axis.left - 24, row.height()), kAtLeft,
               lanes_text(each.lanes));
    const double graph = axis.pixels(Micros(each.as_graph.span));
    const double launched = axis.pixels(Micros(each.as_launched));
    paint_predicted(painter, QRectF(axis.left, row.top() + 4, graph, 13), theme.accent);
    paint_predicted(painter, QRectF(axis.left, row.top() + 19, launched, 6), theme.mutedText);
    const QString words = opened->recording.of_processor ? PredictedView::tr("%1 without gaps · %2 with gaps")
                                                         : PredictedView::tr("%1 as a CUDA graph · %2 as launched");
    const QString text = words.arg(duration_text(Micros(each.as_graph.span)), duration_text(Micros(each.as_launched)));
    const double end = axis.left + std::max(graph, launched);
    paint_text(painter, small, theme.text, QRectF(end + 8, row.top(), width - end - 12, row.height()), kAtLeft, text);
    line(row.bottom());
  }
  const double top = topOfLane(0) - kTitle;
  paint_text(painter, small, theme.mutedText, QRectF(12, top, width - 24, kTitle), kAtLeft,
             (opened->recording.of_processor
                  ? PredictedView::tr("Predicted: %1, without gaps; the width below is %2.")
                  : PredictedView::tr("Predicted: %1, launched as a CUDA graph; the width below is %2."))
                     .arg(lanes_text(lanes()[chosen].lanes), duration_text(laneAxis(width).range.end)) +
                 hint);
  const Recording& recording = opened->recording;
  const TimeAxis lane_axis = laneAxis(width);
  painter.setFont(small);
  const QFontMetricsF metrics(small);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const double y = topOfLane(r);
    const bool stream = rows[r].lane >= lanes()[chosen].lanes;
    head(y, kLaneRow,
         stream ? lane_text(recording, rows[r].lane - lanes()[chosen].lanes)
                : PredictedView::tr("Predicted lane %1").arg(rows[r].lane + 1),
         small);
    for (const recorded::Block& block : recorded::blocks_of(rows[r].spans, lane_axis)) {
      const std::uint32_t kernel = rows[r].spans.items[block.longest];
      const QColor color = kernel_fill(theme, recording.kernels[kernel].kind);
      const QRectF box(block.left, y + 5, block.right - block.left, kLaneRow - 8);
      paint_predicted(painter, box, color);
      bool any = false;
      for (std::size_t i = block.first; !marked.empty() && i < block.first + block.count; ++i)
        any = any || marked[rows[r].spans.items[i]];
      if (any) painter.fillRect(QRectF(box.left(), y + 1, std::max(box.width(), 2.0), kMarkHeight), theme.selection);
      if (box.width() < kLeastNamed) continue;
      const QString name = metrics.elidedText(kernel_name(recording, kernel), Qt::ElideRight, box.width() - 8);
      if (name.size() < 3) continue;
      const QRectF behind(box.left() + 2, box.top() + 2, metrics.horizontalAdvance(name) + 4, box.height() - 4);
      painter.fillRect(behind, theme.canvas);
      paint_text(painter, theme.text, behind.adjusted(2, 0, 2, 0), kAtLeft, name);
    }
    line(y + kLaneRow);
  }
}

PredictedView::PredictedView(QWidget* parent) : QWidget(parent) {
  setFocusPolicy(Qt::StrongFocus);
  follow_theme(this, theme_, [this] { update(); });
  setAccessibleDescription(tr("Up and down choose the number of lanes"));
}

void PredictedView::setRecording(std::shared_ptr<const OpenedRecording> opened) {
  picture_ = {.opened = std::move(opened), .hint = tr(" Click a row above to see its lanes.")};
  if (picture_.any())
    picture_.chosen = static_cast<std::size_t>(picture_.opened->predictions.best() - picture_.lanes().data());
  layOut();
}

void PredictedView::choose(std::size_t lanes) {
  if (!picture_.any() || lanes >= picture_.lanes().size()) return;
  picture_.chosen = lanes;
  layOut();
}

void PredictedView::mark(const std::vector<std::uint32_t>& kernels) {
  picture_.marked.clear();
  if (picture_.opened == nullptr) return;
  if (!kernels.empty()) picture_.marked.resize(picture_.opened->recording.kernels.size());
  for (const std::uint32_t kernel : kernels) picture_.marked[kernel] = true;
  update();
}

void PredictedView::layOut() {
  picture_.layOut();
  updateGeometry();
  update();
}

QRectF PredictedView::rectOfBar(std::size_t lanes) const {
  return {0, picture_.topOfBar(lanes), static_cast<double>(width()), kRowOfBars};
}

QSize PredictedView::sizeHint() const {
  return {900, picture_.opened == nullptr ? 100 : static_cast<int>(picture_.height())};
}

void PredictedView::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.fillRect(rect(), theme_.canvas);
  if (!picture_.any()) return;
  picture_.paint(painter, width(), theme_);
  if (!hasFocus()) return;
  painter.setPen(QPen(theme_.selection, 1));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(rectOfBar(chosen()).adjusted(0.5, 0.5, -0.5, -0.5));
}

std::unique_ptr<Figure> PredictedView::figure(const QString& title) const {
  if (!picture_.any()) return nullptr;
  PredictedPicture picture = picture_;
  picture.hint.clear();
  const auto csv = [picture] {
    QString lines = csv_record({"lanes", "as_graph_ms", "as_launched_ms"});
    const auto ms = [](double us) { return csv_number(us / 1000); };
    for (const PredictedLanes& each : picture.lanes())
      lines += csv_record({QString::number(each.lanes), ms(each.as_graph.span), ms(each.as_launched)});
    return lines;
  };
  return figure_of({.title = title,
                    .file_stem = QStringLiteral("predicted-lanes"),
                    .size = {1000, picture_.height()},
                    .paint =
                        [picture](QPainter& painter, const QRectF& area, const Theme& theme) {
                          painter.save();
                          painter.translate(area.topLeft());
                          picture.paint(painter, area.width(), theme);
                          painter.restore();
                        },
                    .csv = csv});
}

std::optional<std::uint32_t> PredictedView::kernelAt(QPointF at) const {
  if (!picture_.any() || at.y() < picture_.topOfLane(0) || at.x() < recorded::kHeaderWidth) return std::nullopt;
  const auto row = static_cast<std::size_t>((at.y() - picture_.topOfLane(0)) / kLaneRow);
  if (row >= picture_.rows.size()) return std::nullopt;
  const TimeAxis axis = picture_.laneAxis(width());
  const auto found = picture_.rows[row].spans.at(axis.time(at.x()).count(), axis.duration(2).count());
  return found ? std::optional(picture_.rows[row].spans.items[*found]) : std::nullopt;
}

QString PredictedView::toolTipAt(QPointF at) const {
  const auto kernel = kernelAt(at);
  if (!kernel) return {};
  const PlacedKernel& placed = picture_.lanes()[chosen()].as_graph.kernels[*kernel];
  const double recorded = picture_.opened->recording.kernels[*kernel].duration();
  return tr("%1\nPredicted: from %2 on, for %3; recorded: %4")
      .arg(kernel_name(picture_.opened->recording, *kernel), duration_text(Micros(placed.begin)),
           duration_text(Micros(placed.end - placed.begin)), duration_text(Micros(recorded)));
}

bool PredictedView::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const QString tip = toolTipAt(help->pos());
  tip.isEmpty() ? QToolTip::hideText() : QToolTip::showText(help->globalPos(), plain_tip(tip), this);
  return true;
}

void PredictedView::mousePressEvent(QMouseEvent* event) {
  if (picture_.opened == nullptr || event->button() != Qt::LeftButton) return;
  for (std::size_t i = 0; i < picture_.lanes().size(); ++i) {
    if (rectOfBar(i).contains(event->position())) return choose(i);
  }
  if (const auto kernel = kernelAt(event->position())) emit kernelChosen(*kernel);
}

void PredictedView::keyPressEvent(QKeyEvent* event) {
  if (picture_.opened != nullptr && event->key() == Qt::Key_Down) return choose(chosen() + 1);
  if (picture_.opened != nullptr && event->key() == Qt::Key_Up && chosen() > 0) return choose(chosen() - 1);
  QWidget::keyPressEvent(event);
}

}  // namespace iosx

#include "moc_predicted_view.cpp"
