#pragma once

#include <google/protobuf/descriptor.h>
#include <google/protobuf/io/zero_copy_stream.h>

#include <cstdint>

#include "core/base/result.h"

namespace iosx::onnx_import {

// The most messages and texts of one file: protobuf's objects take a hundred times the bytes of small messages, so a
// file of a few megabytes could fill the memory. Real models have about ten per node.
inline constexpr std::int64_t kMaxMessages = std::int64_t{1} << 22;

// Parses the next `bytes` bytes of the stream as a message of this type without keeping anything, and checks that
// nothing reaches beyond the end of its container, and that there are not too many messages. Errors have no place;
// `what` begins with a verb ("is cut off ...").
Result<void> check_wire(google::protobuf::io::ZeroCopyInputStream& stream, std::int64_t bytes,
                        const google::protobuf::Descriptor& type);

}  // namespace iosx::onnx_import
