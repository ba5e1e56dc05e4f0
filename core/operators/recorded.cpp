#include "core/operators/recorded.h"

#include <algorithm>
#include <cmath>

#include "core/base/hash.h"
#include "core/base/json/text_file.h"
#include "core/base/text.h"
#include "core/operators/sessions.h"

namespace iosx {
namespace {

// Splits a line of a table into cells, which keep their memory from line to line; a cell may be quoted.
void split(std::string_view line, std::vector<std::string>& cells) {
  std::size_t count = 0;
  const auto begin_cell = [&] {
    if (count == cells.size()) cells.emplace_back();
    cells[count++].clear();
  };
  begin_cell();
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      begin_cell();
    } else if (c != '\r') {
      cells[count - 1] += c;
    }
  }
  cells.resize(count);
}

// Reads the lines of one table. After the first mistake every call is harmless.
class TableReader {
 public:
  explicit TableReader(std::string origin) : origin_(std::move(origin)) {}

  // Hands on the row of a line, if it is one. The error is the line's mistake.
  Result<void> take(std::string_view line, OperatorSink sink) {
    split(line, cells_);
    ++line_;
    if (line_ == 1) {
      for (std::size_t i = 0; i < cells_.size(); ++i) columns_.emplace(cells_[i], i);
      check_columns();
    } else if (cells_.size() > 1) {
      const MeasuredOperator read = row();
      if (!error_) {
        ++rows_;
        sink(read);
      }
    }
    return outcome();
  }
  // The error is that there was no row.
  Result<void> finish() {
    if (line_ == 0) mistake(message("is empty"));
    if (rows_ == 0) mistake(message("has no rows"));
    return outcome();
  }

 private:
  bool has(std::string_view column) const { return columns_.contains(column); }
  Result<void> outcome() const { return error_ ? Result<void>(tl::unexpected(*error_)) : Result<void>(); }

  void mistake(const Message& what) {
    if (error_) return;
    error_ = Error{message("line {}: {}", std::to_string(line_), what), origin_,
                   message("the columns are source, device, precision, latency_ms, and N C H W K R S pad_h pad_w "
                           "stride_h stride_w, or op batch M N K, or op rows columns, or op lanes kernel_us")};
  }
  void check_columns() {
    for (const char* const column : {"source", "device", "precision"}) {
      if (!has(column)) mistake(message("there is no column {}", column));
    }
    if (!has("R") && !has("M") && !has("rows") && !has("lanes")) mistake(message("there is no column {}", "rows"));
  }

  std::string text(std::string_view column) {
    const auto at = columns_.find(column);
    if (at == columns_.end()) {
      mistake(message("there is no column {}", std::string(column)));
      return {};
    }
    return at->second < cells_.size() ? cells_[at->second] : std::string();
  }

  double number(std::string_view column, double least) {
    const auto value = read_number<double>(text(column));
    if (value && *value >= least && *value <= 1e12) return *value;
    mistake(message("{} must be a number, at least {}", std::string(column), fmt::format("{:g}", least)));
    return least;
  }

  std::int64_t size(std::string_view column, std::int64_t least = 1) {
    constexpr double kMostSize = 1e9;
    const double value = number(column, static_cast<double>(least));
    if (value > kMostSize || value != std::floor(value)) {
      mistake(message("{} must be a whole number up to {}", std::string(column), fmt::format("{:g}", kMostSize)));
      return least;
    }
    return static_cast<std::int64_t>(value);
  }

  // Returns what a row is by its operator or, without one, by the columns that the table has.
  MeasuredKind kind_of(const std::string& op) {
    using enum MeasuredKind;
    constexpr std::pair<std::string_view, MeasuredKind> kOps[]{
        {"conv", kConvolution}, {"linear", kMatrix}, {"bmm", kMatrix},       {"add", kStream},     {"mul", kStream},
        {"relu", kStream},      {"tanh", kStream},   {"copy", kStream},      {"ln", kRows},        {"softmax", kRows},
        {"max_pool", kPool},    {"avg_pool", kPool}, {"global_pool", kPool}, {"chain", kLaunches}, {"stage", kLaunches},
        {"ladder", kLaunches},  {"", kConvolution}};
    if (op.starts_with("gemm")) return kMatrix;
    const auto* const known = std::ranges::find(kOps, std::string_view(op), [](const auto& row) { return row.first; });
    if (known != std::end(kOps) && (!op.empty() || has("R"))) return known->second;
    mistake(
        message("op is '{}', not conv, linear, bmm, gemm, add, mul, relu, tanh, copy, ln, softmax, max_pool, avg_pool, "
                "global_pool, chain, stage or ladder",
                op.substr(0, 40)));
    return MeasuredKind::kStream;
  }

