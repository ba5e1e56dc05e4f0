#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "core/base/files.h"
#include "core/base/text.h"
#include "core/formats/external/nsight_tables.h"
#include "core/formats/external/open_recording.h"
#include "core/formats/external/trace_roles.h"

namespace iosx::external {
namespace {

using sqlite::Query;

constexpr std::size_t kMostCalls = 20 * kMostSpans;  // most of which launch nothing
constexpr std::size_t kMostStreams = 0xFFFF;
constexpr std::string_view kCopies = "CUPTI_ACTIVITY_KIND_MEMCPY";
constexpr std::string_view kSets = "CUPTI_ACTIVITY_KIND_MEMSET";
constexpr std::string_view kGraphs = "CUPTI_ACTIVITY_KIND_GRAPH_TRACE";
constexpr std::string_view kSynchronisations = "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION";
constexpr std::string_view kEvents = "CUPTI_ACTIVITY_KIND_CUDA_EVENT";
constexpr std::string_view kDevices = "TARGET_INFO_GPU";

std::string copy_name(std::int64_t kind) {
  switch (kind) {
    case 1: return "Memcpy HtoD";
    case 2: return "Memcpy DtoH";
    case 8: return "Memcpy DtoD";
    case 10: return "Memcpy PtoP";
    default: return "Memcpy";
  }
}

template <typename T>
T limited_to(std::int64_t value) {
  return static_cast<T>(std::clamp<std::int64_t>(value, 0, std::numeric_limits<T>::max()));
}

class NsightReader {
 public:
  NsightReader(sqlite::Database database, std::string where)
      : tables_(std::move(database), where), where_(std::move(where)) {}

  Result<Recording> read() {
    IOS_TRY(tables_.list());
    using Step = Result<void> (NsightReader::*)();
    for (const Step step : {&NsightReader::read_kernels, &NsightReader::read_copies, &NsightReader::read_graphs,
                            &NsightReader::read_waited, &NsightReader::read_calls, &NsightReader::read_ranges,
                            &NsightReader::read_devices})
      IOS_TRY((this->*step)());
    place_calls();
    if (out_.kernels.empty()) {
      return fail(message("is an SQLite database without CUDA kernels"), where_,
                  message("create it with nsys export --type sqlite, from a report with --trace cuda,nvtx and "
                          "--cuda-graph-trace=node"));
    }
    if (processes_.size() < 2) {
      for (RecordedLane& lane : out_.lanes) lane.process.clear();
    }
    if (left_out_ > 0) out_.notices.push_back(message("{} kernels or ranges without a time are left out", left_out_));
    return std::move(out_);
  }

 private:
  struct Call {
    double begin = 0;
    double end = 0;
    std::int64_t process = 0;
    std::int64_t correlation = -1;
    std::uint32_t thread = 0;
    bool launches = false;
    std::string name = {};
    std::uint32_t range = kNoIndex;
    std::uint32_t launch = kNoIndex;
  };
  using Key = std::pair<std::int64_t, std::int64_t>;  // process and correlation

  tl::unexpected<Error> too_many(const char* what) const {
    return fail(message("has more than {} {}", kMostSpans, verbatim(what)), where_, message("record fewer runs"));
  }

  NameId name_id(const std::string& name) {
    const auto [found, made] = names_.emplace(name, static_cast<NameId>(out_.names.size()));
    if (made) out_.names.push_back(name);
    return found->second;
  }

  // Takes a row of begin, end, device, stream, correlation and process.
  Result<RecordedKernel*> add(const Query& row, const std::string& name) {
    if (out_.kernels.size() == kMostSpans) return too_many("kernels");
    if ((text_ += name.size()) > kMostText * 4) return too_many("kernels");
    const std::int64_t process = row.is_null(5) ? 0 : row.integer(5) >> kThreadBits;
    const auto [lane, made] = lanes_.emplace(std::tuple(process, row.integer(2), row.integer(3)),
                                             static_cast<std::uint32_t>(out_.lanes.size()));
    if (made) {
      if (out_.lanes.size() == kMostStreams)
        return fail(message("has more than {} streams", kMostStreams), where_, message("record fewer runs"));
      processes_.emplace(process, 0);
      constexpr std::int64_t kProcess = 0xFFFFFF;
      out_.lanes.push_back({.process = fmt::format("process {}", process & kProcess),
                            .device = row.integer(2),
                            .stream = std::to_string(row.integer(3))});
    }
    RecordedKernel kernel{.begin = row.real(0) * kMicrosPerNano, .end = row.real(1) * kMicrosPerNano};
    kernel.name = name_id(name);
    kernel.lane = static_cast<std::uint16_t>(lane->second);
    kernel.kind = kind_of_kernel(name);
    out_.kernels.push_back(kernel);
    keys_.emplace_back(process, row.is_null(4) ? -1 : row.integer(4));
    if (keys_.back().second >= 0) launching_.try_emplace(keys_.back());
    return &out_.kernels.back();
  }

