#pragma once

#include <chrono>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/device/registry.h"

namespace iosx::cli {

inline constexpr int kSuccess = 0;
inline constexpr int kFailed = 1;  // the job failed or was cancelled
inline constexpr int kUsage = 2;   // the command line is wrong

// What a command runs with: the devices, the user's cancel and the two output streams. stdout carries results only;
// errors are one line each on stderr, progress too while that is a terminal. Used from the main thread.
class Session {
 public:
  Session(const DeviceRegistry& devices, std::stop_token stop);

  const DeviceRegistry& devices() const { return devices_; }
  JobContext job();
  bool on_terminal() const { return terminal_; }  // standard error is one, so that job() shows progress

  void print(const std::string& text);
  // The one document of a command with --json.
  void print(const nlohmann::ordered_json& document);

  // Prints "iosx: WHERE: WHAT (REMEDY)" and returns the exit code.
  int fail(const Error& error, int exit_code = kFailed);
  // For what the user should know although the job went well, or where a cancel left it.
  void note(const std::string& text);

  // Flushes stdout; failing there (a full disk) turns success into failure.
  int finish(int exit_code);

 private:
  void show(const Progress& progress);
  void clear_progress();

  const DeviceRegistry& devices_;
  std::stop_token stop_;
  bool terminal_;
  bool progress_shown_ = false;
  std::chrono::steady_clock::time_point last_shown_;
};

// What the command line asked for; set while it is parsed, run afterwards.
using Command = std::function<int(Session&)>;

// Text on one line: control characters become spaces.
std::string one_line(std::string text);

}  // namespace iosx::cli
