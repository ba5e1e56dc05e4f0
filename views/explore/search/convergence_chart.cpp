#include "views/explore/search/convergence_chart.h"

#include <qcustomplot.h>

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QMouseEvent>
#include <QToolTip>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "views/text/format.h"
#include "views/text/latency_text.h"

namespace iosx {
namespace {

constexpr double kReach = 16;  // pixels from the mouse to the point that it means

QString point_text(const SearchCurve& curve, const SearchMoment& moment) {
  QString text = ConvergenceChart::tr("%1: %2 after %3 stages, %4")
                     .arg(curve.title, duration_text(moment.best), count_text(static_cast<double>(moment.needed)),
                          format::elapsed(moment.elapsed));
  if (moment.bound > Millis(0)) text += ConvergenceChart::tr("; certified bound %1").arg(duration_text(moment.bound));
  return text;
}

}  // namespace

ConvergenceChart::ConvergenceChart(QWidget* parent)
    : QWidget(parent),
      summary_(new QLabel),
      axis_box_(new QComboBox),
      zoom_(new QCheckBox(tr("Zoom in"))),
      plot_(new QCustomPlot(this)) {
  setAccessibleName(tr("Course of the searches"));
  setAutoFillBackground(true);
  summary_->setObjectName(QStringLiteral("search-summary"));
  summary_->setWordWrap(true);
  summary_->setTextFormat(Qt::PlainText);  // names are in it
  summary_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  axis_box_->setObjectName(QStringLiteral("search-axis"));
  axis_box_->setAccessibleName(tr("Horizontal axis"));
  axis_box_->setToolTip(tr("What the curves are drawn over"));
  axis_box_->addItem(tr("over stages"));
  axis_box_->addItem(tr("over seconds"));
  zoom_->setObjectName(QStringLiteral("search-zoom"));
  zoom_->setToolTip(tr("Latencies from the best to the first schedule of a search; bounds may lie outside"));
  plot_->setMinimumSize(320, 120);
  plot_->setMouseTracking(true);
  // Two lines at any time, so that the plot stays where it is while the sentence changes.
  summary_->setContentsMargins(12, 8, 12, 2);
  summary_->setMinimumHeight(2 * fontMetrics().lineSpacing() + 10);
  summary_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  auto* choices = new QHBoxLayout;
  choices->setContentsMargins(12, 0, 12, 2);
  choices->addStretch();
  choices->addWidget(zoom_);
  choices->addWidget(axis_box_);
  auto* box = new QVBoxLayout(this);
  box->setContentsMargins(0, 0, 0, 0);
  box->setSpacing(0);
  box->addWidget(summary_);
  box->addLayout(choices);
  box->addWidget(plot_, 1);
  box->addStretch();  // holds the sentence at the top where there is no plot
  connect(axis_box_, &QComboBox::currentIndexChanged, this,
          [this](int index) { setAxis(static_cast<SearchEffortAxis>(index)); });
  connect(zoom_, &QCheckBox::toggled, this, &ConvergenceChart::rebuild);
  connect(plot_, &QCustomPlot::mouseMove, this, &ConvergenceChart::showPointAt);
  setSearches(nullptr, 0, nullptr);
}

ConvergenceChart::~ConvergenceChart() = default;

void ConvergenceChart::setSearches(std::shared_ptr<const Comparison> comparison, std::size_t active,
                                   std::shared_ptr<const LiveSearches> live) {
  shown_ = convergence_of(comparison.get(), live.get());
  if (live) {
    sentence_ = running_sentence(*live);
  } else if (comparison && active < comparison->results.size() && !shown_.curves.empty()) {
    sentence_ = search_sentence(comparison->results[active]);
  } else {
    sentence_ = tr("No search yet. Optimize searches schedules for this network.");
  }
  rebuild();
}

void ConvergenceChart::setTheme(const Theme& theme) {
  theme_ = theme;
  rebuild();
}

void ConvergenceChart::setAxis(SearchEffortAxis axis) {
  axis_ = axis;
  axis_box_->setCurrentIndex(static_cast<int>(axis));
  rebuild();
}

std::unique_ptr<Figure> ConvergenceChart::figure() const { return make_convergence_figure(shown_, axis_); }

QString ConvergenceChart::summary() const { return summary_->text(); }

void ConvergenceChart::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  layout()->activate();  // how the legend is broken depends on the plot's new width
  rebuild();
}

void ConvergenceChart::rebuild() {
  QPalette colors = palette();
  colors.setColor(QPalette::Window, theme_.canvas);
  colors.setColor(QPalette::WindowText, theme_.text);
  setPalette(colors);
  summary_->setPalette(colors);
  summary_->setText(sentence_);
  setAccessibleDescription(sentence_);
  const bool any = !shown_.curves.empty();
  plot_->setVisible(any);
  axis_box_->setVisible(any);
  zoom_->setVisible(std::ranges::count(shown_.curves, false, &SearchCurve::exhaustive) > 0);
  if (!any) return;
  build_convergence_plot(*plot_, shown_, axis_, zoom_->isChecked(), theme_, font());
  plot_->replot(QCustomPlot::rpQueuedReplot);
}

void ConvergenceChart::showPointAt(QMouseEvent* event) {
  double nearest = kReach;
  QString text;
  for (const SearchCurve& curve : shown_.curves) {
    for (const SearchMoment& moment : curve.moments) {
      const QPointF place(plot_->xAxis->coordToPixel(effort(moment, axis_)),
                          plot_->yAxis->coordToPixel(moment.best.count()));
      const double distance = QLineF(place, event->position()).length();
      if (distance >= nearest) continue;
      nearest = distance;
      text = point_text(curve, moment);
    }
  }
  QToolTip::showText(event->globalPosition().toPoint(), text, plot_);
}

}  // namespace iosx

#include "moc_convergence_chart.cpp"
