#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

#include "core/formats/external/trace_events.h"

// The fields of Perfetto's protos that say what ran when: trace_packet.proto, track_event.proto, track_descriptor.proto
// and interned_data.proto. Their wire format is that of protobuf: a tag, then a number or a length and its bytes.
namespace iosx::external {
namespace {

constexpr std::size_t kMostSlices = 4 * kMostSpans;
constexpr double kNanosOfMicro = 1e3;

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

class PerfettoReader {
 public:
  explicit PerfettoReader(const std::string& origin) : origin_(origin) {}

  Result<TraceEvents> read(std::string_view bytes) {
    Wire trace(bytes);
    while (trace.next()) {
      if (trace.field == 1) read_packet(trace.bytes);
      if (out_.events.size() > kMostSlices)
        return fail(message("has more than {} events", kMostSlices), origin_, message("record less: fewer runs"));
    }
    if (trace.damaged() && out_.events.empty())
      return fail(message("is a damaged trace of Perfetto"), origin_, message("copy or record it again"));
    for (const auto& [track, slices] : open_) out_.unpaired += slices.size();
    keep_kernels();
    for (const auto& [uuid, track] : tracks_) {
      const TextId thread = text(std::to_string(uuid));
      if (track.name != 0) out_.thread_names[{0, thread}] = track.name;
    }
    return std::move(out_);
  }

 private:
  struct Slice {
    double begin = 0;
    TextId name = 0;
    TextId category = 0;
  };
  struct Track {
    TextId name = 0;
  };
  // The names that a sequence of packets has numbers for.
  struct Sequence {
    std::unordered_map<std::uint64_t, TextId> names;
    std::unordered_map<std::uint64_t, TextId> categories;
    std::uint64_t track = 0;  // of events that name none
  };

  // Where slices say that they are kernels or copies, the others are calls of the host, or predicted.
  void keep_kernels() {
    const auto of_device = [&](const TraceEvent& event) {
      const std::string& category = out_.texts[event.category];
      return category == "kernel" || category == "gpu_memcpy" || category == "gpu_memset";
    };
    if (std::ranges::any_of(out_.events, of_device))
      std::erase_if(out_.events, [&](const TraceEvent& event) { return !of_device(event); });
  }

  TextId text(std::string_view words) {
    const auto [found, made] = ids_.emplace(std::string(words), static_cast<TextId>(out_.texts.size()));
    if (made) out_.texts.emplace_back(words);
    return found->second;
  }

  void read_packet(std::string_view bytes) {
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
      if (packet.field == 59) defaults = packet.bytes;
      if (packet.field == 60) read_track(packet.bytes);
    }
    Sequence& names = sequences_[sequence];
    for (Wire data(interned); data.next();) {
      if (data.field == 1) intern(data.bytes, names.categories);
      if (data.field == 2) intern(data.bytes, names.names);
    }
    for (Wire data(defaults); data.next();) {
      if (data.field != 11) continue;
      for (Wire of_event(data.bytes); of_event.next();) {
        if (of_event.field == 11) names.track = of_event.number;
      }
    }
    if (time && !event.empty()) read_event(event, *time, names);
  }

  void intern(std::string_view bytes, std::unordered_map<std::uint64_t, TextId>& names) {
    std::uint64_t id = 0;
    std::string_view name;
    for (Wire one(bytes); one.next();) {
      if (one.field == 1) id = one.number;
      if (one.field == 2) name = one.bytes;
    }
    names.insert_or_assign(id, text(name));
  }

  void read_track(std::string_view bytes) {
    std::uint64_t uuid = 0;
    std::string_view name;
    for (Wire track(bytes); track.next();) {
      if (track.field == 1) uuid = track.number;
      if (track.field == 2) name = track.bytes;
      if (track.field != 4) continue;
      for (Wire thread(track.bytes); thread.next();) {
        if (thread.field == 5 && name.empty()) name = thread.bytes;
      }
    }
    tracks_[uuid].name = text(name);
  }

  void read_event(std::string_view bytes, std::uint64_t time, const Sequence& names) {
    constexpr std::uint64_t kBegin = 1;
    constexpr std::uint64_t kEnd = 2;
    std::uint64_t type = 0;
    std::uint64_t track = names.track;
    Slice slice;
    const auto named = [](const std::unordered_map<std::uint64_t, TextId>& of, std::uint64_t id) {
      const auto found = of.find(id);
      return found == of.end() ? TextId{0} : found->second;
    };
    for (Wire event(bytes); event.next();) {
      if (event.field == 9) type = event.number;
      if (event.field == 11) track = event.number;
      if (event.field == 23) slice.name = text(event.bytes);
      if (event.field == 10) slice.name = named(names.names, event.number);
      if (event.field == 22) slice.category = text(event.bytes);
      if (event.field == 3) slice.category = named(names.categories, event.number);
    }
    if (!zero_) zero_ = time;
    slice.begin = time >= *zero_ ? static_cast<double>(time - *zero_) / kNanosOfMicro
                                 : -static_cast<double>(*zero_ - time) / kNanosOfMicro;
    std::vector<Slice>& open = open_[track];
    if (type == kBegin) {
      open.push_back(slice);
    } else if (type == kEnd && open.empty()) {
      ++out_.unpaired;
    } else if (type == kEnd) {
      TraceEvent event;
      event.begin = open.back().begin;
      event.end = slice.begin;
      event.name = open.back().name;
      event.category = open.back().category;
      event.thread = text(std::to_string(track));
      open.pop_back();
      const bool valid = event.end >= event.begin && std::abs(event.begin) < kMostMicros && event.end < kMostMicros;
      valid ? out_.events.push_back(event) : void(++out_.broken);
    }
  }

  const std::string& origin_;
  std::unordered_map<std::string, TextId> ids_{{std::string(), 0}};
  std::map<std::uint64_t, Sequence> sequences_;
  std::map<std::uint64_t, Track> tracks_;
  std::map<std::uint64_t, std::vector<Slice>> open_;  // of each track
  std::optional<std::uint64_t> zero_;
  TraceEvents out_;
};

}  // namespace

bool is_perfetto_trace(std::string_view head) {
  const auto control = [](char c) { return c >= 0 && c < '\t'; };
  return head.starts_with('\n') && std::ranges::any_of(head, control);  // a packet is the field 1
}

Result<TraceEvents> read_perfetto_events(std::string_view bytes, const std::string& origin) {
  return PerfettoReader(origin).read(bytes);
}

}  // namespace iosx::external
