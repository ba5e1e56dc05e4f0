#pragma once

#include <atomic>
#include <csignal>
#include <nlohmann/json_fwd.hpp>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "app/cli/command_line.h"
#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/devices/registry.h"
#include "core/documents/report/progress_printer.h"

namespace iosx::cli {

// Turns the first Ctrl-C (SIGINT) or SIGTERM into a stop request; the second one ends the process. Make it before any
// other thread, so that all of them inherit the blocked signals.
class Interrupts {
 public:
  // Marks work without a stop token whose half-done result is useless, such as reading a file. After a signal, earlier
  // or during the work, it has a moment to finish; then the process ends, with a line on standard error and exit code
  // 1. On the main thread, nested once at most.
  class AtOnce {
   public:
    // `work`: "reading the network", a literal.
    AtOnce(Interrupts& interrupts, const char* work)
        : interrupts_(interrupts), around_(interrupts.work_.exchange(work)) {}
    ~AtOnce() { interrupts_.work_.store(around_); }
    AtOnce(const AtOnce&) = delete;
    AtOnce& operator=(const AtOnce&) = delete;

   private:
    Interrupts& interrupts_;
    const char* around_;  // the enclosing work
  };

  Interrupts();
  ~Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;

  std::stop_token token() const { return stop_.get_token(); }

 private:
  void wait();

  sigset_t signals_{};
  std::stop_source stop_;
  std::atomic<const char*> work_{nullptr};  // of an AtOnce
  std::thread waiter_;
};

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
