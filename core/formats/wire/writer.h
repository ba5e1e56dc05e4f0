#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/id.h"
#include "core/base/message.h"
#include "core/formats/wire/fields.h"
#include "core/model/graph/tensor.h"

namespace iosx::wire {

// Writes values as JSON text, members by level and then in the order in which `fields` names them.
class Writer {
 public:
  static constexpr bool kReads = false;
  template <typename T>
  using Of = const T;

  std::string take() && { return std::move(text_); }

  template <typename T, typename... Fields>
  void all(const T& object, const Fields&... fields) {
    check_members<sizeof...(Fields)>(object);
    text_ += '{';
    bool first = true;
    if (!kind_.empty()) {
      key("kind", first);
      put(std::exchange(kind_, {}));
    }
    const int last = std::max({0, fields.level...});
    for (int level = 0; level <= last; ++level) ((fields.level == level ? member(fields, first) : void()), ...);
    text_ += '}';
  }
  template <typename T, typename... Fields>
  void row(const T& object, const Fields&... fields) {
    check_members<sizeof...(Fields)>(object);
    text_ += '[';
    bool first = true;
    ((lacks(fields) ? void() : (separate(first), put(fields.value))), ...);
    text_ += ']';
  }
  template <typename T, typename Member>
  void only(const T& object, const Field<Member>& field) {
    check_members<1>(object);
    put(field.value);
  }

  void put(bool value) { text_ += value ? "true" : "false"; }
  void put(std::int64_t value);
  void put(std::size_t value);
  void put(int value) { put(std::int64_t{value}); }
  void put(double value);  // the shortest text that reads back exactly
  void put(float value) { put(double{value}); }
  void put(std::string_view value);
  void put(const std::string& value) { put(std::string_view(value)); }
  void put(const Message& value) { put(value.text()); }
  void put(const Shape& shape);
  void put(const Tensor& tensor);
  template <typename Tag>
  void put(Id<Tag> id) {
    id.valid() ? put(id.index()) : null();
  }
  void put(std::chrono::sys_seconds time) { put(std::int64_t{time.time_since_epoch().count()}); }
  template <typename Period>
  void put(std::chrono::duration<double, Period> duration) {
    put(duration.count());
  }
  template <typename E>
  requires std::is_enum_v<E>
  void put(E value) { put(word(Spelled<E>{value})); }
  template <typename T, std::size_t N>
  void put(const std::array<T, N>& list) {
    put_list(list);
  }
  template <typename T>
  void put(const std::vector<T>& list) {
    put_list(list);
  }
  template <typename List>
  void put_list(const List& list) {
    text_ += '[';
    bool first = true;
    for (const auto& item : list) {
      separate(first);
      put(item);
    }
    text_ += ']';
  }
  template <typename T>
  void put(const std::optional<T>& value) {
    value ? put(*value) : null();
  }
  template <typename T>
  void put(const Lenient<T>& value) {
    put(value.value);
  }
  template <typename... Kinds>
  void put(const std::variant<Kinds...>& value) {
    std::visit(
        [this]<typename Kind>(const Kind& kind) {
          kind_ = kKind<Kind>;
          fields(*this, kind);
        },
        value);
  }
  template <typename T>
  requires std::is_class_v<T>
  void put(const T& value) { fields(*this, value); }

 private:
  void null() { text_ += "null"; }
  void separate(bool& first) {
    if (!std::exchange(first, false)) text_ += ',';
  }
  void key(std::string_view name, bool& first) {
    separate(first);
    text_ += '"';
    text_ += name;
    text_ += "\":";
  }
  // Returns whether it has nothing and may lack at the end of a row.
  template <typename T>
  static bool lacks(const Field<T>& field) {
    if constexpr (requires { field.value.empty(); }) return field.may_lack && field.value.empty();
    return false;
  }
  template <typename T>
  void member(const Field<T>& field, bool& first) {
    if constexpr (std::is_integral_v<T>) {
      if (field.zero_unwritten && field.value == T{}) return;
    }
    key(field.name, first);
    put(field.value);
  }
  void member(Unwritten /*nothing*/, bool& /*first*/) {}

  std::string text_;
  std::string_view kind_;  // of the object that begins next, if it is a variant's
};

}  // namespace iosx::wire
