#pragma once

#include <QString>
#include <QStringList>
#include <cstddef>
#include <utility>
#include <vector>

#include "core/analysis/compare/comparison.h"

namespace iosx {

// Returns what the names of several units have in common up to a dot: "mixed_5b."; empty for one unit.
QString common_prefix(const Graph& graph, const std::vector<UnitId>& units);

// Returns "mixed_5b." of a stage's units: what all have in common, of a single unit all but its last piece.
QString stage_prefix(const Graph& graph, const Stage& stage);

// Returns units of the groups: "conv1 → conv2 | conv3 + conv4", + joining what is merged, | what runs side by side. The
// first `skipped` letters of every name are left out.
QString units_of_groups(const Graph& graph, const Stage& stage, qsizetype skipped = 0);
QString units_of_group(const Graph& graph, const Group& group, qsizetype skipped = 0);

// Returns "merge", "concurrent", or "one group" where nothing runs side by side; translated.
QString strategy_text(const Graph& graph, const Stage& stage);

// Returns cores of each lane, "lane 1: 2, lane 2: 1"; empty where the device does not share them out.
QString cores_text(const StageSpan& stage);

// Says of a schedule without barriers that the stages which are shown chose its kernels, and that these run otherwise;
// empty of one that runs its stages.
QString chosen_by_stages_text(const ScheduleResult& result);

// Returns rich text: strategy, groups, units, latency and share of a stage.
QString stage_tooltip(const Comparison& comparison, std::size_t result, std::size_t stage);
QString schedule_tooltip(const Comparison& comparison, std::size_t result);

// Tool tips are made of these: name and value a row, under a heading, as rich text.
using TooltipRows = std::vector<std::pair<QString, QString>>;
QString tooltip_table(const QString& heading, const TooltipRows& rows);
// Returns names with commas; of many only the first, and how many more there are.
QString shortened(QStringList names);

}  // namespace iosx