  // Calls `take` for every row of the tables that has a time.
  template <typename Take>
  Result<void> each_timed(std::string_view table, std::initializer_list<std::string_view> needs,
                          std::initializer_list<std::string_view> columns, Take take) {
    for (const NsightTable& one : tables_.of(table, needs)) {
      Query row = tables_.query(one, columns, kMostSpans);
      while (true) {
        IOS_TRY(const auto more, row.step());
        if (!more) break;
        if (NsightTables::timed(row)) {
          IOS_TRY(take(row));
        } else {
          ++left_out_;
        }
      }
    }
    return {};
  }

  Result<void> read_kernels() {
    return each_timed(
        kNsightKernels, {"start", "end", "streamId"},
        {"start", "end", "deviceId", "streamId", "correlationId", "globalPid", "demangledName", "shortName", "gridX",
         "gridY", "gridZ", "blockX", "blockY", "blockZ", "registersPerThread", "staticSharedMemory",
         "dynamicSharedMemory", "graphId", "graphNodeId"},
        [&](Query& row) -> Result<void> {
          IOS_TRY(const auto name, tables_.kernel_name(row, 6, 7));
          IOS_TRY(RecordedKernel* const kernel, add(row, name));
          for (int axis = 0; axis < 3; ++axis) {
            kernel->grid.at(static_cast<std::size_t>(axis)) = limited_to<std::uint32_t>(row.integer(8 + axis));
            kernel->block.at(static_cast<std::size_t>(axis)) = limited_to<std::uint16_t>(row.integer(11 + axis));
          }
          kernel->registers = limited_to<std::uint16_t>(row.integer(14));
          kernel->shared_bytes =
              limited_to<std::uint32_t>(row.integer(15)) + limited_to<std::uint32_t>(row.integer(16));
          kernel->graph = static_cast<std::uint32_t>(row.integer(17));
          kernel->node = static_cast<std::uint32_t>(row.integer(18));
          return {};
        });
  }

  Result<void> read_copies() {
    const auto copy = [&](Query& row) -> Result<void> {
      IOS_TRY(add(row, copy_name(row.integer(6))));
      return {};
    };
    IOS_TRY(each_timed(kCopies, {"start", "end", "streamId"},
                       {"start", "end", "deviceId", "streamId", "correlationId", "globalPid", "copyKind"}, copy));
    return each_timed(kSets, {"start", "end", "streamId"},
                      {"start", "end", "deviceId", "streamId", "correlationId", "globalPid"},
                      [&](Query& row) -> Result<void> {
                        IOS_TRY(add(row, "Memset"));
                        return {};
                      });
  }

  Result<void> read_graphs() {
    std::size_t whole = 0;
    IOS_TRY(each_timed(kGraphs, {"start", "end"},
                       {"start", "end", "deviceId", "streamId", "correlationId", "globalPid", "graphId"},
                       [&](Query& row) -> Result<void> {
                         IOS_TRY(RecordedKernel* const kernel, add(row, fmt::format("CUDA graph {}", row.integer(6))));
                         kernel->graph = static_cast<std::uint32_t>(row.integer(6));
                         kernel->whole_graph = true;
                         ++whole;
                         return {};
                       }));
    if (whole > 0) {
      out_.notices.push_back(
          message("{} launches of CUDA graphs were recorded as a whole, without their kernels; record "
                  "with --cuda-graph-trace=node",
                  whole));
    }
    return {};
  }

  // Reads which events and streams the calls to wait and to record name.
  Result<void> read_waited() {
    for (const auto& [name, place] : {std::pair(kSynchronisations, &waited_), std::pair(kEvents, &recorded_)}) {
      for (const NsightTable& table : tables_.of(name, {"correlationId", "streamId", "eventId"})) {
        Query row = tables_.query(table, {"correlationId", "streamId", "eventId", "globalPid", "deviceId"}, kMostSpans);
        while (true) {
          IOS_TRY(const auto more, row.step());
          if (!more) break;
          const std::int64_t process = row.is_null(3) ? 0 : row.integer(3) >> kThreadBits;
          place->insert_or_assign({process, row.integer(0)}, Waited{row.integer(1), row.integer(2)});
        }
      }
    }
    return {};
  }

