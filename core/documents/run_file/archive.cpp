#include "core/documents/run_file/archive.h"

#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/check.h"

// The zip format as far as needed: PKWARE's APPNOTE, sections 4.3.7 (local header), 4.3.12 (central directory) and
// 4.3.16 (its end). No encryption, no parts, no zip64.
namespace iosx {
namespace {

constexpr std::uint32_t kLocalMark = 0x04034B50;
constexpr std::uint32_t kCentralMark = 0x02014B50;
constexpr std::uint32_t kEndMark = 0x06054B50;
constexpr std::size_t kLocalSize = 30;
constexpr std::size_t kCentralSize = 46;
constexpr std::size_t kEndSize = 22;
constexpr std::size_t kMostComment = 0xFFFF;
constexpr std::size_t kMostEntries = 1000;
constexpr std::size_t kMostTogether = std::size_t{1} << 30U;  // bytes of all entries, unpacked
constexpr std::uint16_t kZipVersion = 20;                     // 2.0: deflate
constexpr std::uint16_t kFirstDay = 1 << 5 | 1;               // 1 January 1980: no clock in the bytes
constexpr std::uint32_t kPlainFile = 0100644U << 16U;
constexpr std::uint16_t kUnix = 3 << 8;
constexpr std::uint16_t kStored = 0;
constexpr std::uint16_t kDeflated = 8;
constexpr std::uint16_t kEncrypted = 1;
constexpr std::size_t kLargestRatio = 1032;  // of deflate

void put16(std::string& bytes, std::size_t value) {
  for (int shift = 0; shift < 16; shift += 8) bytes += static_cast<char>(value >> shift & 255U);
}
void put32(std::string& bytes, std::size_t value) {
  for (int shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(value >> shift & 255U);
}
std::uint32_t get(std::string_view bytes, std::size_t at, int count) {
  std::uint32_t value = 0;
  for (int i = 0; i < count; ++i) {
    value |= std::uint32_t{static_cast<unsigned char>(bytes[at + static_cast<std::size_t>(i)])} << (8 * i);
  }
  return value;
}
std::uint16_t get16(std::string_view bytes, std::size_t at) { return static_cast<std::uint16_t>(get(bytes, at, 2)); }
std::uint32_t get32(std::string_view bytes, std::size_t at) { return get(bytes, at, 4); }

std::uint32_t checksum(std::string_view bytes) {
  return static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

std::string deflated(std::string_view bytes) {
  z_stream stream{};
  IOS_CHECK(deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 9, Z_DEFAULT_STRATEGY) == Z_OK);
  std::string out(deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));  // zlib does not write there
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  IOS_CHECK(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

// Returns exactly `size` bytes, or nothing.
std::optional<std::string> inflated(std::string_view bytes, std::size_t size) {
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) return std::nullopt;
  std::string out(size, '\0');
  char none = 0;  // room that must stay empty, where out has none
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(size > 0 ? out.data() : &none);
  stream.avail_out = static_cast<uInt>(size);
  const int end = inflate(&stream, Z_FINISH);
  const bool whole = end == Z_STREAM_END && stream.total_out == size && stream.avail_in == 0;
  inflateEnd(&stream);
  if (!whole) return std::nullopt;
  return out;
}

struct EntryPlace {
  std::uint16_t method = kStored;
  std::uint32_t checksum = 0;
  std::size_t packed = 0;
  std::size_t size = 0;
  std::size_t local = 0;  // of the local header
};

std::optional<std::size_t> end_of_directory(std::string_view archive) {
  if (archive.size() < kEndSize) return std::nullopt;
  const std::size_t last = archive.size() - kEndSize;
  for (std::size_t back = 0; back <= std::min(last, kMostComment); ++back) {
    const std::size_t at = last - back;
    if (get32(archive, at) == kEndMark && get16(archive, at + 20) == back) return at;
  }
  return std::nullopt;
}

tl::unexpected<Error> damaged(const std::string& origin) {
  return fail(message("is damaged or truncated"), origin, message("copy it again from where it was saved"));
}

struct Entry {
  std::string_view name;
  EntryPlace place;
  std::size_t begin = 0;  // of its bytes, behind the local header
};

// Returns whether the local header agrees with the directory. Streaming writers put sizes and checksum after
// the bytes, and zip64 has 0xFFFFFFFF for sizes in another place.
bool same_in_local_header(std::string_view archive, const Entry& entry, std::uint16_t flags) {
  constexpr std::uint16_t kFollows = 8;
  constexpr std::uint32_t kElsewhere = 0xFFFFFFFF;
  const std::size_t at = entry.place.local;
  const auto same = [&](std::size_t place, std::size_t value) {
    const std::uint32_t found = get32(archive, at + place);
    return found == value || found == kElsewhere;
  };
  if (get16(archive, at + 6) != flags || get16(archive, at + 8) != entry.place.method) return false;
  if (archive.substr(at + kLocalSize, get16(archive, at + 26)) != entry.name) return false;
  if ((flags & kFollows) != 0) return true;
  return get32(archive, at + 14) == entry.place.checksum && same(18, entry.place.packed) && same(22, entry.place.size);
}

// Reads the central directory's entry at `at`, and where its bytes are.
std::optional<Entry> entry_at(std::string_view archive, std::size_t at, std::size_t directory) {
  Entry entry{archive.substr(at + kCentralSize, get16(archive, at + 28)),
              {get16(archive, at + 10), get32(archive, at + 16), get32(archive, at + 20), get32(archive, at + 24),
               get32(archive, at + 42)}};
  const std::size_t local = entry.place.local;
  if (local > directory || directory - local < kLocalSize || get32(archive, local) != kLocalMark) return std::nullopt;
  entry.begin = local + kLocalSize + get16(archive, local + 26) + get16(archive, local + 28);
  if (entry.begin > directory || directory - entry.begin < entry.place.packed) return std::nullopt;
  if (!same_in_local_header(archive, entry, get16(archive, at + 8))) return std::nullopt;
  return entry;
}

// Returns whether no entry has a name or bytes of another.
bool are_apart(std::vector<Entry> entries) {
  const auto end = [](const Entry& entry) { return entry.begin + entry.place.packed; };
  std::ranges::sort(entries, {}, [](const Entry& entry) { return entry.place.local; });
  for (std::size_t i = 1; i < entries.size(); ++i) {
    if (entries[i].place.local < end(entries[i - 1])) return false;
  }
  std::ranges::sort(entries, {}, &Entry::name);
  return std::ranges::adjacent_find(entries, {}, &Entry::name) == entries.end();
}

// Returns all entries of the central directory.
Result<std::vector<Entry>> entries_of(std::string_view archive, const std::string& origin) {
  const auto end = end_of_directory(archive);
  if (!end) return damaged(origin);
  const std::size_t count = get16(archive, *end + 10);
  const std::size_t directory = get32(archive, *end + 16);
  if (count > kMostEntries || get32(archive, *end + 4) != 0 || get16(archive, *end + 8) != count)
    return damaged(origin);
  std::vector<Entry> entries;
  std::size_t total = 0;
  for (std::size_t i = 0, at = directory; i < count; ++i) {
    if (at > *end || *end - at < kCentralSize || get32(archive, at) != kCentralMark) return damaged(origin);
    const std::size_t size = kCentralSize + get16(archive, at + 28) + get16(archive, at + 30) + get16(archive, at + 32);
    if (*end - at < size) return damaged(origin);
    if ((get16(archive, at + 8) & kEncrypted) != 0) return fail(message("is encrypted"), origin);
    const auto entry = entry_at(archive, at, directory);
    if (!entry) return damaged(origin);
    total += entry->place.size;
    entries.push_back(*entry);
    at += size;
  }
  if (!are_apart(entries)) return damaged(origin);
  if (total > kMostTogether)
    return fail(message("holds {} MiB", total >> 20U), origin, message("at most {} MiB", kMostTogether >> 20U));
  return entries;
}

}  // namespace

std::string zip(std::span<const ArchiveEntry> entries) {
  std::string archive;
  std::string directory;
  for (const ArchiveEntry& entry : entries) {
    const std::string packed = entry.compress ? deflated(entry.bytes) : std::string(entry.bytes);
    IOS_CHECK(archive.size() + packed.size() < std::size_t{1} << 31U && entry.bytes.size() < std::size_t{1} << 31U);
    std::string common;  // to both headers
    put16(common, kZipVersion);
    put16(common, 0);
    put16(common, entry.compress ? kDeflated : kStored);
    put16(common, 0);
    put16(common, kFirstDay);
    put32(common, checksum(entry.bytes));
    put32(common, packed.size());
    put32(common, entry.bytes.size());
    put16(common, entry.name.size());
    put16(common, 0);
    put32(directory, kCentralMark);
    put16(directory, kUnix | kZipVersion);
    directory += common;
    put16(directory, 0);
    put16(directory, 0);
    put16(directory, 0);
    put32(directory, kPlainFile);
    put32(directory, archive.size());
    directory += entry.name;
    put32(archive, kLocalMark);
    archive += common;
    archive += entry.name;
    archive += packed;
  }
  const std::size_t directory_at = archive.size();
  archive += directory;
  put32(archive, kEndMark);
  put32(archive, 0);
  put16(archive, entries.size());
  put16(archive, entries.size());
  put32(archive, directory.size());
  put32(archive, directory_at);
  put16(archive, 0);
  return archive;
}

Result<std::string> unzip(std::string_view archive, std::string_view name, std::size_t most_bytes,
                          const std::string& origin) {
  IOS_TRY(const auto entries, entries_of(archive, origin));
  const auto found = std::ranges::find(entries, name, &Entry::name);
  if (found == entries.end())
    return fail(message("does not contain '{}'", name), origin, message("check that it is the right file"));
  const EntryPlace& place = found->place;
  if (place.size > most_bytes)
    return fail(message("holds {} MiB", place.size >> 20U), origin, message("at most {} MiB", most_bytes >> 20U));
  const std::string_view packed = archive.substr(found->begin, place.packed);
  std::optional<std::string> bytes;
  if (place.method == kStored && place.size == place.packed) bytes = std::string(packed);
  if (place.method == kDeflated && place.size / kLargestRatio <= place.packed) bytes = inflated(packed, place.size);
  if (!bytes || checksum(*bytes) != place.checksum) return damaged(origin);
  return std::move(*bytes);
}

}  // namespace iosx
