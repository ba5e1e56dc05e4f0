#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "core/base/files.h"
#include "core/base/sqlite/database.h"
#include "core/formats/external/nsight_tables.h"
#include "core/formats/external/trace_events.h"

namespace iosx::external {
namespace {

using sqlite::Database;
using sqlite::Query;

constexpr std::size_t kMostRows = 20 * kMostSpans;  // calls of the CUDA runtime, most of which launch nothing
constexpr std::size_t kMostRangesOfKernel = 8;
constexpr std::size_t kMostSteps = 64;  // from a launch upwards
constexpr std::string_view kPyTorchPrefix = "aten::";

class NsightExport {
 public:
  NsightExport(Database database, std::string where, std::string range)
      : tables_(std::move(database), where), where_(std::move(where)), range_(std::move(range)) {}

  Result<RecordedRuns> read() {
    IOS_TRY(tables_.list());
    if (tables_.of(kNsightKernels, {"start", "end", "streamId"}).empty()) {
      return fail(message("is an SQLite database without CUDA kernels"), where_,
                  message("create it with nsys export --type sqlite, from a report with --trace cuda,nvtx and "
                          "--cuda-graph-trace=node"));
    }
    for (const auto& step : {&NsightExport::read_kernels, &NsightExport::read_launches, &NsightExport::read_ranges})
      IOS_TRY((this->*step)());
    IOS_TRY(place_kernels());
    if (left_out_ > 0) {
      out_.notices.push_back(message("{} kernels or ranges without a time are left out", left_out_));
    }
    return std::move(out_);
  }

 private:
  struct Kernel {
    double begin;
    double end;
    std::int64_t correlation;
    std::int64_t process;
    std::string name;
    std::string stream;
  };

  Result<void> read_kernels() {
    const std::vector<NsightTable> tables = tables_.of(kNsightKernels, {"start", "end", "streamId"});
    by_process_ = std::ranges::all_of(tables, [](const NsightTable& table) { return table.has("globalPid"); });
    for (const NsightTable& table : tables) {
      Query query = tables_.query(
          table, {"start", "end", "correlationId", "streamId", "deviceId", "shortName", "demangledName", "globalPid"},
          kMostSpans);
      while (true) {
        IOS_TRY(const auto row, query.step());
        if (!row) break;
        if (kernels_.size() == kMostSpans)
          return fail(message("has more than {} kernels", kMostSpans), where_, message("record fewer runs"));
        if (!NsightTables::timed(query)) {
          ++left_out_;
          continue;
        }
        IOS_TRY(auto name, tables_.kernel_name(query, 6, 5));
        if ((text_ += name.size()) > kMostText) return too_much_text();
        kernels_.push_back({query.real(0) * kMicrosPerNano, query.real(1) * kMicrosPerNano,
                            query.is_null(2) ? -1 : query.integer(2), by_process_ ? query.integer(7) >> kThreadBits : 0,
                            std::move(name),
                            fmt::format("{}/{}/{}", query.integer(7), query.integer(4), query.integer(3))});
        if (kernels_.back().correlation >= 0) launches_.try_emplace(kernels_.back().correlation);
      }
    }
    return {};
  }

  tl::unexpected<Error> too_much_text() const {
    return fail(message("the names of its kernels and ranges have more than {} MiB", kMostText >> 20U), where_,
                message("record fewer runs, or shorter names"));
  }

  Result<void> read_launches() {
    std::size_t rows = 0;
    for (const std::string_view name : kNsightCalls) {
      for (const NsightTable& table : tables_.of(name, {"start", "end", "correlationId", "globalTid"})) {
        Query query = tables_.query(table, {"start", "end", "correlationId", "globalTid"}, kMostRows);
        for (;; ++rows) {
          IOS_TRY(const auto row, query.step());
          if (!row) break;
          if (rows == kMostRows)
            return fail(message("has more than {} CUDA calls", kMostRows), where_, message("record less"));
          const auto kernel = launches_.find(query.integer(2));
          if (kernel == launches_.end() || !NsightTables::timed(query)) continue;
          kernel->second.emplace_back(by_process_ ? query.integer(3) >> kThreadBits : 0, query.real(0) * kMicrosPerNano,
                                      static_cast<std::uint32_t>(events_.size()));
          add_event(query, 3, {});
        }
      }
    }
    for (auto& [correlation, launches] : launches_) std::ranges::sort(launches);
    return {};
  }

