#pragma once

#include <QString>
#include <QStringList>
#include <QWidget>
#include <memory>
#include <vector>

#include "core/devices/measure/distribution.h"
#include "views/compare/latency_bar.h"
#include "views/figures/figure.h"
#include "views/style/theme.h"

namespace iosx {

// Says of one schedule, or of what others recorded, how its runs are distributed.
struct DistributionRow {
  QString name;         // plain text, as the next ones
  QString percentiles;  // "p50 3.83 · p95 3.90 · p99: too few samples"; empty where there is no distribution
  QString runs;         // "210 runs, measured", or why there is no distribution
  Percentiles told;
};
std::vector<DistributionRow> distribution_rows(std::span<const LatencyBar> bars);

// Shows histograms of the bars' samples one below the other on one axis, with p50, p95 and p99 marked. What has no
// samples says why. `context` is the rest of the title. It is not null.
std::unique_ptr<Figure> make_distribution_figure(std::vector<LatencyBar> bars, const QString& context);
// Says whether any of them has a distribution to show.
bool has_distribution(std::span<const LatencyBar> bars);

// Shows that figure in a window, as wide as it is; it is as high as its rows need.
class DistributionView final : public QWidget {
  Q_OBJECT
  Q_DISABLE_COPY_MOVE(DistributionView)

 public:
  explicit DistributionView(QWidget* parent = nullptr);

  void setBars(std::vector<LatencyBar> bars);
  void setTheme(const Theme& theme);

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  std::unique_ptr<Figure> figure_;  // null: nothing is compared
  Theme theme_ = Theme::light();
};

}  // namespace iosx
