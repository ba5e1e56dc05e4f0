#pragma once

#include "core/formats/wire/fields.h"
#include "core/options/option.h"

// This header says how structs of options are written down: as their rows say (core/options/option.h).
namespace iosx::wire {

template <typename T, typename M>
auto option_field(const OptionRow<std::remove_const_t<T>, M>& row, T& options) {
  auto made = not_negative(row.info.field(), options.*row.member);
  made.may_lack = row.info.later;
  return made;
}
template <typename T, typename M, bool written>
auto option_field(const MemberRow<std::remove_const_t<T>, M, written>& row, T& options) {
  if constexpr (written) return field(row.key, options.*row.member);
  if constexpr (!written) return unwritten(options.*row.member);
}

template <typename A, typename T>
requires HasOptions<std::remove_const_t<T>>
void fields(A& a, T& options) {
  std::apply([&](const auto&... row) { a.all(options, option_field(row, options)...); },
             kOptionTable<std::remove_const_t<T>>);
}

}  // namespace iosx::wire
