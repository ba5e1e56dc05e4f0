#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <system_error>

#include "core/base/files.h"
#include "core/base/text.h"

namespace iosx {

namespace fs = std::filesystem;

namespace {

const char* text_of(fs::file_type type) {
  switch (type) {
    case fs::file_type::fifo: return "a named pipe";
    case fs::file_type::socket: return "a socket";
    case fs::file_type::block:
    case fs::file_type::character: return "a device";
    default: break;
  }
  return "something else";
}

namespace fs = std::filesystem;

constexpr std::string_view kSuffix = ".part";
constexpr mode_t kOwnerOnly = 0600;

fs::path folder_of(const fs::path& file) { return file.has_parent_path() ? file.parent_path() : fs::path("."); }

// Follows the links that a path is, also the last one that leads to nothing.
fs::path behind_links(fs::path path) {
  constexpr int kMostLinks = 40;  // as the system has it
  std::error_code error;
  for (int i = 0; i < kMostLinks && fs::is_symlink(fs::symlink_status(path, error)); ++i) {
    const fs::path next = fs::read_symlink(path, error);
    if (error) break;
    path = next.is_absolute() ? next : folder_of(path) / next;
  }
  const fs::path canonical = fs::weakly_canonical(path, error);
  return error ? path : canonical;
}

bool write_all(int descriptor, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return true;
}

// Brings what was written to the disk. What cannot do that (a pipe, some network file systems) counts as done.
bool sync(int descriptor) { return ::fsync(descriptor) == 0 || errno == EINVAL || errno == ENOSYS || errno == EROFS; }

std::string descriptor_path(int descriptor) { return fmt::format("/proc/self/fd/{}", descriptor); }

// Returns the process whose NAME.PID.part it is; 0: none.
pid_t process_of(const std::string& part, const std::string& name) {
  if (!part.starts_with(name + ".") || !part.ends_with(kSuffix)) return 0;
  if (part.size() <= name.size() + 1 + kSuffix.size()) return 0;
  const std::size_t digits = part.size() - name.size() - 1 - kSuffix.size();
  return std::max(read_number<pid_t>(std::string_view(part).substr(name.size() + 1, digits)).value_or(0), 0);
}

}  // namespace

Result<void> check_regular_file(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  const std::string where = path.string();
  if (status.type() == fs::file_type::not_found)
    return fail(message("there is no such file"), where, message("check the path"));
  if (error) return fail(message("cannot be read: {}", error.message()), where, message("check the path"));
  if (fs::is_regular_file(status)) return {};
  if (fs::is_directory(status)) return fail(message("is a folder, not a file"), where, message("choose a file in it"));
  return fail(message("is {}, not a regular file", text_of(status.type())), where,
              message("write its output to a file, and choose that file"));
}

std::optional<FileStamp> stamp_of(const std::filesystem::path& path) {
  std::error_code error;
  FileStamp stamp{std::filesystem::last_write_time(path, error), 0};
  if (error) return std::nullopt;
  stamp.size = std::filesystem::file_size(path, error);
  if (error) return std::nullopt;
  return stamp;
}

void let_large_writes_fail() { std::signal(SIGXFSZ, SIG_IGN); }

NewFile::NewFile(const fs::path& path, Readers readers) : path_(path), readers_(readers) {
  target_ = behind_links(path);
  part_ = target_;
  part_ += fmt::format(".{}{}", ::getpid(), kSuffix);
  remove_old_parts();
  const mode_t mode = readers == Readers::kOwner ? kOwnerOnly : 0666U;
  if (!make_nameless(mode)) {
    errno = 0;
    descriptor_ = ::open(part_.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, mode);
    named_ = descriptor_ >= 0;
  }
  // Sets permissions before the first byte, so that no other user reads restricted content.
  struct stat old {};
  if (descriptor_ < 0 || ::stat(target_.c_str(), &old) != 0 || !S_ISREG(old.st_mode)) return;
  static_cast<void>(::fchmod(descriptor_, old.st_mode & (readers == Readers::kOwner ? kOwnerOnly : 07777U)));
  names_ = old.st_nlink;
}

NewFile::~NewFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (named_) ::unlink(part_.c_str());
}

// A process of another computer, on a file system that both have, may have the same number or be taken for gone; it
// then fails where it gives its file the name, and says so.
void NewFile::remove_old_parts() const {
  const std::string name = target_.filename().string();
  std::error_code error;
  for (fs::directory_iterator at(folder_of(target_), error), end; !error && at != end; at.increment(error)) {
    const pid_t process = process_of(at->path().filename().string(), name);
    if (process == 0 || process == ::getpid()) continue;
    if (::kill(process, 0) != 0 && errno == ESRCH) ::unlink(at->path().c_str());
  }
}

bool NewFile::make_nameless(mode_t mode) {
#ifdef O_TMPFILE
  descriptor_ = ::open(folder_of(target_).c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, mode);
  if (descriptor_ < 0) return false;
  if (::access(descriptor_path(descriptor_).c_str(), F_OK) == 0) return true;
  ::close(std::exchange(descriptor_, -1));  // without /proc it would never get a name
#endif
  return false;
}