  Result<void> read_calls() {
    std::size_t rows = 0;
    for (const std::string_view name : kNsightCalls) {
      for (const NsightTable& table : tables_.of(name, {"start", "end", "correlationId", "globalTid"})) {
        Query row = tables_.query(table, {"start", "end", "globalTid", "correlationId", "nameId"}, kMostCalls);
        for (;; ++rows) {
          IOS_TRY(const auto more, row.step());
          if (!more) break;
          if (rows == kMostCalls)
            return fail(message("has more than {} CUDA calls", kMostCalls), where_, message("record less"));
          if (!NsightTables::timed(row)) continue;
          Call call{.begin = row.real(0) * kMicrosPerNano, .end = row.real(1) * kMicrosPerNano};
          call.process = processes_.contains(0) ? 0 : row.integer(2) >> kThreadBits;
          if (!processes_.contains(call.process)) continue;
          call.correlation = row.integer(3);
          call.launches = launching_.contains({call.process, call.correlation});
          std::string text;
          if (!row.is_null(4)) {
            IOS_TRY(text, tables_.string(row.integer(4)));
          }
          const bool says = text.find("Event") != std::string::npos || is_host_wait(text);
          if (!call.launches && !says) continue;
          if (calls_.size() == 2 * kMostSpans) return too_many("CUDA calls");
          call.thread = thread(row.integer(2));
          call.name = says ? text : std::string();
          calls_.push_back(std::move(call));
        }
      }
    }
    std::ranges::stable_sort(calls_, {}, &Call::begin);
    return {};
  }

  std::uint32_t thread(std::int64_t id) {
    return threads_.emplace(id, static_cast<std::uint32_t>(threads_.size())).first->second;
  }

  // torch.autograd.profiler.emit_nvtx() writes operators: "aten::mul, seq = 5, op_id = 12".
  Result<void> read_ranges() {
    return each_timed(kNsightRanges, {"start", "end"}, {"start", "end", "globalTid", "text", "textId"},
                      [&](Query& row) -> Result<void> {
                        if (out_.ranges.size() == kMostSpans) return too_many("ranges");
                        IOS_TRY(auto name, tables_.named(row, 3, 4));
                        RecordedRange range{.begin = row.real(0) * kMicrosPerNano, .end = row.real(1) * kMicrosPerNano};
                        range.thread = thread(row.integer(2));
                        range.kind = name.starts_with(kProfilerStep) ? RangeKind::kStep : RangeKind::kAnnotation;
                        constexpr std::string_view kId = "op_id = ";
                        if (const std::size_t at = name.find(kId); at != std::string::npos) {
                          const std::string_view rest = std::string_view(name).substr(at + kId.size());
                          const auto id = read_number<std::int32_t>(rest.substr(0, rest.find(',')));
                          range.record_function = id.value_or(-1);
                          range.kind = RangeKind::kOperator;
                          name.resize(std::min(name.find(','), name.size()));
                        }
                        range.name = name_id(name);
                        out_.ranges.push_back(range);
                        return {};
                      });
  }

