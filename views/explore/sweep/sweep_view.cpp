#include "views/explore/sweep/sweep_view.h"

#include <qcustomplot.h>

#include <QComboBox>
#include <QFormLayout>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMouseEvent>
#include <QPushButton>
#include <QSlider>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/tables/render.h"
#include "views/app_model/session.h"
#include "views/app_model/sweeper.h"
#include "views/figures/plot.h"
#include "views/text/latency_text.h"
#include "views/text/messages.h"
#include "views/text/qstring.h"
#include "views/text/translate.h"
#include "views/widgets/dialog_parts.h"

namespace iosx {
namespace {

constexpr QSizeF kFigureSize(860, 460);
constexpr double kHeadroom = 1.12;  // above the largest value
constexpr int kLowPlot = 300;       // pixels: a short title beside the axis
constexpr double kRoom = 0.15;      // of the range of speed-ups, above and below
constexpr int kChoicesWidth = 300;  // pixels

// The results of a sweep: all values at even distances along the axis.
struct SweepCurves {
  Sweep sweep;
  std::vector<std::int64_t> values;
  std::vector<SweepPoint> points;         // for some of the values, in their order
  std::optional<std::string> shown = {};  // title of the schedule that the window shows; none: no run is shown

  // Returns null where the value has no point.
  const SweepPoint* find(std::int64_t value) const {
    const auto at = std::ranges::find(points, value, &SweepPoint::value);
    return at == points.end() ? nullptr : &*at;
  }
};

// In the order of its list: over sequential at the same value; in ms.
enum class SweepMeasure { kSpeedUp, kLatency };

SweepCurves curves_of(const Sweeper& sweeper, const Session& session) {
  SweepCurves curves{sweeper.sweep(), sweeper.values(), sweeper.points()};
  if (const auto shown = session.comparison()) curves.shown = shown->results[session.activeSchedule()].title();
  return curves;
}

QString axis_title(const SweepCurves& curves) {
  const SweepParameterRow& row = row_of(curves.sweep.parameter);
  QString title = core_words(row.axis);
  if (row.of_operator && curves.sweep.op.valid()) {
    title = Text::tr("%1 of %2").arg(title, qstring(curves.sweep.base.graph->op(curves.sweep.op).name));
  }
  return title;
}

QString origins_text(const SweepCurves& curves) {
  QStringList words;
  for (const Origin origin : origins_of(curves.points)) words << origin_text(origin);
  return words.join(Text::tr(" and ", "between two origins"));
}

// Returns the value of one schedule at a point, by its title; none where it or its reference is missing.
std::optional<double> sweep_value(const SweepPoint& point, const std::string& title, SweepMeasure measure) {
  const auto at = std::ranges::find(point.latencies, title, &SweepLatency::title);
  if (at == point.latencies.end()) return std::nullopt;
  if (measure == SweepMeasure::kLatency) return at->latency.value.count();
  const auto sequential = std::ranges::find(point.latencies, ScheduleKind::kSequential, &SweepLatency::schedule_kind);
  if (sequential == point.latencies.end() || at->latency.value <= Millis(0)) return std::nullopt;
  return sequential->latency.value / at->latency.value;
}

// Returns, in the window's language, "32", "tesla-v100", "unlimited".
QString sweep_value_text(const SweepCurves& curves, std::int64_t value) {
  return core_words(value_text(curves.sweep, value));
}

// Returns "batch 32: Sequential 29.7 ms, Greedy 28.9 ms, IOS-Both 28.0 ms (1.06×), simulated", or why there is no
// value.
QString sweep_sentence(const SweepCurves& curves, std::int64_t value) {
  const QString what =
      Text::tr("%1: %2").arg(core_words(row_of(curves.sweep.parameter).title), sweep_value_text(curves, value));
  const SweepPoint* point = curves.find(value);
  if (point == nullptr) return what + " …";
  if (point->latencies.empty()) return what + " – " + message_text(point->problem);
  QStringList parts;
  for (const SweepLatency& each : point->latencies) {
    QString part = core_words(each.title) + " " + latency_text(each.latency);
    const auto ratio = sweep_value(*point, each.title, SweepMeasure::kSpeedUp);
    if (ratio && each.schedule_kind != ScheduleKind::kSequential) part += " (" + ratio_text(*ratio) + ")";
    parts.append(part);
  }
  return what + " – " + parts.join(", ");
}

// Returns the schedule in focus: the one that is shown, and where none is, the fastest for the last known value.
std::optional<std::size_t> focused_curve(const SweepCurves& curves, const std::vector<std::string>& titles) {
  if (curves.shown) return static_cast<std::size_t>(std::ranges::find(titles, *curves.shown) - titles.begin());
  std::optional<std::size_t> best;
  for (const std::int64_t value : curves.values) {
    const SweepPoint* const point = curves.find(value);
    if (point == nullptr || point->latencies.empty()) continue;
    const auto fastest =
        std::ranges::min_element(point->latencies, {}, [](const SweepLatency& each) { return each.latency.value; });
    best = static_cast<std::size_t>(std::ranges::find(titles, fastest->title) - titles.begin());
  }
  return best;
}

// Draws a curve per schedule into a plot of final size; `font` gives the family.
void build_sweep(QCustomPlot& plot, const SweepCurves& curves, SweepMeasure measure, const Theme& theme,
                 const QFont& font) {
  const QString origins = origins_text(curves);
  const bool low = plot.height() < kLowPlot;
  const QString unit = measure == SweepMeasure::kLatency ? (low ? Text::tr("ms") : Text::tr("latency (ms)"))
                       : low                             ? Text::tr("speed-up")
                                                         : Text::tr("speed-up over sequential");
  start_curves(plot, theme, font, axis_title(curves), origins.isEmpty() ? unit : unit + ", " + origins);
  const std::vector<std::string> titles = sweep_titles(curves.points);
  const std::optional<std::size_t> focus = focused_curve(curves, titles);
  double least = 1e300;
  double most = 0;
  for (std::size_t i = 0; i < titles.size(); ++i) {
    QCPGraph* curve = nullptr;
    for (std::size_t v = 0; v < curves.values.size(); ++v) {
      const SweepPoint* point = curves.find(curves.values[v]);
      const auto y = point == nullptr ? std::nullopt : sweep_value(*point, titles[i], measure);
      if (!y) continue;
      if (curve == nullptr) {
        CurveStyle style{i, focus == i, {}};
        if (curves.sweep.parameter == SweepParameter::kDevice) style.line = Qt::NoPen;  // which are in no order
        curve = add_curve(plot, core_words(titles[i]), theme, style);
      }
      curve->addData(static_cast<double>(v), *y);
      least = std::min(least, *y);
      most = std::max(most, *y);
    }
  }
  QStringList names;
  for (const std::int64_t value : curves.values) names.append(sweep_value_text(curves, value));
  name_ticks(*plot.xAxis, names);
  if (most <= 0) {
    set_range(*plot.yAxis, 0, 1);
    plot.legend->setVisible(false);
  } else if (measure == SweepMeasure::kLatency) {
    set_range(*plot.yAxis, 0, most * kHeadroom);
  } else {
    const double room = std::max(most - least, 0.05) * kRoom;
    set_range(*plot.yAxis, least - room, most + room);
  }
}

QString figure_title(const SweepCurves& curves) {
  const QString varied = core_words(row_of(curves.sweep.parameter).title);
  QString title = Text::tr("What if: %1, %2").arg(varied, qstring(curves.sweep.base.graph->name()));
  if (curves.sweep.parameter != SweepParameter::kDevice) title += " · " + qstring(curves.sweep.base.device);
  if (curves.sweep.parameter != SweepParameter::kBatch) {
    title += Text::tr(" · batch %1").arg(curves.sweep.base.options.batch);
  }
  if (const QString origins = origins_text(curves); !origins.isEmpty()) title += " · " + origins;
  return title;
}

// Returns the numbers, which have anything but digits between them; those out of bounds are left out.
std::vector<std::int64_t> numbers_in(const QString& text, Bounds<std::int64_t> bounds) {
  std::vector<std::int64_t> numbers;
  static const QRegularExpression between(QStringLiteral("[^0-9]+"));
  for (const QString& word : text.split(between, Qt::SkipEmptyParts)) {
    bool is_number = false;
    const qlonglong number = word.toLongLong(&is_number);
    if (is_number && bounds.hold(number)) numbers.push_back(number);
  }
  return numbers;
}

}  // namespace

SweepView::SweepView(Session& session, Sweeper& sweeper, SelectionModel& selection, QWidget* parent)
    : QWidget(parent),
      session_(session),
      sweeper_(sweeper),
      selection_(selection),
      parameter_(named("sweep-parameter", new QComboBox)),
      operator_(named("sweep-operator", wrapping({}, Qt::PlainText))),
      values_(named("sweep-values", new QLineEdit)),
      measure_(named("sweep-measure", new QComboBox)),
      measure_now_(named("sweep-measure-now", new QPushButton(tr("Measure")))),
      use_(named("sweep-use", new QPushButton(tr("Use this value")))),
      state_(named("sweep-state", wrapping({}, Qt::PlainText))),
      plot_(new QCustomPlot(this)),
      finding_(named("sweep-finding", wrapping({}, Qt::PlainText))),
      reading_(named("sweep-reading", selectable())),
      slider_(named("sweep-slider", new QSlider(Qt::Horizontal), tr("Value to read"))) {
  setAccessibleName(tr("What if"));
  setAutoFillBackground(true);
  plot_->setMinimumSize(280, 110);
  plot_->setMouseTracking(true);
  plot_->setCursor(Qt::CrossCursor);
  slider_->setTickPosition(QSlider::TicksBelow);
  slider_->setPageStep(1);
  auto* right = put_into(inset(new QVBoxLayout, {0, 6, 12, 6}, 4), {finding_, {plot_, 1}});
  // Its margins follow the plot, which may be wide: they must not make the window wider.
  auto* below = new QWidget;
  below->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
  below_ = new QHBoxLayout(below);
  below_->setContentsMargins(0, 0, 0, 0);
  below_->addWidget(slider_);
  put_into(right, {below, reading_});
  right->addStretch();  // holds the reading at its place where there is no plot
  put_into(flush(new QHBoxLayout(this)), {makeChoices(), {right, 1}});
  connect(&sweeper_, &Sweeper::changed, this, &SweepView::update);
  connect(&session_, &Session::comparisonChanged, this, &SweepView::rebuild);
  connect(&session_, &Session::activeScheduleChanged, this, &SweepView::rebuild);
  connect(&selection_, &SelectionModel::changed, this, &SweepView::followSelection);
  connect(slider_, &QSlider::valueChanged, this, &SweepView::read);
  connect(plot_, &QCustomPlot::afterReplot, this, &SweepView::alignSlider);
  connect(plot_, &QCustomPlot::mousePress, this, [this](QMouseEvent* event) { pointAt(event->position().x()); });
  connect(plot_, &QCustomPlot::mouseMove, this, [this](QMouseEvent* event) {
    if ((event->buttons() & Qt::LeftButton) != 0) pointAt(event->position().x());
  });
  update();
  follow_theme(this, theme_, [this] { rebuild(); });
}

QWidget* SweepView::makeChoices() {
  auto* choices = new QWidget;
  choices->setFixedWidth(kChoicesWidth);
  auto* form = new QFormLayout;
  form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  for (const SweepParameterRow& row : sweep_table()) parameter_->addItem(core_words(row.title));
  form->addRow(tr("What if"), parameter_);
  form->addRow(tr("of"), operator_);
  values_->setPlaceholderText(tr("usual values"));
  values_->setToolTip(tr("Values to try, such as 1, 2, 4; empty: usual values"));
  form->addRow(tr("values"), values_);
  measure_->addItem(tr("speed-up over sequential"));
  measure_->addItem(tr("latency"));
  form->addRow(tr("show"), measure_);
  auto* column = put_into(inset(new QVBoxLayout(choices), {12, 8, 8, 8}), {form});
  put_into(column, {state_, FreeRoom{}});
  measure_now_->setToolTip(tr("Measure the unknown values as a job"));
  auto* buttons = put_into(new QHBoxLayout, {use_, measure_now_, FreeRoom{}});
  column->addLayout(buttons);
  connect(parameter_, &QComboBox::currentIndexChanged, this, [this](int index) {
    values_->clear();
    sweeper_.setParameter(sweep_table()[static_cast<std::size_t>(index)].parameter);
    followSelection();
    update();
  });
  connect(values_, &QLineEdit::editingFinished, this, &SweepView::takeValues);
  connect(measure_, &QComboBox::currentIndexChanged, this, &SweepView::rebuild);
  connect(use_, &QPushButton::clicked, this, &SweepView::use);
  connect(measure_now_, &QPushButton::clicked, &sweeper_, &Sweeper::measure);
  return choices;
}

void SweepView::setLookedAt(bool looked_at) {
  if (looked_at) followSelection();
  sweeper_.setActive(looked_at);
}

void SweepView::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  rebuild();
}

