#include <QAbstractItemModel>
#include <QCoreApplication>
#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "core/base/text.h"
#include "core/base/text_table.h"
#include "core/model/graph/work.h"
#include "views/tables/cell_roles.h"
#include "views/tables/copied_text.h"
#include "views/text/format.h"
#include "views/text/latency_text.h"
#include "views/text/qstring.h"

namespace iosx {
namespace {

struct SelectionWords {
  Q_DECLARE_TR_FUNCTIONS(iosx::Selection)
};

QString bare(QString text) {
  text.replace(QLatin1Char('\t'), QLatin1Char(' '));
  text.replace(QLatin1Char('\n'), QLatin1Char(' '));
  text.remove(QChar(0x2009));  // digit grouping: a spreadsheet wants the bare number
  return text;
}

// Returns the rows and columns of the indexes, header first; cells in between that are not in the list stay empty.
// `exact` is a role that is read where a model has it.
QList<QStringList> rows_of(const QAbstractItemModel& model, const QModelIndexList& indexes, std::optional<int> exact) {
  std::set<int> rows;
  std::map<int, qsizetype> columns;  // with the number of their fields
  std::set<std::pair<int, int>> chosen;
  for (const QModelIndex& index : indexes) {
    rows.insert(index.row());
    columns.emplace(index.column(), 0);
    chosen.emplace(index.row(), index.column());
  }
  if (chosen.empty()) return {};
  // The exact value of an interval is a list of two texts.
  const auto fields_of = [&](const auto& of_role) {
    QVariant value = exact ? of_role(*exact) : QVariant();
    if (!value.isValid()) value = of_role(Qt::DisplayRole);
    const bool list = value.typeId() == QMetaType::QStringList;
    QStringList fields;
    for (const QString& text : list ? value.toStringList() : QStringList(value.toString())) fields << bare(text);
    return fields;
  };
  QList<QStringList> all(1);
  for (auto& column : columns) {
    const QStringList head = fields_of([&](int role) { return model.headerData(column.first, Qt::Horizontal, role); });
    column.second = head.size();
    all.front() << head;
  }
  for (const int row : rows) {
    QStringList line;
    for (const auto& column : columns) {
      const QModelIndex index = model.index(row, column.first);
      line << (chosen.contains({row, column.first}) ? fields_of([&](int role) { return index.data(role); })
                                                    : QStringList(column.second, QString()));
    }
    all << line;
  }
  return all;
}

std::optional<std::size_t> stage_of(const Schedule& schedule, UnitId unit) {
  for (std::size_t s = 0; s < schedule.stages.size(); ++s) {
    const std::vector<UnitId> units = schedule.stages[s].units();
    if (std::ranges::find(units, unit) != units.end()) return s;
  }
  return std::nullopt;
}

QString rows_as_text(const QList<QStringList>& rows, QLatin1Char between, std::string (*cell)(std::string_view)) {
  QString text;
  for (const QStringList& row : rows) {
    QStringList cells;
    for (const QString& each : row) cells << QString::fromStdString(cell(each.toStdString()));
    text += cells.join(between) + QLatin1Char('\n');
  }
  return text;
}

}  // namespace

QString tsv(const QAbstractItemModel& model, const QModelIndexList& indexes) {
  return as_tsv(rows_of(model, indexes, std::nullopt));
}

QString csv(const QAbstractItemModel& model, const QModelIndexList& indexes) {
  return as_csv(rows_of(model, indexes, cell::kExact));
}

QString selection_title(const Graph& graph, const Selection& selection, const Comparison* comparison) {
  if (selection.empty()) return {};
  if (selection.stage && comparison != nullptr) {
    if (const ScheduleResult* result = comparison->find(selection.schedule)) {
      return SelectionWords::tr("Stage %1 of %2").arg(*selection.stage + 1).arg(schedule_title(*result));
    }
  }
  if (selection.units.size() > 1) return SelectionWords::tr("%1 units").arg(selection.units.size());
  const UnitId unit = selection.units.front();
  if (unit.index() >= graph.units().size()) return {};
  return SelectionWords::tr("Unit %1").arg(shown_name(graph.unit(unit).name));
}

QString selected_names(const Graph& graph, const Selection& selection) {
  QStringList names;
  for (const UnitId unit : selection.units) {
    if (unit.index() < graph.units().size()) names << shown_name(graph.unit(unit).name);
  }
  return names.join(QLatin1Char('\n'));
}

QList<QStringList> selected_units(const Graph& graph, const Selection& selection, const ScheduleResult* shown,
                                  std::int64_t batch) {
  QList<QStringList> rows{{SelectionWords::tr("unit"), SelectionWords::tr("kind"), SelectionWords::tr("output"),
                           SelectionWords::tr("FLOPs"), SelectionWords::tr("bytes"), SelectionWords::tr("stage"),
                           SelectionWords::tr("stage ms")}};
  for (const UnitId id : selection.units) {
    if (id.index() >= graph.units().size()) continue;
    const Unit& unit = graph.unit(id);
    const Operator& last = graph.op(unit.output());
    const Work sum = work(graph, id, batch);
    const auto stage = shown != nullptr ? stage_of(shown->schedule, id) : std::nullopt;
    const bool timed =
        stage && *stage < shown->stage_latencies.size() && shown->stage_latencies[*stage].value > Millis(0);
    rows.append({shown_name(unit.name), qstring(kind_name(last.attributes)), format::shapes(graph, id),
                 sum.known ? QString::number(sum.flops, 'f', 0) : QString(),
                 sum.known ? QString::number(sum.bytes()) : QString(), stage ? QString::number(*stage + 1) : QString(),
                 timed ? QString::number(shown->stage_latencies[*stage].value.count(), 'g', 6) : QString()});
  }
  return rows;
}

QString as_tsv(const QList<QStringList>& rows) {
  return rows_as_text(rows, QLatin1Char('\t'), [](std::string_view text) { return printable(no_formula(text)); });
}

QString as_csv(const QList<QStringList>& rows) { return rows_as_text(rows, QLatin1Char(','), csv_field); }

}  // namespace iosx
