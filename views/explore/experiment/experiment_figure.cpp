#include "views/explore/experiment/experiment_figure.h"

#include <qcustomplot.h>

#include <QFontMetricsF>
#include <QGuiApplication>
#include <QLinearGradient>
#include <QPainter>
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/analysis/experiment/report.h"
#include "core/base/check.h"
#include "core/tables/render.h"
#include "views/figures/paint.h"
#include "views/figures/plot.h"
#include "views/text/latency_text.h"
#include "views/text/messages.h"
#include "views/text/qstring.h"
#include "views/text/translate.h"

namespace iosx {
namespace {

QString seconds_words() { return Text::tr("Search times are given only for searches without earlier measurements."); }

QString best_words(const ExperimentResult& result) {
  if (result.kind == ExperimentKind::kMemory) return Text::tr("★ no schedule is as fast with less memory");
  const bool rows = result.kind == ExperimentKind::kThroughput;
  if (result.measured()) {
    if (!result.matrix()) return Text::tr("★ best, or as good within the noise");
    return rows ? Text::tr("★ best of its row, or as good within the noise")
                : Text::tr("★ best of its column, or as good within the noise");
  }
  if (!result.matrix()) return Text::tr("★ best");
  return rows ? Text::tr("★ best of its row") : Text::tr("★ best of its column");
}

constexpr double kHeadroom = 1.12;  // above the largest value, for labels

void add_label(QCustomPlot& plot, double x, double y, const QString& text, Qt::Alignment alignment, const Theme& theme,
               const QFont& font) {
  auto* const label = new QCPItemText(&plot);
  label->setClipToAxisRect(false);
  label->setPositionAlignment(alignment);
  label->position->setCoords(x, y);
  label->setPadding(QMargins(6, 6, 6, 6));
  label->setFont(sized(font, 12));
  label->setColor(theme.text);
  label->setText(text);
}

QString origins(const ExperimentResult& result) { return origin_text(result.devices.front().origin); }

// Returns which of the second factor's levels has the largest metric at the last of the first's; that many levels where
// there is none.
std::size_t highest_level(const ExperimentResult& result, std::string_view metric) {
  const std::vector<std::string> firsts = result.levels(0);
  const std::vector<std::string> seconds = result.levels(1);
  std::size_t best = seconds.size();
  double most = 0;
  for (std::size_t s = 0; s < seconds.size() && !firsts.empty(); ++s) {
    const Trial* const trial = result.find(firsts.back(), seconds[s]);
    const double value = trial == nullptr ? 0 : result.value(*trial, metric).value_or(0);
    if (value <= most) continue;
    most = value;
    best = s;
  }
  return best;
}

// Returns the trial with the least latency; null without trials.
const Trial* fastest_trial(const ExperimentResult& result) {
  const auto latency = [&](const Trial& trial) { return result.value(trial, "latency_ms").value_or(1e300); };
  const auto fastest = std::ranges::min_element(result.trials, {}, latency);
  return fastest == result.trials.end() ? nullptr : &*fastest;
}

// Returns the trial of the exhaustive search under the same rule; null where there is none.
const Trial* optimum_of(const ExperimentResult& result, const Trial& trial) {
  return result.find(trial.levels[0], "exhaustive");
}

}  // namespace

QString experiment_title(const ExperimentResult& result) {
  QStringList words{shown_name(result.network)};
  for (const DeviceInfo& device : result.devices) {
    words << Text::tr("%1 %2", "origin, device").arg(origin_text(device.origin), shown_name(device.name));
  }
  if (result.batch) words << Text::tr("batch %1").arg(*result.batch);
  return Text::tr("%1: %2").arg(core_words(row_of(result.kind).title), words.join(Text::tr(", ")));
}

QString explanation_words(const ExperimentResult& result) {
  switch (result.kind) {
    case ExperimentKind::kSchedules:
      return Text::tr("Speed-up is relative to sequential. Searches share their measurements. %1").arg(seconds_words());
    case ExperimentKind::kPruning:
      return (result.method == SearchMethod::kLazy
                  ? Text::tr("Every search is a separate lazy search of IOS-Both: at most r units per group and s "
                             "groups per stage, 0 = unlimited. %1")
                  : Text::tr("Every search is a separate exhaustive search of IOS-Both: at most r units per group and "
                             "s groups per stage, 0 = unlimited. %1"))
          .arg(seconds_words());
    case ExperimentKind::kBatches:
      return Text::tr(
          "Rows: batch of the search; columns: batch of the run. Latency [ms], and loss against the column's own "
          "schedule.");
    case ExperimentKind::kDevices:
      return Text::tr(
          "Rows: device of the search; columns: device of the run. Latency [ms], and loss against the column's own "
          "schedule.");
    case ExperimentKind::kThroughput: return Text::tr("Samples per second, by batch size.");
    case ExperimentKind::kUtilization: return Text::tr("Means are over the whole run.");
    case ExperimentKind::kMemory:
      return Text::tr(
          "The kernels of a schedule with stages, on lanes under memory limits; without lanes: the schedule itself. "
          "The planned peak is the maximum memory of all tensors at one time, with inputs and outputs, without "
          "weights; it is not measured.");
    case ExperimentKind::kFrameworks:
      return Text::tr(
          "Latency of one inference; times ours: relative to our fastest schedule, so above 1 an engine is slower. All "
          "engines get the same model, weights, input and number of threads, and run in turn while the others stand "
          "still. Engines whose outputs differ from ours are not timed.");
    case ExperimentKind::kSearch: break;
  }
  return Text::tr(
             "Loss: stage sum relative to exhaustive search; gap: possible loss that the search itself reports. %1")
      .arg(seconds_words());
}

QString marks_words(const ExperimentResult& result) {
  QStringList words;
  if (std::ranges::any_of(result.trials, &Trial::best)) words << best_words(result);
  if (std::ranges::any_of(result.trials, &Trial::within_noise)) {
    words << Text::tr("≈ difference within the noise");
  }
  return words.join(QStringLiteral("     "));
}

QString engines_words(const ExperimentResult& result) {
  QStringList lines;
  for (const EngineTrial& engine : result.engines) {
    QStringList what{qstring(engine.info.title)};
    for (const auto& [package, version] : engine.info.versions) {
      what << QStringLiteral("%1 %2").arg(qstring(package), qstring(version));
    }
    const QString more = engine.problem.empty() ? qstring(engine.settings) : message_text(engine.problem);
    const QString who = what.join(Text::tr(", "));
    lines << (more.isEmpty() ? who : Text::tr("%1: %2").arg(who, more));
  }
  return lines.join(QLatin1Char('\n'));
}

QString level_words(const ExperimentResult& result, const std::string& level) {
  const auto device = std::ranges::find(result.devices, level, &DeviceInfo::id);
  const bool names_device = result.kind == ExperimentKind::kDevices && device != result.devices.end();
  const QString words = core_words(level);
  return names_device ? Text::tr("%1 (%2)", "device, origin").arg(words, origin_text(device->origin)) : words;
}

void build_throughput(QCustomPlot& plot, const ExperimentResult& result, const Theme& theme, const QFont& font) {
  start_curves(plot, theme, font, Text::tr("batch size"), Text::tr("samples per second, %1").arg(origins(result)));
  const std::vector<std::string> batches = result.levels(0);
  const std::vector<std::string> schedules = result.levels(1);
  const std::size_t best = highest_level(result, "samples_per_second");
  double largest = 0;
  for (std::size_t s = 0; s < schedules.size(); ++s) {
    QCPGraph* curve = nullptr;
    for (std::size_t b = 0; b < batches.size(); ++b) {
      const Trial* const trial = result.find(batches[b], schedules[s]);
      if (trial == nullptr) continue;
      if (curve == nullptr) {
        curve = add_curve(plot, core_words(schedules[s]), theme, {s, s == best, {}});
      }
      const double value = result.value(*trial, "samples_per_second").value_or(0);
      curve->addData(static_cast<double>(b), value);
      largest = std::max(largest, value);
    }
  }
  QStringList names;
  for (const std::string& batch : batches) names.append(core_words(batch));
  name_ticks(*plot.xAxis, names);
  set_range(*plot.yAxis, 0, largest * kHeadroom);
}

void build_pruning(QCustomPlot& plot, const ExperimentResult& result, const Theme& theme, const QFont& font) {
  start_curves(plot, theme, font, Text::tr("stages that the search needed"),
               Text::tr("latency of its schedule (ms), %1").arg(origins(result)));
  const std::vector<std::string> limits = result.levels(1);
  const Trial* const fastest = fastest_trial(result);
  double least = 1e300;
  double most = 0;
  double widest = 0;
  for (std::size_t s = 0; s < limits.size(); ++s) {
    QCPGraph* const curve =
        add_curve(plot, limits[s] == "0" ? Text::tr("s unlimited") : Text::tr("s = %1").arg(qstring(limits[s])), theme,
                  {s, fastest != nullptr && fastest->levels[1] == limits[s], {}});
    for (const Trial& trial : result.trials) {
      if (trial.levels[1] != limits[s]) continue;
      const double needed = result.value(trial, "stages_needed").value_or(0);
      const double latency = result.value(trial, "latency_ms").value_or(0);
      curve->addData(needed, latency);
      const QString r =
          trial.levels[0] == "0" ? Text::tr("r unlimited") : Text::tr("r = %1").arg(qstring(trial.levels[0]));
      // Curves fall: below left of them and above right is room.
      const Qt::Alignment corner = s % 2 == 0 ? Qt::AlignTop | Qt::AlignRight : Qt::AlignBottom | Qt::AlignLeft;
      add_label(plot, needed, latency, r, corner, theme, font);
      least = std::min(least, latency);
      most = std::max(most, latency);
      widest = std::max(widest, needed);
    }
  }
  const double room = std::max(most - least, most * 0.01) * 0.25;
  set_range(*plot.xAxis, 0, widest * kHeadroom);
  set_range(*plot.yAxis, least - room, most + room);
}

void build_search_cost(QCustomPlot& plot, const ExperimentResult& result, const Theme& theme, const QFont& font) {
  start_curves(plot, theme, font, Text::tr("stages requested, % of exhaustive search"),
               Text::tr("loss of the best schedule so far (%), %1").arg(origins(result)));
  constexpr std::array kLines{Qt::SolidLine, Qt::DashLine, Qt::DotLine, Qt::DashDotLine};
  const std::vector<std::string> rules = result.levels(0);
  double most = 0;
  double widest = 0;
  std::array<std::size_t, 8> seeds{};
  for (const Trial& trial : result.trials) {
    const Trial* const optimum = optimum_of(result, trial);
    if (trial.course.empty() || optimum == nullptr) continue;
    const auto rule = static_cast<std::size_t>(std::ranges::find(rules, trial.levels[0]) - rules.begin());
    const std::size_t seed = seeds.at(rule % seeds.size())++;
    QCPGraph* const curve = add_curve(plot, qstring(trial.levels[0] + ", " + trial.levels[1]), theme,
                                      {rule, false, kLines.at(seed % kLines.size())});
    const double all = result.value(*optimum, "stages_needed").value_or(1);
    const double cost = result.value(*optimum, "cost_ms").value_or(1);
    for (const TrialPoint& point : trial.course) {
      const double share = 100 * point.x / all;
      const double loss = 100 * (point.y / cost - 1);
      curve->addData(share, loss);
      most = std::max(most, loss);
      widest = std::max(widest, share);
    }
  }
  set_range(*plot.xAxis, 0, std::max(widest, 1.0) * kHeadroom);
  set_range(*plot.yAxis, -0.04 * most, std::max(most, 0.1) * kHeadroom);
}

void build_memory(QCustomPlot& plot, const ExperimentResult& result, const Theme& theme, const QFont& font) {
  start_curves(plot, theme, font, Text::tr("planned peak of tensors (MB)"),
               Text::tr("latency (ms), %1").arg(origins(result)));
  const Trial* const fastest = fastest_trial(result);
  QCPGraph* lanes = nullptr;
  std::size_t points = 1;
  double widest = 0;
  double least = 1e300;
  double most = 0;
  for (const Trial& trial : result.trials) {
    const double peak = result.value(trial, "planned_peak_mb").value_or(0);
    const double latency = result.value(trial, "latency_ms").value_or(0);
    widest = std::max(widest, peak);
    least = std::min(least, latency);
    most = std::max(most, latency);
    if (result.value(trial, "lanes")) {
      if (lanes == nullptr)
        lanes = add_curve(plot, Text::tr("lanes"), theme,
                          {0, fastest == nullptr || result.value(*fastest, "lanes").has_value(), {}});
      lanes->addData(peak, latency);
      continue;
    }
    add_curve(plot, core_words(trial.levels[0]), theme, {points++, &trial == fastest, {}})->addData(peak, latency);
  }
  const double room = std::max(most - least, most * 0.01) * 0.15;
  set_range(*plot.xAxis, 0, widest * kHeadroom);
  set_range(*plot.yAxis, least - room, most + room);
}

namespace {

const QSizeF kCurvesSize(860, 460);
constexpr double kMargin = 12;  // of the widget
constexpr double kCellWidth = 150;
constexpr double kCellHeight = 66;
constexpr double kLargestCellWidth = 260;
constexpr double kLargestCellHeight = 110;
constexpr double kGap = 2;            // between cells
constexpr double kAxisTitle = 22;     // above the columns' names
constexpr double kColumnName = 24;    // above the cells
constexpr double kScaleHeight = 46;   // below the cells
constexpr double kLabelPadding = 12;  // beside the rows' names
constexpr double kScaleWidth = 640;   // of the scale and what the frame means
constexpr double kFrame = 2.5;        // of the best
constexpr double kLeastWorst = 5;     // per cent: smaller losses do not fill the scale

QColor blend(const QColor& from, const QColor& to, double share) {
  const auto mix = [share](int a, int b) { return static_cast<int>(a + (b - a) * share); };
  return {mix(from.red(), to.red()), mix(from.green(), to.green()), mix(from.blue(), to.blue())};
}

// Returns one hue from pale to dark, which every kind of colour vision orders alike.
QColor loss_color(double share, const Theme& theme) {
  const QColor pale = theme.dark ? QColor(0x2A, 0x33, 0x3E) : QColor(0xF1, 0xF5, 0xF9);
  const QColor full = theme.dark ? QColor(0xE8, 0x7A, 0x2E) : QColor(0xC8, 0x52, 0x00);
  return blend(pale, full, std::clamp(share, 0.0, 1.0));
}

// Returns "109.1 ms", "4.008 ms": cells differ by little.
QString four_digits(Millis value) {
  const double ms = value.count();
  return QStringLiteral("%1 ms").arg(ms, 0, 'f', ms < 10 ? 3 : ms < 100 ? 2 : 1);
}

QString loss_text(double percent) {
  return QString::fromUtf8("%1%2 %")
      .arg(percent < 0 ? QString::fromUtf8("\u2212") : QStringLiteral("+"))
      .arg(std::abs(percent), 0, 'f', 1);
}

// A matrix of trials as coloured cells: the latency, and as a colour and text the loss against the column's own
// schedule. The best of a column is framed, with those equal within the noise; a loss within the noise has no colour.
// Cells scale with the area; `font` gives the family.
class HeatMap {
 public:
  explicit HeatMap(const ExperimentResult& result)
      : result_(result), rows_(result.levels(0)), columns_(result.levels(1)), worst_(kLeastWorst) {
    for (const Trial& trial : result.trials) {
      if (!trial.within_noise) worst_ = std::max(worst_, result.value(trial, "loss_percent").value_or(0));
    }
  }