// Takes the last operator of the first selected unit that has such a size; what was chosen before stays while nothing
// has.
void SweepView::followSelection() {
  if (!session_.hasDocument()) return;
  const Graph& graph = *session_.document().graph;
  const SweepParameter parameter = sweep_table()[static_cast<std::size_t>(parameter_->currentIndex())].parameter;
  if (!row_of(parameter).of_operator) return;
  Sweep sweep{{.graph = session_.document().graph}, parameter};
  for (const UnitId unit : selection_.current().units) {
    if (unit.index() >= graph.units().size()) continue;
    const std::vector<OperatorId>& operators = graph.unit(unit).operators;
    for (auto op = operators.rbegin(); op != operators.rend(); ++op) {
      sweep.op = *op;
      if (present_value(sweep) == 0) continue;
      sweeper_.setOperator(qstring(graph.op(*op).name));
      return;
    }
  }
}

void SweepView::takeValues() {
  std::vector<std::int64_t> values = numbers_in(values_->text(), row_of(sweeper_.sweep().parameter).bounds);
  if (sweeper_.sweep().parameter == SweepParameter::kDevice) values.clear();
  sweeper_.setValues(std::move(values));
}

std::optional<std::int64_t> SweepView::value() const {
  const auto index = static_cast<std::size_t>(slider_->value());
  if (index >= sweeper_.values().size()) return std::nullopt;
  return sweeper_.values()[index];
}

