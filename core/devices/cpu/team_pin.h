#pragma once

#include <memory>

namespace iosx {

// How many cores the calling thread may compute on (cores.h), at least 1.
int available_cores();

// Binds the calling thread to one processor, until the end of the scope on the same thread. Unbound threads of a team
// can end up on one processor for a long time while other programs are busy; bound ones run side by side whenever they
// run.
class CorePin {
 public:
  // The core-th of those that the thread may compute on, from 0; does nothing if there is none, if its time is rationed
  // (Cores::rationed) or if the system refuses.
  explicit CorePin(int core);
  ~CorePin();
  CorePin(const CorePin&) = delete;
  CorePin& operator=(const CorePin&) = delete;

  bool pinned() const { return before_ != nullptr; }

 private:
  struct Mask;
  std::unique_ptr<Mask> before_;  // what the thread was allowed before
};

}  // namespace iosx
