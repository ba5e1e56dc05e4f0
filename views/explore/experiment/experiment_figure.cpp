#include "views/explore/experiment/experiment_figure.h"

#include <qcustomplot.h>

#include <QGuiApplication>
#include <QPainter>
#include <algorithm>
#include <array>
#include <utility>

#include "core/analysis/experiment/report.h"
#include "core/base/check.h"
#include "core/tables/render.h"
#include "views/explore/experiment/experiment_words.h"
#include "views/explore/experiment/heat_map.h"
#include "views/figures/curve_plot.h"
#include "views/figures/plot_figure.h"
#include "views/style/style.h"
#include "views/text/latency_text.h"
#include "views/text/messages.h"
#include "views/text/qstring.h"
#include "views/text/translate.h"

namespace iosx {
namespace {

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

class ExperimentFigure final : public Figure {
 public:
  explicit ExperimentFigure(std::shared_ptr<const ExperimentResult> result) : result_(std::move(result)) {}

  QString title() const override { return experiment_title(*result_); }
  QString fileStem() const override { return QStringLiteral("experiment-") + qstring(row_of(result_->kind).id); }
  QSizeF size() const override {
    return is_heat_map() ? HeatMap(*result_).natural_size(QGuiApplication::font()) : kCurvesSize;
  }

  void paint(QPainter& painter, const QRectF& area, const Theme& theme) const override {
    const QFont font = QGuiApplication::font();
    if (is_heat_map()) return HeatMap(*result_).paint(painter, area, theme, font);
    const auto build = result_->kind == ExperimentKind::kThroughput ? build_throughput
                       : result_->kind == ExperimentKind::kPruning  ? build_pruning
                       : result_->kind == ExperimentKind::kMemory   ? build_memory
                                                                    : build_search_cost;
    paint_plot(painter, area, [&](QCustomPlot& plot) { build(plot, *result_, theme, font); });
  }

  QString csv() const override { return QString::fromStdString(table_csv(trial_list(*result_))); }

 private:
  bool is_heat_map() const {
    return result_->kind == ExperimentKind::kBatches || result_->kind == ExperimentKind::kDevices;
  }

  std::shared_ptr<const ExperimentResult> result_;
};

}  // namespace

std::unique_ptr<Figure> make_experiment_figure(std::shared_ptr<const ExperimentResult> result) {
  IOS_CHECK(result != nullptr && result->comparison == nullptr);
  return std::make_unique<ExperimentFigure>(std::move(result));
}

}  // namespace iosx
