#pragma once

#include <utility>

#include "core/base/result.h"

// How a command ends.
namespace iosx::cli {

inline constexpr int kSuccess = 0;
inline constexpr int kFailed = 1;  // the job failed or was cancelled
inline constexpr int kUsage = 2;   // the command line is wrong

// Why a command failed, with its exit code. An error alone is one of the job.
struct Failure {
  // NOLINTNEXTLINE(google-explicit-constructor): so that IOS_TRY passes on the errors of core
  Failure(Error why, int code = kFailed) : error(std::move(why)), exit_code(code) {}

  Error error;
  int exit_code;
};

// The exit code of a command that has reported everything, or the failure to report.
using Exit = tl::expected<int, Failure>;

// Returns the same result, with its error as one of the command line.
template <typename T>
tl::expected<T, Failure> usage(Result<T> result) {
  return std::move(result).map_error([](Error error) { return Failure(std::move(error), kUsage); });
}

}  // namespace iosx::cli
