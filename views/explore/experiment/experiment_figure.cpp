#include "views/explore/experiment/experiment_figure.h"

#include <QGuiApplication>
#include <QPainter>
#include <utility>

#include "core/analysis/experiment/report.h"
#include "core/base/check.h"
#include "views/explore/experiment/curves.h"
#include "views/explore/experiment/experiment_words.h"
#include "views/explore/experiment/heat_map.h"
#include "views/figures/plot_figure.h"
#include "views/text/qstring.h"

namespace iosx {
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
                                                                    : build_search_cost;
    paint_plot(painter, area, [&](QCustomPlot& plot) { build(plot, *result_, theme, font); });
  }

  QString csv() const override { return QString::fromStdString(experiment_csv(*result_)); }

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
