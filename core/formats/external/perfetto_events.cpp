#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "core/formats/external/trace_events.h"

// These fields of Perfetto's protos say what ran when: trace_packet.proto, track_event.proto, track_descriptor.proto
// and interned_data.proto. Their wire format is that of protobuf: a tag, then a number or a length and its bytes.
namespace iosx::external {
namespace {

constexpr std::size_t kMostSlices = 4 * kMostSpans;
constexpr std::uint64_t kNanosOfMicro = 1000;
constexpr std::string_view kCallsOfHost = "cuda_runtime";

// Reads the fields of one message.
class Wire {
 public:
  explicit Wire(std::string_view bytes) : bytes_(bytes) {}

  std::uint32_t field = 0;
  std::uint64_t number = 0;
  std::string_view bytes;  // of a text or a message

  // Moves to the next field; false at the end, and where the message is damaged.
  bool next() {
    std::uint64_t tag = 0;
    if (bytes_.empty() || !varint(tag)) return false;
    field = static_cast<std::uint32_t>(tag >> 3U);
    bytes = {};
    number = 0;
    switch (tag & 7U) {
      case 0: return varint(number);
      case 1: return take(8);
      case 5: return take(4);
      case 2: {
        std::uint64_t size = 0;
        return varint(size) && size <= bytes_.size() && take(static_cast<std::size_t>(size));
      }
      default: damaged_ = true; return false;
    }
  }
  bool damaged() const { return damaged_; }

 private:
  bool varint(std::uint64_t& value) {
    value = 0;
    for (unsigned shift = 0; shift < 64 && !bytes_.empty(); shift += 7) {
      const auto byte = static_cast<unsigned char>(bytes_.front());
      bytes_.remove_prefix(1);
      value |= std::uint64_t{byte & 0x7FU} << shift;
      if (byte < 0x80) return true;
    }
    damaged_ = true;
    return false;
  }
  bool take(std::size_t size) {
    damaged_ = damaged_ || size > bytes_.size();
    bytes = bytes_.substr(0, size);
    bytes_.remove_prefix(std::min(size, bytes_.size()));
    return !damaged_;
  }

