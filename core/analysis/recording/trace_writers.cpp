#include "core/analysis/recording/trace_writers.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <string_view>

namespace iosx {
namespace {

constexpr double kNanosOfMicro = 1e3;

// Writes the fields of one message of protobuf: a tag, then a number or a length and its bytes.
class Message64 {
 public:
  Message64& number(std::uint32_t field, std::uint64_t value) {
    varint(std::uint64_t{field} << 3U);
    varint(value);
    return *this;
  }
  Message64& fixed(std::uint32_t field, std::uint64_t value) {
    varint((std::uint64_t{field} << 3U) | 1U);
    for (int i = 0; i < 8; ++i) bytes_ += static_cast<char>((value >> (8 * i)) & 0xFFU);
    return *this;
  }
  Message64& bytes(std::uint32_t field, std::string_view value) {
    varint((std::uint64_t{field} << 3U) | 2U);
    varint(value.size());
    bytes_ += value;
    return *this;
  }
  const std::string& text() const { return bytes_; }

 private:
  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7U) bytes_ += static_cast<char>(0x80U | (value & 0x7FU));
    bytes_ += static_cast<char>(value);
  }
  std::string bytes_;
};

namespace fields {
constexpr std::uint32_t kPacket = 1;  // of Trace
constexpr std::uint32_t kTime = 8;    // of TracePacket, like the next three
constexpr std::uint32_t kSequence = 10;
constexpr std::uint32_t kEvent = 11;
constexpr std::uint32_t kTrackDescriptor = 60;
constexpr std::uint32_t kUuid = 1;  // of TrackDescriptor
constexpr std::uint32_t kTrackName = 2;
constexpr std::uint32_t kProcess = 3;
constexpr std::uint32_t kParent = 5;
constexpr std::uint32_t kPid = 1;  // of ProcessDescriptor
constexpr std::uint32_t kProcessName = 6;
constexpr std::uint32_t kArgument = 4;  // of TrackEvent
constexpr std::uint32_t kType = 9;
constexpr std::uint32_t kTrack = 11;
constexpr std::uint32_t kCategory = 22;
constexpr std::uint32_t kName = 23;
constexpr std::uint32_t kFlow = 47;
constexpr std::uint32_t kFlowEnd = 48;
constexpr std::uint32_t kText = 6;  // of DebugAnnotation
constexpr std::uint32_t kJson = 9;
constexpr std::uint32_t kArgumentName = 10;
}  // namespace fields

constexpr std::uint64_t kBeginOfSlice = 1;
constexpr std::uint64_t kEndOfSlice = 2;
constexpr std::uint64_t kInstant = 3;
constexpr std::uint64_t kOnlySequence = 1;

void add_packet(std::string& trace, const Message64& packet) {
  trace += Message64().bytes(fields::kPacket, packet.text()).text();
}

std::string argument(std::string_view name, std::uint32_t kind, std::string_view value) {
  return Message64().bytes(fields::kArgumentName, name).bytes(kind, value).text();
}

}  // namespace

