#include "views/explore/saving/saving_view.h"

#include <QGuiApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolButton>
#include <QToolTip>
#include <algorithm>

#include "views/figures/paint.h"
#include "views/text/latency_text.h"
#include "views/text/qstring.h"
#include "views/text/translate.h"
#include "views/widgets/painted_view.h"

namespace iosx {
namespace {

constexpr int kHeader = 24;  // pixels
constexpr int kWaterfall = 88;
constexpr int kMargin = 6;
constexpr QSizeF kFigureSize(900, 240);
constexpr double kSentence = 24;

// The last record is what no part and no stage has; differences add up to that of the whole.
QString saving_csv(const SavingFacts& saving) {
  QString text = csv_record({"step", "stage", "baseline", "schedule", "before_ms", "after_ms", "delta_ms", "noise_ms",
                             "per", "origin_before", "origin_after"});
  for (std::size_t i = 0; i < saving.steps.steps.size(); ++i) {
    const SavingStep& step = saving.steps.steps[i];
    text += csv_record(
        {step_name(saving, i), step.stage ? QString::number(*step.stage + 1) : QString(),
         shown_name(saving.baseline.label), shown_name(saving.schedule.label), csv_number(step.before.count()),
         csv_number(step.after.count()), csv_number(step.delta.value.count()),
         step.delta.noise ? csv_number(step.delta.noise->count()) : QString(),
         saving.steps.per == Per::kSample ? QStringLiteral("sample") : QStringLiteral("batch"),
         origin_id(saving.baseline.schedule().latency.origin), origin_id(saving.schedule.schedule().latency.origin)});
  }
  return text;
}

class StepItems final : public PaintedItems {
 public:
  explicit StepItems(SavingView& view) : view_(view) {}

  std::size_t count() const override { return view_.steps(); }
  QString name(std::size_t item) const override { return view_.words(item); }
  QRect rect(std::size_t item) const override { return view_.folded() ? QRect() : view_.rectOf(item); }
  bool selected(std::size_t item) const override { return view_.selected(item); }
  std::optional<std::size_t> focused() const override { return view_.currentStep(); }
  std::optional<std::size_t> itemAt(const QPoint& at) const override { return view_.stepAt(at); }
  void press(std::size_t item) override { view_.press(item); }
  bool widgetsFollow() const override { return true; }

 private:
  SavingView& view_;
};

}  // namespace

SavingView::SavingView(SelectionModel& selection, QWidget* parent)
    : QWidget(parent), selection_(selection), fold_(new QToolButton(this)) {
  install_painted_items<SavingView, StepItems>();  // before the name is set: Qt asks for the interface then
  setObjectName(QStringLiteral("saving"));
  setAccessibleName(tr("Savings by part"));
  setMouseTracking(true);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  fold_->setObjectName(QStringLiteral("fold-saving"));
  fold_->setAutoRaise(true);
  fold_->setGeometry(2, 1, kHeader - 2, kHeader - 2);
  fold_->setAccessibleName(tr("Show the savings by part"));
  fold_->setCheckable(true);
  connect(fold_, &QToolButton::toggled, this, [this](bool open) { setFolded(!open); });
  connect(&selection_, &SelectionModel::changed, this, qOverload<>(&QWidget::update));
  setFolded(false);
  fold_->setChecked(true);
  refresh();
  follow_theme(this, theme_, [this] { update(); });
}

void SavingView::setSaving(const SavingFacts& saving) {
  saving_ = saving;
  refresh();
}

void SavingView::setSearching(const QString& sentence) {
  if (sentence == searching_) return;
  searching_ = sentence;
  refresh();
}

void SavingView::setFolded(bool folded) {
  fold_->setArrowType(folded ? Qt::RightArrow : Qt::DownArrow);
  fold_->setToolTip(folded ? tr("Show the savings by part") : tr("Hide the savings by part"));
  const bool changed = folded_ != folded;
  folded_ = folded;
  fold_->setChecked(!folded);
  refresh();
  if (changed) emit foldedChanged(folded);
}

QSize SavingView::sizeHint() const {
  if (saving_.kind == SavingFacts::Kind::kNothing && searching_.isEmpty()) return {600, 0};
  // The baseline and a search have no steps, but the graph below keeps its room, and so its columns.
  const bool steps = saving_.known() || saving_.kind == SavingFacts::Kind::kBaseline || !searching_.isEmpty();
  return {600, steps && !folded_ ? kHeader + kWaterfall : kHeader};
}

void SavingView::refresh() {
  fold_->setVisible(saving_.known() && searching_.isEmpty());
  hovered_.reset();
  const QRectF area = QRectF(rect()).adjusted(kMargin, kHeader, -kMargin, -2);
  plot_ = saving_.known() && searching_.isEmpty() && !folded_ && area.height() > 0 ? SavingPlot(saving_, area, font())
                                                                                   : SavingPlot();
  current_ = std::min(current_, std::max<std::size_t>(1, plot_.steps()) - 1);
  setFocusPolicy(plot_.steps() > 0 ? Qt::StrongFocus : Qt::NoFocus);
  setAccessibleDescription(searching_.isEmpty() ? saving_sentence(saving_) : searching_);
  updateGeometry();
  update();
}

void SavingView::resizeEvent(QResizeEvent* /*event*/) { refresh(); }

QRect SavingView::rectOf(std::size_t step) const { return plot_.column(step).toAlignedRect(); }

std::optional<std::size_t> SavingView::stepAt(const QPoint& at) const { return plot_.hit(at); }

std::optional<std::size_t> SavingView::currentStep() const {
  return plot_.steps() > 0 ? std::optional(current_) : std::nullopt;
}

bool SavingView::selected(std::size_t step) const {
  const Selection& selection = selection_.current();
  const SavingStep& of = saving_.steps.steps[step];
  if (of.units.empty() || selection.empty()) return false;
  if (selection.units == of.units) return true;
  // For a part with some of the selection.
  return std::ranges::all_of(selection.units, [&](UnitId unit) { return std::ranges::binary_search(of.units, unit); });
}

std::vector<std::size_t> SavingView::chosen() const {
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < plot_.steps(); ++i) {
    if (selected(i)) all.push_back(i);
  }
  return all;
}

