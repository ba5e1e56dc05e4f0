#pragma once

#include <atomic>
#include <csignal>
#include <stop_token>
#include <thread>

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

}  // namespace iosx::cli
