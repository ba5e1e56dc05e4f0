#include "views/explore/search/convergence_chart.h"

#include <qcustomplot.h>

#include <QCheckBox>
#include <QComboBox>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QMouseEvent>
#include <QToolTip>
#include <QVBoxLayout>
#include <algorithm>
#include <limits>
#include <utility>

#include "views/figures/plot.h"
#include "views/text/format.h"
#include "views/text/latency_text.h"
#include "views/text/translate.h"
#include "views/widgets/dialog_parts.h"

namespace iosx {
namespace {

Millis last_bound(const std::vector<SearchMoment>& moments) {
  const auto last = std::find_if(moments.rbegin(), moments.rend(),
                                 [](const SearchMoment& moment) { return moment.bound > Millis(0); });
  return last == moments.rend() ? Millis(0) : last->bound;
}

// A search that chooses again restarts its count.
std::vector<SearchMoment> rising(const std::vector<SearchMoment>& history) {
  std::vector<SearchMoment> moments;
  SearchMoment last;
  for (SearchMoment moment : history) {
    moment.elapsed = std::max(moment.elapsed, last.elapsed);
    moment.needed = std::max(moment.needed, last.needed);
    last = moment;
    if (moment.best > Millis(0)) moments.push_back(moment);
  }
  return moments;
}

SearchCurve curve_of(const ScheduleResult& result) {
  const SearchResult& search = *result.search;
  SearchCurve curve{QString::fromStdString(result.id.text()), schedule_title(result), result.schedule_kind};
  if (search.lazy) {
    curve.moments = rising(search.lazy->history);
  } else if (search.stage_sum > Millis(0)) {
    curve.exhaustive = true;
    curve.moments = {{search.elapsed, search.tally.needed, search.stage_sum, Millis(0)}};
  }
  return curve;
}

SearchCurve curve_of(const LiveSearch& search, bool running) {
  const std::string_view id = row_of(search.schedule_kind).id;
  return {QString::fromUtf8(id.data(), static_cast<qsizetype>(id.size())),
          schedule_kind_title(search.schedule_kind),
          search.schedule_kind,
          running,
          false,
          rising(search.history)};
}

bool same_job(const Comparison& comparison, const LiveSearches& live) {
  return comparison.graph && live.graph && comparison.graph->name() == live.graph->name() &&
         comparison.graph->units().size() == live.graph->units().size() && comparison.device.id == live.device.id &&
         comparison.batch == live.batch;
}

}  // namespace

double effort(const SearchMoment& moment, SearchEffortAxis axis) {
  return axis == SearchEffortAxis::kStages ? static_cast<double>(moment.needed) : moment.elapsed.count();
}

Millis SearchCurve::bound() const { return last_bound(moments); }

Convergence convergence_of(const Comparison* comparison, const LiveSearches* live) {
  Convergence all;
  const auto add = [&all](SearchCurve curve) {
    if (!curve.moments.empty()) all.curves.push_back(std::move(curve));
  };
  const auto runs = [&](ScheduleKind schedule_kind) {
    return live != nullptr && std::ranges::count(live->searches, schedule_kind, &LiveSearch::schedule_kind) > 0;
  };
  if (comparison != nullptr && (live == nullptr || same_job(*comparison, *live))) {
    all.context = context_text(*comparison);
    all.recorded = QString::fromStdString(comparison->recorded.text());
    all.origin = comparison->device.origin;
    for (const ScheduleResult& result : comparison->results) {
      if (result.search && !runs(result.schedule_kind)) add(curve_of(result));
    }
  }
  if (live == nullptr) return all;
  Comparison job;
  job.graph = live->graph;
  job.device = live->device;
  job.batch = live->batch;
  all.context = context_text(job);
  all.origin = live->device.origin;
  for (std::size_t i = 0; i < live->searches.size(); ++i) add(curve_of(live->searches[i], i == live->running));
  return all;
}

QString running_sentence(const LiveSearches& live) {
  const LiveSearch& search = live.searches[live.running];
  const SearchMoment& now = search.history.back();
  QString text = Text::tr("%1 is searching: %2 stages requested in %3")
                     .arg(schedule_kind_title(search.schedule_kind), count_text(static_cast<double>(now.needed)),
                          format::elapsed(now.elapsed));
  if (now.best > Millis(0)) text += Text::tr(", best so far %1").arg(duration_text(now.best));
  if (const Millis bound = last_bound(search.history); bound > Millis(0)) {
    text += Text::tr(", certified bound %1").arg(duration_text(bound));
  }
  return text + QStringLiteral(".");
}

namespace {

constexpr double kReach = 16;  // pixels from the mouse to the point that it means

QString point_text(const SearchCurve& curve, const SearchMoment& moment) {
  QString text = ConvergenceChart::tr("%1: %2 after %3 stages, %4")
                     .arg(curve.title, duration_text(moment.best), count_text(static_cast<double>(moment.needed)),
                          format::elapsed(moment.elapsed));
  if (moment.bound > Millis(0)) text += ConvergenceChart::tr("; certified bound %1").arg(duration_text(moment.bound));
  return text;
}

constexpr QSizeF kFigureSize(900, 420);
constexpr double kRoom = 0.06;     // of the range, above and below the curves, and right of them
constexpr double kBelowAxis = 56;  // pixels of its numbers and its title
constexpr int kLowPlot = 260;      // pixels: fewer numbers beside the axis
constexpr int kRightMargin = 16;
constexpr int kLegendEntry = 340;        // pixels
constexpr double kLegendStretch = 1e-6;  // no higher than it must be

// Curves have one colour, but for the best one: markers tell them apart.
QCPScatterStyle::ScatterShape marker(ScheduleKind schedule_kind) {
  switch (row_of(schedule_kind).color) {
    case ColorRole::kMerge: return QCPScatterStyle::ssSquare;
    case ColorRole::kParallel: return QCPScatterStyle::ssTriangle;
    case ColorRole::kGiven: return QCPScatterStyle::ssDiamond;
    default: return QCPScatterStyle::ssCircle;
  }
}

// Returns "IOS-Both 14.3 ms, bound 12.1 ms".
QString legend_text(const SearchCurve& curve) {
  QString text = QStringLiteral("%1  %2").arg(curve.title, duration_text(curve.best()));
  if (curve.exhaustive) return text + Text::tr(", exhaustive: one point");
  if (curve.running) text += Text::tr(" so far");
  if (curve.bound() > Millis(0)) text += Text::tr(", bound %1").arg(duration_text(curve.bound()));
  return text;
}

QCPGraph* add_steps(QCustomPlot& plot, const SearchCurve& curve, SearchEffortAxis axis, Millis SearchMoment::*value) {
  QCPGraph* graph = plot.addGraph();
  graph->setLineStyle(QCPGraph::lsStepLeft);
  graph->setAdaptiveSampling(false);
  Millis last{0};
  for (const SearchMoment& moment : curve.moments) {
    if (moment.*value > Millis(0)) last = moment.*value;
    if (last > Millis(0)) graph->addData(effort(moment, axis), last.count());
  }
  return graph;
}

void add_curve(QCustomPlot& plot, const SearchCurve& curve, SearchEffortAxis axis, const Theme& theme, bool focus) {
  const QColor color = theme.scheduleLine(focus);
  QCPGraph* bound = add_steps(plot, curve, axis, &SearchMoment::bound);
  bound->setPen(QPen(color, 1.5, Qt::DashLine));
  bound->removeFromLegend();
  QCPGraph* best = add_steps(plot, curve, axis, &SearchMoment::best);
  best->setPen(QPen(color, 2));
  best->setName(legend_text(curve));
  // The mark of its current state, hollow while it continues.
  QCPGraph* end = plot.addGraph();
  end->addData(effort(curve.moments.back(), axis), curve.best().count());
  end->setLineStyle(QCPGraph::lsNone);
  end->setScatterStyle(QCPScatterStyle(marker(curve.schedule_kind), QPen(color, 2),
                                       curve.running ? QBrush(theme.canvas) : QBrush(color), 8));
  end->removeFromLegend();
  if (curve.exhaustive) {
    best->removeFromLegend();
    end->setName(legend_text(curve));
    end->addToLegend();
  }
}

// Places the legend above the plot, where it hides no curve.
void place_legend(QCustomPlot& plot, const Theme& theme, const QFont& font) {
  QCPLegend& legend = *plot.legend;
  if (plot.plotLayout()->rowCount() == 1) {
    plot.axisRect()->insetLayout()->take(&legend);
    plot.plotLayout()->insertRow(0);
    plot.plotLayout()->addElement(0, 0, &legend);
    plot.plotLayout()->setRowStretchFactor(0, kLegendStretch);
    legend.setFillOrder(QCPLayoutGrid::foColumnsFirst);
  }
  legend.setVisible(true);
  legend.setBrush(Qt::NoBrush);
  legend.setBorderPen(Qt::NoPen);
  legend.setTextColor(theme.text);
  legend.setFont(sized(font, 12));
  legend.setWrap(std::max(1, plot.width() / kLegendEntry));
}

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = 0;

