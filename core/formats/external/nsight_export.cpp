#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <unordered_map>
#include <utility>

#include "core/base/file_type.h"
#include "core/base/sqlite/database.h"
#include "core/formats/external/dialects.h"

namespace iosx::external {
namespace {

using sqlite::Database;
using sqlite::Query;

constexpr std::chrono::seconds kMostTime{60};
constexpr std::size_t kMostValue = std::size_t{1} << 20U;
constexpr std::size_t kMostRows = 20 * kMostSpans;  // calls of the CUDA runtime, most of which launch nothing
constexpr std::size_t kMostRangesOfKernel = 8;
constexpr std::size_t kMostSteps = 64;  // from a launch upwards
constexpr const char* kKernels = "CUPTI_ACTIVITY_KIND_KERNEL";
constexpr const char* kLaunches = "CUPTI_ACTIVITY_KIND_RUNTIME";
constexpr const char* kRanges = "NVTX_EVENTS";
constexpr const char* kStrings = "StringIds";
constexpr std::string_view kPyTorchPrefix = "aten::";
constexpr double kMicrosPerNano = 1e-3;

class NsightExport {
 public:
  NsightExport(Database database, std::string where) : database_(std::move(database)), where_(std::move(where)) {}

  Result<Recording> read() {
    database_.limit(kMostValue, kMostTime);
    if (auto known = has(kKernels, {"start", "end", "streamId"}); !known) {
      return tl::unexpected(known.error());
    } else if (!*known) {
      return fail(message("is an SQLite database without CUDA kernels"), where_,
                  message("make it with nsys export --type sqlite, of a report with --trace cuda,nvtx and "
                          "--cuda-graph-trace=node"));
    }
    for (const auto& step : {&NsightExport::read_kernels, &NsightExport::read_launches, &NsightExport::read_ranges}) {
      IOS_TRY((this->*step)());
    }
    place_kernels();
    if (left_out_ > 0) {
      out_.notices.push_back(message("{} kernels or ranges without a time were left out", left_out_));
    }
    return std::move(out_);
  }

 private:
  struct Kernel {
    double begin;
    double end;
    std::int64_t correlation;
    std::string name;
    std::string stream;
  };

  // Says whether there is such a table with these columns: it has to be a table, for a view or a virtual table could be
  // anything.
  Result<bool> has(const char* table, std::initializer_list<const char*> columns) {
    Query found = database_.query(
        "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = ? AND sql NOT LIKE 'CREATE VIRTUAL%'");
    IOS_TRY(const auto count, found.bind(table).number(0));
    if (count == 0) return false;
    for (const char* column : columns) {
      IOS_TRY(const auto there, has_column(table, column));
      if (!there) return false;
    }
    return true;
  }
  Result<bool> has_column(const char* table, const char* column) {
    Query found = database_.query("SELECT count(*) FROM pragma_table_info(?) WHERE name = ?");
    IOS_TRY(const auto count, found.bind(table, column).number(0));
    return count > 0;
  }

  // Selects the columns of the table as they are asked for, NULL for those that it lacks.
  Result<std::string> select(const char* table, std::initializer_list<const char*> columns, std::size_t most) {
    std::string list;
    for (const char* column : columns) {
      IOS_TRY(const auto there, has_column(table, column));
      list += list.empty() ? "" : ", ";
      list += there ? fmt::format("\"{}\"", column) : "NULL";
    }
    return fmt::format("SELECT {} FROM {} LIMIT {}", list, table, most + 1);
  }

  Result<std::string> string(std::int64_t id) {
    if (const auto known = strings_.find(id); known != strings_.end()) return known->second;
    Query query = database_.query(fmt::format("SELECT value FROM {} WHERE id = ?", kStrings));
    IOS_TRY(const auto row, query.bind(id).step());
    return strings_.emplace(id, row ? query.text(0) : std::string()).first->second;
  }
  // Returns a text, or what StringIds has under the number in its place.
  Result<std::string> named(Query& row, int text, int id) {
    if (!row.is_null(text)) return row.text(text);
    if (row.is_null(id) || !has_strings_) return std::string();
    return string(row.integer(id));
  }

  static bool good(double begin, double end) {
    return std::abs(begin) < kMostMicros && end >= begin && end < kMostMicros;
  }

  Result<void> read_kernels() {
    IOS_TRY(const auto strings, has(kStrings, {"id", "value"}));
    has_strings_ = strings;
    IOS_TRY(const auto sql,
            select(kKernels, {"start", "end", "correlationId", "streamId", "deviceId", "shortName", "demangledName"},
                   kMostSpans));
    Query query = database_.query(sql);
    while (true) {
      IOS_TRY(const auto row, query.step());
      if (!row) break;
      if (kernels_.size() == kMostSpans) {
        return fail(message("has more than {} kernels", kMostSpans), where_, message("record fewer runs"));
      }
      const double begin = query.real(0) * kMicrosPerNano;
      const double end = query.real(1) * kMicrosPerNano;
      if (query.is_null(0) || query.is_null(1) || !good(begin, end)) {
        ++left_out_;
        continue;
      }
      std::string name;
      for (const int column : {5, 6}) {
        if (!name.empty() || query.is_null(column)) continue;
        IOS_TRY(const auto text,
                has_strings_ ? string(query.integer(column)) : Result<std::string>(query.text(column)));
        name = text;
      }
      if (name.empty()) name = "kernel";
      kernels_.push_back({begin, end, query.is_null(2) ? -1 : query.integer(2), std::move(name),
                          fmt::format("{}/{}", query.integer(4), query.integer(3))});
      if (kernels_.back().correlation >= 0) launches_.emplace(kernels_.back().correlation, kNone);
    }
    return {};
  }

