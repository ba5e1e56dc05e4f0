#include "core/formats/external/csv_times.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <initializer_list>
#include <unordered_map>
#include <utility>

#include "core/base/text.h"
#include "core/devices/measure/statistics.h"
#include "core/formats/external/engine_profiles.h"
#include "core/formats/external/recorded_runs.h"

namespace iosx::external {
namespace {

constexpr std::size_t kMostColumns = 1000;

std::optional<double> plain_number(std::string_view text) {
  if (text.size() > 1 && text.front() == '+' && text[1] != '-') text.remove_prefix(1);
  const auto value = read_number<double>(text);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

// Returns "1,250.5" without its commas; empty for what has none, or others.
std::string without_thousands(std::string_view text) {
  std::string digits;
  const std::size_t point = std::min(text.find('.'), text.size());
  const std::size_t first = text.find(',');
  if (first == 0 || first > 3 || first >= point) return {};
  for (std::size_t i = 0; i < point; ++i) {
    const bool comma = i >= first && (i - first) % 4 == 0;
    if (comma != (text[i] == ',') || (!comma && std::isdigit(static_cast<unsigned char>(text[i])) == 0)) return {};
    if (!comma) digits += text[i];
  }
  if ((point - first) % 4 != 0) return {};
  return digits + std::string(text.substr(point));
}

}  // namespace

std::optional<double> csv_number(std::string_view field, bool thousands) {
  const std::string_view text = trimmed(field);
  if (const auto value = plain_number(text)) return value;
  return thousands ? plain_number(without_thousands(text)) : std::nullopt;
}

CsvReader::CsvReader(std::string_view text) : text_(text) {
  skip_preface();
  const std::string_view first = text_.substr(at_, text_.find('\n', at_) - at_);
  const auto count = [&](char c) { return std::ranges::count(first, c); };
  if (count(';') > count(',')) separator_ = ';';
  if (count('\t') > count(separator_)) separator_ = '\t';
}

Result<bool> CsvReader::next(CsvRow& row) {
  while (at_ < text_.size()) {
    row.clear();
    line_ = next_line_;
    IOS_TRY(read_row(row));
    if (row.size() > 1 || !trimmed(row.front()).empty()) return true;
  }
  return false;
}

// Profilers say before their table what they did: lines that separate nothing. A file of such lines alone is no table.
void CsvReader::skip_preface() {
  std::size_t at = 0;
  std::size_t lines = 0;
  while (at < text_.size()) {
    const std::string_view line = text_.substr(at, text_.find('\n', at) - at);
    if (!line.starts_with("==") && line.find_first_of(",;\t") != std::string_view::npos) {
      at_ = at;
      next_line_ += lines;
      return;
    }
    at += line.size() + 1;
    ++lines;
  }
}

Result<void> CsvReader::read_row(CsvRow& row) {
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

bool CsvReader::read_quoted(std::string& field) {
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

}  // namespace iosx::external

namespace iosx {

std::optional<TimeUnit> parse_time_unit(std::string_view word) {
  constexpr std::array<std::pair<std::string_view, TimeUnit>, 5> kPrefixes{{{"n", TimeUnit::kNanos},
                                                                            {"u", TimeUnit::kMicros},
                                                                            {"\u00b5", TimeUnit::kMicros},
                                                                            {"\u03bc", TimeUnit::kMicros},
                                                                            {"m", TimeUnit::kMillis}}};
  constexpr std::array<std::pair<std::string_view, TimeUnit>, 3> kWords{
      {{"nano", TimeUnit::kNanos}, {"micro", TimeUnit::kMicros}, {"milli", TimeUnit::kMillis}}};
  const auto is_second = [](std::string_view text) {
    return text == "s" || text == "sec" || text == "secs" || text == "second" || text == "seconds";
  };
  if (is_second(word)) return TimeUnit::kSeconds;
  for (const auto& [prefix, unit] : kWords) {
    if (word.starts_with(prefix) && word.size() > prefix.size() + 1 && is_second(word.substr(prefix.size())))
      return unit;
  }
  for (const auto& [prefix, unit] : kPrefixes) {
    if (word.starts_with(prefix) && is_second(word.substr(prefix.size()))) return unit;
  }
  return std::nullopt;
}

namespace external {
namespace {

constexpr std::size_t kNoColumn = static_cast<std::size_t>(-1);
constexpr double kMostMillis = kMostMicros / 1e3;

Millis in_millis(double value, TimeUnit unit) {
  switch (unit) {
    case TimeUnit::kNanos: return Millis(value / 1e6);
    case TimeUnit::kMicros: return Millis(value / 1e3);
    case TimeUnit::kMillis: return Millis(value);
    case TimeUnit::kSeconds: return Millis(value * 1e3);
  }
  return Millis(0);
}

struct Number {
  double value = 0;
  std::optional<TimeUnit> unit = {};  // its own
};

// Reads a number, with its unit where it has one. Where commas are within a field, it was quoted.
std::optional<Number> number_in(std::string_view field, bool thousands) {
  const std::string_view text = trimmed(field);
  if (const auto value = csv_number(text, thousands)) return Number{*value};
  const std::size_t letter = text.find_last_of("0123456789.");
  if (letter == std::string_view::npos) return std::nullopt;
  const auto unit = parse_time_unit(trimmed(text.substr(letter + 1)));
  const auto value = unit ? number_in(text.substr(0, letter + 1), thousands) : std::nullopt;
  return value ? std::optional(Number{value->value, unit}) : std::nullopt;
}

template <std::size_t N>
bool among(const std::string& words, const std::array<std::string_view, N>& list) {
  return std::ranges::find(list, std::string_view(words)) != list.end();
}

// A column's title in lower case without its brackets, and their content.
struct Title {
  std::string words;
  std::optional<TimeUnit> unit;
  bool other_unit = false;  // "%", "GB/s"
};

constexpr std::array<std::string_view, 5> kMedian{"median", "med", "p50", "median latency", "median time"};
constexpr std::array<std::string_view, 8> kAverage{"average",      "avg",      "mean",      "mean latency",
                                                   "average time", "avg time", "mean time", "avg. time"};
constexpr std::array<std::string_view, 9> kLatency{
    "latency",        "time",    "duration", "elapsed", "gpu time", "gpu__time_duration.sum", "gpu__time_duration.avg",
    "execution time", "run time"};
constexpr std::array<std::string_view, 22> kNoLatency{
    "min",      "max",         "minimum",   "maximum",   "min time",           "max time", "stddev", "std dev",
    "std",      "p90",         "p95",       "p99",       "deviation",          "spread",   "date",   "percent",
    "variance", "kernel time", "timestamp", "std. dev.", "standard deviation", "interval"};
constexpr std::array<std::string_view, 6> kTotal{"total",      "total time",     "sum",
                                                 "cumulative", "total duration", "totalduration"};
constexpr std::array<std::string_view, 7> kCount{"instances",  "num calls", "calls",        "count",
                                                 "# of calls", "launches",  "num instances"};
constexpr std::array<std::string_view, 16> kOperators{
    "layer",  "layer name",  "layer_name", "layername", "operator", "op",       "node",        "node name",
    "kernel", "kernel name", "unit",       "op name",   "range",    "function", "kernel_name", "operation"};
constexpr std::array<std::string_view, 4> kStart{"start", "begin", "start time", "start_timestamp"};
constexpr std::array<std::string_view, 3> kEnd{"end", "end time", "end_timestamp"};
constexpr std::array<std::string_view, 8> kNumber{"id", "#", "index", "no", "no.", "number", "row", "rank"};

// Accepts "%", "GB/s" and "cycles", but not words such as "batch 1".
bool is_other_unit(std::string_view bracket) {
  constexpr std::array<std::string_view, 12> kUnits{"b",  "kb",  "mb",  "gb",     "bytes", "byte",
                                                    "hz", "mhz", "ghz", "cycles", "cycle", "ticks"};
  return bracket.find_first_of("%/") != std::string_view::npos || among(std::string(bracket), kUnits);
}

// Divides "timeMs", but not "status".
void split_unit(Title& title) {
  if (title.words.ends_with("_timestamp")) title.unit = TimeUnit::kNanos;  // as rocprofv3 has them
  if (const auto whole = parse_time_unit(title.words)) {
    title.unit = whole;
    title.words.clear();
    return;
  }
  const std::size_t last = title.words.find_last_of("_ -./");
  const std::optional<TimeUnit> suffix =
      last == std::string::npos ? std::nullopt : parse_time_unit(std::string_view(title.words).substr(last + 1));
  if (suffix) {
    title.unit = suffix;
    title.words.resize(last);
    return;
  }
  if (title.words.size() <= 2 || title.unit) return;
  const std::string rest = title.words.substr(0, title.words.size() - 2);
  const bool known = among(rest, kLatency) || among(rest, kMedian) || among(rest, kAverage) || among(rest, kTotal) ||
                     among(rest, kStart) || among(rest, kEnd);
  if (!known) return;
  title.unit = parse_time_unit(std::string_view(title.words).substr(rest.size()));
  if (title.unit) title.words = rest;
}

Title title_of(std::string_view field) {
  std::string text = lower_case(trimmed(field));
  Title title;
  if (const std::size_t open = text.find_first_of("([{"); open != std::string::npos) {
    const std::size_t close = text.find_first_of(")]}", open);
    const std::string_view inside = trimmed(std::string_view(text).substr(open + 1, close - open - 1));
    title.unit = parse_time_unit(inside);
    title.other_unit = !title.unit && is_other_unit(inside);
    text.resize(open);
  }
  title.words = std::string(trimmed(text));
  split_unit(title);
  title.other_unit = title.other_unit || title.words.find('%') != std::string::npos;
  return title;
}

struct Columns {
  std::size_t name = 0;
  std::size_t latency = kNoColumn;
  std::size_t type = kNoColumn;
  std::size_t output = kNoColumn;
  std::size_t status = kNoColumn;  // whether OpenVINO ran it
  std::size_t count = kNoColumn;   // of launches
  bool total = false;              // a row's time is that of all its launches
  std::size_t start = kNoColumn;   // of a launch
  std::size_t end = kNoColumn;     // of a launch whose duration no column has
  std::size_t stream = kNoColumn;  // of a launch
  std::size_t device = kNoColumn;
  std::size_t metric = kNoColumn;  // its name, where each row has another one
  std::size_t unit_of_row = kNoColumn;
  TimeUnit unit = TimeUnit::kMillis;
  TimeUnit start_unit = TimeUnit::kMillis;
  RowMeaning meaning = RowMeaning::kNotSaid;
};

std::size_t find_column(const std::vector<Title>& titles, std::initializer_list<std::string_view> words) {
  for (const std::string_view word : words) {
    const auto found = std::ranges::find(titles, word, &Title::words);
    if (found != titles.end()) return static_cast<std::size_t>(found - titles.begin());
  }
  return kNoColumn;
}

template <std::size_t N>
std::size_t find_column(const std::vector<Title>& titles, const std::array<std::string_view, N>& words) {
  const auto found = std::ranges::find_if(titles, [&](const Title& title) { return among(title.words, words); });
  return found == titles.end() ? kNoColumn : static_cast<std::size_t>(found - titles.begin());
}

// Returns how well a column with this title fits as a latency; 0: not at all.
int worth_as_latency(const Title& title, bool of_launches) {
  const bool moment = among(title.words, kStart) || among(title.words, kEnd);
  if (title.other_unit || moment || among(title.words, kNoLatency)) return 0;
  if (among(title.words, kMedian)) return of_launches ? 4 : 5;
  if (among(title.words, kAverage)) return of_launches ? 5 : 4;
  if (among(title.words, kLatency)) return 3;
  if (!title.unit) return 0;
  return among(title.words, kTotal) ? 1 : 2;
}

// Finds the column of names, and what it says about the rows.
void find_names(const std::vector<Title>& titles, Columns& columns) {
  constexpr std::array<std::string_view, 8> kRuns{"framework", "tool",    "run",     "system",
                                                  "engine",    "runtime", "backend", "library"};
  for (std::size_t i = 0; i < titles.size(); ++i) {
    const bool operators = among(titles[i].words, kOperators);
    const bool runs = among(titles[i].words, kRuns);
    if (!operators && !runs && titles[i].words != "name") continue;
    columns.name = i;
    if (operators) columns.meaning = RowMeaning::kOperators;
    if (runs) columns.meaning = RowMeaning::kRuns;
    return;
  }
  for (std::size_t i = 0; i < titles.size(); ++i) {
    const bool number = among(titles[i].words, kNumber) || titles[i].unit || titles[i].other_unit ||
                        among(titles[i].words, kCount) || i == columns.latency;
    if (number) continue;
    columns.name = i;
    return;
  }
}

Columns of_header(const CsvRow& row, TimeUnit unit, std::vector<Message>& notices) {
  constexpr std::array<std::string_view, 6> kType{"type", "op type", "op_type", "kind", "layertype", "layer type"};
  Columns columns{.unit = unit};
  std::vector<Title> titles;
  for (const std::string& field : row) titles.push_back(title_of(field));
  columns.metric = find_column(titles, {"metric name"});
  if (columns.metric != kNoColumn) {
    columns.latency = find_column(titles, {"metric value"});
    columns.unit_of_row = find_column(titles, {"metric unit"});
  }
  columns.count = find_column(titles, kCount);
  const auto worth = [&](const Title& title) { return worth_as_latency(title, columns.count != kNoColumn); };
  if (columns.metric == kNoColumn) {
    const auto best = std::ranges::max_element(titles, {}, worth);
    if (best != titles.end() && worth(*best) > 0) {
      columns.latency = static_cast<std::size_t>(best - titles.begin());
      columns.total = columns.count != kNoColumn && !among(best->words, kMedian) && !among(best->words, kAverage);
      // Before 2021 nsys wrote nanoseconds without saying so.
      const bool nsys = !best->unit && columns.count != kNoColumn && find_column(titles, {"total time"}) != kNoColumn;
      columns.unit = best->unit.value_or(nsys ? TimeUnit::kNanos : unit);
      const auto alike = [&](const Title& title) { return worth(title) == 2; };
      if (worth(*best) == 2 && std::ranges::count_if(titles, alike) > 1) {
        notices.push_back(message("of its time columns, '{}' is used as the latency", row[columns.latency]));
      }
    }
  }
  columns.start = find_column(titles, kStart);
  if (columns.start != kNoColumn) columns.start_unit = titles[columns.start].unit.value_or(columns.unit);
  if (columns.latency == kNoColumn && columns.start != kNoColumn) columns.end = find_column(titles, kEnd);
  columns.stream = find_column(titles, {"strm", "stream", "queue_id", "stream_id"});
  columns.device = find_column(titles, {"device", "agent_id"});
  columns.type = find_column(titles, kType);
  columns.output = find_column(titles, {"output", "tensor"});
  columns.status = find_column(titles, {"execstatus", "exec status"});
  find_names(titles, columns);
  const bool says_unit = columns.latency != kNoColumn && titles[columns.latency].unit;
  const std::size_t units = find_column(titles, {"units", "unit", "time unit"});
  if (columns.metric == kNoColumn && !says_unit && units != columns.name) columns.unit_of_row = units;
  const bool of_kernels = columns.count != kNoColumn || columns.metric != kNoColumn;
  if (of_kernels && columns.meaning == RowMeaning::kNotSaid) columns.meaning = RowMeaning::kOperators;
  return columns;
}

// Reads the rows of one table.
class TableReader {
 public:
  TableReader(std::string_view text, std::optional<TimeUnit> unit, const std::string& origin)
      : text_(text), reader_(text), origin_(origin), columns_{.unit = unit.value_or(TimeUnit::kMillis)} {}

  Result<CsvTimes> read() {
    CsvRow row;
    bool first = true;
    while (true) {
      const auto more = reader_.next(row);
      if (!more) return refuse(more.error().what, message("check that it is a table of names and latencies"));
      if (!*more) break;
      if (text_.substr(0, 4096).find('\0') != std::string_view::npos)
        return fail(message("is not text"), origin_, message("choose a CSV table, a trace in JSON, or an nsys export"));
      const bool titles = std::exchange(first, false) && std::ranges::none_of(row, [&](const std::string& field) {
                            return number(field).has_value();
                          });
      if (titles) {
        columns_ = of_header(row, columns_.unit, out_.notices);
        out_.meaning = columns_.meaning;
        after_header_ = titled_ = true;
        continue;
      }
      IOS_TRY(read_row(row));
      after_header_ = false;
    }
    leave_out_sum();
    if (left_out_ > 0) out_.notices.push_back(message("{} rows of other metrics are left out", left_out_));
    if (out_.names.empty())
      return fail(message("has no rows with a name and a latency"), origin_,
                  message("check that it is the right file"));
    return std::move(out_);
  }

 private:
  // A last row "Total" that is the sum of the others is no operator of its own.
  void leave_out_sum() {
    constexpr std::size_t kFewest = 3;
    constexpr double kNear = 0.01;
    if (out_.names.size() < kFewest) return;
    const NamedTimes& last = out_.names.back();
    const std::string word = lower_case(last.name);
    if ((word != "total" && word != "sum") || !last.type.empty() || last.samples.size() != 1) return;
    Millis sum(0);
    for (const NamedTimes& one : out_.names) sum += median(one.samples);
    sum -= last.samples.front();
    if (std::abs((sum - last.samples.front()).count()) > kNear * sum.count()) return;
    out_.notices.push_back(message("its row '{}' is the sum of the others and is left out", last.name));
    out_.names.pop_back();
  }

  tl::unexpected<Error> refuse(Message what, Message remedy) const {
    return fail(std::move(what), fmt::format("{}: line {}", origin_, reader_.line()), std::move(remedy));
  }
  std::optional<Number> number(std::string_view field) const {
    return number_in(field, reader_.has_commas_in_fields());
  }
  static std::string_view field(const CsvRow& row, std::size_t column) {
    return column < row.size() ? trimmed(row[column]) : std::string_view();
  }

  // Below ncu's titles is a row of units.
  bool is_row_of_units(const CsvRow& row) {
    if (!after_header_ || columns_.latency == kNoColumn || !field(row, columns_.name).empty()) return false;
    const auto unit = parse_time_unit(field(row, columns_.latency));
    if (unit) columns_.unit = *unit;
    return unit.has_value();
  }

  bool is_of_another_metric(const CsvRow& row) const {
    if (columns_.metric == kNoColumn) return false;
    const std::string metric = title_of(field(row, columns_.metric)).words;
    return !among(metric, kLatency);
  }

  Result<void> read_row(const CsvRow& row) {
    if (is_row_of_units(row) || !openvino_ran(field(row, columns_.status))) return {};
    if (is_of_another_metric(row)) {
      ++left_out_;
      return {};
    }
    for (std::size_t i = 0; i < row.size() && columns_.latency == kNoColumn && columns_.end == kNoColumn; ++i) {
      const auto found = i == columns_.name ? std::nullopt : number(row[i]);
      if (found && (!titled_ || found->unit)) columns_.latency = i;
    }
    if (columns_.latency == kNoColumn && columns_.end == kNoColumn) {
      return titled_ ? refuse(message("has no column of times"), message("name one 'latency_ms'"))
                     : refuse(message("has no latency"), message("give each row a name and a number"));
    }
    auto value = columns_.end == kNoColumn ? number(field(row, columns_.latency)) : from_start_to_end(row);
    if (value && columns_.total) value->value /= static_cast<double>(launches_of(row));
    if (!value || columns_.name >= row.size())
      return refuse(message("has no latency"), message("give each row a name and a number, with a decimal point"));
    IOS_TRY(const auto unit, unit_of(row, *value));
    const Millis latency = in_millis(value->value, unit);
    if (latency < Millis(0) || latency > Millis(kMostMillis))
      return refuse(message("its latency is out of range"), message("check that it is a latency"));
    if (++rows_ > kMostSpans)
      return refuse(message("has more than {} rows", kMostSpans), message("give fewer samples"));
    return add(row, latency);
  }

  // Whole numbers are subtracted exactly: they may be nanoseconds of a clock that began long ago.
  std::optional<Number> from_start_to_end(const CsvRow& row) const {
    const auto start = number(field(row, columns_.start));
    const auto end = number(field(row, columns_.end));
    if (!start || !end) return std::nullopt;
    const auto exact_start = read_number<std::int64_t>(field(row, columns_.start));
    const auto exact_end = read_number<std::int64_t>(field(row, columns_.end));
    const bool exact = exact_start && exact_end && *exact_start >= 0 && *exact_end >= 0;
    return Number{exact ? static_cast<double>(*exact_end - *exact_start) : end->value - start->value,
                  start->unit.value_or(columns_.start_unit)};
  }

  std::size_t launches_of(const CsvRow& row) const {
    const auto count = number(field(row, columns_.count));
    return count && count->value >= 1 && count->value < 1e9 ? static_cast<std::size_t>(count->value) : 1;
  }

  Result<TimeUnit> unit_of(const CsvRow& row, const Number& value) const {
    if (value.unit) return *value.unit;
    const std::string_view word = field(row, columns_.unit_of_row);
    if (word.empty()) return columns_.unit;
    const auto unit = parse_time_unit(word);
    if (!unit)
      return refuse(message("it is measured in '{}', which is not a time", word),
                    message("check that it is a duration"));
    return *unit;
  }

  // Rows of launches are apart, also where they have one name.
  Result<void> add(const CsvRow& row, Millis latency) {
    const auto start = number(field(row, columns_.start));
    const bool launch = columns_.metric != kNoColumn || start;
    std::string name(field(row, columns_.name));
    const std::size_t place = launch ? out_.names.size() : place_.emplace(name, out_.names.size()).first->second;
    if (place == out_.names.size()) {
      NamedTimes& made = out_.names.emplace_back(NamedTimes{.name = std::move(name),
                                                            .type = std::string(field(row, columns_.type)),
                                                            .output = std::string(field(row, columns_.output))});
      if (start) {
        made.begin = in_millis(start->value, start->unit.value_or(columns_.start_unit));
        if (abs(*made.begin) > Millis(kMostMillis))
          return refuse(message("its begin is out of range"), message("check that it is a latency"));
        made.lane = fmt::format("{}/{}", field(row, columns_.device), field(row, columns_.stream));
      }
      made.count = launches_of(row);
    }
    out_.names[place].samples.push_back(latency);
    return {};
  }

  std::string_view text_;
  CsvReader reader_;
  const std::string& origin_;
  Columns columns_;
  bool after_header_ = false;
  bool titled_ = false;  // the table has a header
  std::unordered_map<std::string, std::size_t> place_;
  std::size_t rows_ = 0;
  std::size_t left_out_ = 0;
  CsvTimes out_;
};

}  // namespace

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return lower;
}

bool names_operators(std::string_view title) { return among(title_of(title).words, kOperators); }

Result<CsvTimes> read_csv_times(std::string_view text, std::optional<TimeUnit> unit, const std::string& origin) {
  return TableReader(text, unit, origin).read();
}

}  // namespace external
}  // namespace iosx
