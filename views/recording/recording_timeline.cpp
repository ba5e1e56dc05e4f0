#include "views/recording/recording_timeline.h"

#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <utility>

#include "views/recording/recording_metrics.h"
#include "views/recording/recording_text.h"
#include "views/text/latency_text.h"
#include "views/text/qstring.h"

namespace iosx {
namespace {

constexpr double kReach = 2;             // pixels beside a span that count as on it
constexpr double kSnapReach = 6;         // pixels, to the edge of a kernel
constexpr double kZoomOfWheel = 0.8;     // of the visible time, for a notch
constexpr std::size_t kMostEdges = 400;  // of the chosen kernel, either way

// The rows for assistive technology.
class RowItems final : public PaintedItems {
 public:
  explicit RowItems(RecordingTimeline& view) : view_(view) {}

  std::size_t count() const override { return view_.rows().rows.size(); }
  QString name(std::size_t item) const override { return view_.nameOfRow(item); }
  QRect rect(std::size_t item) const override { return view_.rectOfRow(item).toRect(); }
  bool selected(std::size_t /*item*/) const override { return false; }
  std::optional<std::size_t> focused() const override { return std::nullopt; }
  std::optional<std::size_t> itemAt(const QPoint& at) const override {
    for (std::size_t i = 0; i < count(); ++i) {
      if (rect(i).contains(at)) return i;
    }
    return std::nullopt;
  }
  void press(std::size_t item) override {
    const recorded::Row& row = view_.rows().rows[item];
    if (row.kind == recorded::Row::Kind::kLane && row.spans.size() > 0)
      emit view_.kernelChosen(row.spans.items.front());
  }

