#pragma once

#include <QFont>
#include <memory>
#include <optional>
#include <span>

#include "views/compare/latency_bar.h"
#include "views/figures/figure.h"
#include "views/style/theme.h"

class QCustomPlot;

namespace iosx {

// Draws the bars into a plot of final size; `font` gives the family. The emphasised bar is framed. Simulated
// latencies have dashed outlines, external ones are hatched.
void build_latency_plot(QCustomPlot& plot, std::span<const LatencyBar> bars, const Theme& theme, const QFont& font,
                        std::optional<std::size_t> emphasised = {});

// Returns the height in pixels for readable bars and texts.
int least_plot_height(std::span<const LatencyBar> bars);

// The texts of a figure of bars under a sentence. `context` is the rest of the title: "inception_v3, simulated Tesla
// V100, batch 1".
struct LatencyFigureText {
  QString context = {};
  QString sentence = {};
  QString recorded = {};  // Figure::recorded()
  QString csv = {};       // Figure::csv(), where more is known than the bars
};
std::unique_ptr<Figure> make_latency_figure(std::vector<LatencyBar> bars, LatencyFigureText text);
std::unique_ptr<Figure> make_comparison_figure(std::shared_ptr<const Comparison> comparison,
                                               const ScheduleId& baseline = {});

}  // namespace iosx
