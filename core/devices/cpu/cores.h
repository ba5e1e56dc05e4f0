#pragma once

#include <filesystem>
#include <memory>
#include <vector>

namespace iosx {

// Says what the calling thread may compute on.
struct Cores {
  // These are numbers of processors, ascending, at least one: one of each physical core, as hardware threads of one
  // share its arithmetic units, and no more than the control group gives time for.
  std::vector<int> processors;
  // The control group gives less time than the processors have. Which of them are idle then changes, and a thread that
  // stays on one waits for others.
  bool rationed = false;
};

Cores usable_cores();

// These are parts of usable_cores(), with the folder that stands for the system's root. one_of_each_core() returns, of
// processors, those that are the first of a physical core; all where the system does not tell.
std::vector<int> one_of_each_core(const std::vector<int>& processors, const std::filesystem::path& root);
// Returns how many processors the control groups of this process give time for; 0: as many as there are. It rounds
// down, but to at least 1: a group that has used its time up stands still for the rest of a tenth of a second.
int cpu_quota(const std::filesystem::path& root);

// Returns how many cores the calling thread may compute on, at least 1.
int available_cores();

// Binds the calling thread to one processor, until the end of the scope on the same thread. Unbound threads of a team
// can end up on one processor for a long time while other programs are busy; bound ones run side by side whenever they
// run.
class CorePin {
 public:
  // Binds to the core-th of those that the thread may compute on, from 0; does nothing if there is none, if its time is
  // rationed (Cores::rationed) or if the system refuses.
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
