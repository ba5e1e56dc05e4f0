#include "views/tables/tsv.h"

#include <QAbstractItemModel>
#include <QStringList>
#include <map>
#include <optional>
#include <set>

#include "core/base/printable.h"
#include "core/base/text_table.h"
#include "views/tables/cell_roles.h"

namespace iosx {
namespace {

QString bare(QString text) {
  text.replace(QLatin1Char('\t'), QLatin1Char(' '));
  text.replace(QLatin1Char('\n'), QLatin1Char(' '));
  text.remove(QChar(0x2009));  // digit grouping: a spreadsheet wants the bare number
  return text;
}

QString tsv_cell(const QString& text) {
  return QString::fromStdString(printable(no_formula(bare(text).toStdString())));
}
QString csv_cell(const QString& text) { return QString::fromStdString(csv_field(bare(text).toStdString())); }

// `exact` is a role that is read where a model has it.
QString separated(const QAbstractItemModel& model, const QModelIndexList& indexes, QString (*cell)(const QString&),
                  QLatin1Char between, std::optional<int> exact) {
  std::set<int> rows;
  std::set<int> columns;
  std::set<std::pair<int, int>> chosen;
  for (const QModelIndex& index : indexes) {
    rows.insert(index.row());
    columns.insert(index.column());
    chosen.emplace(index.row(), index.column());
  }
  if (chosen.empty()) return {};
  // The exact value of an interval is a list of two texts.
  const auto fields_of = [&](const auto& of_role) {
    QVariant value = exact ? of_role(*exact) : QVariant();
    if (!value.isValid()) value = of_role(Qt::DisplayRole);
    const bool list = value.typeId() == QMetaType::QStringList;
    QStringList fields;
    for (const QString& text : list ? value.toStringList() : QStringList(value.toString())) fields << cell(text);
    return fields;
  };
  QString text;
  QStringList line;
  std::map<int, qsizetype> widths;  // fields of a column
  for (const int column : columns) {
    const QStringList fields = fields_of([&](int role) { return model.headerData(column, Qt::Horizontal, role); });
    widths[column] = fields.size();
    line << fields;
  }
  text += line.join(between) + QLatin1Char('\n');
  for (const int row : rows) {
    line.clear();
    for (const int column : columns) {
      const bool has = chosen.contains({row, column});
      line << (has ? fields_of([&](int role) { return model.index(row, column).data(role); })
                   : QStringList(widths[column], QString()));
    }
    text += line.join(between) + QLatin1Char('\n');
  }
  return text;
}

}  // namespace

QString tsv(const QAbstractItemModel& model, const QModelIndexList& indexes) {
  return separated(model, indexes, tsv_cell, QLatin1Char('\t'), std::nullopt);
}

QString csv(const QAbstractItemModel& model, const QModelIndexList& indexes) {
  return separated(model, indexes, csv_cell, QLatin1Char(','), cell::kExact);
}

}  // namespace iosx