  QSizeF natural_size(const QFont& font) const {
    return {label_width(font) + std::max(kCellWidth * static_cast<double>(columns_.size()), kScaleWidth),
            kAxisTitle + kColumnName + kCellHeight * static_cast<double>(rows_.size()) + kScaleHeight};
  }

  void paint(QPainter& painter, const QRectF& area, const Theme& theme, const QFont& font) const {
    const double left = label_width(font);
    const double top = kAxisTitle + kColumnName;
    const auto columns = static_cast<double>(columns_.size());
    const auto rows = static_cast<double>(rows_.size());
    const double width = std::min((area.width() - left) / columns, kLargestCellWidth);
    const double height = std::min((area.height() - top - kScaleHeight) / rows, kLargestCellHeight);
    const QRectF cells(area.left() + left, area.top() + top, width * columns, height * rows);
    paint_labels(painter, cells, theme, font);
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      for (std::size_t column = 0; column < columns_.size(); ++column) {
        const QRectF cell(cells.left() + width * static_cast<double>(column),
                          cells.top() + height * static_cast<double>(row), width, height);
        paint_cell(painter, cell.adjusted(kGap, kGap, -kGap, -kGap), result_.find(rows_[row], columns_[column]), theme,
                   font);
      }
    }
    paint_scale(painter, {cells.left(), cells.bottom() + 8, cells.width(), kScaleHeight - 8}, theme, font);
  }

