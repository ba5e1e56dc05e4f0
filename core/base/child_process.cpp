#include "core/base/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <fstream>
#include <iterator>
#include <system_error>

#include "core/base/text.h"

namespace iosx {
namespace {

using Clock = std::chrono::steady_clock;

constexpr Sentence kStopped{"stopped"};
constexpr int kLifeline = 3;                    // the descriptor that a watch reads
constexpr std::chrono::milliseconds kLook{50};  // between two looks whether a stop is wanted

void close_one(int& descriptor) {
  if (descriptor >= 0) ::close(descriptor);
  descriptor = -1;
}

// Both ends of a connection; an exec() closes them.
struct Ends {
  int ours = -1;
  int its = -1;
  Ends() = default;
  Ends(const Ends&) = delete;
  Ends& operator=(const Ends&) = delete;
  ~Ends() {
    close_one(ours);
    close_one(its);
  }
  // A socket, because writing to one whose reader is gone need not raise a signal.
  bool open() {
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) return false;
    ours = ends[0];
    its = ends[1];
    return true;
  }
};

class SpawnActions {
 public:
  SpawnActions() {
    ::posix_spawn_file_actions_init(&actions_);
    ::posix_spawnattr_init(&attributes_);
    ::posix_spawnattr_setpgroup(&attributes_, 0);
    // Signals that this process ignores or blocks are the child's to decide on.
    sigset_t all;
    sigset_t none;
    sigfillset(&all);
    sigemptyset(&none);
    ::posix_spawnattr_setsigdefault(&attributes_, &all);
    ::posix_spawnattr_setsigmask(&attributes_, &none);
    ::posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  }
  ~SpawnActions() {
    ::posix_spawnattr_destroy(&attributes_);
    ::posix_spawn_file_actions_destroy(&actions_);
  }
  SpawnActions(const SpawnActions&) = delete;
  SpawnActions& operator=(const SpawnActions&) = delete;

  posix_spawn_file_actions_t* actions() { return &actions_; }
  posix_spawnattr_t* attributes() { return &attributes_; }

 private:
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

// Waits until the descriptor can be written or read. False: no longer than that.
Result<bool> wait_for(int descriptor, short event, Clock::time_point until, const std::stop_token& stop) {
  while (true) {
    if (stop.stop_requested()) return fail(kStopped);
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now());
    if (left.count() <= 0) return false;
    pollfd watched{descriptor, event, 0};
    const int ready = ::poll(&watched, 1, static_cast<int>(std::min(left, kLook).count()));
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return fail(verbatim(std::generic_category().message(errno)));
  }
}

Clock::time_point end_of(const Patience& patience) {
  return Clock::now() + std::chrono::ceil<Clock::duration>(patience.most);
}

constexpr std::size_t kMostRead = 2000;  // bytes of a file
constexpr std::size_t kMostSaid = 300;   // and quoted

}  // namespace

Result<ChildProcess> ChildProcess::start(std::span<const std::string> command, const std::filesystem::path& errors) {
  return spawn(command, errors, false);
}

Result<ChildProcess> ChildProcess::start_shell(const std::string& command, const std::filesystem::path& errors) {
  // The watchdog reads a pipe that nobody writes to and that ends with this process. It keeps none of the command's
  // pipes open, is not a child of its shell, which may wait for all children, and ends with the group.
  const std::string watched =
      fmt::format("( (read -r never <&{0}; kill -TERM 0) >/dev/null 2>&1 & ); exec {0}<&-\n{1}", kLifeline, command);
  const std::array<std::string, 3> words{"/bin/sh", "-c", watched};
  return spawn(words, errors, true);
}

