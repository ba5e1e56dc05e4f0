#include "core/formats/external/nsight_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cmath>

#include "core/formats/external/recorded_runs.h"

namespace iosx::external {
namespace {

constexpr std::chrono::seconds kMostTime{60};
constexpr std::size_t kMostTables = 2000;

}  // namespace

bool NsightTable::has(std::string_view column) const { return std::ranges::find(columns, column) != columns.end(); }

Result<void> NsightTables::list() {
  database_.limit_time(kMostTime);
  std::vector<std::string> names;
  sqlite::Query list = database_.query("SELECT name FROM sqlite_master");
  while (true) {
    IOS_TRY(const auto row, list.step());
    if (!row) break;
    names.push_back(list.text(0));
    if (names.size() == kMostTables)
      return fail(message("has more than {} tables", kMostTables), where_, message("check that it is the right file"));
  }
  std::ranges::sort(names);
  for (std::string& name : names) {
    const auto plain = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    if (!std::ranges::all_of(name, plain) ||
        std::ranges::any_of(tables_, [&](const NsightTable& table) { return table.name == name; }))
      continue;
    IOS_TRY(auto columns, database_.stored_columns(name));
    if (columns.empty()) continue;
    database_.allow(name);
    tables_.push_back({std::move(name), std::move(columns)});
  }
  strings_tables_ = of("StringIds", {"id", "value"});
  return {};
}

std::vector<NsightTable> NsightTables::of(std::string_view name,
                                          std::initializer_list<std::string_view> columns) const {
  std::vector<NsightTable> found;
  for (const NsightTable& table : tables_) {
    if (!table.name.starts_with(name)) continue;
    const std::string_view rest = std::string_view(table.name).substr(name.size());
    const bool version =
        rest.starts_with("_V") && rest.find_first_not_of("0123456789", 2) == std::string_view::npos && rest.size() > 2;
    if ((rest.empty() || version) &&
        std::ranges::all_of(columns, [&](std::string_view column) { return table.has(column); })) {
      found.push_back(table);
    }
  }
  return found;
}

sqlite::Query NsightTables::query(const NsightTable& table, std::initializer_list<std::string_view> columns,
                                  std::size_t most) {
  std::string list;
  for (const std::string_view column : columns) {
    list += list.empty() ? "" : ", ";
    list += table.has(column) ? fmt::format("\"{}\"", column) : "NULL";
  }
  return database_.query(fmt::format("SELECT {} FROM main.\"{}\" LIMIT {}", list, table.name, most + 1));
}

Result<std::string> NsightTables::string(std::int64_t id) {
  if (const auto known = strings_.find(id); known != strings_.end()) return known->second;
  std::string value;
  for (const NsightTable& table : strings_tables_) {
    sqlite::Query query = database_.query(fmt::format("SELECT value FROM main.\"{}\" WHERE id = ?", table.name));
    IOS_TRY(const auto row, query.bind(id).step());
    if (row) value = query.text(0);
  }
  return strings_.emplace(id, std::move(value)).first->second;
}

Result<std::string> NsightTables::named(sqlite::Query& row, int text, int id) {
  if (!row.is_null(text)) return row.text(text);
  if (row.is_null(id) || strings_tables_.empty()) return std::string();
  return string(row.integer(id));
}

Result<std::string> NsightTables::kernel_name(sqlite::Query& row, int first, int second) {
  for (const int column : {first, second}) {
    if (row.is_null(column)) continue;
    IOS_TRY(auto text, strings_tables_.empty() ? Result<std::string>(row.text(column)) : string(row.integer(column)));
    if (!text.empty()) return text;
  }
  return "kernel";
}

bool NsightTables::timed(const sqlite::Query& row) {
  if (row.is_null(0) || row.is_null(1)) return false;
  const double begin = row.real(0) * kMicrosPerNano;
  const double end = row.real(1) * kMicrosPerNano;
  return (row.integer(0) != 0 || row.integer(1) != 0) && std::abs(begin) < kMostMicros && end >= begin &&
         end < kMostMicros;
}

}  // namespace iosx::external