  void image(MeasuredOperator& made) {
    made.batch = size("N");
    made.channels = size("C");
    made.height = size("H");
    made.width = size("W");
  }

  void window(MeasuredOperator& made) {
    made.filter_height = size("R");
    made.filter_width = size("S");
    made.pad_height = size("pad_h", 0);
    made.pad_width = size("pad_w", 0);
    made.stride_height = size("stride_h");
    made.stride_width = size("stride_w");
    if (made.height + 2 * made.pad_height < made.filter_height || made.width + 2 * made.pad_width < made.filter_width) {
      mistake(message("the filter is larger than the image"));
    }
  }

  void convolution(MeasuredOperator& made) {
    made.op = "conv";
    image(made);
    made.filters = size("K");
    window(made);
    if (has("groups") && !text("groups").empty()) made.groups = size("groups");
    if (made.channels % made.groups != 0 || made.filters % made.groups != 0) {
      mistake(message("groups {} must divide the {} input and the {} output channels", made.groups, made.channels,
                      made.filters));
    }
  }

  void pool(MeasuredOperator& made) {
    image(made);
    made.filters = made.channels;
    if (made.op == "global_pool") {
      made.filter_height = made.height;
      made.filter_width = made.width;
    } else {
      window(made);
    }
  }

  MeasuredOperator row() {
    MeasuredOperator made;
    made.source = text("source");
    made.device = text("device");
    if (made.source.empty() || made.device.empty()) mistake(message("source and device must be named"));
    const std::string precision = text("precision");
    made.half = precision == "float16";
    made.tf32 = precision == "tf32";
    if (precision_of(made) != precision) mistake(message("precision must be float32, tf32 or float16"));
    constexpr std::array<std::pair<const char*, double>, 3> kUnits{
        {{"latency_ms", 1e3}, {"latency_us", 1}, {"latency_s", 1e6}}};
    const auto* unit = std::ranges::find_if(kUnits, [this](const auto& each) { return has(each.first); });
    if (unit == kUnits.end()) unit = kUnits.begin();  // whose absence is the mistake
    made.us = number(unit->first, 0) * unit->second;
    if (made.us <= 0) mistake(message("{} must be more than 0", unit->first));
    if (has("order") && !text("order").empty()) made.order = number("order", 0);
    if (has("op")) made.op = text("op");
    made.kind = kind_of(made.op);
    switch (made.kind) {
      case MeasuredKind::kConvolution: convolution(made); break;
      case MeasuredKind::kPool: pool(made); break;
      case MeasuredKind::kMatrix:
        made.batch = size("batch");
        made.rows = size("M");
        made.columns = size("N");
        made.depth = size("K");
        break;
      case MeasuredKind::kStream:
      case MeasuredKind::kRows:
        made.rows = size("rows");
        made.columns = size("columns");
        break;
      case MeasuredKind::kLaunches:
        made.lanes = made.op == "chain" ? 1 : size("lanes");
        made.kernel_us = number("kernel_us", 0);
        if (made.lanes > kMostLanes) mistake(message("{} must be a whole number up to {}", "lanes", kMostLanes));
        break;
    }
    return made;
  }

  static constexpr std::int64_t kMostLanes = 1024;  // what is simulated grows with their square

  std::string origin_;
  std::size_t line_ = 0;
  std::size_t rows_ = 0;
  std::map<std::string, std::size_t, std::less<>> columns_;
  std::vector<std::string> cells_;
  std::optional<Error> error_;
};

constexpr double kBytes = 4;  // of a float32; features are in these
constexpr double kMostMs = 1e6;
constexpr double kLeastShare = 0.3;  // of a row that is no host time

