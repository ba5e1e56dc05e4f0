#pragma once

#include <gtest/gtest.h>

#include <string>
#include <type_traits>
#include <utility>

#include "core/base/result.h"

namespace iosx {

// Returns the value of the result. An error is a failure of the test at the caller's line, and ends the test.
template <typename T>
T must(Result<T> result, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  if (!result) {
    const std::string error = result.error().text();
    ADD_FAILURE_AT(file, line) << error;
    // GoogleTest knows by its type that it is reported already.
    throw testing::AssertionException(
        testing::TestPartResult(testing::TestPartResult::kFatalFailure, file, line, error.c_str()));
  }
  if constexpr (!std::is_void_v<T>) return *std::move(result);
}

}  // namespace iosx
