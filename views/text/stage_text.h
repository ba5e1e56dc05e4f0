#pragma once

#include <QString>
#include <QStringList>
#include <cstddef>
#include <utility>
#include <vector>

#include "core/analysis/compare/comparison.h"

namespace iosx {

// Returns the common beginning of several units' names, up to a dot: "mixed_5b."; empty for one unit.
QString common_prefix(const Graph& graph, const std::vector<UnitId>& units);

// Returns "mixed_5b." for a stage's units: their common beginning, for a single unit all but its last piece.
QString stage_prefix(const Graph& graph, const Stage& stage);

// Returns the units of the groups: "conv1 → conv2 | conv3 + conv4", where + joins merged units and | separates groups.
// The first `skipped` letters of every name are left out.
QString units_of_groups(const Graph& graph, const Stage& stage, qsizetype skipped = 0);
QString units_of_group(const Graph& graph, const Group& group, qsizetype skipped = 0);

// Returns "merge", "concurrent", or "one group" where nothing runs side by side; translated.
QString strategy_text(const Graph& graph, const Stage& stage);

// Returns the cores of each lane, "lane 1: 2, lane 2: 1"; empty where the device does not divide them.
QString cores_text(const StageSpan& stage);

// Returns, for a barrier-free schedule, that the shown stages chose its kernels, which run in another order; empty for
// one that runs its stages.
QString chosen_by_stages_text(const ScheduleResult& result);

// Returns rich text: strategy, groups, units, latency and share of a stage.
QString stage_tooltip(const Comparison& comparison, std::size_t result, std::size_t stage);
QString schedule_tooltip(const Comparison& comparison, std::size_t result);

// The content of tool tips: a name and a value per row, under a heading, as rich text.
using TooltipRows = std::vector<std::pair<QString, QString>>;
QString tooltip_table(const QString& heading, const TooltipRows& rows);
// Returns names with commas; for many only the first, and the number of the others.
QString shortened(QStringList names);

}  // namespace iosx
