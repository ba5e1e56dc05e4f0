#pragma once

#include <filesystem>
#include <memory>
#include <vector>

namespace iosx {

// The processors that the calling thread may use.
struct Cores {
  // Processor numbers, ascending, at least one: one per physical core, because hardware threads share its
  // arithmetic units, and at most as many as the control group gives time for.
  std::vector<int> processors;
  // The control group gives less time than the processors have. Idle processors then change, and a thread bound to one
  // waits for others.
  bool rationed = false;
};

Cores usable_cores();

// Parts of usable_cores(); `root` stands for the system's root folder. one_of_each_core() returns the first processor
// of each physical core; all processors where the system does not tell.
std::vector<int> one_of_each_core(const std::vector<int>& processors, const std::filesystem::path& root);
// Returns how many processors' time the control groups of this process allow; 0: no limit. It rounds down, to at
// least 1: a group that used up its time stops for the rest of a tenth of a second.
int cpu_quota(const std::filesystem::path& root);

// Returns how many cores the calling thread may use, at least 1.
int available_cores();

// Binds the calling thread to one processor until the end of the scope, which is on the same thread. While other
// programs are busy, unbound threads of a team can share one processor for a long time; bound threads run in parallel.
class CorePin {
 public:
  // Binds to the thread's allowed core number `core`, from 0. Does nothing where that does not exist, time is rationed
  // (Cores::rationed) or the system refuses.
  explicit CorePin(int core);
  ~CorePin();
  CorePin(const CorePin&) = delete;
  CorePin& operator=(const CorePin&) = delete;

  bool pinned() const { return before_ != nullptr; }

 private:
  struct Mask;
  std::unique_ptr<Mask> before_;  // the thread's previous mask
};

}  // namespace iosx
