#pragma once

#include <tl/expected.hpp>

#include "core/base/message.h"

namespace iosx {

// An error at a file, import or device boundary: what happened, where (file, line or element) and what the user can do.
// `where` and `remedy` may be empty.
struct Error {
  Message what;
  std::string where;
  Message remedy;

  // Returns one line, "WHERE: WHAT (REMEDY)", as a message.
  Message line() const;
  // Returns the same in English.
  std::string text() const { return line().text(); }
};

inline Message Error::line() const {
  if (where.empty()) return remedy.empty() ? what : message("{} ({})", what, remedy);
  return remedy.empty() ? message("{}: {}", where, what) : message("{}: {} ({})", where, what, remedy);
}

template <typename T>
using Result = tl::expected<T, Error>;

inline tl::unexpected<Error> fail(Message what, std::string where = {}, Message remedy = {}) {
  return tl::unexpected<Error>(Error{std::move(what), std::move(where), std::move(remedy)});
}
}  // namespace iosx

// Returns the error of a Result to the caller of a function that returns a Result:
//
//   IOS_TRY(check_legal(graph, schedule));            // returns its error, if it has one
//   IOS_TRY(const auto graph, open_graph(file));      // the same; otherwise `graph` is the value
//
// An expression with commas outside parentheses needs parentheses around it.
#define IOS_TRY(...) IOS_TRY_PICK(__VA_ARGS__, IOS_TRY_ASSIGN, IOS_TRY_CHECK, nothing)(__LINE__, __VA_ARGS__)
#define IOS_TRY_PICK(first, second, macro, ...) macro
#define IOS_TRY_NAME(line) IOS_TRY_JOIN(ios_tried_, line)
#define IOS_TRY_JOIN(a, b) a##b
#define IOS_TRY_CHECK(line, expression)                            \
  if (auto IOS_TRY_NAME(line) = (expression); !IOS_TRY_NAME(line)) \
  return tl::unexpected(std::move(IOS_TRY_NAME(line)).error())
// NOLINTBEGIN(bugprone-macro-parentheses): a declaration cannot stand in them
#define IOS_TRY_ASSIGN(line, declaration, expression)                                    \
  auto IOS_TRY_NAME(line) = (expression);                                                \
  if (!IOS_TRY_NAME(line)) return tl::unexpected(std::move(IOS_TRY_NAME(line)).error()); \
  declaration = *std::move(IOS_TRY_NAME(line))
// NOLINTEND(bugprone-macro-parentheses)
