#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <variant>

#include "core/base/message.h"

// A table is declared once, as an array of columns. The command line's text, JSON, CSV, the HTML page, the window and
// Python follow from that array (render.h, views/tables/table_model.h), so that a new column is one new entry of it.
namespace iosx {

// Says what the values of a column are. Values are in the unit that the column's id ends with; people read them in
// another one where a line names it.
enum class ColumnKind {
  kText,
  kCount,    // whole numbers
  kMillis,   // ms; of a table per sample, ms per sample
  kSeconds,  // s
  kBytes,    // bytes; people read MB (10^6)
  kShare,    // 1 is the whole; people read %
  kFactor,   // how many times as much
  kNumber,   // any other number; ColumnInfo::unit names its unit
};

// Says who sees a column. The places combine with |.
namespace place {
inline constexpr unsigned kText = 1;    // the command line's text
inline constexpr unsigned kWindow = 2;  // tables of the window, and figures of them
inline constexpr unsigned kPage = 4;    // tables of the HTML page
inline constexpr unsigned kJson = 8;    // documents
inline constexpr unsigned kData = 16;   // CSV, and lists of dicts in Python
inline constexpr unsigned kPeople = kText | kWindow | kPage;
inline constexpr unsigned kDocuments = kJson | kData;
inline constexpr unsigned kEverywhere = kPeople | kDocuments;
}  // namespace place

enum class ShownIf {
  kAlways,
  kKnown,  // text and page show the column only where one of its rows says something
};

struct ColumnInfo {
  std::string id;  // names the column in documents and ends with the unit of its values: "latency_ms"
  Message title =
      {};  // names it for people, without the unit, as within a sentence: "stage sum"; empty: documents alone
  Message help = {};  // explains it in a sentence
  ColumnKind kind = ColumnKind::kText;
  std::string unit = {};             // for people, of kNumber; of kMillis "ms" says that it is of a whole batch
  std::optional<int> decimals = {};  // for people; none: as many as the kind usually has
  bool interval = false;             // values are intervals, which CSV has in two fields
  bool difference = false;           // a number that people read with its sign
  ShownIf shown_if = ShownIf::kAlways;
  unsigned places = place::kEverywhere;  // combined of place::k…
};

struct ValueInterval {
  double low = 0;
  double high = 0;
};

// Nothing where a value is missing.
using CellValue = std::variant<std::monostate, std::int64_t, double, bool, ValueInterval, Message>;

constexpr CellValue count_value(std::integral auto number) { return static_cast<std::int64_t>(number); }

// Holds the content of one row in one column. Documents contain only the value.
struct Cell {
  CellValue value = {};
  Message mark = {};                    // people read it behind the value: "~" where a difference is within the noise
  std::optional<Message> shown = {};    // people read it instead of the value
  std::optional<double> sort_key = {};  // people sort by it instead of the value
};

// A title of a table that only a terminal shows: it has no translation.
inline Message in_english(const char* words) { return Message::verbatim(words); }

// Stands where a value means nothing, and where one is missing.
inline constexpr std::string_view kNoValue = "–";
inline Message missing_mark() { return verbatim(std::string(kNoValue)); }

template <typename Row>
struct Column : ColumnInfo {
  std::function<Cell(const Row&)> value;
};

struct Table {
  std::vector<ColumnInfo> columns;
  std::vector<std::vector<Cell>> rows;         // one cell a column
  std::vector<std::vector<Cell>> totals = {};  // lines below the rows, such as what the rows add up to
  bool per_sample = false;                     // values of kMillis are of one sample, and heads say so
};

// Returns the index of the column with this id, which the table has.
inline std::size_t column_of(const Table& table, std::string_view id) {
  std::size_t column = 0;
  while (table.columns[column].id != id) ++column;
  return column;
}
inline Cell& cell_of(Table& table, std::size_t row, std::string_view id) {
  return table.rows[row][column_of(table, id)];
}
inline const Cell& cell_of(const Table& table, std::size_t row, std::string_view id) {
  return table.rows[row][column_of(table, id)];
}

// Adds a column of which only the caller knows, with a cell a row. Totals have none of it.
inline void add_column(Table& table, ColumnInfo column, std::vector<Cell> cells) {
  table.columns.push_back(std::move(column));
  for (std::size_t row = 0; row < table.rows.size(); ++row) table.rows[row].push_back(std::move(cells[row]));
  for (auto& total : table.totals) total.emplace_back();
}

template <typename Row>
std::vector<Cell> cells_of(const std::vector<Column<Row>>& columns, const Row& row) {
  std::vector<Cell> cells;
  for (const Column<Row>& column : columns) cells.push_back(column.value(row));
  return cells;
}

template <typename Row>
Table table_of(const std::vector<Column<Row>>& columns, const std::vector<Row>& rows,
               const std::vector<Row>& totals = {}) {
  Table table;
  for (const Column<Row>& column : columns) table.columns.push_back(column);
  for (const Row& row : rows) table.rows.push_back(cells_of(columns, row));
  for (const Row& row : totals) table.totals.push_back(cells_of(columns, row));
  return table;
}

// Returns the indices of the columns that a place shows, in order.
std::vector<std::size_t> columns_in(const Table& table, unsigned place);

bool is_number(const ColumnInfo& column);  // it stands flush right
// Returns the unit in which people read a column: "ms", "ms/sample", "MB"; empty where it has none.
std::string unit_of(const Table& table, const ColumnInfo& column);
// Returns the column's name in CSV and Python, which says its unit: "latency_ms", "latency_ms_per_sample".
std::string data_id(const Table& table, const ColumnInfo& column);
// Returns a value as people read it, without unit and mark: "0.041", "-33.3", "–" where it is missing. Texts are
// printable and in English.
std::string value_text(const ColumnInfo& column, const CellValue& value);
// Returns a cell as people read it in English: cell.shown, or the value's text, and behind it the mark.
std::string cell_text(const ColumnInfo& column, const Cell& cell);

// Returns lines of text: a head of titles with units, then the rows, then the totals. Words stand flush left, numbers
// flush right.
std::string table_text(const Table& table);

// Returns the value in a document: the shortest digits that read back as the same number, texts in English, nothing
// where it is missing. Of an interval the ends have a space between them.
std::string exact_text(const CellValue& value);
// Returns CSV as RFC 4180 has it, but for lines that end with LF: a head of data_id()s, then the rows, then the totals.
// An interval is two fields.
std::string table_csv(const Table& table);
// Returns one line of CSV.
std::string csv_line(const std::vector<std::string>& fields);
std::string shortest_digits(double value);  // that read back as the same number: "0.1", "1e-07"

// Returns a list of the rows, each an object of the columns that the place has. Its keys are the columns' ids, for
// place::kData the data_id()s. A missing value is null, an interval [low, high].
nlohmann::ordered_json table_json(const Table& table, unsigned place = place::kJson);
nlohmann::ordered_json row_json(const Table& table, std::size_t row, unsigned place = place::kJson);

// Returns {"columns": [{"id", "title", "unit", "help", "number"}], "rows": [[cell]], "totals": [[cell]]} for the script
// of the HTML page. A cell is the text that people read; of a column of numbers, or where a cell has a key to sort by,
// it is [text, number to sort by (null: missing)].
nlohmann::ordered_json page_table(const Table& table);

}  // namespace iosx