  Result<void> read_launches() {
    IOS_TRY(const auto there, has(kLaunches, {"start", "end", "correlationId", "globalTid"}));
    if (!there) return {};
    IOS_TRY(const auto sql, select(kLaunches, {"start", "end", "correlationId", "globalTid"}, kMostRows));
    Query query = database_.query(sql);
    for (std::size_t rows = 0;; ++rows) {
      IOS_TRY(const auto row, query.step());
      if (!row) return {};
      if (rows == kMostRows)
        return fail(message("has more than {} CUDA calls", kMostRows), where_, message("record less"));
      const auto kernel = launches_.find(query.integer(2));
      if (kernel == launches_.end() || kernel->second != kNone) continue;
      TraceEvent event;
      event.begin = query.real(0) * kMicrosPerNano;
      event.end = query.real(1) * kMicrosPerNano;
      event.thread = thread(query.integer(3));
      if (!good(event.begin, event.end)) continue;
      kernel->second = static_cast<std::uint32_t>(events_.size());
      events_.push_back(event);
      names_.emplace_back();
    }
  }

  Result<void> read_ranges() {
    IOS_TRY(const auto there, has(kRanges, {"start", "end"}));
    if (!there) return {};
    IOS_TRY(const auto sql, select(kRanges, {"start", "end", "globalTid", "text", "textId"}, kMostSpans));
    Query query = database_.query(sql);
    for (std::size_t rows = 0;; ++rows) {
      IOS_TRY(const auto row, query.step());
      if (!row) return {};
      if (rows == kMostSpans)
        return fail(message("has more than {} ranges", kMostSpans), where_, message("record less"));
      if (query.is_null(1)) continue;  // a mark
      TraceEvent event;
      event.begin = query.real(0) * kMicrosPerNano;
      event.end = query.real(1) * kMicrosPerNano;
      event.thread = thread(query.integer(2));
      if (!good(event.begin, event.end)) {
        ++left_out_;
        continue;
      }
      IOS_TRY(auto name, named(query, 3, 4));
      events_.push_back(event);
      names_.push_back(std::move(name));
    }
  }

  TextId thread(std::int64_t id) { return threads_.emplace(id, static_cast<TextId>(threads_.size())).first->second; }

  void place_kernels() {
    const std::vector<std::uint32_t> around = nesting_of(events_).around;
    std::vector<NamedWindow> ranges;
    for (std::size_t i = 0; i < events_.size(); ++i) {
      if (!names_[i].empty()) ranges.push_back({names_[i], {events_[i].begin, events_[i].end}});
    }
    out_.tool = ExternalTool::kNsight;
    out_.runs = repeated_windows(std::move(ranges));
    for (Kernel& kernel : kernels_) {
      RecordedSpan& span = out_.spans.emplace_back();
      span.entry.name = std::move(kernel.name);
      span.begin = span.told = kernel.begin;
      span.end = kernel.end;
      span.lane = std::move(kernel.stream);
      span.order = out_.spans.size();
      const auto launch = launches_.find(kernel.correlation);
      if (launch == launches_.end() || launch->second == kNone) continue;
      span.told = events_[launch->second].begin;
      std::uint32_t outer = around[launch->second];
      for (std::size_t step = 0; step < kMostSteps && outer != kNone; ++step, outer = around[outer]) {
        if (names_[outer].empty() || span.entry.within.size() == kMostRangesOfKernel) continue;
        span.entry.within.push_back(names_[outer]);
        if (names_[outer].starts_with(kPyTorchPrefix)) {
          span.entry.type = names_[outer].substr(0, names_[outer].find(','));
        }
      }
    }
  }

  Database database_;
  std::string where_;
  bool has_strings_ = false;
  std::unordered_map<std::int64_t, std::string> strings_;
  std::vector<Kernel> kernels_;
  std::unordered_map<std::int64_t, std::uint32_t> launches_;  // by correlation: of a kernel, its place in events_
  std::vector<TraceEvent> events_;                            // launches and ranges
  std::vector<std::string> names_;                            // of ranges; a launch has none
  std::unordered_map<std::int64_t, TextId> threads_;
  std::size_t left_out_ = 0;
  Recording out_;
};

}  // namespace

Result<Recording> nsight_recording(const std::filesystem::path& path) {
  IOS_TRY(auto database, Database::open(path, sqlite::Mode::kImmutable));
  auto recording = NsightExport(std::move(database), path.string()).read();
  if (!recording && recording.error().remedy == "move the file away")
    recording.error().remedy = message("export it again");
  return recording;
}

}  // namespace iosx::external