  Result<void> read_devices() {
    for (const NsightTable& table : tables_.of(kDevices, {"smCount"})) {
      Query row = tables_.query(table, {"id", "smCount", "name"}, kMostStreams);
      while (true) {
        IOS_TRY(const auto more, row.step());
        if (!more) break;
        RecordedDevice device{.id = row.integer(0), .name = row.is_null(2) ? std::string() : row.text(2)};
        if (row.integer(1) > 0 && row.integer(1) < 100'000) device.multiprocessors = static_cast<int>(row.integer(1));
        out_.devices.push_back(std::move(device));
      }
    }
    return {};
  }

  // Finds the ranges around calls, and gives kernels their calls.
  void place_calls() {
    std::vector<TraceEvent> events;
    for (const RecordedRange& range : out_.ranges) events.push_back(event_of(range.begin, range.end, range.thread));
    for (const Call& call : calls_) events.push_back(event_of(call.begin, call.end, call.thread));
    const Nesting nesting = nesting_of(events);
    const std::size_t ranges = out_.ranges.size();
    std::vector<RecordedRange> ordered;
    std::vector<std::uint32_t> place(events.size(), kNoIndex);  // the innermost range, itself included
    for (const std::uint32_t i : nesting.order) {
      place[i] = nesting.around[i] == kNone ? kNoIndex : place[nesting.around[i]];
      if (i >= ranges) {
        calls_[i - ranges].range = place[i];
        continue;
      }
      ordered.push_back(out_.ranges[i]);
      ordered.back().outer = place[i];
      place[i] = static_cast<std::uint32_t>(ordered.size() - 1);
    }
    out_.ranges = std::move(ordered);
    std::unordered_map<std::int64_t, std::pair<std::int64_t, double>> records;  // stream and time, by event
    for (std::uint32_t c = 0; c < calls_.size(); ++c) {
      const Call& call = calls_[c];
      if (call.launches) launching_[{call.process, call.correlation}].push_back(c);
      if (!call.name.empty()) read_call(call, records);
    }
    for (std::size_t i = 0; i < out_.kernels.size(); ++i) give_call(out_.kernels[i], keys_[i]);
  }

  static TraceEvent event_of(double begin, double end, std::uint32_t thread) {
    TraceEvent event;
    event.begin = begin;
    event.end = end;
    event.thread = thread;
    return event;
  }

  void read_call(const Call& call, std::unordered_map<std::int64_t, std::pair<std::int64_t, double>>& records) {
    const auto has = [&](std::string_view word) { return call.name.find(word) != std::string::npos; };
    const Key key{call.process, call.correlation};
    if (has("EventRecord")) {
      out_.event_records.push_back({call.begin, call.thread});
      if (const auto event = recorded_.find(key); event != recorded_.end())
        records.insert_or_assign(event->second.event, std::pair(event->second.stream, call.begin));
    } else if (has("StreamWaitEvent")) {
      StreamWait wait{.at = call.begin, .thread = call.thread};
      const auto event = waited_.find(key);
      const auto record = event == waited_.end() ? records.end() : records.find(event->second.event);
      if (record != records.end()) {
        wait.lane = lane(call.process, event->second.stream);
        wait.source = lane(call.process, record->second.first);
        wait.recorded = record->second.second;
      }
      out_.stream_waits.push_back(wait);
    } else if (is_host_wait(call.name)) {
      out_.host_waits.push_back({call.begin, call.end});
    }
  }

  std::uint32_t lane(std::int64_t process, std::int64_t stream) const {
    for (const auto& [key, lane] : lanes_) {
      if (std::get<0>(key) == process && std::get<2>(key) == stream) return lane;
    }
    return kIdleLane;
  }

  // Numbers of launches may come again: of several it is the last before the kernel.
  void give_call(RecordedKernel& kernel, const Key& key) {
    const auto found = launching_.find(key);
    if (found == launching_.end() || found->second.empty()) return;
    const auto after =
        std::ranges::upper_bound(found->second, kernel.begin, {}, [&](std::uint32_t c) { return calls_[c].begin; });
    Call& call = calls_[after == found->second.begin() ? *after : *std::prev(after)];
    if (call.launch == kNoIndex) {
      call.launch = static_cast<std::uint32_t>(out_.launches.size());
      out_.launches.push_back({call.begin, call.end, call.thread});
    }
    kernel.launch = call.launch;
    kernel.range = call.range;
  }

  struct Waited {
    std::int64_t stream = 0;
    std::int64_t event = 0;
  };

  NsightTables tables_;
  std::string where_;
  std::vector<Key> keys_;                                // of each kernel
  std::map<Key, std::vector<std::uint32_t>> launching_;  // calls of each key that kernels have
  std::map<Key, Waited> waited_;                         // by call
  std::map<Key, Waited> recorded_;
  std::vector<Call> calls_;
  std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t>, std::uint32_t> lanes_;  // process, device, stream
  std::map<std::int64_t, int> processes_;
  std::unordered_map<std::int64_t, std::uint32_t> threads_;
  std::unordered_map<std::string, NameId> names_;
  std::size_t left_out_ = 0;
  std::size_t text_ = 0;
  Recording out_;
};

}  // namespace

Result<Recording> nsight_recording(const std::filesystem::path& path) {
  IOS_TRY(auto database, sqlite::Database::open(path, sqlite::Mode::kImmutable));
  return nsight_remedy(NsightReader(std::move(database), path.string()).read());
}

}  // namespace iosx::external