  void take(Millis value) {
    low = std::min(low, value.count());
    high = std::max(high, value.count());
  }
};

Range range_of(const Convergence& searches, bool curves_only) {
  Range range;
  for (const SearchCurve& curve : searches.curves) {
    if (curves_only && curve.exhaustive) continue;
    for (const SearchMoment& moment : curve.moments) {
      range.take(moment.best);
      if (!curves_only && moment.bound > Millis(0)) range.take(moment.bound);
    }
  }
  return range.high > 0 || !curves_only ? range : range_of(searches, false);
}

// Returns as much of it as fits beside the axis: it is vertical, and the legend is above.
QString best_label(const Convergence& searches, const QCustomPlot& plot, const QFontMetricsF& metrics) {
  const double legend = metrics.height() * 1.5 * std::ceil(plot.legend->itemCount() / double(plot.legend->wrap()));
  const double room = plot.height() - legend - kBelowAxis;
  const QString origin = origin_text(searches.origin);  // a latency never stands without it
  for (const QString& text :
       {Text::tr("best schedule so far (ms), %1").arg(origin), Text::tr("best so far (ms), %1").arg(origin)}) {
    if (metrics.horizontalAdvance(text) <= room) return text;
  }
  return Text::tr("ms, %1", "an axis: unit and origin").arg(origin);
}

// Draws the curves into a plot of final size; `font` gives the family. With `curves_only` the range of latencies is
// that of lazy searches' schedules: bounds and exhaustive searches may lie outside.
void build_convergence_plot(QCustomPlot& plot, const Convergence& searches, SearchEffortAxis axis, bool curves_only,
                            const Theme& theme, const QFont& font) {
  plot.clearItems();
  plot.clearPlottables();
  plot.setLocale(QLocale(QLocale::English));
  plot.setBackground(QBrush(theme.canvas));
  style_axis(*plot.xAxis, theme, font);
  style_axis(*plot.yAxis, theme, font);
  place_legend(plot, theme, font);
  double most = 0;
  for (const SearchCurve& curve : searches.curves) {
    const auto best = std::ranges::min_element(searches.curves, {}, &SearchCurve::best);
    add_curve(plot, curve, axis, theme, &curve == &*best);
    most = std::max(most, effort(curve.moments.back(), axis));
  }
  const Range range = range_of(searches, curves_only);
  const double room = kRoom * (range.high > range.low ? range.high - range.low : range.high);
  plot.xAxis->setRange(0, most > 0 ? most * (1 + kRoom) : 1);
  plot.yAxis->setRange(range.low - room, range.high + room);
  plot.xAxis->setSubTicks(false);
  plot.yAxis->setSubTicks(false);
  plot.yAxis->ticker()->setTickCount(plot.height() < kLowPlot ? 3 : 5);
  plot.xAxis->setLabel(axis == SearchEffortAxis::kStages ? Text::tr("stages requested") : Text::tr("search time (s)"));
  plot.yAxis->setLabel(best_label(searches, plot, QFontMetricsF(plot.yAxis->labelFont())));
  plot.axisRect()->setMinimumMargins(QMargins(0, 8, kRightMargin, 0));
}

QString searches_csv(const Convergence& searches) {
  QString text = csv_record({"schedule", "origin", "search", "stages_asked_for", "seconds", "best_ms", "bound_ms"});
  for (const SearchCurve& curve : searches.curves) {
    const QString how = curve.exhaustive ? QStringLiteral("exhaustive") : QStringLiteral("lazy");
    for (const SearchMoment& moment : curve.moments) {
      text += csv_record({curve.id, origin_id(searches.origin), how, QString::number(moment.needed),
                          csv_number(moment.elapsed.count()), csv_number(moment.best.count()),
                          moment.bound > Millis(0) ? csv_number(moment.bound.count()) : QString()});
    }
  }
  return text;
}

}  // namespace

