#include "core/tables/render.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "core/base/text_table.h"

namespace iosx {
namespace {

using Json = nlohmann::ordered_json;

template <typename... F>
struct Overloaded : F... {
  using F::operator()...;
};
template <typename... F>
Overloaded(F...) -> Overloaded<F...>;

constexpr double kBytesPerMegabyte = 1e6;
constexpr double kSmallDifference = 0.01;  // ms: differences below have one more decimal

// Holds the unit in which people read a kind, and the factor from the unit of documents.
struct Reading {
  std::string_view unit;
  double scale = 1;
  int decimals = 0;
};

Reading reading_of(ColumnKind kind) {
  switch (kind) {
    case ColumnKind::kMillis: return {"ms", 1, 3};
    case ColumnKind::kSeconds: return {"s", 1, 3};
    case ColumnKind::kBytes: return {"MB", 1 / kBytesPerMegabyte, 2};
    case ColumnKind::kShare: return {"%", 100, 1};
    case ColumnKind::kFactor: return {"×", 1, 2};
    case ColumnKind::kNumber: return {"", 1, 3};
    case ColumnKind::kText:
    case ColumnKind::kCount: break;
  }
  return {"", 1, 0};
}

std::string number_text(const ColumnInfo& column, double value) {
  const Reading reading = reading_of(column.kind);
  const double read = value * reading.scale;
  const double size = std::abs(read);
  int decimals = column.decimals.value_or(reading.decimals);
  if (column.kind == ColumnKind::kMillis) {
    if (column.difference && size < kSmallDifference) ++decimals;
    if (size >= 100) decimals = std::max(0, decimals - (size >= 1000 ? 2 : 1));
  }
  const std::string digits = fmt::format("{:.{}f}", size, decimals);
  const bool nothing = digits.find_first_of("123456789") == std::string::npos;
  if (nothing) return column.difference ? "0" : digits;  // never "-0.000" nor "+0.000"
  return (read < 0 ? "-" : column.difference ? "+" : "") + digits;
}

Json json_of(const CellValue& value) {
  return std::visit(
      Overloaded{[](std::monostate) { return Json(); },
                 [](const ValueInterval& interval) {
                   return Json{interval.low, interval.high};
                 },
                 [](const Message& text) { return Json(text.text()); }, [](auto plain) { return Json(plain); }},
      value);
}

// Returns what the page sorts by. It needs no more digits than a person can tell apart.
Json page_key(const Cell& cell) {
  constexpr double kSteps = 1e7;
  if (cell.sort_key) return *cell.sort_key;
  if (const double* number = std::get_if<double>(&cell.value)) return std::round(*number * kSteps) / kSteps;
  if (const auto* interval = std::get_if<ValueInterval>(&cell.value)) return interval->low;
  return std::holds_alternative<Message>(cell.value) ? Json() : json_of(cell.value);
}

bool is_per_sample(const Table& table, const ColumnInfo& column) {
  return table.per_sample && column.kind == ColumnKind::kMillis && column.unit.empty();
}

std::string head_text(const Table& table, const ColumnInfo& column) {
  const std::string unit = unit_of(table, column);
  const std::string title = printable(column.title.text());
  return unit.empty() ? title : fmt::format("{} [{}]", title, unit);
}

bool says_something(const Cell& cell) {
  return !std::holds_alternative<std::monostate>(cell.value) || cell.shown || !cell.mark.empty();
}

// A total leaves open what does not add up.
std::string total_text(const ColumnInfo& column, const Cell& cell) {
  return says_something(cell) ? cell_text(column, cell) : std::string();
}

std::size_t characters(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, starts_character));
}

}  // namespace

std::vector<std::size_t> columns_in(const Table& table, unsigned place) {
  std::vector<std::size_t> columns;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const ColumnInfo& column = table.columns[c];
    if ((column.places & place) == 0) continue;
    const bool any = column.shown_if == ShownIf::kAlways || (place & (place::kText | place::kPage)) == 0 ||
                     std::ranges::any_of(table.rows, [&](const auto& row) { return says_something(row[c]); });
    if (any) columns.push_back(c);
  }
  return columns;
}

bool is_number(const ColumnInfo& column) { return column.kind != ColumnKind::kText; }

std::string unit_of(const Table& table, const ColumnInfo& column) {
  const std::string unit = column.unit.empty() ? std::string(reading_of(column.kind).unit) : column.unit;
  return unit + (is_per_sample(table, column) ? "/sample" : "");
}

std::string data_id(const Table& table, const ColumnInfo& column) {
  return is_per_sample(table, column) ? column.id + "_per_sample" : column.id;
}

std::string value_text(const ColumnInfo& column, const CellValue& value) {
  return std::visit(
      Overloaded{[](std::monostate) { return std::string(kNoValue); },
                 [&](std::int64_t number) {
                   return column.kind == ColumnKind::kCount ? fmt::format("{}", number)
                                                            : number_text(column, static_cast<double>(number));
                 },
                 [&](double number) { return number_text(column, number); },
                 [](bool yes) { return std::string(yes ? "yes" : "no"); },
                 [&](const ValueInterval& interval) {
                   return fmt::format("{}–{}", number_text(column, interval.low), number_text(column, interval.high));
                 },
                 [](const Message& text) { return printable(text.text()); }},
      value);
}

