#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "app/cli/exit.h"
#include "app/cli/interrupts.h"
#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/devices/registry.h"
#include "core/documents/report/progress_printer.h"

namespace iosx::cli {

// The environment of a command: devices, the user's cancel and the two output streams. stdout has results only;
// errors are one line each on stderr, with progress. Used from the main thread.
class Session {
 public:
  Session(DeviceRegistry& devices, Interrupts& interrupts);

  const DeviceRegistry& devices() const { return devices_; }
  void add_device(DeviceRegistry::Entry entry) { devices_.add(std::move(entry)); }
  JobContext job();
  // Returns a guard for work without a stop token: see Interrupts::AtOnce.
  [[nodiscard]] Interrupts::AtOnce at_once(const char* work);

  // Prints text laid out in lines, with unprintable characters escaped.
  void print(const std::string& text);
  // Prints the content of a file, in a form for terminals.
  void print_document(std::string_view text);
  // Prints the one document of a command with --json.
  void print(const nlohmann::ordered_json& document);

  // Prints "iosx: WHERE: WHAT (REMEDY)" and returns the exit code.
  int fail(const Error& error, int exit_code = kFailed);
  // Prints a remark on a successful job, or its state after a cancel.
  void note(const std::string& text);
  void note(const Message& text) { note(text.text()); }

  // Reports a failure and flushes stdout; an error in that (a full disk) turns success into failure. Returns the exit
  // code.
  int finish(const Exit& exit);

 private:
  DeviceRegistry& devices_;
  Interrupts& interrupts_;
  ProgressPrinter progress_;
};

}  // namespace iosx::cli
