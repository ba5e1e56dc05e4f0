#include "core/formats/external/unit_column.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <unordered_map>
#include <utility>

#include "core/base/json/json_view.h"
#include "core/base/json/text_file.h"
#include "core/base/text.h"
#include "core/formats/external/csv_times.h"
#include "core/formats/external/match.h"

namespace iosx {
namespace {

using external::CsvReader;
using external::CsvRow;

constexpr std::size_t kMostNodes = 500'000;
constexpr std::size_t kMostCells = 8'000'000;                                                    // rows times columns
constexpr double kMostlyNumbers = 0.5;                                                           // of a column's fields
constexpr std::array<std::string_view, 5> kNameKeys{"name", "node", "id", "operator", "layer"};  // of JSON

std::optional<double> value_in(std::string_view field, bool thousands) {
  const auto value = external::csv_number(field, thousands);
  return value && std::abs(*value) <= kMostValue ? value : std::nullopt;
}

Result<void> check_size(std::size_t rows, std::size_t columns, const std::string& origin) {
  if (rows > kMostNodes) {
    return fail(message("has more than {} rows", kMostNodes), origin,
                message("check that it is a table with one row per node"));
  }
  if (rows * columns > kMostCells)
    return fail(message("has more than {} values", kMostCells), origin, message("leave out columns"));
  return {};
}

// Leaves the columns that have numbers; what is mostly words is none of the table.
Result<ValueTable> with_numbers(ValueTable table, const std::string& origin) {
  if (table.names.empty()) return fail(message("has no rows"), origin, message("check that it is the right file"));
  std::erase_if(table.columns, [](const ValueColumn& column) {
    const auto has = [](const std::optional<double>& value) { return value.has_value(); };
    const auto numbers = static_cast<double>(std::ranges::count_if(column.values, has));
    return numbers == 0 || numbers < kMostlyNumbers * (numbers + static_cast<double>(column.not_numbers));
  });
  if (table.columns.empty()) {
    return fail(message("has no column of numbers"), origin,
                message("give each row a name and a number, with a decimal point"));
  }
  return table;
}

// Reads all rows and then finds the column of names.
class ValueRows {
 public:
  ValueRows(std::string_view text, const std::string& origin) : reader_(text), origin_(origin) {}

  Result<ValueTable> read() {
    CsvRow row;
    bool first = true;
    while (true) {
      const auto more = reader_.next(row);
      if (!more) {
        return fail(more.error().what, fmt::format("{}: line {}", origin_, reader_.line()),
                    message("check that it is a table of names and numbers"));
      }
      if (!*more) break;
      if (std::exchange(first, false) && is_header(row)) {
        titles_ = row;
        named_ = named();
        continue;
      }
      IOS_TRY(check_size(rows_ + 1, std::max(columns_.size(), row.size()), origin_));
      add(row);
    }
    return table();
  }

 private:
  struct Column {
    std::vector<std::string> words;  // as long as it may be that of the names
    std::vector<std::optional<double>> values;
    std::size_t numbers = 0;
    std::size_t filled = 0;
  };

  bool is_number(std::string_view field) const { return value_in(field, reader_.has_commas_in_fields()).has_value(); }
  static bool is_name(std::string_view title) { return lower(title) == "name" || external::names_operators(title); }
  static std::string lower(std::string_view text) { return external::lower_case(trimmed(text)); }

  bool is_header(const CsvRow& row) const {
    return std::ranges::any_of(row, [](const std::string& field) { return lower(field) == "name"; }) ||
           std::ranges::none_of(row, [this](const std::string& field) { return is_number(field); });
  }

  // Returns the column that its title says has the names.
  std::optional<std::size_t> named() const {
    const auto exact = std::ranges::find(titles_, std::string("name"), lower);
    const auto found = exact != titles_.end() ? exact : std::ranges::find_if(titles_, is_name);
    return found == titles_.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - titles_.begin()));
  }

  void add(const CsvRow& row) {
    if (row.size() > columns_.size()) columns_.resize(row.size());
    for (std::size_t i = 0; i < row.size(); ++i) {
      Column& column = columns_[i];
      const std::string_view field = trimmed(row[i]);
      if (!named_ || named_ == i) {
        column.words.resize(rows_);
        column.words.emplace_back(field);
      }
      column.values.resize(rows_);
      column.values.push_back(value_in(field, reader_.has_commas_in_fields()));
      if (field.empty()) continue;
      ++column.filled;
      if (column.values.back()) ++column.numbers;
    }
    ++rows_;
  }

