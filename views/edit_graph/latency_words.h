#pragma once

#include <QColor>
#include <QString>
#include <vector>

#include "views/edit_graph/edit_latencies.h"
#include "views/style/theme.h"

namespace iosx::editor {

// Says what one schedule takes, and how much that has changed.
struct LatencyRow {
  QString schedule;   // "sequential"
  QString now;        // "4.03 ms"; empty: being searched for
  QString change;     // "▲ +0.12 ms", "the same"; empty: not known
  int direction = 0;  // 1: slower than before, -1: faster
};

// Returns the rows of sequential, greedy and IOS, compared with what they took before; with nothing where operators are
// left out now.
std::vector<LatencyRow> latency_rows(const EditLatencies::Figures& figures, const std::optional<LiveFigures>& before);

QColor change_color(const Theme& theme, int direction);

}  // namespace iosx::editor
