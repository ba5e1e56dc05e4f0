#pragma once

#include <QFont>
#include <QString>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/analysis/sweep/sweep.h"
#include "views/figures/figure.h"
#include "views/style/theme.h"

class QCustomPlot;

namespace iosx {

// The results of a sweep: all values at even distances along the axis.
struct SweepCurves {
  SweepBase base;
  Sweep sweep;
  std::vector<std::int64_t> values;
  std::vector<SweepPoint> points;  // for some of the values, in their order

  const SweepPoint* find(std::int64_t value) const;  // may be null
};

enum class SweepMeasure { kLatency, kSpeedUp };  // in ms; over sequential at the same value

// Returns the value of one schedule at a point, by its title; none where it or its reference is missing.
std::optional<double> sweep_value(const SweepPoint& point, const std::string& title, SweepMeasure measure);
// Returns the titles of the schedules of all points, in order of first appearance.
std::vector<std::string> sweep_titles(const std::vector<SweepPoint>& points);
// Returns, in the window's language, "32", "tesla-v100", "unlimited".
QString sweep_value_text(const SweepCurves& curves, std::int64_t value);
// Returns "batch 32: Sequential 29.7 ms, Greedy 28.9 ms, IOS-Both 28.0 ms (1.06×), simulated", or why there is no
// value.
QString sweep_sentence(const SweepCurves& curves, std::int64_t value);

// Draws a curve per schedule into a plot of final size; `font` gives the family.
void build_sweep(QCustomPlot& plot, const SweepCurves& curves, SweepMeasure measure, const Theme& theme,
                 const QFont& font);
std::unique_ptr<Figure> make_sweep_figure(SweepCurves curves, SweepMeasure measure);

}  // namespace iosx
