#pragma once

#include <utility>

#include "core/base/result.h"

// These types say how a command ends.
namespace iosx::cli {

inline constexpr int kSuccess = 0;
inline constexpr int kFailed = 1;  // the job failed or was cancelled
inline constexpr int kUsage = 2;   // the command line is wrong

// Says why a command failed, with its exit code. An error by itself is one of the job.
struct Failure {
  // NOLINTNEXTLINE(google-explicit-constructor): so that IOS_TRY passes on the errors of core
  Failure(Error why, int code = kFailed) : error(std::move(why)), exit_code(code) {}

  Error error;
  int exit_code;
};

// Holds the exit code of a command that said all there is to say, or the failure that is still to be told.
using Exit = tl::expected<int, Failure>;

// Returns the same result; its error is one of the command line.
template <typename T>
tl::expected<T, Failure> usage(Result<T> result) {
  return std::move(result).map_error([](Error error) { return Failure(std::move(error), kUsage); });
}

}  // namespace iosx::cli
