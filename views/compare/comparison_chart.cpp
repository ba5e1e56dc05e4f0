#include "views/compare/comparison_chart.h"

#include <qcustomplot.h>

#include <QLabel>
#include <QMouseEvent>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <utility>

#include "views/style/style.h"
#include "views/text/latency_text.h"

namespace iosx {

ComparisonChart::ComparisonChart(SelectionModel* selection, QWidget* parent)
    : QWidget(parent), selection_(selection), summary_(new QLabel(this)), plot_(new QCustomPlot(this)) {
  setAccessibleName(tr("End-to-end latency of the schedules"));
  setAutoFillBackground(true);
  summary_->setWordWrap(true);
  summary_->setTextFormat(Qt::PlainText);  // names are in it
  summary_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  summary_->setContentsMargins(12, 8, 12, 6);
  plot_->setMinimumSize(320, 120);
  plot_->installEventFilter(this);
  plot_->setAttribute(Qt::WA_NoMousePropagation, false);
  auto* box = new QVBoxLayout(this);
  box->setContentsMargins(0, 0, 0, 0);
  box->setSpacing(0);
  box->addWidget(summary_);
  box->addWidget(plot_, 1);
  if (selection_ != nullptr) connect(selection_, &SelectionModel::changed, this, &ComparisonChart::rebuild);
  connect(plot_, &QCustomPlot::mouseRelease, this, [this](QMouseEvent* event) {
    const auto bar = barAt(event->position().toPoint());
    if (!bar || event->button() != Qt::LeftButton) return;
    if (comparison_) emit scheduleActivated(comparison_->results[*bar].id);
    emit barActivated(*bar);
  });
  setComparison(nullptr);
  follow_theme(this, [this](const Theme& theme) { setTheme(theme); });
}

ComparisonChart::~ComparisonChart() = default;

// The plot would keep the wheel, though it has no use for it; the page around it scrolls.
bool ComparisonChart::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::Wheel) return QWidget::eventFilter(watched, event);
  event->ignore();
  return true;
}

void ComparisonChart::setComparison(std::shared_ptr<const Comparison> comparison) {
  comparison_ = comparison ? std::move(comparison) : std::make_shared<const Comparison>();
  showComparison();
}

void ComparisonChart::setBaseline(const ScheduleId& baseline) {
  baseline_ = baseline;
  if (comparison_) showComparison();
}

void ComparisonChart::showComparison() {
  bars_ = latency_bars(*comparison_, baseline_);
  text_ = {.context = context_text(*comparison_), .sentence = summary_sentence(*comparison_)};
  rebuild();
}

void ComparisonChart::setBars(std::vector<LatencyBar> bars, LatencyFigureText text,
                              std::optional<std::size_t> emphasised) {
  comparison_.reset();
  bars_ = std::move(bars);
  text_ = std::move(text);
  emphasised_ = emphasised;
  rebuild();
}

void ComparisonChart::setTheme(const Theme& theme) {
  theme_ = theme;
  rebuild();
}

std::unique_ptr<Figure> ComparisonChart::figure() const {
  return comparison_ ? make_comparison_figure(comparison_, baseline_) : make_latency_figure(bars_, text_);
}

QString ComparisonChart::summary() const { return summary_->text(); }

QPoint ComparisonChart::centerOfBar(std::size_t bar) const {
  return {static_cast<int>(plot_->xAxis->coordToPixel(bars_[bar].latency.value.count() / 2)),
          static_cast<int>(plot_->yAxis->coordToPixel(-static_cast<double>(bar)))};
}

std::optional<std::size_t> ComparisonChart::barAt(const QPoint& at) const {
  const auto row = static_cast<std::ptrdiff_t>(std::lround(-plot_->yAxis->pixelToCoord(at.y())));
  if (row < 0 || row >= static_cast<std::ptrdiff_t>(bars_.size())) return std::nullopt;
  return static_cast<std::size_t>(row);
}

void ComparisonChart::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  layout()->activate();  // the bars' range depends on the plot's new width
  rebuild();
}

std::optional<std::size_t> ComparisonChart::emphasised() const {
  if (!comparison_) return emphasised_;
  return selection_ == nullptr ? std::nullopt : comparison_->index_of(selection_->current().schedule);
}

void ComparisonChart::rebuild() {
  QPalette colors = palette();
  colors.setColor(QPalette::Window, theme_.canvas);
  colors.setColor(QPalette::WindowText, theme_.text);
  setPalette(colors);
  QFont larger = font();
  larger.setPixelSize(14);
  summary_->setFont(larger);
  summary_->setPalette(colors);
  summary_->setText(text_.sentence);
  summary_->setHidden(text_.sentence.isEmpty());
  setAccessibleDescription(text_.sentence);
  plot_->setVisible(!bars_.empty());
  if (bars_.empty()) return;
  build_latency_plot(*plot_, bars_, theme_, font(), emphasised());
  plot_->replot(QCustomPlot::rpQueuedReplot);
}

}  // namespace iosx

#include "moc_comparison_chart.cpp"