  static bool mostly_numbers(const Column& column) {
    return static_cast<double>(column.numbers) >= kMostlyNumbers * static_cast<double>(column.filled);
  }

  Result<ValueTable> table() {
    std::size_t names = named_.value_or(columns_.size());
    for (std::size_t i = 0; i < columns_.size() && names == columns_.size(); ++i) {
      if (!mostly_numbers(columns_[i])) names = i;
    }
    if (rows_ > 0 && names >= columns_.size()) {
      return fail(message("has no column of names"), origin_,
                  message("name the column of node names \"name\" in its first row"));
    }
    ValueTable made;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      Column& column = columns_[i];
      if (i == names) {
        column.words.resize(rows_);
        made.names = std::move(column.words);
        continue;
      }
      column.values.resize(rows_);
      std::string title(i < titles_.size() ? trimmed(titles_[i]) : std::string_view());
      if (title.empty()) title = fmt::format("column {}", i + 1);
      made.columns.push_back({std::move(title), std::move(column.values), column.filled - column.numbers});
    }
    return with_numbers(std::move(made), origin_);
  }

  CsvReader reader_;
  const std::string& origin_;
  CsvRow titles_;                     // empty without a header
  std::optional<std::size_t> named_;  // the column of names, where its title says so
  std::vector<Column> columns_;
  std::size_t rows_ = 0;
};

// Makes a table from JSON about nodes.
class ValueObjects {
 public:
  explicit ValueObjects(const std::string& origin) : origin_(origin) {}

  Result<ValueTable> read(const Json& document) {
    const Json& nodes = results_of(document);
    if (nodes.is_object()) {
      for (const auto& [name, value] : nodes.items()) IOS_TRY(add(name, value, nullptr));
    } else {
      for (std::size_t i = 0; i < nodes.size(); ++i) {
        const auto key = std::ranges::find_if(kNameKeys, [&](std::string_view each) {
          return nodes[i].is_object() && nodes[i].contains(std::string(each)) &&
                 nodes[i].at(std::string(each)).is_string();
        });
        if (key == kNameKeys.end()) {
          return fail(message("has no name"), fmt::format("{}: [{}]", origin_, i),
                      message("give each object of the list the name of its node as \"name\""));
        }
        const std::string name_key(*key);
        IOS_TRY(add(nodes[i].at(name_key).get<std::string>(), nodes[i], &name_key));
      }
    }
    for (ValueColumn& column : table_.columns) column.values.resize(table_.names.size());
    return with_numbers(std::move(table_), origin_);
  }

 private:
  // Model Explorer's node data has its values a level or two further in.
  static const Json& results_of(const Json& document) {
    const auto within = [](const Json& value) {
      return value.is_object() && value.contains("results") && value.at("results").is_object();
    };
    if (within(document)) return document.at("results");
    if (document.is_object() && document.size() == 1 && within(document.front())) return document.front().at("results");
    return document;
  }

  Result<void> add(const std::string& name, const Json& value, const std::string* name_key) {
    table_.names.push_back(name);
    IOS_TRY(check_size(table_.names.size(), table_.columns.size(), origin_));
    if (!value.is_object()) return put("value", value);
    for (const auto& [title, inner] : value.items()) {
      if (name_key != nullptr && title == *name_key) continue;
      IOS_TRY(put(title, inner));
    }
    return {};
  }

  Result<void> put(const std::string& title, const Json& value) {
    if (value.is_null()) return {};
    const auto [at, made] = column_of_.try_emplace(title, table_.columns.size());
    if (made) {
      table_.columns.push_back({title, {}, 0});
      IOS_TRY(check_size(table_.names.size(), table_.columns.size(), origin_));
    }
    ValueColumn& column = table_.columns[at->second];
    column.values.resize(table_.names.size());
    if (value.is_number()) {
      const double number = value.get<double>();
      if (std::abs(number) <= kMostValue) column.values.back() = number;
    } else if (value.is_string()) {
      column.values.back() = value_in(value.get_ref<const std::string&>(), false);
    }
    if (!column.values.back()) ++column.not_numbers;
    return {};
  }

  const std::string& origin_;
  ValueTable table_;
  std::unordered_map<std::string, std::size_t> column_of_;
};

