#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "core/base/result.h"

namespace iosx {

// Reports a failure of the test at that place, and ends the test.
[[noreturn]] inline void end_test(const std::string& failure, const char* file, int line) {
  GTEST_MESSAGE_AT_(file, line, failure.c_str(), testing::TestPartResult::kFatalFailure);
  // GoogleTest knows by its type that it is reported already.
  throw testing::AssertionException(
      testing::TestPartResult(testing::TestPartResult::kFatalFailure, file, line, failure.c_str()));
}

// Returns the value of the result. An error is a failure of the test at the caller's line, and ends the test. Not for
// threads of a test, and what an event loop calls: nobody catches there what ends the test.
template <typename T, typename Refusal>
T must(tl::expected<T, Refusal> result, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  if constexpr (std::is_same_v<Refusal, Error>) {
    if (!result) end_test(result.error().text(), file, line);
  } else if (!result) {
    end_test("it was refused", file, line);
  }
  if constexpr (!std::is_void_v<T>) return *std::move(result);
}

// Does the same with what may be nothing.
template <typename T>
T must(std::optional<T> value, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  if (!value) end_test("there is no value", file, line);
  return *std::move(value);
}
template <typename Pointer>
requires std::is_pointer_v<Pointer> || requires(Pointer pointer) { pointer.get(); }
Pointer must(Pointer pointer, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  if (pointer == nullptr) end_test("it is null", file, line);
  return pointer;
}

// Returns the error of the result. A value is a failure of the test at the caller's line, and ends the test.
template <typename T>
Error refused(Result<T> result, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  if (result) end_test("it was not refused", file, line);
  return std::move(result).error();
}

}  // namespace iosx
