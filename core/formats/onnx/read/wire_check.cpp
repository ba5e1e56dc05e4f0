#include "core/formats/onnx/read/wire_check.h"

#include <fmt/format.h>
#include <google/protobuf/io/coded_stream.h>

#include <string>

namespace iosx::onnx_import {
namespace {

namespace protobuf = google::protobuf;

constexpr int kDeepestMessage = 100;  // protobuf's own limit
constexpr Sentence kDownload{"export or download it again"};

class WireWalk {
 public:
  WireWalk(protobuf::io::ZeroCopyInputStream& stream, int bytes) : in_(&stream) { in_.PushLimit(bytes); }

  // Walks one message, up to the innermost limit.
  Result<void> walk(const protobuf::Descriptor& type, int depth) {
    if (depth > kDeepestMessage) return fail(message("is nested too deeply"), "", kDownload);
    while (in_.BytesUntilLimit() > 0) {
      const int at = in_.CurrentPosition();
      const std::uint32_t tag = in_.ReadTag();
      if (tag >> 3U == 0) return damaged(at);
      const auto* const field = type.FindFieldByNumber(static_cast<int>(tag >> 3U));
      if (auto done = value(tag & 7U, field, depth, at); !done) return done;
    }
    return {};
  }

 private:
  Result<void> value(std::uint32_t wire_type, const protobuf::FieldDescriptor* field, int depth, int at) {
    std::uint64_t ignored = 0;
    switch (wire_type) {
      case 0: return in_.ReadVarint64(&ignored) ? Result<void>() : damaged(at);
      case 1: return in_.Skip(8) ? Result<void>() : cut_off(at);
      case 2: return sized(field, depth, at);
      case 5: return in_.Skip(4) ? Result<void>() : cut_off(at);
      default: return damaged(at);  // ONNX has no groups
    }
  }

  Result<void> sized(const protobuf::FieldDescriptor* field, int depth, int at) {
    int size = 0;
    if (!in_.ReadVarintSizeAsInt(&size)) return damaged(at);
    if (size > in_.BytesUntilLimit()) return field != nullptr ? cut_off(at) : damaged(at);
    if (field != nullptr && field->is_packable()) return skip(size, at);
    if (++messages_ > kMaxMessages) {
      return fail(message("has more than {} parts (nodes, attributes, names, ...)", kMaxMessages), "",
                  message("models of this size are not supported"));
    }
    if (field == nullptr || field->message_type() == nullptr) return skip(size, at);
    const auto outer = in_.PushLimit(size);
    auto done = walk(*field->message_type(), depth + 1);
    in_.PopLimit(outer);
    return done;
  }

  Result<void> skip(int size, int at) { return in_.Skip(size) ? Result<void>() : cut_off(at); }
  static tl::unexpected<Error> damaged(int at) {
    return fail(message("is not an ONNX model, or is damaged at byte {}", at), "", kDownload);
  }
  static tl::unexpected<Error> cut_off(int at) {
    return fail(message("is truncated: the data from byte {} is incomplete", at), "", kDownload);
  }

  protobuf::io::CodedInputStream in_;
  std::int64_t messages_ = 0;
};

}  // namespace

Result<void> check_wire(protobuf::io::ZeroCopyInputStream& stream, std::int64_t bytes,
                        const protobuf::Descriptor& type) {
  return WireWalk(stream, static_cast<int>(bytes)).walk(type, 0);
}

}  // namespace iosx::onnx_import
