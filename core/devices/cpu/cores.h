#pragma once

#include <filesystem>
#include <vector>

namespace iosx {

// What the calling thread may compute on.
struct Cores {
  // Numbers of processors, ascending, at least one: one of each physical core, as hardware threads of one share its
  // arithmetic units, and no more than the control group gives time for.
  std::vector<int> processors;
  // The control group gives less time than the processors have. Which of them are idle then changes, and a thread that
  // stays on one waits for others.
  bool rationed = false;
};

Cores usable_cores();

// Its parts, with the folder that stands for the system's root.
// Of processors, those that are the first of a physical core; all where the system does not tell.
std::vector<int> one_of_each_core(const std::vector<int>& processors, const std::filesystem::path& root);
// Processors that the control groups of this process give time for; 0: as many as there are. Rounded down, but at least
// 1: a group that has used its time up stands still for the rest of a tenth of a second.
int cpu_quota(const std::filesystem::path& root);

}  // namespace iosx
