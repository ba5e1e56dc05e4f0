#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

// This header says what the members of a type are called: one function `fields` a type names each, and serves all who
// go through members: those that write and read files (core/formats/wire/fields.h), and those that show an operator's
// attributes (core/model/graph/operator_fields.h).
//
//   template <typename A>
//   void fields(A& a, typename A::template Of<Extent>& extent) {
//     a.row(extent, field(extent.height), field(extent.width));
//   }
//
// A type whose members are not all named there does not compile, so a new member is one line in one place.
namespace iosx {

// Integers and counts lie within ±2^53 unless a field says otherwise: what every reader of JSON holds exactly, and far
// enough from 64 bits for sums of them.
inline constexpr std::int64_t kMostExact = std::int64_t{1} << 53;

template <typename T>
struct Field {
  std::string_view name;
  T& value;
  // These bound integers, in lists too; they bound other numbers where they were given.
  std::int64_t low = -kMostExact;
  std::int64_t high = kMostExact;
  bool any_number = false;      // infinite ones and NaN too
  bool may_lack = false;        // it keeps its default then
  bool zero_unwritten = false;  // of a bool or an integer that may lack
  int level = 0;                // in files it follows all fields of lower levels, which their forms had before
};

template <typename T>
Field<T> field(std::string_view name, T& value) {
  return {.name = name, .value = value};
}
template <typename T>
Field<T> field(std::string_view name, T& value, std::int64_t low, std::int64_t high) {
  return {.name = name, .value = value, .low = low, .high = high};
}
template <typename T>
Field<T> field(T& value) {
  return {.name = {}, .value = value};
}
// Makes a field of a number or numbers of at least 0.
template <typename T>
Field<T> not_negative(std::string_view name, T& value) {
  return field(name, value, 0, kMostExact);
}
// Makes a field of a floating-point number that may be infinite or NaN.
template <typename T>
Field<T> any_number(std::string_view name, T& value) {
  return {.name = name, .value = value, .any_number = true};
}

// Makes a field of a member that documents of this version did not have before, and had its default.
template <typename T>
Field<T> later(Field<T> field) {
  field.may_lack = true;
  return field;
}

// The same, of a bool or an integer; documents without it keep the text that they had before.
template <typename T>
Field<T> written_if_set(Field<T> field) {
  field.may_lack = field.zero_unwritten = true;
  return field;
}

// Stands for a member that is not written, and keeps its default when read.
struct Unwritten {
  int level = 0;
};
inline Unwritten unwritten(const auto& /*member*/) { return {}; }

// Does not compile unless T has exactly `Count` members.
template <std::size_t Count, typename T>
constexpr void check_members(T& x) {
  // clang-format off
  if constexpr (Count == 0) { static_assert(std::is_empty_v<T>, "every member needs a field"); }
  else if constexpr (Count == 1) { [[maybe_unused]] const auto& [a] = x; }
  else if constexpr (Count == 2) { [[maybe_unused]] const auto& [a, b] = x; }
  else if constexpr (Count == 3) { [[maybe_unused]] const auto& [a, b, c] = x; }
  else if constexpr (Count == 4) { [[maybe_unused]] const auto& [a, b, c, d] = x; }
  else if constexpr (Count == 5) { [[maybe_unused]] const auto& [a, b, c, d, e] = x; }
  else if constexpr (Count == 6) { [[maybe_unused]] const auto& [a, b, c, d, e, f] = x; }
  else if constexpr (Count == 7) { [[maybe_unused]] const auto& [a, b, c, d, e, f, g] = x; }
  else if constexpr (Count == 8) { [[maybe_unused]] const auto& [a, b, c, d, e, f, g, h] = x; }
  else if constexpr (Count == 9) { [[maybe_unused]] const auto& [a, b, c, d, e, f, g, h, i] = x; }
  else if constexpr (Count == 10) { [[maybe_unused]] const auto& [a, b, c, d, e, f, g, h, i, j] = x; }
  else if constexpr (Count == 11) { [[maybe_unused]] const auto& [a, b, c, d, e, f, g, h, i, j, k] = x; }
  else if constexpr (Count == 12) { [[maybe_unused]] const auto& [a, b, c, d, e, f, g, h, i, j, k, l] = x; }
  else if constexpr (Count == 13) { [[maybe_unused]] const auto& [a, b, c, d, e, f, g, h, i, j, k, l, m] = x; }
  else if constexpr (Count == 14) { [[maybe_unused]] const auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n] = x; }
  else if constexpr (Count == 15) { [[maybe_unused]] const auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o] = x; }
  else if constexpr (Count == 16) { [[maybe_unused]] const auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = x; }
  else if constexpr (Count == 17) { [[maybe_unused]] const auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q] = x; }
  else if constexpr (Count == 18) { [[maybe_unused]] const auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r] = x; }
  else if constexpr (Count == 19) { [[maybe_unused]] const auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s] = x; }
  else if constexpr (Count == 20) { [[maybe_unused]] const auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t] = x; }
  else { static_assert(Count <= 20, "add a line for so many members"); }
  // clang-format on
}

}  // namespace iosx
