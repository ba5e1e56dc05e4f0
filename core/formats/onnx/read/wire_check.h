#pragma once

#include <google/protobuf/descriptor.h>
#include <google/protobuf/io/zero_copy_stream.h>

#include <cstdint>

#include "core/base/result.h"

namespace iosx::onnx_import {

// One file has at most so many messages and texts: protobuf's objects take a hundred times the bytes of small messages,
// so a file of a few megabytes could otherwise fill the memory. Real models have some ten for each node.
inline constexpr std::int64_t kMaxMessages = std::int64_t{1} << 22;

// Walks the next `bytes` bytes of the stream as a message of this type, without keeping anything, and tells whether
// they can be parsed: nothing reaches beyond the end of what holds it, and there are not too many messages. Errors
// have no place; `what` begins with a verb ("is cut off ...").
Result<void> check_wire(google::protobuf::io::ZeroCopyInputStream& stream, std::int64_t bytes,
                        const google::protobuf::Descriptor& type);

}  // namespace iosx::onnx_import
