#include "views/tables/table_model.h"

#include <QString>
#include <QVariant>
#include <algorithm>
#include <limits>
#include <utility>

#include "views/tables/cell_roles.h"
#include "views/text/format.h"
#include "views/text/messages.h"
#include "views/text/qstring.h"

namespace iosx {
namespace {

QString number_words(const ColumnInfo& column, const CellValue& value) {
  const auto* count = std::get_if<std::int64_t>(&value);
  QString text = count != nullptr && column.kind == ColumnKind::kCount ? format::count(*count)
                                                                       : qstring(value_text(column, value));
  return text.replace(QLatin1Char('-'), QChar(0x2212));
}

QVariant sort_key(const Cell& cell) {
  if (cell.sort_key) return *cell.sort_key;
  if (const auto* text = std::get_if<Message>(&cell.value)) return message_text(*text);
  if (const auto* count = std::get_if<std::int64_t>(&cell.value)) return static_cast<qlonglong>(*count);
  if (const auto* number = std::get_if<double>(&cell.value)) return *number;
  if (const auto* interval = std::get_if<ValueInterval>(&cell.value)) return interval->low;
  return std::numeric_limits<double>::lowest();  // a missing value is below every other one
}

// The head of a table's column.
struct ColumnHead {
  QString title;
  QString help;  // the tool tip
};

// Returns Qt::TextAlignmentRole of a column's cells and of its head: words are left-aligned, numbers right-aligned.
QVariant column_alignment(bool words) {
  return QVariant::fromValue(Qt::AlignVCenter | (words ? Qt::AlignLeft : Qt::AlignRight));
}

// Returns headerData() for an existing column; none for roles that our tables do not use.
QVariant column_head_data(const ColumnHead& head, bool words, int role) {
  switch (role) {
    case Qt::DisplayRole: return head.title;
    case Qt::ToolTipRole: return head.help;
    case Qt::TextAlignmentRole: return column_alignment(words);
    default: return {};
  }
}

}  // namespace

QString column_title(const Table& table, const ColumnInfo& column) {
  constexpr qsizetype kLong = 12;  // letters
  QString title = message_sentence(column.title);
  const std::string unit = unit_of(table, column);
  const QString in_unit = unit.empty() ? QString() : QStringLiteral("[%1]").arg(core_words(unit));
  const auto middle = title.size() / 2;
  auto space = title.lastIndexOf(QLatin1Char(' '), middle);
  const auto behind = title.indexOf(QLatin1Char(' '), middle);
  if (behind >= 0 && (space < 0 || behind - middle < middle - space)) space = behind;
  const bool broken = space > 0 && (unit.empty() || title.size() > kLong);
  if (broken) title[space] = QLatin1Char('\n');
  return in_unit.isEmpty() ? title : title + QLatin1Char(broken ? ' ' : '\n') + in_unit;
}

QString cell_words(const ColumnInfo& column, const Cell& cell) {
  const auto* text = std::get_if<Message>(&cell.value);
  const bool mark_alone = std::holds_alternative<std::monostate>(cell.value) && !cell.mark.empty();
  QString words = cell.shown        ? message_text(*cell.shown)
                  : text != nullptr ? message_text(*text)
                  : mark_alone      ? QString()
                                    : number_words(column, cell.value);
  if (cell.mark.empty()) return words;
  QString mark = message_text(cell.mark);
  if (is_number(column)) {
    mark.replace(QLatin1Char('~'), QChar(0x2248)).replace(QLatin1Char('*'), QChar(0x2605));
    mark.replace(QLatin1Char('-'), QChar(0x2212));
  }
  return words.isEmpty() ? mark : words + QLatin1Char(' ') + mark;
}

void TableModel::setTable(Table table) {
  beginResetModel();
  table_ = std::move(table);
  shown_ = columns_in(table_, place::kWindow);
  endResetModel();
}

void TableModel::updateTable(Table table) {
  if (table.rows.size() != table_.rows.size() || columns_in(table, place::kWindow) != shown_) {
    return setTable(std::move(table));
  }
  table_ = std::move(table);
  if (rowCount() > 0 && columnCount() > 0) emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
  if (columnCount() > 0) emit headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
}

int TableModel::columnOf(std::string_view id) const {
  for (std::size_t section = 0; section < shown_.size(); ++section) {
    if (table_.columns[shown_[section]].id == id) return static_cast<int>(section);
  }
  return -1;
}

int TableModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(table_.rows.size());
}

int TableModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(shown_.size());
}

QString TableModel::filterText(int row) const {
  QStringList texts;
  for (const std::size_t c : shown_) {
    const Cell& cell = table_.rows[static_cast<std::size_t>(row)][c];
    if (const auto* text = std::get_if<Message>(&cell.value)) texts << message_text(*text);
  }
  return texts.join(QLatin1Char('\n'));
}

QVariant TableModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
  const ColumnInfo& info = column(index.column());
  if (QVariant answer = painted(index.row(), info.id, role); answer.isValid()) return answer;
  const std::size_t c = shown_[static_cast<std::size_t>(index.column())];
  const Cell& cell = table_.rows[static_cast<std::size_t>(index.row())][c];
  switch (role) {
    case Qt::DisplayRole: return cell_words(info, cell);
    case Qt::ToolTipRole: return is_number(info) ? QVariant() : plain_tip(cell_words(info, cell));
    case Qt::TextAlignmentRole: return column_alignment(!is_number(info));
    case cell::kSort: return sort_key(cell);
    case cell::kFilter: return filterText(index.row());
    case cell::kExact: {
      if (!info.interval) return qstring(exact_text(cell.value));
      const auto* const interval = std::get_if<ValueInterval>(&cell.value);
      if (interval == nullptr) return QStringList{QString(), QString()};
      return QStringList{qstring(shortest_digits(interval->low)), qstring(shortest_digits(interval->high))};
    }
    default: return {};
  }
}

QVariant TableModel::painted(int /*row*/, std::string_view /*id*/, int /*role*/) const { return {}; }

QVariant TableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
  const ColumnInfo& info = column(section);
  if (role == cell::kExact) {
    const QString id = qstring(data_id(table_, info));
    return info.interval ? QVariant(QStringList{id + QStringLiteral("_low"), id + QStringLiteral("_high")})
                         : QVariant(id);
  }
  return column_head_data({column_title(table_, info), message_sentence(info.help)}, !is_number(info), role);
}

WordFilter::WordFilter(QObject* parent) : QSortFilterProxyModel(parent) {
  setSortRole(cell::kSort);
  setSortCaseSensitivity(Qt::CaseInsensitive);
}

void WordFilter::setWords(const QString& typed) {
  words_ = typed.split(QLatin1Char(' '), Qt::SkipEmptyParts);
  invalidateFilter();
}

bool WordFilter::filterAcceptsRow(int row, const QModelIndex& parent) const {
  if (words_.isEmpty()) return true;
  const QString text = sourceModel()->index(row, 0, parent).data(cell::kFilter).toString();
  return std::ranges::all_of(words_, [&](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
}

}  // namespace iosx

#include "moc_table_model.cpp"
