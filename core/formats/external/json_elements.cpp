#include "core/formats/external/json_elements.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/text.h"

namespace iosx::external {
namespace {

constexpr std::size_t kMostValuesOfElement = 1'000'000;
constexpr std::size_t kMostBracketsOfElement = 64;

}  // namespace

Result<void> JsonElements::read(ByteSource& source, const std::string& origin) {
  IOS_TRY(const auto fault, stream_json(source, *this));
  if (!refusal_.empty()) return fail(refusal_, origin, message("record fewer steps"));
  if (fault) {
    return fail(message("is not valid JSON: {}", fault->what),
                fmt::format("{}: line {}, column {}", origin, fault->line, fault->column),
                message("check that it is the right file, and complete"));
  }
  return {};
}

bool JsonElements::begin(bool object) {
  ++depth_;
  if (list_depth_ == 0) {
    if (object || std::ranges::find(lists_, key_) == lists_.end()) return true;
    list_depth_ = depth_;
    list_ = key_;
    return true;
  }
  if (open_.size() >= kMostBracketsOfElement)
    return refuse(message("brackets are nested more than {} deep", kMostBracketsOfElement));
  nlohmann::json* const made = open_.empty() ? &(element_ = nlohmann::json()) : add(nlohmann::json());
  if (made == nullptr) return full();
  *made = object ? nlohmann::json::object() : nlohmann::json::array();
  open_.push_back(made);
  return true;
}

bool JsonElements::end(bool /*object*/) {
  const std::size_t depth = depth_--;
  if (depth == list_depth_) list_depth_ = 0;
  if (depth <= list_depth_ || open_.empty()) return true;
  open_.pop_back();
  if (!open_.empty()) return true;
  values_ = 0;
  Message why = take_(list_, element_);
  return why.empty() || refuse(std::move(why));
}

bool JsonElements::key(std::string_view text) {
  key_ = text;
  return true;
}

bool JsonElements::string(std::string_view text) {
  return !inside() || open_.empty() || add(nlohmann::json(std::string(text))) != nullptr || full();
}

bool JsonElements::number(std::string_view text) {
  if (!inside() || open_.empty()) return true;
  if (const auto value = read_number<std::int64_t>(text)) return add(nlohmann::json(*value)) != nullptr || full();
  if (const auto value = read_number<std::uint64_t>(text)) return add(nlohmann::json(*value)) != nullptr || full();
  return add(nlohmann::json(read_number<double>(text).value_or(0))) != nullptr || full();
}

bool JsonElements::literal(std::string_view word) {
  const nlohmann::json value = word == "null" ? nlohmann::json() : nlohmann::json(word == "true");
  return !inside() || open_.empty() || add(value) != nullptr || full();
}

bool JsonElements::refuse(Message why) {
  refusal_ = std::move(why);
  return false;
}
bool JsonElements::full() {
  return refuse(message("one of its elements has more than {} values", kMostValuesOfElement));
}

nlohmann::json* JsonElements::add(nlohmann::json value) {
  if (++values_ > kMostValuesOfElement) return nullptr;
  nlohmann::json& list = *open_.back();
  if (list.is_array()) {
    list.push_back(std::move(value));
    return &list.back();
  }
  nlohmann::json& place = list[key_];
  place = std::move(value);
  return &place;
}

}  // namespace iosx::external