 private:
  RecordingTimeline& view_;
};

}  // namespace

RecordingTimeline::RecordingTimeline(QWidget* parent) : QAbstractScrollArea(parent) {
  install_painted_items<RecordingTimeline, RowItems>();
  setFrameShape(QFrame::NoFrame);
  setFocusPolicy(Qt::StrongFocus);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setAccessibleName(tr("Timeline of the recording"));
  viewport()->setMouseTracking(true);
  connect(&time_, &TimeAxisModel::visibleChanged, this, &RecordingTimeline::redraw);
  connect(&time_, &TimeAxisModel::cursorChanged, viewport(), qOverload<>(&QWidget::update));
  connect(&time_, &TimeAxisModel::measureChanged, viewport(), qOverload<>(&QWidget::update));
  connect(verticalScrollBar(), &QScrollBar::valueChanged, this, &RecordingTimeline::redraw);
  follow_theme(this, theme_, [this] { redraw(); });
}

void RecordingTimeline::setRecording(std::shared_ptr<const OpenedRecording> opened) {
  opened_ = std::move(opened);
  rows_ = opened_ ? recorded::rows_of(*opened_) : recorded::Rows();
  marked_.clear();
  marked_list_.clear();
  chosen_.reset();
  edges_.clear();
  if (opened_) time_.setRange(rows_.range);
  layOut();
}

TimeAxis RecordingTimeline::axis() const { return recording_axis(time_.visible(), viewport()->width()); }

RecordingPicture RecordingTimeline::picture() const {
  return {.opened = *opened_,
          .rows = rows_,
          .theme = theme_,
          .axis = axis(),
          .size = viewport()->size(),
          .scrolled = static_cast<double>(verticalScrollBar()->value()),
          .marked = marked_,
          .chosen = chosen_,
          .edges = edges_,
          .font = font(),
          .hint = tr("Wheel zooms · drag measures · Ctrl+drag pans · F shows all")};
}

std::unique_ptr<Figure> RecordingTimeline::figure(const QString& title) const {
  return opened_ == nullptr ? nullptr : recording_figure(opened_, time_.visible(), marked_, title);
}

void RecordingTimeline::layOut() {
  const int room = std::max(viewport()->height() - recorded::kRuler - recorded::kFooter, 1);
  verticalScrollBar()->setPageStep(room);
  verticalScrollBar()->setSingleStep(static_cast<int>(recorded::kLaneHeight));
  verticalScrollBar()->setRange(0, std::max(0, static_cast<int>(std::ceil(rows_.height)) - room));
  redraw();
}

int RecordingTimeline::fullHeight() const {
  return static_cast<int>(std::ceil(rows_.height)) + recorded::kRuler + recorded::kFooter + 2;
}

void RecordingTimeline::redraw() {
  still_.invalidate();
  viewport()->update();
}

const recorded::Row* RecordingTimeline::rowAt(double y) const {
  if (y < recorded::kRuler || y >= viewport()->height() - recorded::kFooter) return nullptr;
  return rows_.at(y - recorded::kRuler + verticalScrollBar()->value());
}

QRectF RecordingTimeline::rectOf(std::uint32_t kernel) const { return picture().rectOf(kernel); }

QRectF RecordingTimeline::rectOfRow(std::size_t row) const {
  return {0, picture().rowTop(rows_.rows[row]), static_cast<double>(viewport()->width()), rows_.rows[row].height};
}

QString RecordingTimeline::nameOfRow(std::size_t index) const {
  const recorded::Row& row = rows_.rows[index];
  const QString time = duration_text(Micros(row.time));
  switch (row.kind) {
    case recorded::Row::Kind::kIdle: return tr("Idle, %1 together").arg(time);
    case recorded::Row::Kind::kLane:
      return tr("%1, %2, %3 together")
          .arg(lane_text(opened_->recording, row.number), kernels_text(opened_->recording, row.spans.size()), time);
    case recorded::Row::Kind::kThread: return tr("Launches of thread %1, %2 together").arg(row.number + 1).arg(time);
  }
  return {};
}

void RecordingTimeline::mark(const std::vector<std::uint32_t>& kernels, std::optional<std::uint32_t> chosen,
                             bool shows) {
  if (!opened_) return;
  marked_list_ = kernels;
  marked_.assign(kernels.empty() ? 0 : opened_->recording.kernels.size(), false);
  for (const std::uint32_t kernel : kernels) marked_[kernel] = true;
  chosen_ = chosen;
  edges_.clear();
  if (chosen_) {
    edges_ = opened_->edges_to(*chosen_);
    const std::vector<RecordedEdge> after = opened_->edges_from(*chosen_);
    edges_.resize(std::min(edges_.size(), kMostEdges));
    edges_.insert(edges_.end(), after.begin(),
                  after.begin() + static_cast<std::ptrdiff_t>(std::min(after.size(), kMostEdges)));
  }
  if (shows && !kernels.empty()) reveal(chosen_.value_or(kernels.front()));
  redraw();
}

// Moves as little as possible.
void RecordingTimeline::reveal(std::uint32_t kernel) {
  const RecordedKernel& own = opened_->recording.kernels[kernel];
  const TimeRange range{Micros(own.begin - rows_.zero), Micros(own.end - rows_.zero)};
  const TimeRange visible = time_.visible();
  if (range.end < visible.begin || range.begin > visible.end) {
    const Micros middle = (range.begin + range.end) / 2;
    time_.setVisible({middle - visible.length() / 2, middle + visible.length() / 2});
  }
  const recorded::Row& row = *rows_.row_of_lane(own.lane);
  const double top = row.top - verticalScrollBar()->value();
  if (top < 0) verticalScrollBar()->setValue(static_cast<int>(row.top));
  const double room = verticalScrollBar()->pageStep();
  if (top + row.height > room) verticalScrollBar()->setValue(static_cast<int>(std::ceil(row.bottom() - room)));
}

void RecordingTimeline::fitMarked() {
  if (marked_list_.empty()) return fitAll();
  double begin = opened_->recording.kernels[marked_list_.front()].begin;
  double end = begin;
  for (const std::uint32_t kernel : marked_list_) {
    begin = std::min(begin, opened_->recording.kernels[kernel].begin);
    end = std::max(end, opened_->recording.kernels[kernel].end);
  }
  time_.fit({Micros(begin - rows_.zero), Micros(end - rows_.zero)});
}

std::optional<std::uint32_t> RecordingTimeline::kernelAt(QPointF at) const {
  const recorded::Row* row = rowAt(at.y());
  if (row == nullptr || at.x() < axis().left) return std::nullopt;
  const TimeAxis axis = this->axis();
  const auto found = row->spans.at(axis.time(at.x()).count(), axis.duration(kReach).count());
  if (!found || row->kind == recorded::Row::Kind::kIdle) return std::nullopt;
  const std::uint32_t item = row->spans.items[*found];
  if (row->kind == recorded::Row::Kind::kLane) return item;
  const auto& kernels = opened_->recording.kernels;
  const auto launched = std::ranges::find(kernels, item, &RecordedKernel::launch);
  return launched == kernels.end() ? std::nullopt
                                   : std::optional(static_cast<std::uint32_t>(launched - kernels.begin()));
}

QString RecordingTimeline::toolTipAt(QPointF at) const {
  const recorded::Row* row = rowAt(at.y());
  if (row == nullptr) return {};
  const TimeAxis axis = this->axis();
  if (at.x() < axis.left) return plain_tip(nameOfRow(static_cast<std::size_t>(row - rows_.rows.data())));
  if (row->kind == recorded::Row::Kind::kIdle) {
    const auto found = row->spans.at(axis.time(at.x()).count(), axis.duration(kReach).count());
    if (!found) return {};
    const IdlePart& part = opened_->idle[row->spans.items[*found]];
    return plain_tip(QStringLiteral("%1, %2\n%3")
                         .arg(tr("Idle: %1").arg(idle_reason_text(part.reason, opened_->recording.of_processor)),
                              duration_text(Micros(part.end - part.begin)),
                              idle_reason_meaning(part.reason, opened_->recording.of_processor)));
  }
  const auto kernel = kernelAt(at);
  if (!kernel) return {};
  const bool launch = row->kind == recorded::Row::Kind::kThread;
  QStringList lines;
  if (launch) {
    const auto& own = opened_->recording.launches[opened_->recording.kernels[*kernel].launch];
    lines << tr("Launch, %1, of:").arg(duration_text(Micros(own.end - own.begin)));
  }
  constexpr qsizetype kMostLetters = 140;
  for (const auto& [title, text] : kernel_facts(*opened_, *kernel)) {
    lines << QStringLiteral("%1: %2").arg(title,
                                          text.size() > kMostLetters ? text.left(kMostLetters) + QChar(0x2026) : text);
  }
  return plain_tip(lines.join(QLatin1Char('\n')));
}

bool RecordingTimeline::viewportEvent(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    auto* help = static_cast<QHelpEvent*>(event);
    const QString text = toolTipAt(help->pos());
    text.isEmpty() ? QToolTip::hideText() : QToolTip::showText(help->globalPos(), text, viewport());
    return true;
  }
  if (event->type() == QEvent::Leave) time_.setCursor(std::nullopt);
  return QAbstractScrollArea::viewportEvent(event);
}

