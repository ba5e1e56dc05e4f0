#pragma once

#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/id.h"
#include "core/base/result.h"
#include "core/formats/wire/fields.h"
#include "core/model/graph/tensor.h"

namespace iosx::wire {

// Reads one value of a parsed document, which must outlive it. The first thing that is wrong is kept with its place
// ("results[2].plan.kernels[7].waits[0]"); what is read after that stays as it was. A reader of a member lives only as
// long as its parent's.
class Reader {
 public:
  static constexpr bool kReads = true;
  template <typename T>
  using Of = T;

  // `problem` keeps the first mistake; its place begins with `origin`, the document's name.
  Reader(const nlohmann::json& json, std::string_view origin, std::optional<Error>& problem)
      : json_(json), origin_(origin), problem_(problem) {}

  bool ok() const { return !problem_; }
  void fail(Message what, Message remedy = {});

  template <typename T, typename... Fields>
  void all(T& object, const Fields&... fields) {
    check_members<sizeof...(Fields)>(object);
    if (!json_.is_object()) return fail_type("an object");
    (member(fields), ...);
  }
  template <typename T, typename... Fields>
  void row(T& object, const Fields&... fields) {
    check_members<sizeof...(Fields)>(object);
    const std::size_t least = sizeof...(Fields) - (std::size_t{fields.may_lack} + ...);  // only the last may lack
    if (!json_.is_array() || json_.size() < least || json_.size() > sizeof...(Fields)) return fail_row(least);
    std::size_t next = 0;
    ((next < json_.size() ? item(next, fields, fields.value) : void(), ++next), ...);
  }
  template <typename T, typename Member>
  void only(T& object, const Field<Member>& field) {
    check_members<1>(object);
    bounds_.low = field.low;
    bounds_.high = field.high;
    get(field.value);
  }

  void get(bool& value);
  void get(std::int64_t& value) { value = integer(bounds_.low, bounds_.high).value_or(value); }
  void get(std::size_t& value) {
    const auto found = integer(std::max<std::int64_t>(bounds_.low, 0), bounds_.high);
    if (found) value = static_cast<std::size_t>(*found);
  }
  void get(int& value) {
    const auto found = integer(std::max<std::int64_t>(bounds_.low, std::numeric_limits<int>::min()),
                               std::min<std::int64_t>(bounds_.high, std::numeric_limits<int>::max()));
    if (found) value = static_cast<int>(*found);
  }
  void get(double& value) { value = number().value_or(value); }
  void get(float& value);
  void get(std::string& value);
  void get(Message& value) {  // what was written was in English
    std::string text;
    get(text);
    value = verbatim(std::move(text));
  }
  void get(Shape& shape);
  void get(Tensor& tensor);
  template <typename Tag>
  void get(Id<Tag>& id) {
    if (json_.is_null()) return void(id = Id<Tag>());
    if (const auto found = integer(0, kMaxId)) id = Id<Tag>(static_cast<std::size_t>(*found));
  }
  void get(std::chrono::sys_seconds& time);
  template <typename Period>
  void get(std::chrono::duration<double, Period>& duration) {
    if (const auto found = number()) duration = std::chrono::duration<double, Period>(*found);
  }
  template <typename E>
  requires std::is_enum_v<E>
  void get(E& value) {
    const std::string* const text = known_text();
    if (text == nullptr) return;
    for (int i = 0; !word(Spelled<E>{static_cast<E>(i)}).empty(); ++i) {
      if (word(Spelled<E>{static_cast<E>(i)}) == *text) return void(value = static_cast<E>(i));
    }
    fail_word(*text);
  }
  template <typename T>
  void get(std::vector<T>& list) {
    list.clear();
    if (!json_.is_array()) return fail_type("a list");
    list.reserve(std::min(json_.size(), kTrusted));
    for (std::size_t i = 0; i < json_.size() && ok(); ++i) {
      T value{};
      item(i, *this, value);
      list.push_back(std::move(value));
    }
  }
  template <typename T, std::size_t N>
  void get(std::array<T, N>& list) {
    if (!json_.is_array() || json_.size() != N) return fail_type(N == 2 ? "a list of two" : "a list of another length");
    for (std::size_t i = 0; i < N && ok(); ++i) item(i, *this, list[i]);
  }
  template <typename T>
  void get(std::optional<T>& value) {
    if (json_.is_null()) return value.reset();
    value.emplace();
    get(*value);
  }
  template <typename T>
  void get(Lenient<T>& value) {
    std::optional<Error> problem;
    T read{};
    Reader(json_, origin_, problem).get(read);
    if (!problem) value.value = std::move(read);
  }
  template <typename... Kinds>
  void get(std::variant<Kinds...>& value) {
    std::string kind;
    if (!json_.is_object()) return fail_type("an object");
    member(field("kind", kind));
    if (ok() && !(get_kind<Kinds>(kind, value) || ...)) fail_word(kind);
  }
  template <typename T>
  requires std::is_class_v<T>
  void get(T& value) { fields(*this, value); }

 private:
  static constexpr std::int64_t kMaxId = std::numeric_limits<std::uint32_t>::max() - 1;
  static constexpr std::size_t kTrusted = 1024;  // room for so many is made before they are seen

  Reader(const nlohmann::json& json, const Reader& parent, std::string_view name, std::size_t index)
      : json_(json), origin_(parent.origin_), parent_(&parent), name_(name), index_(index), problem_(parent.problem_) {}

  template <typename T>
  void member(const Field<T>& field) {
    if (!ok()) return;
    const auto found = json_.find(field.name);
    if (found == json_.end()) {
      if (!field.may_lack) fail_missing(field.name);
      return;
    }
    Reader reader(*found, *this, field.name, 0);
    reader.bounds_ = bounds_of(field);
    reader.get(field.value);
  }
  void member(Unwritten /*nothing*/) {}
  void item(std::size_t index, const auto& bounds, auto& value) {
    if (!ok()) return;
    Reader reader(json_[index], *this, {}, index);
    reader.bounds_ = bounds_of(bounds);
    reader.get(value);
  }
  // The bounds of a field's numbers, which also apply to numbers in its lists.
  struct Bounds {
    std::int64_t low = -kMostExact;
    std::int64_t high = kMostExact;
    bool any_number = false;
  };
  static Bounds bounds_of(const Reader& reader) { return reader.bounds_; }
  static Bounds bounds_of(const auto& field) { return {field.low, field.high, field.any_number}; }

  template <typename Kind, typename Variant>
  bool get_kind(const std::string& kind, Variant& value) {
    if (kind != kKind<Kind>) return false;
    Kind read{};
    fields(*this, read);
    value = std::move(read);
    return true;
  }

  std::optional<std::int64_t> integer(std::int64_t low, std::int64_t high);
  std::optional<double> number();
  const std::string* known_text();  // null after an error
  std::string place() const;
  void fail_type(std::string_view expected);
  void fail_missing(std::string_view key);
  void fail_row(std::size_t count);
  void fail_word(const std::string& word);

  const nlohmann::json& json_;
  std::string_view origin_;
  const Reader* parent_ = nullptr;
  std::string_view name_;  // in the parent; empty for the item of a list
  std::size_t index_ = 0;
  Bounds bounds_;
  std::optional<Error>& problem_;
};

}  // namespace iosx::wire
