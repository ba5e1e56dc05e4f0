#include "core/base/new_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <string>
#include <system_error>
#include <utility>

namespace iosx {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSuffix = ".part";

fs::path folder_of(const fs::path& file) { return file.has_parent_path() ? file.parent_path() : fs::path("."); }

std::string descriptor_path(int descriptor) { return fmt::format("/proc/self/fd/{}", descriptor); }

// Returns the process whose NAME.PID.part it is; 0: none.
pid_t process_of(const std::string& part, const std::string& name) {
  if (!part.starts_with(name + ".") || !part.ends_with(kSuffix)) return 0;
  if (part.size() <= name.size() + 1 + kSuffix.size()) return 0;
  const char* const begin = part.data() + name.size() + 1;
  const char* const end = part.data() + part.size() - kSuffix.size();
  pid_t process = 0;
  const auto [at, error] = std::from_chars(begin, end, process);
  return error == std::errc{} && at == end && process > 0 ? process : 0;
}

}  // namespace

void let_large_writes_fail() { std::signal(SIGXFSZ, SIG_IGN); }

NewFile::NewFile(const fs::path& path) : path_(path) {
  std::error_code error;
  target_ = fs::weakly_canonical(path, error);
  if (error) target_ = path;
  part_ = target_;
  part_ += fmt::format(".{}{}", ::getpid(), kSuffix);
  remove_old_parts();
  if (make_nameless()) return;
  errno = 0;
  descriptor_ = ::open(part_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  named_ = descriptor_ >= 0;
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

bool NewFile::make_nameless() {
#ifdef O_TMPFILE
  descriptor_ = ::open(folder_of(target_).c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
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
  if (descriptor_ < 0) return error();
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return error();
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return {};
}

Result<void> NewFile::finish() {
  if (descriptor_ < 0 || !give_name()) return error();
  if (::close(std::exchange(descriptor_, -1)) != 0 || ::rename(part_.c_str(), target_.c_str()) != 0) return error();
  named_ = false;
  return {};
}

}  // namespace iosx
