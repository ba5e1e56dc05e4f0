#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace iosx {

// What went wrong at a file, import or device boundary, told to a user: what, where (file, line or element) and what
// to do about it. `where` and `remedy` may be empty.
struct Error {
  std::string what;
  std::string where;
  std::string remedy;

  // One line: "WHERE: WHAT (REMEDY)".
  std::string text() const {
    std::string line = where.empty() ? what : where + ": " + what;
    return remedy.empty() ? line : line + " (" + remedy + ")";
  }
};

template <typename T>
using Result = tl::expected<T, Error>;

inline tl::unexpected<Error> fail(std::string what, std::string where = {}, std::string remedy = {}) {
  return tl::unexpected<Error>(Error{std::move(what), std::move(where), std::move(remedy)});
}

}  // namespace iosx
