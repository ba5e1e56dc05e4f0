#include "core/formats/external/csv_times.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <unordered_map>
#include <utility>

#include "core/formats/external/recording.h"

namespace iosx {

std::optional<TimeUnit> parse_time_unit(std::string_view word) {
  if (word == "ns") return TimeUnit::kNanos;
  if (word == "us" || word == "\u00b5s" || word == "\u03bcs") return TimeUnit::kMicros;
  if (word == "ms") return TimeUnit::kMillis;
  if (word == "s" || word == "sec" || word == "seconds") return TimeUnit::kSeconds;
  return std::nullopt;
}

namespace external {
namespace {

constexpr std::size_t kMostColumns = 1000;
constexpr std::size_t kNoColumn = static_cast<std::size_t>(-1);
constexpr double kMostMillis = kMostMicros / 1e3;

using Row = std::vector<std::string>;

Millis in_millis(double value, TimeUnit unit) {
  switch (unit) {
    case TimeUnit::kNanos: return Millis(value / 1e6);
    case TimeUnit::kMicros: return Millis(value / 1e3);
    case TimeUnit::kMillis: return Millis(value);
    case TimeUnit::kSeconds: return Millis(value * 1e3);
  }
  return Millis(0);
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r";
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

std::optional<double> number_in(std::string_view field) {
  const std::string_view text = trimmed(field);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

// Reads rows one after another, so that a large file is never there twice.
class CsvReader {
 public:
  explicit CsvReader(std::string_view text) : text_(text) {
    if (text_.starts_with("\xEF\xBB\xBF")) text_.remove_prefix(3);
    const std::string_view first = text_.substr(0, text_.find('\n'));
    const auto count = [&](char c) { return std::ranges::count(first, c); };
    if (count(';') > count(',')) separator_ = ';';
    if (count('\t') > count(separator_)) separator_ = '\t';
  }

  std::size_t line() const { return line_; }  // of the row that was read last

  // Reads the next row that is not empty. The error is a quote without its end, or too many columns.
  Result<bool> next(Row& row) {
    while (at_ < text_.size()) {
      row.clear();
      line_ = next_line_;
      IOS_TRY(read_row(row));
      if (row.size() > 1 || !trimmed(row.front()).empty()) return true;
    }
    return false;
  }

 private:
  Result<void> read_row(Row& row) {
    row.emplace_back();
    while (at_ < text_.size()) {
      const char c = text_[at_++];
      if (c == '"' && trimmed(row.back()).empty()) {
        row.back().clear();
        if (!read_quoted(row.back())) return iosx::fail(message("a quote is not closed"));
      } else if (c == separator_) {
        if (row.size() == kMostColumns) return iosx::fail(message("has more than {} columns", kMostColumns));
        row.emplace_back();
      } else if (c == '\n') {
        ++next_line_;
        return {};
      } else {
        row.back() += c;
      }
    }
    return {};
  }

  bool read_quoted(std::string& field) {
    while (at_ < text_.size()) {
      const char c = text_[at_++];
      if (c == '\n') ++next_line_;
      if (c != '"') {
        field += c;
      } else if (at_ < text_.size() && text_[at_] == '"') {
        field += text_[at_++];
      } else {
        return true;
      }
    }
    return false;
  }

  std::string_view text_;
  char separator_ = ',';
  std::size_t at_ = 0;
  std::size_t line_ = 0;
  std::size_t next_line_ = 1;
};

template <std::size_t N>
bool among(const std::string& words, const std::array<std::string_view, N>& list) {
  return std::ranges::find(list, std::string_view(words)) != list.end();
}

constexpr std::array<std::string_view, 10> kLatency{"latency", "time", "duration",       "median",       "mean",
                                                    "average", "avg",  "median latency", "mean latency", "elapsed"};

// Has a column's title in lower case, without what stands in brackets, and that apart.
struct Title {
  std::string words;
  std::optional<TimeUnit> unit;
};
Title title_of(std::string_view field) {
  std::string text(trimmed(field));
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  Title title;
  if (const std::size_t open = text.find_first_of("([{"); open != std::string::npos) {
    const std::size_t close = text.find_first_of(")]}", open);
    title.unit = parse_time_unit(std::string(trimmed(std::string_view(text).substr(open + 1, close - open - 1))));
    text.resize(open);
  }
  title.words = std::string(trimmed(text));
  const std::size_t last = title.words.find_last_of("_ -.");
  const std::optional<TimeUnit> suffix =
      last == std::string::npos ? std::nullopt : parse_time_unit(std::string_view(title.words).substr(last + 1));
  if (suffix) {
    title.unit = suffix;
    title.words.resize(last);
  } else if (title.words.size() > 2 && !title.unit) {
    // "timeMs", but not "status"
    const std::string rest = title.words.substr(0, title.words.size() - 2);
    title.unit =
        among(rest, kLatency) ? parse_time_unit(std::string_view(title.words).substr(rest.size())) : std::nullopt;
    if (title.unit) title.words = rest;
  }
  return title;
}

struct Columns {
  std::size_t name = 0;
  std::size_t latency = kNoColumn;
  std::size_t type = kNoColumn;
  std::size_t output = kNoColumn;
  TimeUnit unit = TimeUnit::kMillis;
  RowMeaning meaning = RowMeaning::kNotSaid;
};

Columns of_header(const Row& row, TimeUnit unit) {
  constexpr std::array<std::string_view, 10> kOperators{"layer", "layer name", "layer_name", "operator", "op",
                                                        "node",  "node name",  "kernel",     "unit",     "op name"};
  constexpr std::array<std::string_view, 8> kRuns{"framework", "tool",    "run",     "system",
                                                  "engine",    "runtime", "backend", "library"};
  constexpr std::array<std::string_view, 4> kType{"type", "op type", "op_type", "kind"};
  Columns columns{.unit = unit};
  std::size_t name = kNoColumn;
  for (std::size_t i = 0; i < row.size(); ++i) {
    const Title title = title_of(row[i]);
    const bool operators = among(title.words, kOperators);
    const bool runs = among(title.words, kRuns);
    if (name == kNoColumn && (operators || runs || title.words == "name")) {
      name = i;
      if (operators) columns.meaning = RowMeaning::kOperators;
      if (runs) columns.meaning = RowMeaning::kRuns;
    } else if (columns.type == kNoColumn && among(title.words, kType)) {
      columns.type = i;
    } else if (columns.output == kNoColumn && (title.words == "output" || title.words == "tensor")) {
      columns.output = i;
    } else if (columns.latency == kNoColumn && (among(title.words, kLatency) || title.unit)) {
      columns.latency = i;
      if (title.unit) columns.unit = *title.unit;
    }
  }
  if (name != kNoColumn) columns.name = name;
  return columns;
}

}  // namespace

Result<CsvTimes> read_csv_times(std::string_view text, std::optional<TimeUnit> unit, const std::string& origin) {
  CsvReader reader(text);
  CsvTimes out;
  std::unordered_map<std::string, std::size_t> place;
  Columns columns{.unit = unit.value_or(TimeUnit::kMillis)};
  Row row;
  bool first = true;
  std::size_t rows = 0;
  const auto refuse = [&](Message what, Message remedy) {
    return fail(std::move(what), fmt::format("{}: line {}", origin, reader.line()), std::move(remedy));
  };
  while (true) {
    const auto more = reader.next(row);
    if (!more) return refuse(more.error().what, message("is it a table of names and latencies?"));
    if (!*more) break;
    if (text.substr(0, 4096).find('\0') != std::string_view::npos) {
      return fail(message("is no text"), origin, message("choose a CSV table, a trace in JSON, or an nsys export"));
    }
    const bool titles = std::exchange(first, false) && std::ranges::none_of(row, [](const std::string& field) {
                          return number_in(field).has_value();
                        });
    if (titles) {
      columns = of_header(row, columns.unit);
      out.meaning = columns.meaning;
      continue;
    }
    if (columns.latency == kNoColumn) {
      for (std::size_t i = 0; i < row.size() && columns.latency == kNoColumn; ++i) {
        if (i != columns.name && number_in(row[i])) columns.latency = i;
      }
      if (columns.latency == kNoColumn)
        return refuse(message("has no latency"), message("give each row a name and a number"));
    }
    const auto value = columns.latency < row.size() ? number_in(row[columns.latency]) : std::nullopt;
    if (!value || columns.name >= row.size()) {
      return refuse(message("has no latency"),
                    message("give each row a name and a number, with a point before its decimals"));
    }
    const Millis latency = in_millis(*value, columns.unit);
    if (latency < Millis(0) || latency > Millis(kMostMillis))
      return refuse(message("its latency is out of range"), message("is it one?"));
    if (++rows > kMostSpans) return refuse(message("has more than {} rows", kMostSpans), message("give fewer samples"));
    std::string name(trimmed(row[columns.name]));
    const auto [found, made] = place.emplace(name, out.names.size());
    if (made) {
      out.names.push_back({.name = std::move(name), .type = {}, .output = {}, .samples = {}});
      if (columns.type < row.size()) out.names.back().type = std::string(trimmed(row[columns.type]));
      if (columns.output < row.size()) out.names.back().output = std::string(trimmed(row[columns.output]));
    }
    out.names[found->second].samples.push_back(latency);
  }
  if (out.names.empty())
    return fail(message("has no rows of a name and a latency"), origin, message("is it the right file?"));
  return out;
}

}  // namespace external
}  // namespace iosx
