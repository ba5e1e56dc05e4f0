#include "core/base/json/text_file.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>

#include "core/base/files.h"

namespace iosx {

void append_utf8(std::string& out, std::uint32_t code) {
  const auto add = [&](std::uint32_t lead, int more) {
    out += static_cast<char>(lead | code >> (6 * more));
    for (int i = more - 1; i >= 0; --i) out += static_cast<char>(0x80 | (code >> (6 * i) & 0x3F));
  };
  if (code < 0x80) return add(0, 0);
  if (code < 0x800) return add(0xC0, 1);
  if (code < 0x10000) return add(0xE0, 2);
  add(0xF0, 3);
}

namespace {

// Converts UTF-16 whose units have their high byte at `high`, 0 or 1.
std::string from_utf16(std::string_view text, std::size_t high) {
  std::string out;
  out.reserve(text.size() / 2);
  const auto unit = [&](std::size_t i) -> std::uint32_t {
    if (i + 1 >= text.size()) return 0xFFFD;
    return static_cast<unsigned char>(text[i + high]) << 8U | static_cast<unsigned char>(text[i + 1 - high]);
  };
  for (std::size_t i = 0; i < text.size(); i += 2) {
    std::uint32_t code = unit(i);
    const std::uint32_t low = i + 2 < text.size() ? unit(i + 2) : 0;
    if (code >= 0xD800 && code < 0xDC00 && low >= 0xDC00 && low < 0xE000) {
      code = 0x10000 + ((code - 0xD800) << 10U) + (low - 0xDC00);
      i += 2;
    } else if (code >= 0xD800 && code < 0xE000) {
      code = 0xFFFD;
    }
    append_utf8(out, code);
  }
  return out;
}

constexpr std::string_view kUtf8Mark = "\xEF\xBB\xBF";

// How a text with this beginning is written in UTF-16.
struct Utf16 {
  std::size_t mark = 0;  // bytes before the text
  std::size_t high = 0;  // see from_utf16()
};
std::optional<Utf16> utf16_of(std::string_view text) {
  if (text.starts_with("\xFF\xFE")) return Utf16{2, 1};
  if (text.starts_with("\xFE\xFF")) return Utf16{2, 0};
  const auto zero = [&](std::size_t i) { return text[i] == '\0'; };
  if (text.size() >= 4 && text.size() % 2 == 0 && zero(0) != zero(1) && zero(0) == zero(2) && zero(1) == zero(3)) {
    return Utf16{0, zero(0) ? std::size_t{0} : 1};
  }
  return std::nullopt;
}

Result<std::ifstream> open_to_read(const std::filesystem::path& path) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (file) return file;
  return fail(message("cannot be opened: {}", std::strerror(errno)), path.string(), message("check its permissions"));
}

// Hands on the lines that are whole, and returns how many bytes they are.
Result<std::size_t> hand_on_lines(std::string_view text, FunctionRef<Result<void>(std::string_view)> take) {
  std::size_t begin = 0;
  for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n', begin)) {
    IOS_TRY(take(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return begin;
}

}  // namespace

std::string as_utf8(std::string text) {
  if (text.starts_with(kUtf8Mark)) return text.substr(kUtf8Mark.size());
  if (const auto utf16 = utf16_of(text)) return from_utf16(std::string_view(text).substr(utf16->mark), utf16->high);
  return text;
}

Result<void> read_lines(const std::filesystem::path& path, FunctionRef<Result<void>(std::string_view)> take) {
  constexpr std::size_t kAtOnce = std::size_t{1} << 20U;
  IOS_TRY(check_regular_file(path));
  IOS_TRY(auto file, open_to_read(path));
  std::string held;  // what was read and not handed on
  for (bool first = true; file; first = false) {
    const std::size_t before = held.size();
    held.resize(before + kAtOnce);
    file.read(held.data() + before, static_cast<std::streamsize>(kAtOnce));
    held.resize(before + static_cast<std::size_t>(file.gcount()));
    if (file.bad()) return fail(message("cannot be read: {}", std::strerror(errno)), path.string());
    if (first && held.starts_with(kUtf8Mark)) held.erase(0, kUtf8Mark.size());
    if (first && utf16_of(held)) {
      file.close();
      IOS_TRY(held, read_text_file(path));
      file.setstate(std::ios::eofbit | std::ios::failbit);
    }
    IOS_TRY(const std::size_t taken, hand_on_lines(held, take));
    held.erase(0, taken);
    if (held.size() > kMaxLineBytes) {
      return fail(message("has a line of more than {} MiB", kMaxLineBytes >> 20U), path.string(),
                  message("choose a text file"));
    }
  }
  return held.empty() ? Result<void>() : take(held);
}

Result<std::string> read_text_file(const std::filesystem::path& path) {
  IOS_TRY(auto bytes, read_bytes(path));
  return as_utf8(std::move(bytes));
}

Result<std::string> read_bytes(const std::filesystem::path& path) {
  IOS_TRY(check_regular_file(path));
  const std::string where = path.string();
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  if (error) return fail(message("cannot be read: {}", error.message()), where, message("check the path"));
  if (size > kMaxFileBytes) {
    return fail(message("has {} MiB", size >> 20U), where, message("at most {} MiB", kMaxFileBytes >> 20U));
  }
  IOS_TRY(auto file, open_to_read(path));
  std::string text(size, '\0');
  file.read(text.data(), static_cast<std::streamsize>(size));
  if (file.bad()) return fail(message("cannot be read: {}", std::strerror(errno)), where);
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

}  // namespace iosx