void SweepView::update() {
  const std::vector<std::int64_t>& values = sweeper_.values();
  const bool other = slider_->maximum() + 1 != static_cast<int>(values.size()) || !slider_->isEnabled();
  slider_->setEnabled(!values.empty());
  for (QWidget* part : {static_cast<QWidget*>(plot_), static_cast<QWidget*>(slider_)})
    part->setVisible(!values.empty());
  if (other && !values.empty()) {
    slider_->setRange(0, static_cast<int>(values.size()) - 1);
    const auto present = std::ranges::find(values, present_value(sweeper_.sweep()));
    slider_->setValue(present == values.end() ? 0 : static_cast<int>(present - values.begin()));
  }
  const bool of_operator = row_of(sweeper_.sweep().parameter).of_operator;
  operator_->setText(!of_operator                        ? tr("the whole network")
                     : sweeper_.operatorName().isEmpty() ? tr("select an operator")
                                                         : qstring(sweeper_.operatorName().toStdString()));
  const std::size_t done = sweeper_.points().size();
  if (const QString problem = sweeper_.problem(); !problem.isEmpty()) {
    state_->setText(problem);
  } else if (done < values.size()) {
    const QString words = sweeper_.busy() ? tr("Searching: %1 of %2 values") : tr("%1 of %2 values");
    state_->setText(words.arg(done).arg(values.size()));
  } else if (sweeper_.canMeasure()) {
    state_->setText(tr("Some values were never measured."));
  } else {
    state_->clear();
  }
  measure_now_->setVisible(sweeper_.canMeasure());
  const auto sentence = done < values.size() ? std::nullopt : batch_sentence(sweeper_.sweep(), sweeper_.points());
  finding_->setVisible(sentence.has_value());
  if (sentence) finding_->setText(message_sentence(*sentence) + QLatin1Char('.'));
  rebuild();
}

