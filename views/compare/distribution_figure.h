#pragma once

#include <QString>
#include <QWidget>
#include <memory>
#include <vector>

#include "core/devices/measure/statistics.h"
#include "views/compare/comparison_data.h"
#include "views/figures/figure.h"
#include "views/style/theme.h"

namespace iosx {

// The distribution of runs of one schedule, or of an external run.
struct DistributionRow {
  QString name;         // plain text, like the next ones
  QString percentiles;  // "p50 3.83 · p95 3.90 · p99: too few samples"; empty without a distribution
  QString runs;         // "210 runs, measured", or why there is no distribution
  Percentiles told;
};
std::vector<DistributionRow> distribution_rows(std::span<const LatencyBar> bars);

// Makes a figure of the bars' samples as histograms below one another on one axis, with p50, p95 and p99 marked. A
// bar without samples shows the reason. `context` is the rest of the title. Not null.
std::unique_ptr<Figure> make_distribution_figure(std::vector<LatencyBar> bars, const QString& context);
// Returns whether any of them has a distribution.
bool has_distribution(std::span<const LatencyBar> bars);

// Shows that figure in a window of its width; its rows determine the height.
class DistributionView final : public QWidget {
  Q_OBJECT
  Q_DISABLE_COPY_MOVE(DistributionView)

 public:
  explicit DistributionView(QWidget* parent = nullptr);

  void setBars(std::vector<LatencyBar> bars);

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  std::unique_ptr<Figure> figure_;  // null: no comparison
  Theme theme_ = Theme::light();
};

}  // namespace iosx