 private:
  double label_width(const QFont& font) const {
    double widest = QFontMetricsF(sized(font, 12)).horizontalAdvance(core_words(result_.factors[0].title));
    const QFontMetricsF names(sized(font, 13, true));
    for (const std::string& row : rows_) {
      widest = std::max(widest, names.horizontalAdvance(core_words(row)));
    }
    return widest + 2 * kLabelPadding;
  }

  void paint_labels(QPainter& painter, const QRectF& cells, const Theme& theme, const QFont& font) const {
    paint_text(painter, sized(font, 12), theme.mutedText,
               QRectF(cells.left(), cells.top() - kColumnName - kAxisTitle, cells.width(), kAxisTitle), Qt::AlignCenter,
               core_words(result_.factors[1].title));
    const double left = cells.left() - label_width(font);
    painter.drawText(QRectF(left, cells.top() - kColumnName, label_width(font) - kLabelPadding, kColumnName), kAtRight,
                     core_words(result_.factors[0].title));
    painter.setPen(theme.text);
    painter.setFont(sized(font, 13, true));
    const double width = cells.width() / static_cast<double>(columns_.size());
    const double height = cells.height() / static_cast<double>(rows_.size());
    for (std::size_t column = 0; column < columns_.size(); ++column) {
      painter.drawText(
          QRectF(cells.left() + width * static_cast<double>(column), cells.top() - kColumnName, width, kColumnName),
          Qt::AlignCenter, level_words(result_, columns_[column]));
    }
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      painter.drawText(
          QRectF(left, cells.top() + height * static_cast<double>(row), label_width(font) - kLabelPadding, height),
          kAtRight, core_words(rows_[row]));
    }
  }

