#include "core/base/json/json_stream.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "core/base/json/text_file.h"

namespace iosx {
namespace {

constexpr std::size_t kLongestToken = std::size_t{16} << 20U;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Accepts what JSON calls a number: -?(0|[1-9][0-9]*)(.[0-9]+)?([eE][+-]?[0-9]+)?
bool is_json_number(std::string_view text) {
  std::size_t at = text.starts_with('-') ? 1 : 0;
  const auto digits = [&] {
    const std::size_t first = at;
    while (at < text.size() && is_digit(text[at])) ++at;
    return at > first;
  };
  const bool zero = at < text.size() && text[at] == '0';
  const std::size_t first = at;
  if (!digits() || (zero && at > first + 1)) return false;
  if (at < text.size() && text[at] == '.' && (++at, !digits())) return false;
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
    if (!digits()) return false;
  }
  return at == text.size();
}

// Accepts well-formed UTF-8, as Unicode's table 3-7 has it.
bool is_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = [&](std::size_t at) {
      return at < text.size() ? static_cast<unsigned char>(text[at]) : std::uint8_t{0};
    };
    const unsigned lead = byte(i);
    if (lead < 0x80) {
      ++i;
      continue;
    }
    const std::size_t more = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : 1;
    if (lead < 0xC2 || lead > 0xF4) return false;
    const unsigned least = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    const unsigned most = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    if (byte(i + 1) < least || byte(i + 1) > most) return false;
    for (std::size_t k = 2; k <= more; ++k) {
      if ((byte(i + k) & 0xC0U) != 0x80U) return false;
    }
    i += more + 1;
  }
  return true;
}

// Moves a place, a line and the bytes in it, behind the text.
void count_lines(std::string_view text, std::size_t& line, std::size_t& bytes) {
  line += static_cast<std::size_t>(std::ranges::count(text, '\n'));
  const std::size_t last = text.rfind('\n');
  bytes = last == std::string_view::npos ? bytes + text.size() : text.size() - last - 1;
}

class JsonScanner {
 public:
  JsonScanner(ByteSource& source, JsonSink& sink) : source_(source), sink_(sink) {}

  Result<std::optional<JsonFault>> read() {
    skip_mark();
    if (!error_) read_values();
    if (error_) return tl::unexpected(*error_);
    return std::move(fault_);
  }

 private:
  enum class Expect { kValue, kValueOrEnd, kKey, kKeyOrEnd, kSeparator };

  // Makes at least one byte available; false at the end of the text, and after an error.
  bool more() {
    if (at_ != end_) return true;
    if (ended_) return false;
    count_lines(std::string_view(block_, static_cast<std::size_t>(end_ - block_)), line_, before_);
    const auto bytes = source_.next();
    if (!bytes) error_ = bytes.error();
    if (!bytes || bytes->empty()) {
      block_ = at_ = end_;
      ended_ = true;
      return false;
    }
    block_ = at_ = bytes->data();
    end_ = at_ + bytes->size();
    return true;
  }

  void skip_mark() {
    for (const char c : kByteOrderMark) {
      if (!more() || *at_ != c) return;
      ++at_;
    }
  }

  // The place is that of the byte that was read last.
  void fault(Message what) {
    if (fault_ || error_) return;
    std::size_t line = line_;
    std::size_t column = before_;
    count_lines(std::string_view(block_, static_cast<std::size_t>(at_ - block_)), line, column);
    fault_ = JsonFault{.what = std::move(what), .line = line, .column = std::max<std::size_t>(column, 1)};
  }
  void unexpected_end() {
    fault(message("the text ends too early"));
    // After a whole value of a list a file may break off: "[{…}, {…}" and "[{…}, ".
    if (fault_) fault_->broke_off_between_values = !open_.empty() && !open_.back() && between_;
  }

  bool skip_spaces() {
    while (more()) {
      const char c = *at_;
      if (c != ' ' && c != '\n' && c != '\r' && c != '\t') return true;
      ++at_;
    }
    return false;
  }

  void read_values() {
    Expect expect = Expect::kValue;
    while (true) {
      if (!skip_spaces()) {
        if (!open_.empty() || expect == Expect::kValue) unexpected_end();
        return;
      }
      const char c = *at_++;
      if (expect == Expect::kSeparator && open_.empty()) return fault(message("there is more text behind the end"));
      const bool closes = (c == ']' || c == '}') && expect != Expect::kValue && expect != Expect::kKey;
      if (closes && !open_.empty() && open_.back() == (c == '}')) {
        open_.pop_back();
        between_ = true;
        if (!sink_.end(c == '}')) return;
        expect = Expect::kSeparator;
        continue;
      }
      if (expect == Expect::kSeparator) {
        if (c != ',') return fault(message("a comma or a closing bracket is missing"));
        expect = open_.back() ? Expect::kKey : Expect::kValue;
        continue;
      }
      if (expect == Expect::kKey || expect == Expect::kKeyOrEnd) {
        if (c != '"') return fault(message("a key is missing"));
        if (!read_string() || !sink_.key(text_) || !read_colon()) return;
        expect = Expect::kValue;
        continue;
      }
      if (!read_value(c, expect)) return;
    }
  }

  bool read_colon() {
    if (!skip_spaces()) return unexpected_end(), false;
    if (*at_++ == ':') return true;
    fault(message("a colon is missing"));
    return false;
  }

