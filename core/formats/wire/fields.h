#pragma once

#include <optional>
#include <string_view>

#include "core/base/fields.h"

// This header says how values are written down: the `fields` of their types (core/base/fields.h) serve writing
// (writer.h) and reading (reader.h) alike. What is written as:
//   IOS_FIELDS(Unit, all, field("name", x.name), …);  an object
//   IOS_FIELDS(Extent, row, field(x.height), …);      a list, for small values of a fixed form
//   IOS_FIELDS(Step, only, field(x.units));           the member itself
// Here `x` is the value.
#define IOS_FIELDS(type, form, ...)                     \
  template <typename A>                                 \
  void fields(A& a, typename A::template Of<type>& x) { \
    a.form(x __VA_OPT__(, ) __VA_ARGS__);               \
  }                                                     \
  static_assert(true)  // takes the semicolon

// The text is JSON. Numbers come back exactly; those that JSON does not have are the texts "infinity", "-infinity" and
// "nan". A text that is not UTF-8 is {"base64": …}, an id that is not valid is null.
//
// A document says which version its form has (document.h), and one of another version is refused in words. So every
// member has to be there, but for those that came `later`; keys that a program does not know are passed over.
namespace iosx::wire {

// Is a value that a later version may write in another form: what cannot be read is nothing then, and no mistake.
template <typename T>
struct Lenient {
  std::optional<T> value;
};

// Gives an enumerator its word. Every enum that is written has an overload `word(Spelled<E>)`, a switch without
// default, so that a new enumerator does not compile before it has a word. Values beyond the last one have an empty
// one.
template <typename E>
struct Spelled {
  E value;
};

// This is what an alternative of a variant is called. It is specialised for each; a new one does not compile before it
// is.
template <typename T>
inline constexpr std::string_view kKind = T::has_no_kind_in_its_fields_header;
#define IOS_KIND(type, word) \
  template <>                \
  inline constexpr std::string_view kKind<type> = word

}  // namespace iosx::wire