Result<ChildProcess> ChildProcess::spawn(std::span<const std::string> command, const std::filesystem::path& errors,
                                         bool watched) {
  Ends input;
  Ends output;
  Ends lifeline;
  if (!input.open() || !output.open() || (watched && !lifeline.open())) {
    return fail(verbatim(std::generic_category().message(errno)), command.front());
  }
  SpawnActions spawn;
  ::posix_spawn_file_actions_adddup2(spawn.actions(), input.its, STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(spawn.actions(), output.its, STDOUT_FILENO);
  ::posix_spawn_file_actions_addopen(spawn.actions(), STDERR_FILENO, errors.c_str(), O_WRONLY | O_CREAT | O_APPEND,
                                     S_IRUSR | S_IWUSR);
  if (watched) ::posix_spawn_file_actions_adddup2(spawn.actions(), lifeline.its, kLifeline);
  std::vector<std::string> words(command.begin(), command.end());
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t process = -1;
  const int wrong =
      ::posix_spawnp(&process, words.front().c_str(), spawn.actions(), spawn.attributes(), arguments.data(), environ);
  if (wrong != 0) {
    return fail(message("cannot be started: {}", std::generic_category().message(wrong)), command.front(),
                message("check its name"));
  }
  return ChildProcess(process, std::exchange(input.ours, -1), std::exchange(output.ours, -1),
                      std::exchange(lifeline.ours, -1));
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept { *this = std::move(other); }

ChildProcess& ChildProcess::operator=(ChildProcess&& other) noexcept {
  if (this == &other) return *this;
  end();
  process_ = std::exchange(other.process_, -1);
  input_ = std::exchange(other.input_, -1);
  output_ = std::exchange(other.output_, -1);
  lifeline_ = std::exchange(other.lifeline_, -1);
  unread_ = std::move(other.unread_);
  bytes_read_ = other.bytes_read_;
  status_ = other.status_;
  return *this;
}

ChildProcess::~ChildProcess() { end(); }

void ChildProcess::close_pipes() {
  close_one(input_);
  close_one(output_);
  close_one(lifeline_);
}

void ChildProcess::end() {
  close_pipes();
  if (process_ < 0) return;
  ::kill(-process_, SIGKILL);
  while (::waitpid(process_, &status_, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
}

void ChildProcess::finish(Seconds by_itself, Seconds when_told) {
  close_one(input_);
  for (const auto until = end_of({.most = by_itself}); !ended() && Clock::now() < until;) ::usleep(1000);
  if (process_ > 0) {
    // A shell ends at once, and what it started may still have to say goodbye.
    const pid_t group = process_;
    ::kill(-group, SIGTERM);
    for (const auto until = end_of({.most = when_told}); ::kill(-group, 0) == 0 && Clock::now() < until;) {
      if (process_ > 0 && ::waitpid(process_, &status_, WNOHANG) == process_) process_ = -1;
      ::usleep(1000);
    }
    ::kill(-group, SIGKILL);
  }
  end();
}

bool ChildProcess::ended() {
  if (process_ < 0) return true;
  const pid_t group = process_;
  if (::waitpid(process_, &status_, WNOHANG) != process_) return false;
  process_ = -1;
  ::kill(-group, SIGKILL);  // what it left behind
  return true;
}

// Returns how it ended; if it only closed its pipes, it is ended as well.
Error ChildProcess::gone() {
  constexpr std::chrono::milliseconds kDying{200};
  for (const auto until = Clock::now() + kDying; !ended() && Clock::now() < until;) ::usleep(1000);
  const bool by_itself = process_ < 0;
  end();
  if (!by_itself) return {message("stopped answering"), {}, {}};
  if (WIFSIGNALED(status_)) return {message("was ended by a signal: {}", ::strsignal(WTERMSIG(status_))), {}, {}};
  return {message("has ended with exit code {}", WEXITSTATUS(status_)), {}, {}};
}

Result<void> ChildProcess::write_line(std::string_view line, const Patience& patience) {
  if (input_ < 0) return tl::unexpected(gone());
  std::string bytes(line);
  bytes += '\n';
  for (std::size_t done = 0; done < bytes.size();) {
    IOS_TRY(const bool ready, wait_for(input_, POLLOUT, end_of(patience), patience.stop));
    if (!ready) return fail(message("has not read its input for {:.0f} s", patience.most.count()));
    const ssize_t sent = ::send(input_, bytes.data() + done, bytes.size() - done, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent >= 0) {
      done += static_cast<std::size_t>(sent);
    } else if (errno != EAGAIN && errno != EINTR) {
      return tl::unexpected(gone());
    }
  }
  return {};
}

Result<std::string> ChildProcess::read_line(std::size_t most_bytes, const Patience& patience) {
  IOS_TRY(auto line, next_line(most_bytes, patience));
  if (!line) return fail(message("has not replied for {:.0f} s", patience.most.count()));
  return std::move(*line);
}

Result<std::optional<std::string>> ChildProcess::next_line(std::size_t most_bytes, const Patience& patience) {
  const auto until = end_of(patience);
  std::size_t looked_at = 0;
  while (true) {
    const std::size_t line_end = unread_.find('\n', looked_at);
    if (std::min(line_end, unread_.size()) > most_bytes) {
      end();
      return fail(message("wrote a line of more than {} bytes", most_bytes));
    }
    if (line_end != std::string::npos) {
      std::string line = unread_.substr(0, line_end);
      unread_.erase(0, line_end + 1);
      return line;
    }
    looked_at = unread_.size();
    if (output_ < 0) return tl::unexpected(gone());
    IOS_TRY(const bool ready, wait_for(output_, POLLIN, until, patience.stop));
    if (!ready) return std::nullopt;
    std::array<char, 1 << 16> bytes{};
    const ssize_t count = ::recv(output_, bytes.data(), bytes.size(), MSG_DONTWAIT);
    if (count > 0) {
      unread_.append(bytes.data(), static_cast<std::size_t>(count));
      bytes_read_ += static_cast<std::size_t>(count);
    } else if (count == 0 || (errno != EAGAIN && errno != EINTR)) {
      return tl::unexpected(gone());
    }
  }
}

void ChildProcess::pause() {
  if (process_ > 0) ::kill(-process_, SIGSTOP);
}

void ChildProcess::resume() {
  if (process_ > 0) ::kill(-process_, SIGCONT);
}

std::string last_lines(const std::string& text) {
  const std::size_t last = text.find_last_not_of(" \r\n\t");
  if (last == std::string::npos) return {};
  const std::string_view all = std::string_view(text).substr(0, last + 1);
  std::size_t begin = all.rfind('\n') + 1;
  while (begin > 1 && all.size() - (all.rfind('\n', begin - 2) + 1) <= kMostSaid)
    begin = all.rfind('\n', begin - 2) + 1;
  const std::string_view end = all.substr(begin);
  return end.size() <= kMostSaid ? printable(end) : printable(end.substr(0, kMostSaid)) + "...";
}

std::string last_words(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary | std::ios::ate);
  if (!stream) return {};
  const auto size = static_cast<std::streamoff>(stream.tellg());
  stream.seekg(std::max<std::streamoff>(0, size - static_cast<std::streamoff>(kMostRead)));
  return last_lines(std::string(std::istreambuf_iterator<char>(stream), {}));
}

}  // namespace iosx