  std::string_view bytes_;
  bool damaged_ = false;
};

// A track has slices. Arguments are members of a JSON object.
struct PerfettoSlice {
  std::uint64_t begin = 0;  // ns
  std::uint64_t end = 0;
  std::uint64_t track = 0;
  TextId name = 0;
  TextId category = 0;
  TextId arguments = 0;
};

// An arrow begins or ends at this slice.
struct PerfettoFlow {
  std::uint64_t id = 0;
  std::uint32_t slice = 0;
  TextId name = 0;  // of those that end here
  bool ends = false;
};

struct PerfettoTrack {
  TextId name = 0;
  std::uint64_t parent = 0;
};

struct PerfettoContent {
  std::vector<std::string> texts{std::string()};
  std::vector<PerfettoSlice> slices;  // by their ends
  std::vector<PerfettoFlow> flows;
  std::vector<TextId> devices;  // what the file says of each
  std::map<std::uint64_t, PerfettoTrack> tracks;
  std::uint64_t zero = 0;
  std::size_t unpaired = 0;
};

std::string json_text(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// Returns whether a text is a JSON value that may stand within another one.
bool is_small_json(std::string_view text) {
  constexpr std::size_t kMostBytes = 65'536;
  constexpr std::ptrdiff_t kMostBrackets = 100;
  const auto brackets = std::ranges::count_if(text, [](char c) { return c == '{' || c == '['; });
  return text.size() <= kMostBytes && brackets <= kMostBrackets && nlohmann::json::accept(text);
}

bool is_name_of_arrow(std::string_view name) {
  return name == "launch" || name.ends_with(", known") || name.ends_with(", assumed");
}

// Reads packets, some of which contain packed ones.
class PerfettoReader {
 public:
  explicit PerfettoReader(const std::string& origin) : origin_(origin) {}

  Result<PerfettoContent> read(std::string_view bytes) {
    IOS_TRY(const bool damaged, read_packets(bytes, true));
    if (damaged && out_.slices.empty())
      return fail(message("is a damaged trace of Perfetto"), origin_, message("copy or record it again"));
    for (const auto& [track, slices] : open_) out_.unpaired += slices.size();
    number_slices();
    return std::move(out_);
  }

 private:
  using Names = std::unordered_map<std::uint64_t, TextId>;
  // A sequence of packets has numbers for these names.
  struct Sequence {
    Names names;
    Names categories;
    Names arguments;
    std::uint64_t track = 0;  // of events that name none
  };

  TextId text(std::string_view words) {
    const auto [found, made] = ids_.emplace(std::string(words), static_cast<TextId>(out_.texts.size()));
    if (made) out_.texts.emplace_back(words);
    return found->second;
  }

  // Returns whether the bytes are damaged.
  Result<bool> read_packets(std::string_view bytes, bool may_be_packed) {
    Wire trace(bytes);
    while (trace.next()) {
      if (trace.field == 1) IOS_TRY(read_packet(trace.bytes, may_be_packed));
      if (out_.slices.size() > kMostSlices)
        return fail(message("has more than {} events", kMostSlices), origin_, message("record less: fewer runs"));
    }
    return trace.damaged();
  }

  Result<void> read_packet(std::string_view bytes, bool may_be_packed) {
    std::optional<std::uint64_t> time;
    std::uint64_t sequence = 0;
    std::string_view event;
    std::string_view interned;
    std::string_view defaults;
    for (Wire packet(bytes); packet.next();) {
      if (packet.field == 8) time = packet.number;
      if (packet.field == 10) sequence = packet.number;
      if (packet.field == 11) event = packet.bytes;
      if (packet.field == 12) interned = packet.bytes;
      if (packet.field == 50 && may_be_packed) IOS_TRY(read_packed(packet.bytes));
      if (packet.field == 59) defaults = packet.bytes;
      if (packet.field == 60) read_track(packet.bytes);
    }
    Sequence& names = sequences_[sequence];
    for (Wire data(interned); data.next();) {
      if (data.field == 1) intern(data.bytes, names.categories);
      if (data.field == 2) intern(data.bytes, names.names);
      if (data.field == 3) intern(data.bytes, names.arguments);
    }
    for (Wire data(defaults); data.next();) {
      if (data.field != 11) continue;
      for (Wire of_event(data.bytes); of_event.next();) {
        if (of_event.field == 11) names.track = of_event.number;
      }
    }
    if (time && !event.empty()) read_event(event, *time, names);
    return {};
  }

  Result<void> read_packed(std::string_view bytes) {
    IOS_TRY(const std::string unpacked, inflated(bytes, kMostHeldBytes - unpacked_, origin_));
    unpacked_ += unpacked.size();
    IOS_TRY(read_packets(unpacked, false));
    return {};
  }

  void intern(std::string_view bytes, Names& names) {
    std::uint64_t id = 0;
    std::string_view name;
    for (Wire one(bytes); one.next();) {
      if (one.field == 1) id = one.number;
      if (one.field == 2) name = one.bytes;
    }
    names.insert_or_assign(id, text(name));
  }
  static TextId named(const Names& of, std::uint64_t id) {
    const auto found = of.find(id);
    return found == of.end() ? TextId{0} : found->second;
  }

  void read_track(std::string_view bytes) {
    std::uint64_t uuid = 0;
    std::uint64_t parent = 0;
    std::string_view name;
    for (Wire track(bytes); track.next();) {
      if (track.field == 1) uuid = track.number;
      if (track.field == 2) name = track.bytes;
      if (track.field == 5) parent = track.number;
      if (track.field != 4) continue;
      for (Wire thread(track.bytes); thread.next();) {
        if (thread.field == 5 && name.empty()) name = thread.bytes;
      }
    }
    out_.tracks[uuid] = {text(name), parent};
  }

  // An event says this: members of a JSON object, and the names of its arguments that are texts.
  struct Arguments {
    std::string members;
    std::vector<std::string> texts;
  };

  void read_argument(std::string_view bytes, const Sequence& names, Arguments& out) {
    constexpr std::size_t kMostBytes = 65'536;  // of all arguments of one event
    std::string_view name;
    std::string value;
    bool is_object = false;
    bool is_text = false;
    for (Wire one(bytes); one.next();) {
      if (one.field == 1) name = out_.texts[named(names.arguments, one.number)];
      if (one.field == 10) name = one.bytes;
      if (one.field == 2) value = one.number != 0 ? "true" : "false";
      if (one.field == 3) value = std::to_string(one.number);
      if (one.field == 4) value = std::to_string(static_cast<std::int64_t>(one.number));
      if (one.field == 6) {
        is_text = true;
        if (one.bytes.size() <= kMostBytes) value = json_text(one.bytes);
      }
      if (one.field == 9 && is_small_json(one.bytes)) {
        value = std::string(one.bytes);
        is_object = value.starts_with('{') && value.ends_with('}');
      }
    }
    if (is_text) out.texts.emplace_back(name);
    if (is_text && is_name_of_arrow(name)) return;
    if (value.empty() || out.members.size() + value.size() > kMostBytes) return;
    const bool whole = is_object && name == "args";
    const std::string member = whole ? value.substr(1, value.size() - 2) : json_text(name) + ':' + value;
    if (member.find_first_not_of(" \t\r\n") == std::string::npos) return;
    if (!out.members.empty()) out.members += ',';
    out.members += member;
  }

  // Numbers of eight bytes come with their bytes, the lowest first.
  static std::uint64_t fixed(std::string_view bytes) {
    std::uint64_t value = 0;
    for (std::size_t i = std::min<std::size_t>(bytes.size(), 8); i-- > 0;)
      value = (value << 8U) | static_cast<unsigned char>(bytes[i]);
    return value;
  }

  void read_event(std::string_view bytes, std::uint64_t time, const Sequence& names) {
    constexpr std::uint64_t kBegin = 1;
    constexpr std::uint64_t kEnd = 2;
    constexpr std::uint64_t kInstant = 3;
    std::uint64_t type = 0;
    PerfettoSlice slice{.begin = time, .end = time, .track = names.track};
    Arguments arguments;
    std::vector<std::uint64_t> leaves;
    std::vector<std::uint64_t> arrives;
    for (Wire event(bytes); event.next();) {
      if (event.field == 4) read_argument(event.bytes, names, arguments);
      if (event.field == 9) type = event.number;
      if (event.field == 11) slice.track = event.number;
      if (event.field == 23) slice.name = text(event.bytes);
      if (event.field == 10) slice.name = named(names.names, event.number);
      if (event.field == 22) slice.category = text(event.bytes);
      if (event.field == 3) slice.category = named(names.categories, event.number);
      if (event.field == 36) leaves.push_back(event.number);  // as older writers do
      if (event.field == 42) arrives.push_back(event.number);
      if (event.field == 47) leaves.push_back(fixed(event.bytes));
      if (event.field == 48) arrives.push_back(fixed(event.bytes));
    }
    if (type == kInstant && out_.texts[slice.category] == kDeviceFacts && out_.devices.size() < kMostDevices)
      out_.devices.push_back(text(arguments.members));
    if (!any_) out_.zero = time;
    any_ = true;
    std::vector<Open>& open = open_[slice.track];
    if (type == kBegin) {
      slice.arguments = arguments.members.empty() ? TextId{0} : text(arguments.members);
      const auto number = next_++;
      open.push_back({slice, number});
      for (const std::uint64_t id : leaves) out_.flows.push_back({id, number, 0, false});
      for (std::size_t i = 0; i < arrives.size(); ++i) {
        // Arrows have no names, so our own writer names them in arguments.
        const bool named = arguments.texts.size() == arrives.size() && is_name_of_arrow(arguments.texts[i]);
        const TextId name = named ? text(arguments.texts[i]) : TextId{0};
        out_.flows.push_back({arrives[i], number, name, true});
      }
    } else if (type == kEnd && open.empty()) {
      ++out_.unpaired;
    } else if (type == kEnd) {
      open.back().slice.end = time;
      place_of_.emplace(open.back().number, static_cast<std::uint32_t>(out_.slices.size()));
      out_.slices.push_back(open.back().slice);
      open.pop_back();
    }
  }

  // Arrows know slices by the order of their begins; those that never ended have none.
  void number_slices() {
    std::erase_if(out_.flows, [&](PerfettoFlow& flow) {
      const auto place = place_of_.find(flow.slice);
      if (place != place_of_.end()) flow.slice = place->second;
      return place == place_of_.end();
    });
  }

  struct Open {
    PerfettoSlice slice;
    std::uint32_t number;
  };
  static constexpr std::size_t kMostDevices = 1000;

  const std::string& origin_;
  std::unordered_map<std::string, TextId> ids_{{std::string(), 0}};
  std::map<std::uint64_t, Sequence> sequences_;
  std::map<std::uint64_t, std::vector<Open>> open_;  // of each track
  std::unordered_map<std::uint32_t, std::uint32_t> place_of_;
  std::uint32_t next_ = 0;
  std::uint64_t unpacked_ = 0;
  bool any_ = false;
  PerfettoContent out_;
};

// Gives the content as a Chrome trace, so that both have one reader.
class ChromeTextOfPerfetto final : public ByteSource {
 public:
  explicit ChromeTextOfPerfetto(const PerfettoContent& content) : content_(content) {
    quoted_.resize(content.texts.size());
    for (const auto& [uuid, track] : content.tracks) thread_of_name_.emplace(std::pair(track.parent, track.name), uuid);
    join_flows();
  }

  Result<std::string_view> next() override {
    constexpr std::size_t kBlock = 65'536;
    text_.clear();
    if (ended_) return std::string_view();
    if (!begun_) begin();
    for (; next_ < content_.slices.size() && text_.size() < kBlock; ++next_) add_slice(content_.slices[next_]);
    for (; next_ == content_.slices.size() && next_arrow_ < arrows_.size() && text_.size() < kBlock; ++next_arrow_)
      add_arrow(arrows_[next_arrow_], next_arrow_);
    if (next_ == content_.slices.size() && next_arrow_ == arrows_.size()) {
      text_ += "]}";
      ended_ = true;
    }
    return std::string_view(text_);
  }

 private:
  struct Arrow {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    TextId name = 0;
  };

  // An arrow leads from one slice to another; one with a number goes on through several slices, in the order of time.
  void join_flows() {
    std::vector<PerfettoFlow> flows = content_.flows;
    std::ranges::stable_sort(flows, {}, [&](const PerfettoFlow& flow) {
      return std::tuple(flow.id, content_.slices[flow.slice].begin, flow.ends);
    });
    for (auto first = flows.begin(); first != flows.end();) {
      const auto last =
          std::find_if(first, flows.end(), [&](const PerfettoFlow& flow) { return flow.id != first->id; });
      const bool one = last - first == 2 && first->ends != std::next(first)->ends;
      if (one && first->ends) std::iter_swap(first, std::next(first));
      for (auto flow = first; flow + 1 < last; ++flow) {
        if (!flow->ends) arrows_.push_back({flow->slice, (flow + 1)->slice, (flow + 1)->name});
      }
      first = last;
    }
  }

  void begin() {
    begun_ = true;
    text_ += R"({"deviceProperties":[)";
    for (const TextId device : content_.devices) text_ += fmt::format("{}{{{}}}", separator(), content_.texts[device]);
    text_ += R"(],"traceEvents":[)";
    for (const auto& [uuid, track] : content_.tracks) {
      if (track.name == 0) continue;
      if (track.parent == 0) add_name("process_name", process_text(uuid), uuid, track.name);
      add_name("thread_name", process_of(uuid), uuid, track.name);
    }
  }
  const char* separator() const { return text_.empty() || text_.back() == '[' || text_.back() == ',' ? "" : ","; }

  void add_name(const char* what, const std::string& process, std::uint64_t thread, TextId name) {
    text_ += fmt::format(R"({}{{"ph":"M","name":"{}","pid":"{}","tid":"{}","args":{{"name":{}}}}})",
                         separator_of_event(), what, process, thread, quoted(name));
  }
  const std::string& quoted(TextId text) {
    if (quoted_[text].empty()) quoted_[text] = json_text(content_.texts[text]);
    return quoted_[text];
  }
  const char* separator_of_event() { return std::exchange(any_event_, true) ? "," : ""; }

  // Returns the outermost track around one, in a form that is no number of a device; empty where there is none.
  std::string process_of(std::uint64_t track) const {
    constexpr int kMostAround = 16;
    std::string text;
    for (int i = 0; i < kMostAround; ++i) {
      const auto found = content_.tracks.find(track);
      if (found == content_.tracks.end() || found->second.parent == 0) break;
      track = found->second.parent;
      text = process_text(track);
    }
    return text;
  }
  static std::string process_text(std::uint64_t track) { return fmt::format("track {}", track); }

  // Calls of one host thread may contain others, which are on a track of their own with the same name.
  std::uint64_t thread_of(const PerfettoSlice& slice) const {
    const auto track = content_.tracks.find(slice.track);
    if (track == content_.tracks.end() || track->second.name == 0) return slice.track;
    if (content_.texts[slice.category] != kCallsOfHost) return slice.track;
    return thread_of_name_.at({track->second.parent, track->second.name});
  }

  // Writes nanoseconds since the first event as µs, exactly.
  std::string micros(std::uint64_t time) const {
    const bool before = time < content_.zero;
    const std::uint64_t nanos = before ? content_.zero - time : time - content_.zero;
    return fmt::format("{}{}.{:03}", before ? "-" : "", nanos / kNanosOfMicro, nanos % kNanosOfMicro);
  }

  void add_slice(const PerfettoSlice& slice) {
    const bool backwards = slice.end < slice.begin;  // which the reader counts
    text_ += fmt::format(R"({}{{"ph":"X","name":{},"cat":{},"pid":"{}","tid":"{}","ts":{},"dur":{}{},"args":{{{}}}}})",
                         separator_of_event(), quoted(slice.name), quoted(slice.category), process_of(slice.track),
                         thread_of(slice), micros(slice.begin), backwards ? "-" : "",
                         backwards ? std::string("1") : micros(content_.zero + (slice.end - slice.begin)),
                         content_.texts[slice.arguments]);
  }

  // Arrows without a name are those that PyTorch draws, from an end to a begin.
  void add_arrow(const Arrow& arrow, std::size_t number) {
    const PerfettoSlice& from = content_.slices[arrow.from];
    const PerfettoSlice& to = content_.slices[arrow.to];
    if (from.end < from.begin) return;
    const std::uint64_t middle = from.begin + (from.end - from.begin) / 2;
    const auto add = [&](char phase, const PerfettoSlice& at, std::uint64_t time) {
      text_ +=
          fmt::format(R"({}{{"ph":"{}","id":{},"name":{},"cat":"{}","pid":"{}","tid":"{}","ts":{}}})",
                      separator_of_event(), phase, number, quoted(arrow.name),
                      arrow.name == 0 ? kArrowsOfPyTorch : kOwnArrows, process_of(at.track), at.track, micros(time));
    };
    add('s', from, arrow.name == 0 ? from.end : middle);
    add('f', to, to.begin);
  }

  const PerfettoContent& content_;
  std::vector<std::string> quoted_;  // its texts, those that were needed so far
  std::map<std::pair<std::uint64_t, TextId>, std::uint64_t> thread_of_name_;  // the first track
  std::vector<Arrow> arrows_;
  std::string text_;
  std::size_t next_ = 0;
  std::size_t next_arrow_ = 0;
  bool begun_ = false;
  bool ended_ = false;
  bool any_event_ = false;
};

bool is_of_device(const TraceEvents& trace, const TraceEvent& event) {
  const std::string_view category = trace.text(event.category);
  return category == "kernel" || category == "gpu_memcpy" || category == "gpu_memset";
}

}  // namespace

void keep_kernels(TraceEvents& trace) {
  const auto of_device = [&](const TraceEvent& event) { return is_of_device(trace, event); };
  if (std::ranges::any_of(trace.events, of_device))
    std::erase_if(trace.events, [&](const TraceEvent& event) { return !of_device(event); });
}

bool is_perfetto_trace(std::string_view head) {
  const auto control = [](char c) { return c >= 0 && c < '\t'; };
  return head.starts_with('\n') && std::ranges::any_of(head, control);  // a packet is the field 1
}

Result<TraceEvents> read_perfetto_events(std::string_view bytes, const std::string& origin) {
  IOS_TRY(const PerfettoContent content, PerfettoReader(origin).read(bytes));
  ChromeTextOfPerfetto text(content);
  IOS_TRY(auto trace, read_trace_events(text, origin));
  trace.unpaired += content.unpaired;
  return trace;
}

}  // namespace iosx::external
