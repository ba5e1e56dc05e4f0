#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace iosx {

// Gives the bytes of a text or a file piece by piece, so that a file of gigabytes takes a megabyte of memory. What gzip
// compressed comes out unpacked.
class ByteSource {
 public:
  virtual ~ByteSource() = default;

  // Returns the next bytes, which stay until the next call; at the end there are none. Errors: the file cannot be read,
  // its compressed data is damaged, or all bytes together are more than kMostSourceBytes.
  virtual Result<std::string_view> next() = 0;
};

inline constexpr std::uint64_t kMostSourceBytes = std::uint64_t{2} << 30U;  // unpacked

// The text outlives the source. `origin` is the place of errors.
std::unique_ptr<ByteSource> source_of(std::string_view text, const std::string& origin);
// Errors: it is not a regular file, or cannot be opened. After a stop, reading on is an error.
Result<std::unique_ptr<ByteSource>> open_source(const std::filesystem::path& path, std::stop_token stop = {});

// Returns up to `most` bytes from the begin of a source.
Result<std::string> head_of(ByteSource& source, std::size_t most);
// Returns all bytes of a source. Errors: those of next(), and more than kMostHeldBytes.
inline constexpr std::uint64_t kMostHeldBytes = std::uint64_t{256} << 20U;
Result<std::string> all_of(ByteSource& source, const std::string& origin);

// Unpacks what zlib packed. Errors: it is damaged, or has more than `most` bytes.
Result<std::string> inflated(std::string_view packed, std::uint64_t most, const std::string& origin);

}  // namespace iosx