void RecordingTimeline::resizeEvent(QResizeEvent* /*event*/) { layOut(); }

void RecordingTimeline::wheelEvent(QWheelEvent* event) {
  const QPoint delta = event->angleDelta();
  const bool over_header = event->position().x() < recorded::kHeaderWidth;
  if (over_header || event->modifiers().testFlag(Qt::ShiftModifier)) return QAbstractScrollArea::wheelEvent(event);
  if (std::abs(delta.x()) > std::abs(delta.y())) {
    time_.pan(axis().duration(-delta.x() / 2.0));
  } else {
    time_.zoomAt(axis().time(event->position().x()), std::pow(kZoomOfWheel, delta.y() / 120.0));
  }
  event->accept();
}

// Times of a measurement are those of kernels and idle parts, where one begins or ends nearby.
Micros RecordingTimeline::snapped(double x) const {
  const TimeAxis axis = this->axis();
  const Micros time = axis.time(std::clamp(x, axis.left, axis.right()));
  const double reach = axis.duration(kSnapReach).count();
  double best = time.count();
  double least = reach;
  for (const recorded::Row& row : rows_.rows) {
    const auto [first, last] = row.spans.meeting(time.count() - reach, time.count() + reach);
    for (std::size_t i = first; i < last; ++i) {
      for (const double edge : {row.spans.begins[i], row.spans.ends[i]}) {
        if (std::abs(edge - time.count()) >= least) continue;
        least = std::abs(edge - time.count());
        best = edge;
      }
    }
  }
  return Micros(best);
}

void RecordingTimeline::mousePressEvent(QMouseEvent* event) {
  press_ = last_ = event->position();
  const bool pan = event->button() == Qt::MiddleButton ||
                   (event->button() == Qt::LeftButton && event->modifiers().testFlag(Qt::ControlModifier));
  if (pan) {
    gesture_ = Gesture::kPan;
    viewport()->setCursor(Qt::ClosedHandCursor);
  } else if (event->button() == Qt::LeftButton) {
    gesture_ = Gesture::kPress;
  }
}

