#include "app/cli/interrupts.h"

#include <pthread.h>
#include <unistd.h>

#include <ctime>
#include <string>

namespace iosx::cli {
namespace {

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
