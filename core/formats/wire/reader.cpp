#include "core/formats/wire/reader.h"

#include <fmt/format.h>

#include <cstring>

#include "core/base/json/json_view.h"
#include "core/formats/wire/base64.h"

namespace iosx::wire {

std::string Reader::place() const {
  if (parent_ == nullptr) return {};
  std::string place = parent_->place();
  if (name_.empty()) return place + fmt::format("[{}]", index_);
  if (!place.empty()) place += '.';
  return place.append(name_);
}

void Reader::fail(Message what, Message remedy) {
  if (problem_) return;
  std::string where(origin_);
  if (const std::string inside = place(); !inside.empty()) where += (where.empty() ? "" : ": ") + inside;
  problem_ = Error{std::move(what), std::move(where), std::move(remedy)};
}

void Reader::fail_type(std::string_view expected) { fail(message("must be {}, not {}", expected, json_.type_name())); }
void Reader::fail_missing(std::string_view key) { fail(message("the key '{}' is missing", key)); }
void Reader::fail_row(std::size_t count) { fail(message("must be a list of {}", count)); }
void Reader::fail_word(const std::string& word) { fail(message("the word {} is unknown here", in_quotes(word))); }

void Reader::get(bool& value) {
  if (!json_.is_boolean()) return fail_type("true or false");
  value = json_.get<bool>();
}

std::optional<std::int64_t> Reader::integer(std::int64_t low, std::int64_t high) {
  if (!json_.is_number_integer()) {
    fail_type("an integer");
    return std::nullopt;
  }
  const bool fits = !json_.is_number_unsigned() || json_.get<std::uint64_t>() <= std::uint64_t{INT64_MAX};
  const std::int64_t value = fits ? json_.get<std::int64_t>() : INT64_MAX;
  if (fits && value >= low && value <= high) return value;
  fail(message("{} must lie in {}..{}", json_.dump(), low, high));
  return std::nullopt;
}

std::optional<double> Reader::number() {
  if (json_.is_number()) {
    const auto value = json_.get<double>();
    const bool bounded = bounds_.low > -kMostExact;
    if (bounded && (value < static_cast<double>(bounds_.low) || value > static_cast<double>(bounds_.high))) {
      fail(message("{} must lie in {}..{}", json_.dump(), bounds_.low, bounds_.high));
      return std::nullopt;
    }
    if (std::isfinite(value)) return value;
  } else if (json_.is_string() && bounds_.any_number) {
    const auto& text = json_.get_ref<const std::string&>();
    if (text == "infinity") return std::numeric_limits<double>::infinity();
    if (text == "-infinity") return -std::numeric_limits<double>::infinity();
    if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
  }
  fail_type(bounds_.any_number ? "a number" : "a finite number");
  return std::nullopt;
}

void Reader::get(float& value) {
  const auto found = number();
  if (!found) return;
  if (std::isfinite(*found) && std::abs(*found) > std::numeric_limits<float>::max())
    return fail(message("{} is too large", *found));
  value = static_cast<float>(*found);
}

const std::string* Reader::known_text() {
  if (json_.is_string()) return &json_.get_ref<const std::string&>();
  fail_type("a text");
  return nullptr;
}

void Reader::get(std::string& value) {
  if (json_.is_object() && json_.size() == 1 && json_.contains("base64") && json_["base64"].is_string()) {
    auto bytes = from_base64(json_["base64"].get_ref<const std::string&>());
    if (!bytes) return fail(message("is not base64"));
    value = std::move(*bytes);
    return;
  }
  if (const std::string* text = known_text()) value = *text;
}

void Reader::get(Shape& shape) {
  std::vector<std::int64_t> dims;
  bounds_.low = 1;
  bounds_.high = kMaxExtent;
  if (json_.is_array() && json_.size() > Shape::kMaxRank)
    return fail(message("has {} axes, at most {} are allowed", json_.size(), Shape::kMaxRank));
  get(dims);
  if (!ok()) return;
  std::int64_t elements = 1;
  for (const std::int64_t size : dims) {
    if (elements > kMaxElements / size) return fail(message("has more than {} elements", kMaxElements));
    elements *= size;
  }
  shape = Shape(dims);
}

void Reader::get(std::chrono::sys_seconds& time) {
  // Seconds since 1970. A computer whose clock was never set writes runs, too.
  constexpr std::int64_t kYear1 = -62'135'596'800;
  constexpr std::int64_t kYear10000 = 253'402'300'800;
  if (const auto found = integer(kYear1, kYear10000 - 1)) time = std::chrono::sys_seconds(std::chrono::seconds(*found));
}

void Reader::get(Tensor& tensor) {
  if (json_.is_null()) return void(tensor = Tensor());
  if (!json_.is_object()) return fail_type("a tensor");
  std::vector<std::int64_t> dims;
  std::string text;
  member(field("dims", dims, 0, kMaxElements));
  member(field("float32", text));
  if (!ok()) return;
  const auto bytes = from_base64(text);
  if (!bytes) return fail(message("its elements are not base64"));
  std::size_t elements = bytes->size() / sizeof(float);
  const bool fits = bytes->size() % sizeof(float) == 0 && [&] {
    std::int64_t left = static_cast<std::int64_t>(elements);
    for (const std::int64_t size : dims) {
      if (size == 0) return elements == 0;
      if (left % size != 0) return false;
      left /= size;
    }
    return left == 1;
  }();
  if (!fits) return fail(message("has {} bytes of elements, which do not match its dims", bytes->size()));
  std::vector<float> values(elements);
  std::memcpy(values.data(), bytes->data(), bytes->size());
  tensor = Tensor(std::move(dims), std::move(values));
}

}  // namespace iosx::wire