bool NewFile::give_name() {
  if (named_) return true;
  ::unlink(part_.c_str());
  named_ = ::linkat(AT_FDCWD, descriptor_path(descriptor_).c_str(), AT_FDCWD, part_.c_str(), AT_SYMLINK_FOLLOW) == 0;
  return named_;
}

Result<void> NewFile::error() const {
  return fail(message("could not be written: {}", errno != 0 ? std::strerror(errno) : "unknown reason"), path_.string(),
              message("choose another place"));
}

Result<void> NewFile::write(std::span<const std::byte> bytes) {
  if (descriptor_ < 0 || !write_all(descriptor_, bytes)) return error();
  return {};
}

bool NewFile::replace_content() const {
  const int target = ::open(target_.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC);
  if (target < 0) return false;
  if (readers_ == Readers::kOwner) static_cast<void>(::fchmod(target, kOwnerOnly));
  constexpr std::size_t kAtOnce = std::size_t{1} << 18U;
  std::vector<std::byte> room(kAtOnce);
  off_t at = 0;
  ssize_t more = 0;
  while ((more = ::pread(descriptor_, room.data(), room.size(), at)) > 0 &&
         write_all(target, std::span(room).first(static_cast<std::size_t>(more)))) {
    at += more;
  }
  const bool done = more == 0 && sync(target);
  return (::close(target) == 0) && done;
}

Result<void> NewFile::finish() {
  // The content is on the disk before the name leads to it: after a power cut it is the old file or the new one.
  if (descriptor_ < 0 || !sync(descriptor_)) return error();
  if (names_ > 1) {
    if (!replace_content()) return error();
    if (std::exchange(named_, false)) ::unlink(part_.c_str());
    ::close(std::exchange(descriptor_, -1));
    return {};
  }
  if (!give_name()) return error();
  if (::close(std::exchange(descriptor_, -1)) != 0 || ::rename(part_.c_str(), target_.c_str()) != 0) return error();
  named_ = false;
  const int folder = ::open(folder_of(target_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder >= 0) {
    static_cast<void>(::fsync(folder));
    ::close(folder);
  }
  return {};
}

namespace {

constexpr std::string_view kRandom = "XXXXXX";  // mkdtemp() puts other letters there

// The host is in the name: several may share the place, but not the locks.
std::string scratch_prefix() {
  std::array<char, 256> host{};
  static_cast<void>(::gethostname(host.data(), host.size() - 1));
  std::ranges::replace(host, '/', '_');
  return fmt::format("iosx-scratch-{}-", host.data());
}

// Locks a folder for this user alone that is still there, and returns its descriptor; -1 where that fails.
int lock_folder(const fs::path& path) {
  const int folder = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (folder < 0) return -1;
  struct stat opened {};
  struct stat named {};
  if (::flock(folder, LOCK_EX | LOCK_NB) == 0 && ::fstat(folder, &opened) == 0 && ::lstat(path.c_str(), &named) == 0 &&
      opened.st_ino == named.st_ino && opened.st_dev == named.st_dev && opened.st_uid == ::geteuid() &&
      (opened.st_mode & 0777U) == S_IRWXU) {
    return folder;
  }
  ::close(folder);
  return -1;
}

}  // namespace

Result<ScratchFolder> ScratchFolder::make() {
  constexpr int kTries = 10;  // another start may take the folder for abandoned before it is locked
  std::error_code wrong;
  const fs::path place = fs::temp_directory_path(wrong);
  if (wrong) return fail(verbatim(wrong.message()), "TMPDIR", message("name an existing folder"));
  for (int tries = 1;; ++tries) {
    std::string path = (place / fmt::format("{}{}", scratch_prefix(), kRandom)).string();
    if (::mkdtemp(path.data()) == nullptr) {
      return fail(message("cannot be created: {}", std::generic_category().message(errno)), path,
                  message("name another folder with TMPDIR"));
    }
    // Where the file system has no locks, nobody takes it for abandoned.
    const int lock = lock_folder(path);
    if (lock >= 0 || tries == kTries) return ScratchFolder(path, lock);
    ::rmdir(path.c_str());
  }
}

void ScratchFolder::remove_abandoned() {
  std::error_code wrong;
  const fs::path place = fs::temp_directory_path(wrong);
  if (wrong) return;
  const std::string prefix = scratch_prefix();
  for (fs::directory_iterator at(place, wrong), end; !wrong && at != end; at.increment(wrong)) {
    const std::string name = at->path().filename().string();
    if (!name.starts_with(prefix) || name.size() != prefix.size() + kRandom.size()) continue;
    const int lock = lock_folder(at->path());
    if (lock < 0) continue;
    std::error_code ignored;
    fs::remove_all(at->path(), ignored);
    ::close(lock);
  }
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
  if (lock_ >= 0) ::close(lock_);
}

}  // namespace iosx
