#include "core/base/json/json_view.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/text.h"

namespace iosx {

void FirstError::report(const std::string& place, Message what, Message remedy) {
  if (error_) return;
  std::string where = origin_.empty() || place.empty() ? origin_ + place : origin_ + ": " + place;
  error_ = Error{std::move(what), std::move(where), std::move(remedy)};
}

std::string in_quotes(std::string_view name) {
  constexpr std::size_t kMost = 60;
  if (name.size() <= kMost) return fmt::format("'{}'", name);
  return fmt::format("'{}…'", name.substr(0, character_until(name, kMost)));
}

JsonView JsonView::labelled(std::string_view name) const {
  return JsonView(json_, fmt::format("{} {}", place_, in_quotes(name)), *errors_);
}

void JsonView::fail_type(const Message& expected) const {
  fail(message("must be {}, not {}", expected, json_->type_name()));
}

bool JsonView::has(std::string_view key) const {
  if (json_ == nullptr || !json_->is_object()) return false;
  const auto found = json_->find(key);
  return found != json_->end() && !found->is_null();
}

JsonView JsonView::at(std::string_view key) const {
  const Json* found = nullptr;
  if (json_ != nullptr && !json_->is_object()) {
    fail_type(message("an object with the key '{}'", key));
  } else if (json_ != nullptr && !json_->contains(key)) {
    fail(message("the key '{}' is missing", key), message("add it"));
  } else if (json_ != nullptr) {
    found = &*json_->find(key);
  }
  return JsonView(found, place_.empty() ? std::string(key) : fmt::format("{}.{}", place_, key), *errors_);
}

std::vector<JsonView> JsonView::items() const {
  std::vector<JsonView> list;
  if (json_ == nullptr) return list;
  if (!json_->is_array()) {
    fail_type(message("a list"));
    return list;
  }
  list.reserve(json_->size());
  for (const Json& item : *json_) {
    list.push_back(JsonView(&item, fmt::format("{}[{}]", place_, list.size()), *errors_));
  }
  return list;
}

std::vector<JsonView> JsonView::items(std::size_t count, std::string_view what) const {
  std::vector<JsonView> list;
  if (json_ != nullptr && !json_->is_array()) {
    fail_type(message("a list of {} {}", count, what));
  } else if (json_ != nullptr && json_->size() != count) {
    fail(message("must be a list of {} {}, but has {}", count, what, json_->size()));
  } else {
    list = items();
  }
  while (list.size() < count) list.push_back(JsonView(nullptr, place_, *errors_));
  return list;
}

std::int64_t JsonView::integer(std::int64_t low, std::int64_t high) const {
  if (json_ == nullptr) return low;
  if (!json_->is_number()) {
    fail_type(message("an integer"));
    return low;
  }
  if (!json_->is_number_integer()) {
    fail(message("must be an integer, not {}", json_->dump()),
         message("write whole numbers without a fraction or an exponent"));
    return low;
  }
  const bool fits = !json_->is_number_unsigned() || json_->get<std::uint64_t>() <= std::uint64_t{INT64_MAX};
  const std::int64_t value = fits ? json_->get<std::int64_t>() : INT64_MAX;
  if (fits && value >= low && value <= high) return value;
  fail(message("{} must lie in {}..{}", json_->dump(), low, high));
  return low;
}

double JsonView::non_negative() const {
  if (json_ == nullptr) return 0;
  if (!json_->is_number()) {
    fail_type(message("a number"));
    return 0;
  }
  const auto value = json_->get<double>();
  if (std::isfinite(value) && value >= 0) return value;
  fail(message("{} must be a number of at least 0", json_->dump()));
  return 0;
}

std::string JsonView::text(std::size_t most_bytes) const {
  if (json_ == nullptr) return {};
  if (!json_->is_string()) {
    fail_type(message("a text"));
    return {};
  }
  const auto& value = json_->get_ref<const std::string&>();
  if (value.size() > most_bytes) {
    fail(message("the text {} has {} bytes", in_quotes(value), value.size()), message("use at most {}", most_bytes));
    return {};
  }
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; };
  if (std::any_of(value.begin(), value.end(), is_control)) {
    fail(message("the text has control characters"), message("remove line breaks, tabs and other control characters"));
    return {};
  }
  return value;
}

std::string JsonView::name() const {
  std::string value = text(kMaxTextBytes);
  if (value.empty() && json_ != nullptr) fail(message("a name must not be empty"));
  return value;
}

namespace {

// Builds the document from the parser's events and stops at content beyond the limits.
class DocumentBuilder final : public nlohmann::json_sax<Json> {
 public:
  Json take() { return std::move(root_); }
  const Message& refusal() const { return refusal_; }
  std::size_t error_position() const { return error_position_; }  // bytes read up to a syntax error
  const std::string& syntax_error() const { return syntax_error_; }