ConvergenceChart::ConvergenceChart(QWidget* parent)
    : QWidget(parent),
      summary_(named("search-summary", selectable())),
      axis_box_(named("search-axis", new QComboBox, tr("Horizontal axis"))),
      zoom_(named("search-zoom", new QCheckBox(tr("Zoom in")))),
      plot_(new QCustomPlot(this)) {
  setAccessibleName(tr("Progress of the searches"));
  setAutoFillBackground(true);
  axis_box_->setToolTip(tr("Quantity of the horizontal axis"));
  axis_box_->addItem(tr("over stages"));
  axis_box_->addItem(tr("over seconds"));
  zoom_->setToolTip(tr("Latencies from the best to the first schedule of a search; bounds may lie outside"));
  plot_->setMinimumSize(320, 120);
  plot_->setMouseTracking(true);
  // Two lines at any time, so that the plot stays where it is while the sentence changes.
  summary_->setContentsMargins(12, 8, 12, 2);
  summary_->setMinimumHeight(2 * fontMetrics().lineSpacing() + 10);
  summary_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  auto* choices = put_into(inset(new QHBoxLayout, {12, 0, 12, 2}), {FreeRoom{}, zoom_, axis_box_});
  auto* box = put_into(flush(new QVBoxLayout(this), 0), {summary_, choices, {plot_, 1}});
  box->addStretch();  // holds the sentence at the top where there is no plot
  connect(axis_box_, &QComboBox::currentIndexChanged, this,
          [this](int index) { setAxis(static_cast<SearchEffortAxis>(index)); });
  connect(zoom_, &QCheckBox::toggled, this, &ConvergenceChart::rebuild);
  connect(plot_, &QCustomPlot::mouseMove, this, &ConvergenceChart::showPointAt);
  setSearches(nullptr, 0, nullptr);
  follow_theme(this, theme_, [this] { rebuild(); });
}

