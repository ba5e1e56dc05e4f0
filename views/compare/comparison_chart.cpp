#include "views/compare/comparison_chart.h"

#include <qcustomplot.h>

#include <QLabel>
#include <QMouseEvent>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

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
  auto* box = new QVBoxLayout(this);
  box->setContentsMargins(0, 0, 0, 0);
  box->setSpacing(0);
  box->addWidget(summary_);
  box->addWidget(plot_, 1);
  connect(selection_, &SelectionModel::changed, this, &ComparisonChart::rebuild);
  connect(plot_, &QCustomPlot::mouseRelease, this, [this](QMouseEvent* event) {
    if (!comparison_ || comparison_->results.empty()) return;
    const auto row = static_cast<std::ptrdiff_t>(std::lround(-plot_->yAxis->pixelToCoord(event->position().y())));
    if (row < 0 || row >= static_cast<std::ptrdiff_t>(comparison_->results.size())) return;
    emit scheduleActivated(comparison_->results[static_cast<std::size_t>(row)].id);
  });
  rebuild();
}

ComparisonChart::~ComparisonChart() = default;

void ComparisonChart::setComparison(std::shared_ptr<const Comparison> comparison) {
  comparison_ = std::move(comparison);
  rebuild();
}

void ComparisonChart::setTheme(const Theme& theme) {
  theme_ = theme;
  rebuild();
}

std::unique_ptr<Figure> ComparisonChart::figure() const { return make_comparison_figure(comparison_); }

QString ComparisonChart::summary() const { return summary_->text(); }

void ComparisonChart::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  layout()->activate();  // the bars' range depends on the plot's new width
  rebuild();
}

void ComparisonChart::rebuild() {
  const Comparison nothing;
  const Comparison& comparison = comparison_ ? *comparison_ : nothing;
  QPalette colors = palette();
  colors.setColor(QPalette::Window, theme_.canvas);
  colors.setColor(QPalette::WindowText, theme_.text);
  setPalette(colors);
  QFont larger = font();
  larger.setPixelSize(14);
  summary_->setFont(larger);
  summary_->setPalette(colors);
  summary_->setText(summary_sentence(comparison));
  setAccessibleDescription(summary_->text());
  plot_->setVisible(!comparison.results.empty());
  if (comparison.results.empty()) return;
  build_comparison_plot(*plot_, comparison, theme_, font(), selection_->current().schedule);
  plot_->replot(QCustomPlot::rpQueuedReplot);
}

}  // namespace iosx
