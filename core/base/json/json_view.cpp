#include "core/base/json/json_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/utf8.h"

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
  std::string place = place_.empty() ? std::string(key) : fmt::format("{}.{}", place_, key);
  if (json_ == nullptr) return JsonView(nullptr, std::move(place), *errors_);
  if (!json_->is_object()) {
    fail_type(message("an object with the key '{}'", key));
    return JsonView(nullptr, std::move(place), *errors_);
  }
  const auto found = json_->find(key);
  if (found == json_->end()) {
    fail(message("the key '{}' is missing", key), message("add it"));
    return JsonView(nullptr, std::move(place), *errors_);
  }
  return JsonView(&*found, std::move(place), *errors_);
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
  std::string value = text(kMaxNameBytes);
  if (value.empty() && json_ != nullptr) fail(message("a name must not be empty"));
  return value;
}

}  // namespace iosx
