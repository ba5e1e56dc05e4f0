#pragma once

#include <QString>
#include <QStringList>

#include "core/analysis/compare/comparison.h"
#include "views/app_model/selection.h"

namespace iosx {

// Says what is selected, for a menu: "Stage 3 of Greedy", "Unit conv1", "5 units". It is empty where nothing is.
QString selection_title(const Graph& graph, const Selection& selection, const Comparison* comparison);

// Returns the names of the selected units, one a line, whole.
QString selected_names(const Graph& graph, const Selection& selection);

// Returns the selected units as a table, header first: unit, what it computes, output, FLOPs and bytes for the batch,
// and its stage and that stage's latency in the schedule `shown`, if there is one.
QList<QStringList> selected_units(const Graph& graph, const Selection& selection, const ScheduleResult* shown,
                                  std::int64_t batch);

// These return rows of cells as tab-separated text and as CSV, safe for a spreadsheet.
QString as_tsv(const QList<QStringList>& rows);
QString as_csv(const QList<QStringList>& rows);

}  // namespace iosx
