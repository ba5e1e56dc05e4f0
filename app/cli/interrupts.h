#pragma once

#include <csignal>
#include <stop_token>
#include <thread>

namespace iosx::cli {

// Turns the first Ctrl-C (SIGINT) or SIGTERM into a stop request, the second one into the end of the process. Make it
// before any other thread, so that all of them inherit the blocked signals.
class Interrupts {
 public:
  Interrupts();
  ~Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;

  std::stop_token token() const { return stop_.get_token(); }

 private:
  sigset_t signals_;
  std::stop_source stop_;
  std::thread waiter_;
};

}  // namespace iosx::cli