  void paint_cell(QPainter& painter, const QRectF& cell, const Trial* trial, const Theme& theme,
                  const QFont& font) const {
    if (trial == nullptr) {
      paint_box(painter, QPen(theme.outline, 1, Qt::DotLine), Qt::NoBrush, cell);
      paint_text(painter, sized(font, 12), theme.mutedText, cell, Qt::AlignCenter, Text::tr("not run"));
      return;
    }
    const double loss_percent = result_.value(*trial, "loss_percent").value_or(0);
    const QColor color = trial->within_noise ? theme.panel : loss_color(loss_percent / worst_, theme);
    paint_box(painter, trial->best ? QPen(theme.text, kFrame) : QPen(Qt::NoPen), color, cell);
    painter.setPen(Theme::readableOn(color));
    painter.setFont(sized(font, 16, trial->best));
    const Latency latency{.value = Millis{result_.value(*trial, "latency_ms").value_or(0)},
                          .spread = Millis{result_.value(*trial, "spread_ms").value_or(0)},
                          .origin = trial->origin};
    const QRectF upper(cell.left(), cell.center().y() - 22, cell.width(), 22);
    const QRectF lower(cell.left(), cell.center().y() + 2, cell.width(), 18);
    const QString value = latency.spread > Millis(0) ? latency_text(latency) : four_digits(latency.value);
    if (QFontMetricsF(painter.font()).horizontalAdvance(value) > cell.width() - 8)
      painter.setFont(sized(font, 12, trial->best));
    painter.drawText(upper, Qt::AlignCenter, value);
    painter.setFont(sized(font, 12));
    const bool own = trial->levels[0] == trial->levels[1];
    const QString loss = loss_text(loss_percent);
    QString second = own ? Text::tr("its own") : trial->within_noise ? Text::tr("%1, within noise").arg(loss) : loss;
    if (trial->best && !trial->within_noise) second += Text::tr(" · best");
    painter.drawText(lower, Qt::AlignCenter, second);
  }

