#include "core/workers/host_turn.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <system_error>
#include <thread>
#include <utility>

namespace iosx {
namespace {

namespace fs = std::filesystem;

// Each place has two locks: for the current turn, and for the next one. A process that had the turn and wants it again
// finds the second one held by a waiting process.
enum Line { kTurn, kNext, kLines };

// Returns those that this process may run on; none where the system does not say.
std::vector<int> own_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  std::vector<int> cores;
  if (::sched_getaffinity(0, sizeof(set), &set) != 0) return cores;
  for (int core = 0; core < CPU_SETSIZE; ++core) {
    if (CPU_ISSET(core, &set)) cores.push_back(core);
  }
  return cores;
}

// Returns the text as the name of a file.
std::string file_name(std::string text) {
  for (char& c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '-' && c != '.') c = '_';
  }
  return text;
}

// Locks are of the open file, not of the process, and end with its last descriptor. Where the file system has none,
// everybody has the turn.
bool set_lock(int file, short kind, int byte) {
  struct flock lock = {};
  lock.l_type = kind;
  lock.l_whence = SEEK_SET;
  lock.l_start = byte;
  lock.l_len = 1;
  return ::fcntl(file, F_OFD_SETLK, &lock) == 0 || (errno != EAGAIN && errno != EACCES && errno != EINTR);
}

// Anybody may make a folder of that name in /tmp.
Result<void> make_own_folder(const fs::path& folder) {
  if (::mkdir(folder.c_str(), S_IRWXU) == 0) return {};
  const std::error_code wrong(errno, std::generic_category());
  struct stat there = {};
  const bool ours = ::lstat(folder.c_str(), &there) == 0 && S_ISDIR(there.st_mode) && there.st_uid == ::geteuid();
  if (ours) return {};
  return fail(message("cannot be created, or belongs to another user: {}", wrong.message()), folder.string());
}

}  // namespace

std::vector<HardwarePart> hardware_of(const Device& device) {
  if (device.info().origin != Origin::kMeasured) return {};
  if (const auto* placed = dynamic_cast<const OnHardware*>(&device)) return {{file_name(placed->hardware()), 0}};
  std::vector<HardwarePart> parts;
  for (const int core : own_cores()) parts.push_back({"cores", core});
  return parts;
}

fs::path turn_folder() { return fmt::format("/tmp/ios-explorer-turns-{}", ::geteuid()); }

Result<HostTurn> HostTurn::open(const fs::path& folder, std::vector<HardwarePart> parts) {
  IOS_TRY(make_own_folder(folder));
  HostTurn turn;
  std::ranges::sort(parts);
  parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
  for (HardwarePart& part : parts) {
    int file = turn.parts_.empty() || turn.parts_.back().file != part.file ? -1 : turn.files_.back();
    if (file < 0) {
      const fs::path path = folder / part.file;
      file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR);
      if (file < 0) return fail(message("cannot be opened: {}", std::generic_category().message(errno)), path.string());
    }
    turn.parts_.push_back(std::move(part));
    turn.files_.push_back(file);
  }
  return turn;
}

HostTurn::HostTurn(HostTurn&& other) noexcept
    : parts_(std::exchange(other.parts_, {})), files_(std::exchange(other.files_, {})) {}

HostTurn::~HostTurn() {
  files_.erase(std::unique(files_.begin(), files_.end()), files_.end());
  for (const int file : files_) ::close(file);
}

bool HostTurn::lock(std::size_t part, int line, const std::stop_token* stop) const {
  constexpr std::chrono::milliseconds kLook{2};
  while (!set_lock(files_[part], F_WRLCK, parts_[part].place * kLines + line)) {
    if (stop == nullptr || stop->stop_requested()) return false;
    std::this_thread::sleep_for(kLook);
  }
  return true;
}

void HostTurn::unlock(std::size_t part, int line) const {
  set_lock(files_[part], F_UNLCK, parts_[part].place * kLines + line);
}

bool HostTurn::take_all(const std::stop_token* stop) {
  for (std::size_t part = 0; part < parts_.size(); ++part) {
    bool taken = lock(part, kNext, stop);
    if (taken) {
      taken = lock(part, kTurn, stop);
      unlock(part, kNext);
    }
    if (taken) continue;
    while (part > 0) unlock(--part, kTurn);
    return false;
  }
  return true;
}

bool HostTurn::try_take() { return take_all(nullptr); }
bool HostTurn::take(const std::stop_token& stop) { return take_all(&stop); }

void HostTurn::give_back() {
  for (std::size_t part = 0; part < parts_.size(); ++part) unlock(part, kTurn);
}

}  // namespace iosx