  Result<void> read_ranges() {
    std::size_t rows = 0;
    for (const NsightTable& table : tables_.of(kNsightRanges, {"start", "end"})) {
      Query query = tables_.query(table, {"start", "end", "globalTid", "text", "textId"}, kMostSpans);
      for (;; ++rows) {
        IOS_TRY(const auto row, query.step());
        if (!row) break;
        if (rows == kMostSpans)
          return fail(message("has more than {} ranges", kMostSpans), where_, message("record less"));
        if (query.is_null(1)) continue;  // a mark
        if (!NsightTables::timed(query)) {
          ++left_out_;
          continue;
        }
        IOS_TRY(auto name, tables_.named(query, 3, 4));
        if ((text_ += name.size()) > kMostText) return too_much_text();
        add_event(query, 2, std::move(name));
      }
    }
    return {};
  }

  void add_event(const Query& row, int thread_column, std::string name) {
    TraceEvent event;
    event.begin = row.real(0) * kMicrosPerNano;
    event.end = row.real(1) * kMicrosPerNano;
    event.thread = thread(row.integer(thread_column));
    events_.push_back(event);
    names_.push_back(std::move(name));
  }

  // Returns the event that launched the kernel, or kNone. Processes number their launches each for itself: of several
  // it is the last before the kernel, of the kernel's process if there is one of it.
  std::uint32_t launch_of(const Kernel& kernel) const {
    const auto found = launches_.find(kernel.correlation);
    if (found == launches_.end() || found->second.empty()) return kNone;
    const std::vector<Launch>& launches = found->second;
    const auto after = std::ranges::upper_bound(launches, Launch{kernel.process, kernel.begin, kNone});
    if (after != launches.begin() && std::get<0>(*std::prev(after)) == kernel.process)
      return std::get<2>(*std::prev(after));
    if (after != launches.end() && std::get<0>(*after) == kernel.process) return std::get<2>(*after);
    return launches.size() == 1 ? std::get<2>(launches.front()) : kNone;
  }

  TextId thread(std::int64_t id) { return threads_.emplace(id, static_cast<TextId>(threads_.size())).first->second; }

  Result<void> place_kernels() {
    const std::vector<std::uint32_t> around = nesting_of(events_).around;
    std::vector<NamedWindow> ranges;
    for (std::size_t i = 0; i < events_.size(); ++i) {
      if (!names_[i].empty()) ranges.push_back({names_[i], {events_[i].begin, events_[i].end}});
    }
    out_.tool = ExternalTool::kNsight;
    IOS_TRY(mark_runs(std::move(ranges), range_, out_, where_));
    for (Kernel& kernel : kernels_) {
      RecordedSpan span;
      span.entry.name = std::move(kernel.name);
      span.begin = span.told = kernel.begin;
      span.end = kernel.end;
      span.lane = std::move(kernel.stream);
      tell_launch(kernel, around, span);
      out_.add(std::move(span));
    }
    return {};
  }

  // Sets the kernel's launch time and its ranges.
  void tell_launch(const Kernel& kernel, const std::vector<std::uint32_t>& around, RecordedSpan& span) const {
    const std::uint32_t launch = launch_of(kernel);
    if (launch == kNone) return;
    span.told = events_[launch].begin;
    std::uint32_t outer = around[launch];
    for (std::size_t step = 0; step < kMostSteps && outer != kNone; ++step, outer = around[outer]) {
      if (names_[outer].empty() || span.entry.within.size() == kMostRangesOfKernel) continue;
      span.entry.within.push_back(names_[outer]);
      if (names_[outer].starts_with(kPyTorchPrefix)) {
        span.entry.type = names_[outer].substr(0, names_[outer].find(','));
      }
    }
  }

  NsightTables tables_;
  std::string where_;
  std::string range_;       // that is a run; may be empty
  bool by_process_ = true;  // kernels say of which process they are
  std::vector<Kernel> kernels_;
  using Launch = std::tuple<std::int64_t, double, std::uint32_t>;   // process, begin, place in events_
  std::unordered_map<std::int64_t, std::vector<Launch>> launches_;  // by correlation: of kernels
  std::vector<TraceEvent> events_;                                  // launches and ranges
  std::vector<std::string> names_;                                  // of ranges; a launch has none
  std::unordered_map<std::int64_t, TextId> threads_;
  std::size_t left_out_ = 0;
  std::size_t text_ = 0;  // bytes of names
  RecordedRuns out_;
};

}  // namespace

Result<RecordedRuns> nsight_runs(const std::filesystem::path& path, const std::string& range) {
  IOS_TRY(auto database, Database::open(path, sqlite::Mode::kImmutable));
  return nsight_remedy(NsightExport(std::move(database), path.string(), range).read());
}

}  // namespace iosx::external