constexpr std::size_t kMostListed = 5;  // names or columns in a sentence

double median_of(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : values[middle - 1] / 2 + values[middle] / 2;
}

// The contributions of a unit's rows.
struct UnitParts {
  std::vector<double> whole;   // of rows that are all of its operators
  std::vector<double> pieces;  // of the others
};

// Returns "a, b, c" and, where there are more, how many.
std::pair<std::string, std::size_t> some_of(const std::vector<std::string>& names) {
  std::string listed;
  const std::size_t count = std::min(names.size(), kMostListed);
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) listed += ", ";
    listed += in_quotes(names[i]);
  }
  return {listed, names.size() - count};
}

}  // namespace

Result<ValueTable> read_value_table(std::string_view text, const std::string& origin) {
  constexpr std::string_view kSpace = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos)
    return fail(message("is empty"), origin, message("check that it is the right file"));
  if (text.substr(0, 4096).find('\0') != std::string_view::npos)
    return fail(message("is not text"), origin, message("choose a table in CSV or JSON"));
  if (text[first] != '{' && text[first] != '[') return ValueRows(text, origin).read();
  IOS_TRY(const auto document, parse_json(text, origin));
  return ValueObjects(origin).read(document);
}

Result<ValueTable> read_value_table(const std::filesystem::path& path) {
  IOS_TRY(const auto text, read_text_file(path));
  return read_value_table(std::string_view(text), path.string());
}

std::string_view join_name(ColumnJoin join) {
  switch (join) {
    case ColumnJoin::kSum: return "sum";
    case ColumnJoin::kLargest: return "largest";
  }
  return {};
}

ColumnJoin join_of(std::string_view title) {
  constexpr std::array<std::string_view, 24> kNoSum{"error", "err",      "mse",   "rmse",     "snr",   "sqnr",
                                                    "psnr",  "sparsity", "ratio", "rate",     "share", "percent",
                                                    "%",     "density",  "delta", "accuracy", "max",   "min",
                                                    "mean",  "average",  "avg",   "scale",    "temp",  "temperature"};
  const std::string text = external::lower_case(title);
  std::string word;
  const auto no_sum = [&] { return std::ranges::find(kNoSum, std::string_view(word)) != kNoSum.end(); };
  for (const char c : text) {
    const bool letter = (c >= 'a' && c <= 'z') || c == '%';
    if (letter && c != '%') {
      word += c;
      continue;
    }
    if (no_sum() || c == '%') return ColumnJoin::kLargest;
    word.clear();
  }
  return no_sum() ? ColumnJoin::kLargest : ColumnJoin::kSum;
}

std::optional<double> joined(std::span<const double> values, ColumnJoin join) {
  if (values.empty()) return std::nullopt;
  double result = values.front();
  for (const double value : values.subspan(1)) {
    if (join == ColumnJoin::kSum) result += value;
    if (join == ColumnJoin::kLargest && std::abs(value) > std::abs(result)) result = value;
  }
  return std::abs(result) <= kMostValue ? std::optional(result) : std::nullopt;
}

MatchedColumn column_of_units(const ValueTable& table, std::size_t column, ColumnJoin join,
                              std::span<const OperatorMatch> matches, const Graph& graph) {
  const ValueColumn& chosen = table.columns[column];
  struct OneName {
    std::size_t row = 0;  // the first
    std::size_t rows = 0;
    std::vector<double> values;
  };
  std::vector<OneName> names;
  std::unordered_map<std::string_view, std::size_t> place;
  for (std::size_t row = 0; row < table.names.size(); ++row) {
    const auto [at, made] = place.try_emplace(table.names[row], names.size());
    if (made) names.push_back({row, 0, {}});
    OneName& name = names[at->second];
    ++name.rows;
    if (chosen.values[row]) name.values.push_back(*chosen.values[row]);
  }
  MatchedColumn made;
  made.column = {chosen.title, {}, join, std::vector<std::optional<double>>(graph.units().size())};
  made.tally.names = names.size();
  made.tally.not_numbers = chosen.not_numbers;
  std::vector<UnitParts> parts(graph.units().size());
  for (OneName& name : names) {
    if (name.rows > 1) ++made.tally.repeated;
    const std::vector<UnitId> units = units_of(matches[name.row], graph);
    if (units.empty()) {
      made.tally.unmatched.push_back(table.names[name.row]);
      continue;
    }
    ++made.tally.matched;
    if (name.values.empty()) continue;
    const double value = median_of(std::move(name.values));
    const std::size_t operators = matches[name.row].operators.size();
    for (const UnitId unit : units) {
      const bool whole = units.size() == 1 && operators > 1 && operators == graph.unit(unit).operators.size();
      const double own = join == ColumnJoin::kSum ? value / static_cast<double>(units.size()) : value;
      (whole ? parts[unit.index()].whole : parts[unit.index()].pieces).push_back(own);
    }
  }
  for (std::size_t u = 0; u < parts.size(); ++u) {
    made.column.values[u] = joined(parts[u].whole.empty() ? parts[u].pieces : parts[u].whole, join);
    if (made.column.values[u]) ++made.tally.units;
  }
  return made;
}

