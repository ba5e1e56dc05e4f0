#pragma once

#include <QColor>
#include <QString>
#include <vector>

#include "views/edit_graph/edit_latencies.h"
#include "views/style/theme.h"

namespace iosx::editor {

// The latency of one schedule and its change.
struct LatencyRow {
  QString schedule;   // "sequential"
  QString now;        // "4.03 ms"; empty: search running
  QString change;     // "▲ +0.12 ms", "the same"; empty: unknown
  int direction = 0;  // 1: slower than before, -1: faster
};

// Returns the rows of sequential, greedy and IOS, compared with their values before; without comparison where operators
// are now left out.
std::vector<LatencyRow> latency_rows(const EditLatencies::Figures& figures, const std::optional<LiveFigures>& before);

QColor change_color(const Theme& theme, int direction);

}  // namespace iosx::editor