  void paint_scale(QPainter& painter, const QRectF& area, const Theme& theme, const QFont& font) const {
    constexpr double kBar = 180;
    constexpr double kThick = 12;
    painter.setFont(sized(font, 12));
    painter.setPen(theme.mutedText);
    const QFontMetricsF metrics(painter.font());
    const QString least = Text::tr("loss 0 %");
    const QString most = QStringLiteral("%1 %").arg(worst_, 0, 'f', 1);
    const QString best = result_.measured() ? Text::tr("no value in its column is better beyond the noise")
                                            : Text::tr("best of its column");
    // In two lines where one has no room.
    constexpr double kOthers = kBar + 1.6 * kThick + 60;
    const bool wide = metrics.horizontalAdvance(least + most + best) + kOthers <= area.width();
    const double line_height = wide ? area.height() : area.height() / 2;
    double middle = area.top() + line_height / 2;
    double x = area.left() + 2;
    const auto text = [&](const QString& word) {
      const double width = metrics.horizontalAdvance(word) + 4;
      paint_text(painter, theme.mutedText, QRectF(x, middle - line_height / 2, width, line_height), kAtLeft, word);
      x += width + 4;
    };
    text(least);
    const QRectF bar(x, middle - kThick / 2, kBar, kThick);
    QLinearGradient gradient(bar.topLeft(), bar.topRight());
    gradient.setColorAt(0, loss_color(0, theme));
    gradient.setColorAt(1, loss_color(1, theme));
    painter.fillRect(bar, gradient);
    x += kBar + 8;
    text(most);
    if (wide) {
      x += 24;
    } else {
      x = area.left() + 2;
      middle += line_height;
    }
    const QRectF frame(x, middle - kThick / 2, 1.6 * kThick, kThick);
    paint_box(painter, QPen(theme.text, kFrame), Qt::NoBrush, frame);
    x = frame.right() + 8;
    text(best);
  }