  bool read_value(char c, Expect& expect) {
    expect = Expect::kSeparator;
    between_ = false;
    if (c == '{' || c == '[') {
      open_.push_back(c == '{');
      between_ = c == '[';
      expect = c == '{' ? Expect::kKeyOrEnd : Expect::kValueOrEnd;
      return sink_.begin(c == '{');
    }
    const bool in_list = !open_.empty() && !open_.back();
    if (c == '"') {
      if (!read_string()) return false;
      between_ = in_list;
      return sink_.string(text_);
    }
    read_word(c);
    between_ = in_list;
    if (is_digit(c) || c == '-') {
      if (is_json_number(text_)) return sink_.number(text_);
    } else if (text_ == "true" || text_ == "false" || text_ == "null") {
      return sink_.literal(text_);
    }
    constexpr std::array<std::string_view, 6> kNone{"NaN", "nan", "Infinity", "-Infinity", "inf", "-inf"};
    const bool none = std::ranges::find(kNone, text_) != kNone.end();
    fault(none ? message("a number is NaN or infinite, which JSON has no way to say")
               : message("a value is none of JSON's: no text, number, list, object, true, false or null"));
    return false;
  }

  // Reads a number or a word, of which the first letter was read, to text_.
  void read_word(char first) {
    const char* const begin = at_ - 1;
    const auto belongs = [](char c) {
      return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '+' || c == '-' || c == '.';
    };
    while (at_ != end_ && belongs(*at_)) ++at_;
    if (at_ != end_) {
      text_ = std::string_view(begin, static_cast<std::size_t>(at_ - begin));
      return;
    }
    scratch_.assign(1, first);
    scratch_.append(begin + 1, at_);
    while (more() && belongs(*at_) && scratch_.size() < kLongestToken) scratch_ += *at_++;
    text_ = scratch_;
  }

  // Reads a text, of which the quote was read, to text_.
  bool read_string() {
    const char* begin = at_;
    bool in_scratch = false;
    bool beyond_ascii = false;
    while (true) {
      while (at_ != end_ && *at_ != '"' && *at_ != '\\' && static_cast<unsigned char>(*at_) >= 0x20) {
        beyond_ascii |= static_cast<unsigned char>(*at_++) >= 0x80;
      }
      if (at_ != end_ && *at_ == '"' && !in_scratch) {
        text_ = std::string_view(begin, static_cast<std::size_t>(at_ - begin));
        break;
      }
      if (!in_scratch) scratch_.clear();
      in_scratch = true;
      scratch_.append(begin, at_);
      if (scratch_.size() > kLongestToken) {
        fault(message("a text has more than {} MiB", kLongestToken >> 20U));
        return false;
      }
      if (!more()) {
        fault(message("invalid string: its quote is not closed"));
        return false;
      }
      if (*at_ == '"') {
        text_ = scratch_;
        break;
      }
      if (static_cast<unsigned char>(*at_) < 0x20) {
        ++at_;
        fault(message("invalid string: it has a control character"));
        return false;
      }
      if (*at_ == '\\' && !read_escape()) return false;
      begin = at_;
    }
    ++at_;
    if (!beyond_ascii || is_utf8(text_)) return true;
    fault(message("invalid string: it is not UTF-8"));
    return false;
  }

  bool read_escape() {
    ++at_;
    if (!more()) return unexpected_end(), false;
    constexpr std::string_view kLetters = "\"\\/bfnrtu";
    constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
    const std::size_t which = kLetters.find(*at_++);
    if (which < kMeanings.size()) {
      scratch_ += kMeanings[which];
      return true;
    }
    std::uint32_t code = 0;
    if (which == std::string_view::npos || !read_code(code)) {
      fault(message("invalid string: an escape is unknown"));
      return false;
    }
    if (code >= 0xD800 && code < 0xE000) {
      std::uint32_t low = 0;
      const bool pair = code < 0xDC00 && take('\\') && take('u') && read_code(low) && low >= 0xDC00 && low < 0xE000;
      if (!pair) {
        fault(message("invalid string: half of a character is missing"));
        return false;
      }
      code = 0x10000 + ((code - 0xD800) << 10U) + (low - 0xDC00);
    }
    append_utf8(scratch_, code);
    return true;
  }

  bool take(char c) { return more() && *at_ == c && (++at_, true); }

  bool read_code(std::uint32_t& code) {
    for (int i = 0; i < 4; ++i) {
      if (!more()) return false;
      constexpr std::string_view kDigits = "0123456789abcdef0123456789ABCDEF";
      const std::size_t digit = kDigits.find(*at_++);
      if (digit == std::string_view::npos) return false;
      code = code * 16 + static_cast<std::uint32_t>(digit % 16);
    }
    return true;
  }

  ByteSource& source_;
  JsonSink& sink_;
  const char* block_ = nullptr;
  const char* at_ = nullptr;
  const char* end_ = nullptr;
  bool ended_ = false;
  std::size_t line_ = 1;    // at the begin of the block
  std::size_t before_ = 0;  // bytes of that line before the block
  std::vector<bool> open_;  // brackets; true: an object
  bool between_ = false;    // the innermost list ends with a whole value
  std::string_view text_;
  std::string scratch_;
  std::optional<JsonFault> fault_;
  std::optional<Error> error_;
};

}  // namespace

Result<std::optional<JsonFault>> stream_json(ByteSource& source, JsonSink& sink) {
  return JsonScanner(source, sink).read();
}

}  // namespace iosx