QString SavingView::words(std::size_t step) const { return step_sentence(saving_, step); }

std::optional<std::size_t> SavingView::pointed() const {
  if (hovered_) return hovered_;
  return hasFocus() && by_keys_ ? currentStep() : std::nullopt;
}

QString SavingView::sentence() const {
  if (const auto step = pointed()) return words(*step);
  if (!searching_.isEmpty()) return searching_;
  const std::vector<std::size_t> selected = chosen();
  return selected.size() == 1 ? words(selected.front()) : saving_title(saving_);
}

void SavingView::press(std::size_t step) {
  current_ = step;
  const SavingStep& of = saving_.steps.steps[step];
  update();
  if (of.units.empty()) return;  // it is nowhere in the network
  if (of.stage) {
    selection_.select(stage_selection(saving_.schedule.schedule(), *of.stage));
  } else {
    selection_.select({of.units, {}, {}});
  }
  emit stepPressed();
}

void SavingView::point(std::optional<std::size_t> step) {
  if (hovered_ == step) return;
  hovered_ = step;
  const bool leads = step && !saving_.steps.steps[*step].units.empty();
  setCursor(leads ? Qt::PointingHandCursor : Qt::ArrowCursor);
  update();
}

bool SavingView::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const auto step = stepAt(help->pos());
  const QString text = step ? words(*step) : saving_sentence(saving_);
  QToolTip::showText(help->globalPos(), plain_tip(text), this);
  return true;
}

void SavingView::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.fillRect(rect(), theme_.panel);
  const int left = fold_->isHidden() ? 2 * kMargin : kHeader + 4;
  const QRect line(left, 0, width() - left - kMargin, kHeader);
  painter.setFont(font());
  paint_text(painter, theme_.text, line, kAtLeft,
             painter.fontMetrics().elidedText(sentence(), Qt::ElideRight, line.width()));
  plot_.paint(painter, theme_, pointed(), chosen());
  if (hasFocus() && by_keys_ && plot_.steps() > 0) {
    paint_box(painter, QPen(theme_.selection, 1, Qt::DashLine), Qt::NoBrush,
              plot_.frame(current_).adjusted(1, 1, -1, -1), 3);
  }
  painter.setRenderHint(QPainter::Antialiasing, false);
  painter.setPen(theme_.gridLine);
  painter.drawLine(0, height() - 1, width(), height() - 1);
}

void SavingView::mouseMoveEvent(QMouseEvent* event) { point(stepAt(event->pos())); }
void SavingView::leaveEvent(QEvent* /*event*/) { point({}); }

void SavingView::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return QWidget::mousePressEvent(event);
  if (const auto step = stepAt(event->pos())) press(*step);
}

void SavingView::keyPressEvent(QKeyEvent* event) {
  if (plot_.steps() == 0) return QWidget::keyPressEvent(event);
  const std::size_t last = plot_.steps() - 1;
  switch (event->key()) {
    case Qt::Key_Left: current_ -= current_ > 0 ? 1 : 0; break;
    case Qt::Key_Right: current_ = std::min(current_ + 1, last); break;
    case Qt::Key_Home: current_ = 0; break;
    case Qt::Key_End: current_ = last; break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space: return press(current_);
    default: return QWidget::keyPressEvent(event);
  }
  hovered_.reset();  // the keyboard's step is what is told of
  by_keys_ = true;
  announce_focused_item(*this);
  update();
}

void SavingView::focusInEvent(QFocusEvent* event) {
  QWidget::focusInEvent(event);
  const Qt::FocusReason reason = event->reason();
  if (reason == Qt::TabFocusReason || reason == Qt::BacktabFocusReason) by_keys_ = true;
  if (reason == Qt::MouseFocusReason || reason == Qt::OtherFocusReason) by_keys_ = false;
  announce_focused_item(*this);
  update();
}

void SavingView::focusOutEvent(QFocusEvent* event) {
  QWidget::focusOutEvent(event);
  update();
}

std::unique_ptr<Figure> SavingView::figure() const { return make_saving_figure(saving_); }

std::unique_ptr<Figure> make_saving_figure(const SavingFacts& saving) {
  if (!saving.known()) return nullptr;
  const auto paint = [saving](QPainter& painter, const QRectF& area, const Theme& theme) {
    painter.setFont(sized(QGuiApplication::font(), 12));
    constexpr int kLines = Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap;
    const QString sentence = saving_sentence(saving);
    const QRectF lines = QFontMetricsF(painter.font()).boundingRect(area, kLines, sentence);
    paint_text(painter, theme.text, QRectF(area.topLeft(), QSizeF(area.width(), lines.height())), kLines, sentence);
    const double below = std::max(kSentence, lines.height());
    SavingPlot(saving, area.adjusted(0, below, 0, 0), QGuiApplication::font()).paint(painter, theme);
  };
  return figure_of({.title = Text::tr("Savings by part: %1").arg(context_text(*saving.schedule.comparison)),
                    .file_stem = QStringLiteral("saving"),
                    .size = kFigureSize,
                    .paint = paint,
                    .csv = [saving] { return saving_csv(saving); },
                    .recorded = shown_name(saving.schedule.comparison->recorded.text())});
}

}  // namespace iosx

#include "moc_saving_view.cpp"