void ConvergenceChart::setSearches(std::shared_ptr<const Comparison> comparison, std::size_t active,
                                   std::shared_ptr<const LiveSearches> live) {
  shown_ = convergence_of(comparison.get(), live.get());
  if (live) {
    sentence_ = running_sentence(*live);
  } else if (comparison && active < comparison->results.size() && !shown_.curves.empty()) {
    const ScheduleResult& result = comparison->results[active];
    const ScheduleResult& searched = comparison->kernels_of(result);
    sentence_ = search_sentence(searched);
    if (&searched != &result) {
      sentence_ = tr("%1 has the kernels of %2. %3").arg(schedule_title(result), schedule_title(searched), sentence_);
    }
  } else {
    sentence_ = tr("No search yet. Optimize searches schedules for this network.");
  }
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

std::unique_ptr<Figure> make_convergence_figure(Convergence searches, SearchEffortAxis axis) {
  if (searches.curves.empty()) return nullptr;
  const auto paint = [searches, axis](QPainter& painter, const QRectF& area, const Theme& theme) {
    const QFont font = QGuiApplication::font();
    paint_plot(painter, area,
               [&](QCustomPlot& plot) { build_convergence_plot(plot, searches, axis, false, theme, font); });
  };
  return figure_of({.title = Text::tr("Searches: %1").arg(searches.context),
                    .file_stem = QStringLiteral("searches"),
                    .size = kFigureSize,
                    .paint = paint,
                    .csv = [searches] { return searches_csv(searches); },
                    .recorded = searches.recorded});
}

std::unique_ptr<Figure> make_convergence_figure(const Comparison& comparison) {
  return make_convergence_figure(convergence_of(&comparison, nullptr), SearchEffortAxis::kStages);
}

}  // namespace iosx

#include "moc_convergence_chart.cpp"
