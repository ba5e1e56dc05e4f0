#include "views/compare/comparison_chart.h"

#include <qcustomplot.h>

#include <QGuiApplication>
#include <QLabel>
#include <QMouseEvent>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/analysis/compare/report.h"
#include "core/devices/measure/statistics.h"
#include "core/tables/render.h"
#include "views/figures/plot.h"
#include "views/text/latency_text.h"
#include "views/text/qstring.h"
#include "views/text/translate.h"
#include "views/widgets/dialog_parts.h"

namespace iosx {
namespace {

constexpr double kBarWidth = 0.62;  // of the distance of two bars
constexpr double kThickest = 40;    // pixels of a bar
constexpr double kLabelGap = 8;     // pixels between a bar and its label
constexpr int kMarginBelow = 46;    // for the axis and its title
constexpr double kLeastRight = 12;  // right of the axis
constexpr double kBeyondLargest = 1.02;
constexpr double kWidestName = 220;    // pixels
constexpr double kNameShare = 0.36;    // of the plot, at most
constexpr double kSourceShare = 0.45;  // of the plot, at most, for who recorded a bar
constexpr double kFigureWidth = 900;

// The colour is opaque, so that the grid does not show through.
QColor mixed(const QColor& color, const QColor& canvas) {
  const auto part = [](int a, int b) { return (a * 4 + b) / 5; };
  return {part(color.red(), canvas.red()), part(color.green(), canvas.green()), part(color.blue(), canvas.blue())};
}

// Returns "6.49 ms · baseline", "4.03 ms · 1.61×", "3.90 ms · 1.66× · over the memory limit".
QString bar_label(const LatencyBar& bar) {
  QStringList words{latency_text(bar.latency)};
  if (!bar.remark.isEmpty()) words << bar.remark;
  if (bar.over_limit) words << Text::tr("over the memory limit");
  return words.join(QString::fromUtf8("  \u00B7  "));
}

// Returns the line below the latency: the whole batch's where the bar is per sample, and the source of an external run.
QString second_line(const LatencyBar& bar) {
  QStringList words;
  if (bar.whole && bar.batch > 1) {
    words << Text::tr("%1 for the batch of %2").arg(latency_text(*bar.whole)).arg(bar.batch);
  }
  if (bar.external && !bar.source.isEmpty()) words << bar.source;
  return words.join(QString::fromUtf8(" \u00B7 "));
}

// Bars without a second line have their source in the name.
QString bar_name(const LatencyBar& bar) {
  return bar.external && bar.source.isEmpty() ? Text::tr("%1 (external)").arg(bar.label) : bar.label;
}

// Returns it cut: a file's name may have any length.
QString source_line(const LatencyBar& bar, const QFont& font, double plot_width) {
  return QFontMetricsF(sized(font, 11)).elidedText(second_line(bar), Qt::ElideMiddle, kSourceShare * plot_width);
}

void add_label(QCustomPlot& plot, const QString& text, double value, double row, Qt::Alignment alignment,
               const QFont& font, const QColor& color) {
  auto* label = new QCPItemText(&plot);
  label->setClipToAxisRect(false);
  label->setPositionAlignment(Qt::AlignLeft | alignment);
  label->position->setCoords(value, row);
  label->setPadding(QMargins(static_cast<int>(kLabelGap), 0, 0, 0));
  label->setFont(font);
  label->setColor(color);
  label->setText(text);
}

void add_bar(QCustomPlot& plot, const LatencyBar& entry, std::size_t index, std::size_t count, const Theme& theme,
             const QFont& font, bool emphasised, bool focus) {
  const double row = -static_cast<double>(index);
  const double value = entry.latency.value.count();
  const double spread = entry.latency.spread.count();
  auto* bar = new QCPBars(plot.yAxis, plot.xAxis);
  const QColor color = entry.external ? theme.mutedText : theme.schedule(entry.color, focus);
  const bool simulated = is_modelled(entry.latency.origin);
  const QColor frame = focus ? theme.accent : theme.boxLine;
  bar->setWidth(
      std::min(kBarWidth, kThickest * static_cast<double>(count) / std::max(1, plot.height() - kMarginBelow)));
  bar->setBrush(entry.external ? QBrush(frame, Qt::BDiagPattern) : QBrush(mixed(color, theme.canvas)));
  bar->setPen(emphasised ? QPen(theme.selection, 2.5) : QPen(frame, 1.25, simulated ? Qt::DashLine : Qt::SolidLine));
  bar->addData(row, value);
  if (spread > 0) {
    auto* whisker = new QCPErrorBars(plot.yAxis, plot.xAxis);
    whisker->setDataPlottable(bar);
    whisker->setErrorType(QCPErrorBars::etValueError);
    whisker->setPen(QPen(theme.text, 1.25));
    whisker->setWhiskerWidth(9);
    whisker->addData(spread);
  }
  const bool two_lines = !second_line(entry).isEmpty();
  add_label(plot, bar_label(entry), value + spread, row, two_lines ? Qt::AlignBottom : Qt::AlignVCenter,
            sized(font, 12, entry.fastest), theme.text);
  if (two_lines) {
    add_label(plot, source_line(entry, font, plot.width()), value + spread, row, Qt::AlignTop, sized(font, 11),
              theme.mutedText);
  }
}

double largest_value(std::span<const LatencyBar> bars) {
  double largest = 0;
  for (const LatencyBar& bar : bars) largest = std::max(largest, (bar.latency.value + bar.latency.spread).count());
  return largest > 0 ? largest : 1;
}

// Returns the pixels of the axis, of all that lie right of the names, such that every bar and the label at its end fit.
double axis_width(std::span<const LatencyBar> bars, const QFont& font, double available, double end,
                  double plot_width) {
  const QFontMetricsF metrics(sized(font, 12, true));
  const QFontMetricsF small(sized(font, 11));
  double width = available - kLeastRight;
  for (const LatencyBar& bar : bars) {
    const double source = small.horizontalAdvance(source_line(bar, font, plot_width));
    const double label = std::max(metrics.horizontalAdvance(bar_label(bar)), source) + kLabelGap + 6;
    const double share = (bar.latency.value + bar.latency.spread).count() / end;
    if (share > 0) width = std::min(width, (available - label) / share);
  }
  return std::max(width, 0.25 * available);
}

// Returns "measured", or "simulated and measured".
QString origins(std::span<const LatencyBar> bars) {
  QStringList words;
  for (const LatencyBar& bar : bars) {
    const QString word = origin_text(bar.latency.origin);
    if (!words.contains(word)) words << word;
  }
  return words.join(Text::tr(" and ", "between two origins"));
}

// Returns the label with what a question mark after a speed-up means, where there is one.
QString axis_label(std::span<const LatencyBar> bars) {
  const bool samples = std::ranges::any_of(bars, [](const LatencyBar& bar) { return bar.whole.has_value(); });
  const QString what = samples ? Text::tr("latency per sample (ms), %1") : Text::tr("end-to-end latency (ms), %1");
  const QString label = what.arg(origins(bars));
  const bool unsure =
      std::ranges::any_of(bars, [](const LatencyBar& bar) { return bar.remark.contains(QLatin1Char('?')); });
  return unsure ? label + QLatin1Char('\n') + Text::tr("? too few runs to be sure") : label;
}

QString latency_csv(std::span<const LatencyBar> bars) {
  auto text = QStringLiteral(
      "label,source,external,origin,latency_ms,spread_ms,samples,speed_up,speed_up_low,speed_up_high,per,batch,"
      "batch_latency_ms\n");
  for (const LatencyBar& bar : bars) {
    text += csv_record({bar.label, bar.source, bar.external ? QStringLiteral("yes") : QStringLiteral("no"),
                        origin_id(bar.latency.origin), csv_number(bar.latency.value.count()),
                        csv_number(bar.latency.spread.count()), QString::number(bar.latency.samples),
                        bar.ratio ? csv_number(*bar.ratio) : QString(),
                        bar.interval ? csv_number(bar.interval->low.count()) : QString(),
                        bar.interval ? csv_number(bar.interval->high.count()) : QString(),
                        bar.whole ? QStringLiteral("sample") : QStringLiteral("batch"), QString::number(bar.batch),
                        csv_number((bar.whole ? *bar.whole : bar.latency).value.count())});
  }
  return text;
}

}  // namespace

int least_plot_height(std::span<const LatencyBar> bars) {
  constexpr int kOneLine = 24;
  constexpr int kTwoLines = 33;
  constexpr int kUnsure = 16;  // the line that says what "?" means
  const bool two = std::ranges::any_of(bars, [](const LatencyBar& bar) { return !second_line(bar).isEmpty(); });
  const int row = two ? kTwoLines : kOneLine;
  return kMarginBelow + kUnsure + 8 + row * static_cast<int>(bars.size());
}

void build_latency_plot(QCustomPlot& plot, std::span<const LatencyBar> bars, const Theme& theme, const QFont& font,
                        std::optional<std::size_t> emphasised) {
  plot.clearItems();
  plot.clearPlottables();
  plot.setLocale(QLocale(QLocale::English));
  plot.setBackground(QBrush(theme.canvas));
  style_axis(*plot.xAxis, theme, font);
  style_axis(*plot.yAxis, theme, font);
  const auto names = QSharedPointer<QCPAxisTickerText>::create();
  const QFontMetricsF metrics(sized(font, 12));
  const double room = std::clamp(kNameShare * plot.width(), 90.0, kWidestName);
  const auto best = std::ranges::find_if(bars, &LatencyBar::best);
  const std::size_t focus = emphasised.value_or(static_cast<std::size_t>(best - bars.begin()));
  double widest = 0;
  for (std::size_t i = 0; i < bars.size(); ++i) {
    const QString name = metrics.elidedText(bar_name(bars[i]), Qt::ElideMiddle, room);
    names->addTick(-static_cast<double>(i), name);
    widest = std::max(widest, metrics.horizontalAdvance(name));
    add_bar(plot, bars[i], i, bars.size(), theme, font, i == emphasised, i == focus);
  }
  plot.yAxis->setTicker(names);
  plot.yAxis->setTickLength(0, 0);
  plot.yAxis->setSubTicks(false);
  plot.yAxis->grid()->setVisible(false);
  plot.yAxis->setTickLabelPadding(8);
  plot.yAxis->setRange(-static_cast<double>(bars.size()) + 0.4, 0.6);
  plot.xAxis->setSubTicks(false);
  plot.xAxis->ticker()->setTickCount(plot.width() < 420 ? 2 : 5);
  plot.xAxis->setLabel(axis_label(bars));
  plot.axisRect()->setAutoMargins(QCP::msNone);
  const double left = widest + 18;
  const double end = largest_value(bars) * kBeyondLargest;
  const double available = std::max(60.0, plot.width() - left);
  const double right = available - axis_width(bars, font, available, end, plot.width());
  const int lines = static_cast<int>(plot.xAxis->label().count(QLatin1Char('\n')));
  const int below = kMarginBelow + lines * QFontMetrics(plot.xAxis->labelFont()).height();
  plot.axisRect()->setMargins(QMargins(static_cast<int>(left), 6, static_cast<int>(right), below));
  plot.xAxis->setRange(0, end);
}

std::unique_ptr<Figure> make_latency_figure(std::vector<LatencyBar> bars, LatencyFigureText text) {
  const auto height = [text, count = bars.size()](double width) {
    return sentence_height(text.sentence, width) + 70 + 46 * static_cast<double>(count);
  };
  const auto paint = [text, bars](QPainter& painter, const QRectF& area, const Theme& theme) {
    const QFont font = QGuiApplication::font();
    const double summary = sentence_height(text.sentence, area.width());
    paint_sentence(painter, area, text.sentence, theme);
    if (bars.empty()) return;
    paint_plot(painter, area.adjusted(0, summary, 0, 0),
               [&](QCustomPlot& plot) { build_latency_plot(plot, bars, theme, font); });
  };
  return figure_of({.title = Text::tr("End-to-end latency: %1").arg(text.context),
                    .file_stem = QStringLiteral("comparison"),
                    .size = {kFigureWidth, height(kFigureWidth)},
                    .paint = paint,
                    .csv = [text, bars] { return text.csv.isEmpty() ? latency_csv(bars) : text.csv; },
                    .recorded = text.recorded,
                    .height_within = height});
}

std::unique_ptr<Figure> make_comparison_figure(std::shared_ptr<const Comparison> comparison,
                                               const ScheduleId& baseline) {
  if (!comparison) comparison = std::make_shared<Comparison>();
  const ScheduleResult* base = comparison->find(baseline);
  if (base == nullptr) base = comparison->find(ScheduleKind::kSequential);
  return make_latency_figure(latency_bars(*comparison, baseline),
                             {.context = context_text(*comparison),
                              .sentence = summary_sentence(*comparison),
                              .recorded = QString::fromStdString(comparison->recorded.text()),
                              .csv = QString::fromStdString(table_csv(schedule_comparison(*comparison, base)))});
}

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
  put_into(flush(new QVBoxLayout(this), 0), {summary_, {plot_, 1}});
  if (selection_ != nullptr) connect(selection_, &SelectionModel::changed, this, &ComparisonChart::rebuild);
  connect(plot_, &QCustomPlot::mouseRelease, this, [this](QMouseEvent* event) {
    const auto bar = barAt(event->position().toPoint());
    if (!bar || event->button() != Qt::LeftButton) return;
    if (comparison_) emit scheduleActivated(comparison_->results[*bar].id);
    emit barActivated(*bar);
  });
  setComparison(nullptr);
  follow_theme(this, theme_, [this] { rebuild(); });
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