std::string cell_text(const ColumnInfo& column, const Cell& cell) {
  const bool mark_alone = std::holds_alternative<std::monostate>(cell.value) && !cell.mark.empty();
  std::string text = cell.shown ? printable(cell.shown->text()) : mark_alone ? "" : value_text(column, cell.value);
  if (!cell.mark.empty()) text += (text.empty() ? "" : " ") + cell.mark.text();
  return text;
}

std::string table_text(const Table& table) {
  const std::vector<std::size_t> columns = columns_in(table, place::kText);
  std::vector<std::vector<std::string>> lines(1);
  for (const std::size_t c : columns) lines.front().push_back(head_text(table, table.columns[c]));
  for (const auto* rows : {&table.rows, &table.totals}) {
    for (const std::vector<Cell>& row : *rows) {
      auto& line = lines.emplace_back();
      for (const std::size_t c : columns) {
        line.push_back(rows == &table.rows ? cell_text(table.columns[c], row[c])
                                           : total_text(table.columns[c], row[c]));
      }
    }
  }
  std::vector<std::size_t> widths(columns.size(), 0);
  for (const auto& line : lines) {
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], characters(line[i]));
  }
  std::string text;
  for (const auto& line : lines) {
    std::string made;
    for (std::size_t i = 0; i < line.size(); ++i) {
      const std::string room(widths[i] - characters(line[i]), ' ');
      made += i > 0 ? "  " : "";
      made += is_number(table.columns[columns[i]]) ? room + line[i] : line[i] + room;
    }
    made.resize(made.find_last_not_of(' ') + 1);
    text += made + '\n';
  }
  return text;
}

std::string shortest_digits(double value) {
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  return {digits.data(), end};
}

std::string exact_text(const CellValue& value) {
  return std::visit(Overloaded{[](std::monostate) { return std::string(); },
                               [](std::int64_t number) { return fmt::format("{}", number); },
                               [](double number) { return shortest_digits(number); },
                               [](bool yes) { return std::string(yes ? "true" : "false"); },
                               [](const ValueInterval& interval) {
                                 return shortest_digits(interval.low) + ' ' + shortest_digits(interval.high);
                               },
                               [](const Message& text) { return text.text(); }},
                    value);
}

std::string csv_line(const std::vector<std::string>& fields) {
  std::string line;
  for (std::size_t i = 0; i < fields.size(); ++i) line += (i > 0 ? "," : "") + csv_field(fields[i]);
  return line + '\n';
}

std::string table_csv(const Table& table) {
  const std::vector<std::size_t> columns = columns_in(table, place::kData);
  std::vector<std::string> fields;
  for (const std::size_t c : columns) {
    const std::string id = data_id(table, table.columns[c]);
    if (table.columns[c].interval) {
      fields.insert(fields.end(), {id + "_low", id + "_high"});
    } else {
      fields.push_back(id);
    }
  }
  std::string text = csv_line(fields);
  for (const auto* rows : {&table.rows, &table.totals}) {
    for (const std::vector<Cell>& row : *rows) {
      fields.clear();
      for (const std::size_t c : columns) {
        const auto* interval = std::get_if<ValueInterval>(&row[c].value);
        if (interval != nullptr) {
          fields.insert(fields.end(), {shortest_digits(interval->low), shortest_digits(interval->high)});
        } else {
          fields.push_back(exact_text(row[c].value));
          if (table.columns[c].interval) fields.emplace_back();
        }
      }
      text += csv_line(fields);
    }
  }
  return text;
}

nlohmann::ordered_json row_json(const Table& table, std::size_t row, unsigned place) {
  Json json = Json::object();
  for (const std::size_t c : columns_in(table, place)) {
    const ColumnInfo& column = table.columns[c];
    json[place == place::kData ? data_id(table, column) : column.id] = json_of(table.rows[row][c].value);
  }
  return json;
}

nlohmann::ordered_json table_json(const Table& table, unsigned place) {
  Json list = Json::array();
  for (std::size_t row = 0; row < table.rows.size(); ++row) list.push_back(row_json(table, row, place));
  return list;
}

nlohmann::ordered_json page_table(const Table& table) {
  const std::vector<std::size_t> shown = columns_in(table, place::kPage);
  Json columns = Json::array();
  for (const std::size_t c : shown) {
    const ColumnInfo& column = table.columns[c];
    columns.push_back({{"id", column.id},
                       {"title", printable(column.title.text())},
                       {"unit", unit_of(table, column)},
                       {"help", column.help.text()},
                       {"number", is_number(column)}});
  }
  const auto lines = [&](const std::vector<std::vector<Cell>>& rows,
                         std::string (*text_of)(const ColumnInfo&, const Cell&)) {
    Json list = Json::array();
    for (const std::vector<Cell>& row : rows) {
      Json line = Json::array();
      for (const std::size_t c : shown) {
        const std::string text = text_of(table.columns[c], row[c]);
        const bool keyed = is_number(table.columns[c]) || row[c].sort_key;
        line.push_back(keyed ? Json::array({text, page_key(row[c])}) : Json(text));
      }
      list.push_back(std::move(line));
    }
    return list;
  };
  return {{"columns", std::move(columns)},
          {"rows", lines(table.rows, cell_text)},
          {"totals", lines(table.totals, total_text)}};
}

}  // namespace iosx
