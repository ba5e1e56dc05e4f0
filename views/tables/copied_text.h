#pragma once

#include <QModelIndexList>
#include <QString>
#include <QStringList>

#include "core/analysis/compare/comparison.h"
#include "views/app_model/selection.h"

class QAbstractItemModel;

namespace iosx {

// Returns the rows and columns of the indexes as tab-separated text, header line first, for the clipboard. Cells in
// between that are not in the list stay empty. The text is empty for an empty list.
QString tsv(const QAbstractItemModel& model, const QModelIndexList& indexes);
// Returns the same as CSV, with the columns' names and the exact values of documents where the model has them
// (cell::kExact).
QString csv(const QAbstractItemModel& model, const QModelIndexList& indexes);

// Returns a menu's title for the selection: "Stage 3 of Greedy", "Unit conv1", "5 units"; empty without one.
QString selection_title(const Graph& graph, const Selection& selection, const Comparison* comparison);

// Returns the full names of the selected units, one per line.
QString selected_names(const Graph& graph, const Selection& selection);

// Returns the selected units as a table, header first: unit, operators, output, FLOPs and bytes for the batch, and
// its stage and that stage's latency in the schedule `shown`, if any.
QList<QStringList> selected_units(const Graph& graph, const Selection& selection, const ScheduleResult* shown,
                                  std::int64_t batch);

// Return rows of cells as tab-separated text and as CSV, safe for a spreadsheet.
QString as_tsv(const QList<QStringList>& rows);
QString as_csv(const QList<QStringList>& rows);

}  // namespace iosx