std::int64_t outputs(std::int64_t size, std::int64_t pad, std::int64_t filter, std::int64_t stride) {
  return (size + 2 * pad - filter) / stride + 1;
}

// Returns the time of the operator's kernels in ms; nothing where too little of the row is that.
std::optional<double> kernels_ms(const MeasuredOperator& measured) {
  const auto session = sessions::find(measured.source, measured.device, session_kind(measured));
  if (!session) return measured.us / 1e3;  // of a table that says so itself, as ours do
  if (session->host_us_per_1000 > 0 && measured.order < 0) return std::nullopt;
  const double host = session->host_us + session->host_us_per_1000 * std::max(0.0, measured.order) / 1000;
  const double us = measured.us - host;
  if (us < kLeastShare * measured.us || measured.us <= session->least_us * 1.05) return std::nullopt;
  return us / 1e3;
}

}  // namespace

std::string session_kind(const MeasuredOperator& measured) {
  std::string kind = measured.op;
  if (measured.source != "neusight") kind = measured.kind == MeasuredKind::kConvolution ? "conv" : "gemm";
  return measured.half ? kind + "16" : kind;
}

std::string_view name_of(MeasuredKind kind) {
  constexpr std::string_view kNames[]{"conv", "matrix", "stream", "rows", "pool", "launches"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::string_view precision_of(const MeasuredOperator& measured) {
  if (measured.half) return "float16";
  return measured.tf32 ? "tf32" : "float32";
}

Result<void> visit_operators(const std::filesystem::path& file, OperatorSink sink) {
  TableReader reader(file.string());
  IOS_TRY(read_lines(file, [&](std::string_view line) { return reader.take(line, sink); }));
  return reader.finish();
}

Result<std::vector<MeasuredOperator>> read_operators(std::string_view table, const std::string& origin) {
  TableReader reader(origin);
  std::vector<MeasuredOperator> operators;
  while (!table.empty()) {
    const std::size_t end = std::min(table.find('\n'), table.size());
    IOS_TRY(reader.take(table.substr(0, end), [&](const MeasuredOperator& row) { operators.push_back(row); }));
    table.remove_prefix(std::min(end + 1, table.size()));
  }
  IOS_TRY(reader.finish());
  return operators;
}

OperatorFeatures features_of(const MeasuredOperator& measured) {
  OperatorFeatures made;
  made.batch = measured.batch;
  double inputs = 1;  // of what is read, over what is written
  switch (measured.kind) {
    case MeasuredKind::kConvolution:
    case MeasuredKind::kPool: {
      if (measured.kind == MeasuredKind::kPool) {
        made.kind = measured.op == "max_pool" ? "max pool" : measured.op == "avg_pool" ? "average pool" : "global pool";
      } else {
        made.kind = measured.groups > 1 && measured.groups == measured.channels ? "depthwise" : "conv";
      }
      made.groups = measured.groups;
      made.channels = measured.channels;
      made.height = measured.height;
      made.width = measured.width;
      made.out_channels = measured.filters;
      made.out_height = outputs(measured.height, measured.pad_height, measured.filter_height, measured.stride_height);
      made.out_width = outputs(measured.width, measured.pad_width, measured.filter_width, measured.stride_width);
      if (made.kind == "global pool") break;
      made.kernel_height = measured.filter_height;
      made.kernel_width = measured.filter_width;
      made.stride = std::max(measured.stride_height, measured.stride_width);
      break;
    }
    case MeasuredKind::kLaunches: break;  // no operator
    case MeasuredKind::kMatrix:
      made.kind = measured.op == "bmm" ? "matmul" : "linear";
      made.channels = measured.depth;
      made.height = made.out_height = measured.rows;
      made.out_channels = measured.columns;
      break;
    case MeasuredKind::kStream: inputs = measured.op == "add" || measured.op == "mul" ? 2 : 1; [[fallthrough]];
    case MeasuredKind::kRows:
      made.kind = measured.op == "copy"                    ? "copy"
                  : measured.kind == MeasuredKind::kStream ? "elementwise"
                  : measured.op == "softmax"               ? "softmax"
                                                           : "normalize";
      made.channels = made.out_channels = measured.rows;
      made.height = made.out_height = measured.columns;
      break;
  }
  made.inputs = made.kind == "matmul" ? 2 : static_cast<std::int64_t>(inputs);
  if (made.kind == "elementwise") made.function = measured.op == "tanh" ? 3 : 1;
  // Sizes of a table may be anything: their products are of floating point.
  const auto product_of = [](std::initializer_list<std::int64_t> sizes) {
    double all = 1;
    for (const std::int64_t size : sizes) all *= static_cast<double>(size);
    return all;
  };
  const auto batch = static_cast<double>(made.batch);
  const double in = product_of({made.batch, made.channels, made.height, made.width});
  const double out = product_of({made.batch, made.out_channels, made.out_height, made.out_width});
  const double window = product_of({made.channels / made.groups, made.kernel_height, made.kernel_width});
  const bool product = measured.kind == MeasuredKind::kConvolution || measured.kind == MeasuredKind::kMatrix;
  double weights = product ? window * static_cast<double>(made.out_channels) : 0;
  if (made.kind == "matmul") weights *= batch;
  made.flops = product                      ? 2 * out * window
               : made.kind == "global pool" ? in
                                            : out * product_of({made.kernel_height, made.kernel_width});
  made.bytes_read = (in * inputs + weights) * kBytes;
  made.bytes_written = out * kBytes;
  return made;
}

std::optional<DeviceRates> rates_of_card(std::string_view name) {
  const auto cards = sessions::cards();
  const auto card = std::ranges::find(cards, name, &sessions::Card::name);
  if (card == cards.end()) return std::nullopt;
  return DeviceRates{card->fp32_tflops * 1e12, card->memory_gb_per_s * 1e9, card->sms};
}

void RecordedOperators::add(const MeasuredOperator& measured) {
  constexpr double kMost = 1e15;  // FLOPs or bytes of an operator
  const auto ms = kernels_ms(measured);
  OperatorFeatures x = features_of(measured);
  if (measured.kind == MeasuredKind::kLaunches || !ms || *ms > kMostMs || x.flops > kMost || x.bytes() > kMost) {
    ++skipped_;
    return;
  }
  const Hash128 hash = hash128("recorded operator " + to_text({{x}}));
  devices_[{measured.device, measured.source, std::string(precision_of(measured))}].push_back(
      {{hash.high, hash.low}, *ms, std::move(x)});
}

Result<void> RecordedOperators::hand_over(const TermsOf& terms, Taker take) && {
  constexpr std::size_t kAtOnce = 5000;
  const Date now = date_now();
  for (auto& [device, rows] : devices_) {
    const auto& [name, source, measured_in] = device;
    const char* const precision = measured_in == "float16" ? "f16" : measured_in == "tf32" ? "tf32" : "f32";
    const MeasurementSet set{.fingerprint = fmt::format("recorded {} {} {}", source, name, precision),
                             .batch = 1,
                             .precision = precision,
                             .origin = Origin::kRecorded,
                             .device_id = name,
                             .device_name = fmt::format("{} ({})", name, source),
                             .terms = terms ? terms(name) : std::nullopt};
    std::ranges::sort(rows, [](const Row& a, const Row& b) { return std::tie(a.key, a.ms) < std::tie(b.key, b.ms); });
    std::vector<Measurement> measurements;
    std::vector<DescribedStage> stages;
    while (!rows.empty()) {
      const StageKey key = rows.front().key;
      const auto end = std::ranges::find_if(rows, [&](const Row& row) { return row.key != key; });
      const auto count = end - rows.begin();
      const Row& median = rows[static_cast<std::size_t>(count / 2)];
      Latency latency{.value = Millis(median.ms), .samples = count};
      latency.origin = Origin::kRecorded;
      measurements.push_back(
          {.key = key, .latency = latency, .date = now, .method = {.program = source, .repeats = 1}});
      stages.push_back({key, to_text({{median.features}})});
      rows.erase(rows.begin(), end);
      if (measurements.size() < kAtOnce && !rows.empty()) continue;
      IOS_TRY(take(set, measurements, stages));
      measurements.clear();
      stages.clear();
    }
  }
  devices_.clear();
  return {};
}

}  // namespace iosx