void SweepView::rebuild() {
  build_sweep(*plot_, curves_of(sweeper_, session_), static_cast<SweepMeasure>(measure_->currentIndex()), theme_,
              font());
  drawn_ = sweeper_.values();
  read();
}

// Its handle is below its value.
void SweepView::alignSlider() {
  if (sweeper_.values().size() < 2 || sweeper_.values() != drawn_) return;  // the axis is still of other values
  const int handle = style()->pixelMetric(QStyle::PM_SliderLength, nullptr, slider_) / 2;
  const double width = plot_->width();
  const double first = std::clamp(plot_->xAxis->coordToPixel(0), 0.0, width);
  const double last =
      std::clamp(plot_->xAxis->coordToPixel(static_cast<double>(sweeper_.values().size() - 1)), first, width);
  const QMargins margins(std::max(0, static_cast<int>(first) - handle), 0,
                         std::max(0, plot_->width() - static_cast<int>(last) - handle), 0);
  if (margins != below_->contentsMargins()) below_->setContentsMargins(margins);
}

// Shows a line at the slider's value, and its numbers in words.
void SweepView::read() {
  const auto at = value();
  plot_->clearItems();
  if (at) {
    auto* line = new QCPItemStraightLine(plot_);
    line->point1->setCoords(slider_->value(), 0);
    line->point2->setCoords(slider_->value(), 1);
    line->setPen(QPen(theme_.mutedText, 1, Qt::DashLine));
  }
  plot_->replot(QCustomPlot::rpQueuedReplot);
  reading_->setText(at ? sweep_sentence(curves_of(sweeper_, session_), *at) : QString());
  slider_->setAccessibleDescription(reading_->text());
  const bool present = at && *at == present_value(sweeper_.sweep());
  use_->setEnabled(at && !present);
}