UnitColumn column_of_run(const ExternalRun& run, const Graph& graph) {
  UnitColumn column{.title = "ms, " + run.label, .file = run.file, .values = {}};
  column.values.resize(graph.units().size());
  for (const ExternalEntry& entry : run.entries) {
    std::set<std::size_t> units;
    for (const OperatorId op : entry.match.operators) {
      if (const UnitId unit = graph.op(op).unit; unit.valid()) units.insert(unit.index());
    }
    for (const std::size_t unit : units) {
      column.values[unit] =
          column.values[unit].value_or(0) + entry.duration.count() / static_cast<double>(units.size());
    }
  }
  return column;
}

Result<std::size_t> find_value_column(const ValueTable& table, const std::string& title, const std::string& origin) {
  std::vector<std::string> titles;
  for (const ValueColumn& column : table.columns) titles.push_back(column.title);
  const auto [listed, more] = some_of(titles);
  const Message columns = more > 0 ? message("its columns of numbers are {} and {} more", listed, more)
                                   : message("its columns of numbers are {}", listed);
  if (title.empty()) {
    if (titles.size() == 1) return std::size_t{0};
    return fail(message("has several columns of numbers"), origin, columns);
  }
  auto found = std::ranges::find(titles, title);
  if (found == titles.end()) found = std::ranges::find(titles, external::lower_case(title), external::lower_case);
  if (found != titles.end()) return static_cast<std::size_t>(found - titles.begin());
  return fail(message("has no column of numbers called {}", in_quotes(title)), origin, columns);
}

UnitColumn carried(const UnitColumn& column, const Graph& from, const Graph& to) {
  std::unordered_map<std::string_view, std::optional<double>> by_name;
  for (std::size_t u = 0; u < column.values.size(); ++u) by_name.emplace(from.units()[u].name, column.values[u]);
  UnitColumn next = column;
  next.values.assign(to.units().size(), std::nullopt);
  for (std::size_t u = 0; u < next.values.size(); ++u) {
    if (const auto found = by_name.find(to.units()[u].name); found != by_name.end()) next.values[u] = found->second;
  }
  return next;
}

std::vector<Message> tally_sentences(const ColumnTally& tally, const std::string& file, const Graph& graph) {
  const std::string name = std::filesystem::path(file).filename().string();
  const std::string& network = graph.name();
  std::vector<Message> said;
  const auto [listed, more] = some_of(tally.unmatched);
  if (tally.matched == 0) {
    said.push_back(message("none of the {} names of {} is an operator of {}; they may belong to another network: {}",
                           tally.names, name, network, listed));
  } else if (tally.unmatched.empty()) {
    said.push_back(message("all {} names of {} are operators of {}", tally.names, name, network));
  } else if (more == 0) {
    said.push_back(message("{} of {} names of {} are operators of {}; these are not: {}", tally.matched, tally.names,
                           name, network, listed));
  } else {
    said.push_back(message("{} of {} names of {} are operators of {}; these are not: {} and {} more", tally.matched,
                           tally.names, name, network, listed, more));
  }
  if (tally.matched > 0) said.push_back(message("{} of {} units have a value", tally.units, graph.units().size()));
  if (tally.repeated > 0) {
    said.push_back(message("{} names have several rows: the median of each is used", tally.repeated));
  }
  if (tally.not_numbers > 0) {
    said.push_back(message("{} fields of the column are not finite numbers and are left out", tally.not_numbers));
  }
  return said;
}

}  // namespace iosx
