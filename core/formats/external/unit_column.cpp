#include "core/formats/external/unit_column.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <unordered_map>
#include <utility>

#include "core/base/json/json_view.h"

namespace iosx {
namespace {

constexpr std::size_t kMostListed = 5;  // names or columns in a sentence

std::string in_lower_case(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

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
  const std::string text = in_lower_case(title);
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
    std::vector<UnitId> units;
    for (const OperatorId id : matches[name.row].operators) units.push_back(graph.op(id).unit);
    std::ranges::sort(units);
    units.erase(std::unique(units.begin(), units.end()), units.end());
    std::erase_if(units, [](UnitId unit) { return !unit.valid(); });
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
  if (found == titles.end()) found = std::ranges::find(titles, in_lower_case(title), in_lower_case);
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
