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

#include "views/app_model/session.h"
#include "views/app_model/sweeper.h"
#include "views/style/style.h"
#include "views/text/messages.h"
#include "views/text/qstring.h"

namespace iosx {
namespace {

constexpr int kChoicesWidth = 300;  // pixels

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
      parameter_(new QComboBox),
      operator_(new QLabel),
      values_(new QLineEdit),
      measure_(new QComboBox),
      measure_now_(new QPushButton(tr("Measure"))),
      use_(new QPushButton(tr("Use this value"))),
      state_(new QLabel),
      plot_(new QCustomPlot(this)),
      reading_(new QLabel),
      slider_(new QSlider(Qt::Horizontal)) {
  setAccessibleName(tr("What if"));
  setAutoFillBackground(true);
  plot_->setMinimumSize(280, 110);
  plot_->setMouseTracking(true);
  plot_->setCursor(Qt::CrossCursor);
  reading_->setObjectName(QStringLiteral("sweep-reading"));
  reading_->setTextFormat(Qt::PlainText);
  reading_->setWordWrap(true);
  reading_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  slider_->setObjectName(QStringLiteral("sweep-slider"));
  slider_->setAccessibleName(tr("Value to read"));
  slider_->setTickPosition(QSlider::TicksBelow);
  slider_->setPageStep(1);
  auto* right = new QVBoxLayout;
  right->setContentsMargins(0, 6, 12, 6);
  right->setSpacing(4);
  right->addWidget(plot_, 1);
  // Its margins follow the plot, which may be wide: they must not make the window wider.
  auto* below = new QWidget;
  below->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
  below_ = new QHBoxLayout(below);
  below_->setContentsMargins(0, 0, 0, 0);
  below_->addWidget(slider_);
  right->addWidget(below);
  right->addWidget(reading_);
  right->addStretch();  // holds the reading at its place where there is no plot
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->addWidget(makeChoices());
  row->addLayout(right, 1);
  connect(&sweeper_, &Sweeper::changed, this, &SweepView::update);
  connect(&selection_, &SelectionModel::changed, this, &SweepView::followSelection);
  connect(slider_, &QSlider::valueChanged, this, &SweepView::read);
  connect(plot_, &QCustomPlot::afterReplot, this, &SweepView::alignSlider);
  connect(plot_, &QCustomPlot::mousePress, this, [this](QMouseEvent* event) { pointAt(event->position().x()); });
  connect(plot_, &QCustomPlot::mouseMove, this, [this](QMouseEvent* event) {
    if ((event->buttons() & Qt::LeftButton) != 0) pointAt(event->position().x());
  });
  update();
  follow_theme(this, [this](const Theme& theme) { setTheme(theme); });
}

SweepView::~SweepView() = default;

QWidget* SweepView::makeChoices() {
  auto* choices = new QWidget;
  choices->setFixedWidth(kChoicesWidth);
  auto* column = new QVBoxLayout(choices);
  column->setContentsMargins(12, 8, 8, 8);
  auto* form = new QFormLayout;
  form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  parameter_->setObjectName(QStringLiteral("sweep-parameter"));
  for (const SweepParameterRow& row : sweep_table()) parameter_->addItem(core_words(row.title));
  form->addRow(tr("What if"), parameter_);
  operator_->setObjectName(QStringLiteral("sweep-operator"));
  operator_->setTextFormat(Qt::PlainText);
  operator_->setWordWrap(true);
  form->addRow(tr("of"), operator_);
  values_->setObjectName(QStringLiteral("sweep-values"));
  values_->setPlaceholderText(tr("usual values"));
  values_->setToolTip(tr("Values to try, such as 1, 2, 4; empty: usual values"));
  form->addRow(tr("values"), values_);
  measure_->setObjectName(QStringLiteral("sweep-measure"));
  measure_->addItem(tr("speed-up over sequential"));
  measure_->addItem(tr("latency"));
  form->addRow(tr("show"), measure_);
  column->addLayout(form);
  state_->setObjectName(QStringLiteral("sweep-state"));
  state_->setWordWrap(true);
  state_->setTextFormat(Qt::PlainText);
  column->addWidget(state_);
  column->addStretch();
  auto* buttons = new QHBoxLayout;
  use_->setObjectName(QStringLiteral("sweep-use"));
  measure_now_->setObjectName(QStringLiteral("sweep-measure-now"));
  measure_now_->setToolTip(tr("Measure the unknown values as a job"));
  buttons->addWidget(use_);
  buttons->addWidget(measure_now_);
  buttons->addStretch();
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

void SweepView::setTheme(const Theme& theme) {
  theme_ = theme;
  rebuild();
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
  SweepBase base;
  base.graph = session_.document().graph;
  for (const UnitId unit : selection_.current().units) {
    if (unit.index() >= graph.units().size()) continue;
    const std::vector<OperatorId>& operators = graph.unit(unit).operators;
    for (auto op = operators.rbegin(); op != operators.rend(); ++op) {
      if (present_value(base, {parameter, *op}) == 0) continue;
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

SweepMeasure SweepView::measure() const {
  return measure_->currentIndex() == 0 ? SweepMeasure::kSpeedUp : SweepMeasure::kLatency;
}

SweepCurves SweepView::curves() const {
  return {sweeper_.base(), sweeper_.sweep(), sweeper_.values(), sweeper_.points()};
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
    const auto present = std::ranges::find(values, present_value(sweeper_.base(), sweeper_.sweep()));
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
    state_->setText(tr("%1 of %2 values").arg(done).arg(values.size()));
  } else if (sweeper_.canMeasure()) {
    state_->setText(tr("Some values were never measured."));
  } else {
    state_->clear();
  }
  measure_now_->setVisible(sweeper_.canMeasure());
  rebuild();
}

void SweepView::rebuild() {
  build_sweep(*plot_, curves(), measure(), theme_, font());
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
  reading_->setText(at ? sweep_sentence(curves(), *at) : QString());
  slider_->setAccessibleDescription(reading_->text());
  const bool present = at && *at == present_value(sweeper_.base(), sweeper_.sweep());
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
  const SweepParameter parameter = sweeper_.sweep().parameter;
  RunSettings settings = session_.settings();
  switch (parameter) {
    case SweepParameter::kBatch: settings.options.batch = *wanted; break;
    case SweepParameter::kDevice: settings.device = sweeper_.base().devices[static_cast<std::size_t>(*wanted)]; break;
    case SweepParameter::kR: settings.options.search.pruning.r = static_cast<std::size_t>(*wanted); break;
    case SweepParameter::kS:
    case SweepParameter::kStreams: settings.options.search.pruning.s = static_cast<std::size_t>(*wanted); break;
    case SweepParameter::kInputSize:
    case SweepParameter::kChannels:
    case SweepParameter::kKernel: emit graphValueWanted(parameter, sweeper_.operatorName(), *wanted); return;
  }
  session_.setSettings(std::move(settings));
}

std::unique_ptr<Figure> SweepView::figure() const {
  if (sweeper_.points().empty()) return nullptr;
  return make_sweep_figure(curves(), measure());
}

}  // namespace iosx

#include "moc_sweep_view.cpp"