  const ExperimentResult& result_;
  std::vector<std::string> rows_;
  std::vector<std::string> columns_;
  double worst_ = 0;  // the largest loss, in per cent
};

}  // namespace

std::unique_ptr<Figure> make_experiment_figure(std::shared_ptr<const ExperimentResult> result) {
  IOS_CHECK(result != nullptr && result->comparison == nullptr);
  const ExperimentKind kind = result->kind;
  const bool heat_map = kind == ExperimentKind::kBatches || kind == ExperimentKind::kDevices;
  const auto paint = [result, kind, heat_map](QPainter& painter, const QRectF& area, const Theme& theme) {
    const QFont font = QGuiApplication::font();
    if (heat_map) return HeatMap(*result).paint(painter, area, theme, font);
    const auto build = kind == ExperimentKind::kThroughput ? build_throughput
                       : kind == ExperimentKind::kPruning  ? build_pruning
                       : kind == ExperimentKind::kMemory   ? build_memory
                                                           : build_search_cost;
    paint_plot(painter, area, [&](QCustomPlot& plot) { build(plot, *result, theme, font); });
  };
  return figure_of({.title = experiment_title(*result),
                    .file_stem = QStringLiteral("experiment-") + qstring(row_of(result->kind).id),
                    .size = heat_map ? HeatMap(*result).natural_size(QGuiApplication::font()) : kCurvesSize,
                    .paint = paint,
                    .csv = [result] { return QString::fromStdString(table_csv(trial_list(*result))); }});
}

FigureWidget::FigureWidget(std::unique_ptr<Figure> figure, QWidget* parent)
    : QWidget(parent), figure_(std::move(figure)) {
  setAccessibleName(figure_->title());
  follow_theme(this, theme_, [this] { update(); });
}

QSize FigureWidget::sizeHint() const {
  const QSizeF size = figure_->size() + QSizeF(2 * kMargin, 2 * kMargin);
  return size.toSize();
}

void FigureWidget::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
  painter.fillRect(rect(), theme_.canvas);
  figure_->paint(painter, QRectF(rect()).adjusted(kMargin, kMargin, -kMargin, -kMargin), theme_);
}

}  // namespace iosx

#include "moc_experiment_figure.cpp"