std::string quoted_json(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

template <typename... Values>
void JsonTraceWriter::event(fmt::format_string<Values...> pattern, Values&&... values) {
  text_ += text_.empty() ? "\n{" : ",\n{";
  fmt::format_to(std::back_inserter(text_), pattern, std::forward<Values>(values)...);
  text_ += '}';
}

void JsonTraceWriter::name_process(int process, const std::string& name) {
  event(R"("ph":"M","name":"process_name","pid":{},"args":{{"name":{}}})", process, quoted_json(name));
}

void JsonTraceWriter::name_thread(int process, std::size_t thread, const std::string& name) {
  event(R"("ph":"M","name":"thread_name","pid":{},"tid":{},"args":{{"name":{}}})", process, thread, quoted_json(name));
}

SpanNumber JsonTraceWriter::span(const std::string& name, const char* category, int process, std::size_t thread,
                                 double begin, double end, const std::string& arguments) {
  event(R"("ph":"X","name":{},"cat":"{}","pid":{},"tid":{},"ts":{:.3f},"dur":{:.3f},"args":{{{}}})", quoted_json(name),
        category, process, thread, begin, end - begin, arguments);
  spans_.push_back({process, thread, begin});
  return spans_.size() - 1;
}

void JsonTraceWriter::flow(const std::string& name, SpanNumber from, double at, SpanNumber to) {
  ++flows_;
  event(R"("ph":"s","name":"{}","cat":"dependency","id":{},"pid":{},"tid":{},"ts":{:.3f})", name, flows_,
        spans_[from].process, spans_[from].thread, at);
  event(R"("ph":"f","bp":"e","name":"{}","cat":"dependency","id":{},"pid":{},"tid":{},"ts":{:.3f})", name, flows_,
        spans_[to].process, spans_[to].thread, spans_[to].begin);
}

SpanNumber PerfettoTraceWriter::span(const std::string& name, const char* category, int process, std::size_t thread,
                                     double begin, double end, const std::string& arguments) {
  spans_.push_back({.name = name,
                    .category = category,
                    .thread = {process, thread},
                    .begin = begin,
                    .end = end,
                    .arguments = arguments});
  return spans_.size() - 1;
}

void PerfettoTraceWriter::flow(const std::string& name, SpanNumber from, double /*at*/, SpanNumber to) {
  ++flows_;
  spans_[from].leaves.push_back(flows_);
  spans_[to].arrives.push_back(flows_);
  spans_[to].waits.emplace_back(name, from);
}

std::string PerfettoTraceWriter::take() const {
  double zero = std::numeric_limits<double>::infinity();
  for (const Span& span : spans_) zero = std::min(zero, span.begin);
  const auto nanos = [zero](double time) {
    return static_cast<std::uint64_t>(std::llround((time - zero) * kNanosOfMicro));
  };

  std::string trace;
  const auto add_track = [&](const Message64& descriptor) {
    add_packet(trace, Message64().bytes(fields::kTrackDescriptor, descriptor.text()));
  };
  for (const auto& [process, name] : processes_) {
    const Message64 own =
        Message64().number(fields::kPid, static_cast<std::uint64_t>(process)).bytes(fields::kProcessName, name);
    add_track(Message64()
                  .number(fields::kUuid, static_cast<std::uint64_t>(process))
                  .bytes(fields::kTrackName, name)
                  .bytes(fields::kProcess, own.text()));
  }

  for (std::size_t i = 0; i < devices_.size() && !processes_.empty(); ++i) {
    const Message64 event = Message64()
                                .number(fields::kType, kInstant)
                                .number(fields::kTrack, static_cast<std::uint64_t>(processes_.begin()->first))
                                .bytes(fields::kCategory, "device")
                                .bytes(fields::kName, "device")
                                .bytes(fields::kArgument, argument("args", fields::kJson, '{' + devices_[i] + '}'));
    add_packet(trace, Message64()
                          .number(fields::kTime, 0)
                          .number(fields::kSequence, kOnlySequence)
                          .bytes(fields::kEvent, event.text()));
  }

  std::vector<SpanNumber> order(spans_.size());
  for (SpanNumber i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(order, {}, [&](SpanNumber i) { return nanos(spans_[i].begin); });
  struct Track {
    std::uint64_t uuid;
    std::uint64_t ended;
  };
  struct Event {
    std::uint64_t time;
    std::string bytes;
  };
  std::map<std::pair<int, std::size_t>, std::vector<Track>> tracks;
  std::uint64_t next_uuid = 1'000'000;  // above the processes
  std::vector<Event> events;
  for (const SpanNumber i : order) {
    const Span& span = spans_[i];
    const std::uint64_t begin = nanos(span.begin);
    const std::uint64_t end = std::max(begin, nanos(span.end));
    std::vector<Track>& of_thread = tracks[span.thread];
    auto track = std::ranges::find_if(of_thread, [&](const Track& each) { return each.ended <= begin; });
    if (track == of_thread.end()) {
      track = of_thread.insert(of_thread.end(), {next_uuid++, 0});
      const auto name = threads_.find(span.thread);
      add_track(Message64()
                    .number(fields::kUuid, track->uuid)
                    .number(fields::kParent, static_cast<std::uint64_t>(span.thread.first))
                    .bytes(fields::kTrackName,
                           name == threads_.end() ? fmt::format("thread {}", span.thread.second) : name->second));
    }
    track->ended = end;
    Message64 event;
    event.number(fields::kType, kBeginOfSlice)
        .number(fields::kTrack, track->uuid)
        .bytes(fields::kCategory, span.category)
        .bytes(fields::kName, span.name);
    if (!span.arguments.empty())
      event.bytes(fields::kArgument, argument("args", fields::kJson, '{' + span.arguments + '}'));
    for (const auto& [name, from] : span.waits)
      event.bytes(fields::kArgument, argument(name, fields::kText, spans_[from].name));
    for (const std::uint64_t flow : span.leaves) event.fixed(fields::kFlow, flow);
    for (const std::uint64_t flow : span.arrives) event.fixed(fields::kFlowEnd, flow);
    events.push_back({begin, event.text()});
    events.push_back({end, Message64().number(fields::kType, kEndOfSlice).number(fields::kTrack, track->uuid).text()});
  }
  std::ranges::stable_sort(events, {}, &Event::time);
  for (const Event& event : events) {
    add_packet(trace, Message64()
                          .number(fields::kTime, event.time)
                          .number(fields::kSequence, kOnlySequence)
                          .bytes(fields::kEvent, event.bytes));
  }
  return trace;
}

}  // namespace iosx