void SweepView::pointAt(double x) {
  if (sweeper_.values().empty()) return;
  const double coordinate = plot_->xAxis->pixelToCoord(x);
  slider_->setValue(
      static_cast<int>(std::clamp(std::round(coordinate), 0.0, static_cast<double>(sweeper_.values().size() - 1))));
}

void SweepView::use() {
  const auto wanted = value();
  if (!wanted) return;
  const Sweep& sweep = sweeper_.sweep();
  const SweepParameterRow& row = row_of(sweep.parameter);
  if (row.resized != nullptr) {
    emit graphValueWanted(sweep.parameter, sweeper_.operatorName(), *wanted);
    return;
  }
  RunSettings settings = session_.settings();
  if (row.option == nullptr) {
    settings.device = sweep.base.devices[static_cast<std::size_t>(*wanted)];
  } else {
    const bool streams = sweep.parameter == SweepParameter::kStreams;  // greedy's own are no setting
    bind_option(settings.options, streams ? info_of(&Pruning::s) : *row.option).set(*wanted);
  }
  session_.setSettings(std::move(settings));
}

std::unique_ptr<Figure> SweepView::figure() const {
  if (sweeper_.points().empty()) return nullptr;
  const SweepCurves curves = curves_of(sweeper_, session_);
  const auto measure = static_cast<SweepMeasure>(measure_->currentIndex());
  const auto paint = [curves, measure](QPainter& painter, const QRectF& area, const Theme& theme) {
    paint_plot(painter, area,
               [&](QCustomPlot& plot) { build_sweep(plot, curves, measure, theme, QGuiApplication::font()); });
  };
  const auto csv = [curves] { return QString::fromStdString(table_csv(sweep_list(curves.sweep, curves.points))); };
  return figure_of({.title = figure_title(curves),
                    .file_stem = "sweep-" + qstring(row_of(curves.sweep.parameter).id),
                    .size = kFigureSize,
                    .paint = paint,
                    .csv = csv});
}

}  // namespace iosx

#include "moc_sweep_view.cpp"
