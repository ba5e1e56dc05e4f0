#include "app/cli/session.h"

#include <fmt/format.h>
#include <pthread.h>
#include <unistd.h>

#include <ctime>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

#include "core/base/text.h"

namespace iosx::cli {
namespace {

// Messages of libraries may have several lines.
std::string on_one_line(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  return printable(text);
}

constexpr int kEndWaiting = SIGUSR1;       // from the destructor
constexpr int kExitInterrupted = 130;      // what shells report for a process that Ctrl-C ended
constexpr int kExitCancelled = 1;          // kFailed
constexpr timespec kTick{0, 100'000'000};  // 100 ms
constexpr int kTicksToFinish = 4;          // for work under an AtOnce

[[noreturn]] void end_in(const char* work) {
  const std::string line =
      std::string(isatty(STDERR_FILENO) == 1 ? "\r\033[K" : "") + "iosx: cancelled while " + work + "\n";
  // A failure of this cannot be reported any more.
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, line.data(), line.size());
  _exit(kExitCancelled);
}

}  // namespace

Session::Session(DeviceRegistry& devices, Interrupts& interrupts)
    : devices_(devices), interrupts_(interrupts), progress_("iosx", std::cerr, isatty(STDERR_FILENO) == 1) {}

Interrupts::AtOnce Session::at_once(const char* work) {
  progress_.clear();
  return Interrupts::AtOnce(interrupts_, work);
}

JobContext Session::job() {
  return JobContext{interrupts_.token(), [this](const Progress& progress) { progress_.report(progress); }};
}

void Session::print(const std::string& text) {
  progress_.clear();
  std::cout << printable_lines(text);
  if (!text.empty() && text.back() != '\n') std::cout << '\n';
}

void Session::print_document(std::string_view text) {
  progress_.clear();
  std::cout << printable_document(text);
}

void Session::print(const nlohmann::ordered_json& document) {
  // Names come from files and need not be UTF-8.
  print_document(document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n');
}

int Session::fail(const Error& error, int exit_code) {
  note(error.text());
  return exit_code;
}

void Session::note(const std::string& text) {
  progress_.clear();
  std::cerr << "iosx: " << on_one_line(text) << '\n';
}

int Session::finish(const Exit& exit) {
  const int exit_code = exit ? *exit : fail(exit.error().error, exit.error().exit_code);
  progress_.clear();
  std::cout.flush();
  if (std::cout.good()) return exit_code;
  return fail(Error{message("could not be written"), "standard output", message("is the disk full?")});
}

Interrupts::Interrupts() {
  sigemptyset(&signals_);
  for (const int signal : {SIGINT, SIGTERM, kEndWaiting}) sigaddset(&signals_, signal);
  pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
  waiter_ = std::thread([this] { wait(); });
}

Interrupts::~Interrupts() {
  pthread_kill(waiter_.native_handle(), kEndWaiting);
  waiter_.join();
}

void Interrupts::wait() {
  int signal = 0;
  if (sigwait(&signals_, &signal) != 0 || signal == kEndWaiting) return;
  stop_.request_stop();
  int ticks = 0;  // that the same work has gone on for
  while (true) {
    const char* const before = work_.load();
    signal = sigtimedwait(&signals_, nullptr, &kTick);
    if (signal == kEndWaiting) return;
    if (signal > 0) _exit(kExitInterrupted);
    ticks = before != nullptr && work_.load() == before ? ticks + 1 : 0;
    if (ticks == kTicksToFinish) end_in(before);
  }
}

}  // namespace iosx::cli