  bool null() override { return put(nullptr) != nullptr; }
  bool boolean(bool value) override { return put(value) != nullptr; }
  bool number_integer(number_integer_t value) override { return put(value) != nullptr; }
  bool number_unsigned(number_unsigned_t value) override { return put(value) != nullptr; }
  bool number_float(number_float_t value, const string_t&) override { return put(value) != nullptr; }
  bool string(string_t& value) override { return put(std::move(value)) != nullptr; }
  bool binary(binary_t&) override { return refuse(message("binary values are not JSON")); }
  bool start_object(std::size_t) override { return open(Json::object()); }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& value) override {
    if (open_.back()->contains(value))
      return refuse(message("the key {} appears twice in one object", in_quotes(value)));
    key_ = std::move(value);
    return true;
  }

  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& error) override {
    error_position_ = position;
    syntax_error_ = error.what();
    return false;
  }

 private:
  bool refuse(Message why) {
    refusal_ = std::move(why);
    return false;
  }

  // Pointers into the document stay valid: only the innermost open value grows.
  template <typename T>
  Json* put(T&& value) {
    if (++values_ > kMaxJsonValues) {
      refuse(message("the file has more than {} values", kMaxJsonValues));
      return nullptr;
    }
    if (open_.empty()) {
      root_ = std::forward<T>(value);
      return &root_;
    }
    if (open_.back()->is_array()) {
      open_.back()->push_back(std::forward<T>(value));
      return &open_.back()->back();
    }
    Json& place = (*open_.back())[key_];
    place = std::forward<T>(value);
    return &place;
  }

  bool open(Json container) {
    if (open_.size() == kMaxJsonDepth) {
      return refuse(message("brackets are nested more than {} deep", kMaxJsonDepth));
    }
    Json* const placed = put(std::move(container));
    if (placed != nullptr) open_.push_back(placed);
    return placed != nullptr;
  }

  bool close() {
    open_.pop_back();
    return true;
  }

  Json root_;
  std::vector<Json*> open_;
  std::string key_;
  std::size_t values_ = 0;
  Message refusal_;
  std::size_t error_position_ = 0;
  std::string syntax_error_;
};

// Reads the text for the parser and counts lines, so that a refusal without a place gets one.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* at, std::size_t* count) : at_(at), count_(count) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    ++at_;
    ++*count_;
    return *this;
  }
  friend bool operator==(const CountingIterator& a, const CountingIterator& b) { return a.at_ == b.at_; }

 private:
  const char* at_;
  std::size_t* count_;
};

// Returns of "… syntax error while parsing value - invalid literal; last read: 'x'; expected …" the part that helps,
// without the bytes of the file, which may be anything.
std::string reason(const std::string& message) {
  if (message.find("out_of_range") != std::string::npos) return "a number is too large";
  const std::size_t dash = message.find(" - ");
  if (dash == std::string::npos) return "the syntax is wrong";
  std::string text = message.substr(dash + 3);
  const std::size_t last_read = text.find("; last read");
  const std::size_t expected = text.rfind("; expected");
  const std::string tail = expected != std::string::npos && last_read != std::string::npos && expected > last_read
                               ? text.substr(expected)
                               : "";
  return text.substr(0, last_read) + tail;
}

// Returns the kind of another file by its beginning; empty where unknown.
std::string_view kind_of(std::string_view bytes) {
  struct Kind {
    std::string_view begins;
    std::string_view is;
  };
  constexpr std::array kKinds{
      Kind{{"PK\x03\x04\x14\0\0\0", 8}, "a zip archive, perhaps a saved run (iosx show opens those)"},
      Kind{"PK\x03\x04", "a zip archive"},
      Kind{{"SQLite format 3\0", 16}, "an SQLite database, perhaps a measurement store"},
      Kind{"\x89PNG", "a PNG image"},
      Kind{"%PDF", "a PDF document"},
      Kind{"\x1F\x8B", "compressed by gzip"}};
  const auto kind = std::ranges::find_if(kKinds, [&](const Kind& one) { return bytes.starts_with(one.begins); });
  return kind == kKinds.end() ? std::string_view{} : kind->is;
}

}  // namespace

std::string line_and_column(std::string_view text, std::size_t bytes_read) {
  const std::string_view read = text.substr(0, std::min(bytes_read, text.size()));
  const auto line = 1 + std::count(read.begin(), read.end(), '\n');
  const std::size_t line_start = read.rfind('\n') == std::string_view::npos ? 0 : read.rfind('\n') + 1;
  return fmt::format("line {}, column {}", line, std::max<std::size_t>(1, read.size() - line_start));
}

std::string json_fault(std::string_view text, std::size_t bytes_read, const std::string& parser_message) {
  const std::size_t at = std::min(bytes_read, text.size());
  const std::size_t begin = text.find_last_of(" \t\r\n:,[", at == 0 ? 0 : at - 1);
  const std::string_view word = text.substr(begin == std::string_view::npos ? 0 : begin + 1);
  for (const std::string_view none : {"NaN", "nan", "Infinity", "-Infinity", "inf", "-inf"}) {
    if (word.starts_with(none)) return "a number is NaN or infinite, which JSON has no way to say";
  }
  return reason(parser_message);
}

Result<Json> parse_json(std::string_view text, const std::string& origin) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    return fail(message("the file is empty"), origin, message("choose a file that contains a network"));
  }
  if (const std::string_view kind = kind_of(text); !kind.empty()) {
    return fail(message("is not JSON but {}", kind), origin, message("check that it is the right file"));
  }
  DocumentBuilder builder;
  std::size_t bytes_read = 0;
  const CountingIterator begin(text.data(), &bytes_read);
  const CountingIterator end(text.data() + text.size(), &bytes_read);
  if (Json::sax_parse(begin, end, &builder)) return builder.take();
  const bool refused = !builder.refusal().empty();
  const std::string place = line_and_column(text, refused ? bytes_read : builder.error_position());
  const std::string where = origin.empty() ? place : fmt::format("{}: {}", origin, place);
  if (refused) return fail(builder.refusal(), where, message("no network needs that; check that it is the right file"));
  return fail(message("not valid JSON: {}", json_fault(text, builder.error_position(), builder.syntax_error())), where,
              message("check that it is the right file, and complete"));
}

}  // namespace iosx
