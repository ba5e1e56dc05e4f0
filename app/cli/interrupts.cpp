#include "app/cli/interrupts.h"

#include <pthread.h>
#include <unistd.h>

namespace iosx::cli {
namespace {

constexpr int kEndWaiting = SIGUSR1;   // from the destructor
constexpr int kExitInterrupted = 130;  // what shells report for a process that Ctrl-C ended

}  // namespace

Interrupts::Interrupts() : signals_{} {
  sigemptyset(&signals_);
  for (const int signal : {SIGINT, SIGTERM, kEndWaiting}) sigaddset(&signals_, signal);
  pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
  waiter_ = std::thread([this] {
    int signal = 0;
    while (sigwait(&signals_, &signal) == 0 && signal != kEndWaiting) {
      if (stop_.stop_requested()) _exit(kExitInterrupted);
      stop_.request_stop();
    }
  });
}

Interrupts::~Interrupts() {
  pthread_kill(waiter_.native_handle(), kEndWaiting);
  waiter_.join();
}

}  // namespace iosx::cli
