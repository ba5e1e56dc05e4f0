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

// Holds what a command runs with: the devices, the user's cancel and the two output streams. stdout carries results
// only; errors are one line each on stderr, where progress is shown too. It is used from the main thread.
class Session {
 public:
  Session(DeviceRegistry& devices, Interrupts& interrupts);

  const DeviceRegistry& devices() const { return devices_; }
  void add_device(DeviceRegistry::Entry entry) { devices_.add(std::move(entry)); }
  JobContext job();
  // Returns what is held around work that looks at no stop token: see Interrupts::AtOnce.
  [[nodiscard]] Interrupts::AtOnce at_once(const char* work);

  // Prints text that is laid out in lines; what is not printable in it is escaped.
  void print(const std::string& text);
  // Prints what would go into a file, as far as a terminal may be given it.
  void print_document(std::string_view text);
  // Prints the one document of a command with --json.
  void print(const nlohmann::ordered_json& document);

  // Prints "iosx: WHERE: WHAT (REMEDY)" and returns the exit code.
  int fail(const Error& error, int exit_code = kFailed);
  // Tells what the user should know although the job went well, or where a cancel left it.
  void note(const std::string& text);
  void note(const Message& text) { note(text.text()); }

  // Tells a failure and flushes stdout; failing there (a full disk) turns success into failure. Returns the exit code.
  int finish(const Exit& exit);

 private:
  DeviceRegistry& devices_;
  Interrupts& interrupts_;
  ProgressPrinter progress_;
};

}  // namespace iosx::cli