void RecordingTimeline::mouseMoveEvent(QMouseEvent* event) {
  const QPointF position = event->position();
  const TimeAxis axis = this->axis();
  const bool on_axis = position.x() >= axis.left && position.x() <= axis.right();
  time_.setCursor(on_axis ? std::optional(axis.time(position.x())) : std::nullopt);
  const bool dragged = (position - press_).manhattanLength() >= QApplication::startDragDistance();
  if (gesture_ == Gesture::kPress && dragged && press_.x() >= axis.left && opened_) {
    gesture_ = Gesture::kMeasure;
    time_.setMeasure(TimeMeasure{snapped(press_.x()), snapped(press_.x())});
  }
  if (gesture_ == Gesture::kPan) {
    time_.pan(axis.duration(last_.x() - position.x()));
    verticalScrollBar()->setValue(verticalScrollBar()->value() + static_cast<int>(last_.y() - position.y()));
  } else if (gesture_ == Gesture::kMeasure) {
    time_.setMeasure(TimeMeasure{time_.measure()->from, snapped(position.x())});
  }
  last_ = position;
}

void RecordingTimeline::mouseReleaseEvent(QMouseEvent* event) {
  const Gesture done = std::exchange(gesture_, Gesture::kNone);
  viewport()->unsetCursor();
  if (done == Gesture::kPress) choose(kernelAt(event->position()));
  if (done == Gesture::kMeasure && time_.measure() && time_.measure()->from == time_.measure()->to)
    time_.setMeasure(std::nullopt);
}

void RecordingTimeline::mouseDoubleClickEvent(QMouseEvent* event) {
  const recorded::Row* row = rowAt(event->position().y());
  if (row == nullptr) return;
  const TimeAxis axis = this->axis();
  const auto found = row->spans.at(axis.time(event->position().x()).count(), axis.duration(kReach).count());
  if (found) time_.fit({Micros(row->spans.begins[*found]), Micros(row->spans.ends[*found])});
}

void RecordingTimeline::choose(std::optional<std::uint32_t> kernel) {
  if (kernel) {
    emit kernelChosen(*kernel);
  } else {
    time_.setMeasure(std::nullopt);
    emit cleared();
  }
}

void RecordingTimeline::step(int lanes, int kernels) {
  if (!opened_ || opened_->recording.kernels.empty()) return;
  if (!chosen_) return choose(std::uint32_t{0});
  const auto next = lanes != 0 ? recorded::next_lane(rows_, opened_->recording, *chosen_, lanes)
                               : recorded::next_on_lane(rows_, opened_->recording, *chosen_, kernels);
  if (!next) return;
  choose(next);
  reveal(*next);
}

void RecordingTimeline::keyPressEvent(QKeyEvent* event) {
  const bool plain = (event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier)) == 0;
  if (!plain || !opened_) return QAbstractScrollArea::keyPressEvent(event);
  switch (event->key()) {
    case Qt::Key_Z: return fitMarked();
    case Qt::Key_Home: return fitAll();
    case Qt::Key_Right:
    case Qt::Key_Period: return step(0, 1);
    case Qt::Key_Left:
    case Qt::Key_Comma: return step(0, -1);
    case Qt::Key_Up: return step(-1, 0);
    case Qt::Key_Down: return step(1, 0);
    case Qt::Key_Escape: return choose(std::nullopt);
    default:
      if (!time_.handleKey(event->key())) QAbstractScrollArea::keyPressEvent(event);
  }
}

// The part that stays while the mouse moves is kept, and the rest is drawn over it.
void RecordingTimeline::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(viewport());
  painter.fillRect(viewport()->rect(), theme_.canvas);
  if (opened_ == nullptr) return;
  const RecordingPicture picture = this->picture();
  painter.drawPixmap(0, 0, still_.picture(viewport()->size(), viewport()->devicePixelRatioF(), [&](QPainter& still) {
    picture.paint(still);
  }));
  painter.setRenderHint(QPainter::Antialiasing);
  if (const auto measure = time_.measure()) picture.paintMeasure(painter, *measure);
  const auto cursor = time_.cursor();
  if (!cursor || !picture.axis.range.contains(*cursor)) return;
  const double x = picture.axis.x(*cursor);
  painter.setPen(QPen(theme_.mutedText, 1, Qt::DotLine));
  painter.drawLine(QPointF(x, recorded::kRuler), QPointF(x, picture.bottom()));
}

}  // namespace iosx

#include "moc_recording_timeline.cpp"
