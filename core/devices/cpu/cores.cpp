#include "core/devices/cpu/cores.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <thread>
#include <utility>

#ifdef __linux__
#include <sched.h>
#endif

namespace iosx {
namespace {

namespace fs = std::filesystem;

std::vector<int> first_of_each(const std::vector<int>& processors, const std::map<int, std::string>& siblings) {
  std::vector<int> firsts;
  std::set<std::string> seen;
  for (const int processor : processors) {
    const auto found = siblings.find(processor);
    const bool told = found != siblings.end() && !found->second.empty();
    if (!told || seen.insert(found->second).second) firsts.push_back(processor);
  }
  return firsts;
}

// Returns what the siblings of each processor have in common: "0,64" say; empty if the system does not tell.
std::map<int, std::string> siblings_of_all(const std::vector<int>& processors, const fs::path& root) {
  std::map<int, std::string> siblings;
  for (const int processor : processors) {
    const std::string folder = "cpu" + std::to_string(processor);
    std::ifstream in(root / "sys/devices/system/cpu" / folder / "topology/thread_siblings_list");
    std::getline(in, siblings[processor]);
  }
  return siblings;
}

constexpr double kNoLimit = std::numeric_limits<double>::infinity();

// Reads a group's limit. Version 2 has "150000 100000" or "max 100000"; version 1 has two files, -1 for no limit.
double limit_of(const fs::path& group) {
  std::ifstream both(group / "cpu.max");
  std::ifstream quota_file(group / "cpu.cfs_quota_us");
  std::ifstream period_file(group / "cpu.cfs_period_us");
  double quota = -1;
  double period = 0;
  const bool known = (both >> quota >> period) || (quota_file >> quota && period_file >> period);
  return known && quota > 0 && period > 0 ? quota / period : kNoLimit;
}

// Returns the least limit of the groups inside which this process is, as /proc names them: the one and all that contain
// it. Within a container its own is the root.
double least_limit(const fs::path& mount, const std::string& group) {
  double least = limit_of(mount);
  for (fs::path path = fs::path(group).relative_path(); !path.empty(); path = path.parent_path()) {
    least = std::min(least, limit_of(mount / path));
  }
  return least;
}

#ifdef __linux__
std::vector<int> allowed_processors() {
  cpu_set_t allowed;
  std::vector<int> processors;
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) {
    for (int processor = 0; processor < CPU_SETSIZE; ++processor) {
      if (CPU_ISSET(static_cast<std::size_t>(processor), &allowed)) processors.push_back(processor);
    }
  }
  return processors;
}
#else
std::vector<int> allowed_processors() { return {}; }
#endif

}  // namespace

std::vector<int> one_of_each_core(const std::vector<int>& processors, const fs::path& root) {
  return first_of_each(processors, siblings_of_all(processors, root));
}

int cpu_quota(const fs::path& root) {
  double least = kNoLimit;
  std::ifstream groups(root / "proc/self/cgroup");  // "0::/user.slice" or "4:cpu,cpuacct:/docker/1f"
  for (std::string line; std::getline(groups, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const std::string group = line.substr(second + 1);
    const fs::path mount = root / "sys/fs/cgroup";
    if (controllers.empty()) least = std::min(least, least_limit(mount, group));
    for (const char* const name : {"cpu", "cpu,cpuacct", "cpuacct,cpu"}) {
      if (controllers != name) continue;
      least = std::min({least, least_limit(mount / "cpu", group), least_limit(mount / name, group)});
    }
  }
  if (least == kNoLimit) return 0;
  return std::max(1, static_cast<int>(std::min(std::floor(least + 1e-9), 1e6)));
}

Cores usable_cores() {
  std::vector<int> allowed = allowed_processors();
  if (allowed.empty()) {
    allowed.resize(std::max(1U, std::thread::hardware_concurrency()));
    std::iota(allowed.begin(), allowed.end(), 0);
  }
  // Neither changes while a program runs, as far as it can help it. The first caller may be bound to few processors.
  static const std::map<int, std::string> siblings = [] {
    std::vector<int> all(std::max(1U, std::thread::hardware_concurrency()));
    std::iota(all.begin(), all.end(), 0);
    const std::vector<int> mine = allowed_processors();
    all.insert(all.end(), mine.begin(), mine.end());
    return siblings_of_all(all, "/");
  }();
  static const int quota = cpu_quota("/");
  Cores cores{first_of_each(allowed, siblings), false};
  if (quota > 0 && static_cast<std::size_t>(quota) < cores.processors.size()) {
    cores.processors.resize(static_cast<std::size_t>(quota));
    cores.rationed = true;
  }
  return cores;
}

int available_cores() { return static_cast<int>(usable_cores().processors.size()); }

#ifdef __linux__

struct CorePin::Mask {
  cpu_set_t processors{};
};

CorePin::CorePin(int core) {
  auto before = std::make_unique<Mask>();
  if (sched_getaffinity(0, sizeof before->processors, &before->processors) != 0) return;
  const Cores cores = usable_cores();
  if (cores.rationed || core < 0 || static_cast<std::size_t>(core) >= cores.processors.size()) return;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(static_cast<std::size_t>(cores.processors[static_cast<std::size_t>(core)]), &one);
  if (sched_setaffinity(0, sizeof one, &one) == 0) before_ = std::move(before);
}

CorePin::~CorePin() {
  if (before_ != nullptr) sched_setaffinity(0, sizeof before_->processors, &before_->processors);
}

#else

struct CorePin::Mask {};

CorePin::CorePin(int) {}

CorePin::~CorePin() = default;

#endif

}  // namespace iosx
