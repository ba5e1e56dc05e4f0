#pragma once

#include <sys/types.h>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>

#include "core/base/duration.h"
#include "core/base/result.h"

namespace iosx {

// Says how long somebody waits for another program: until then, or until a stop is wanted.
struct Patience {
  Seconds most{60};
  std::stop_token stop = {};
};

// A program that runs beside this one and is spoken to in lines. It leads a process group of its own, and with it goes
// whatever it started. It is not thread-safe.
class ChildProcess {
 public:
  // Starts a program, looked for in PATH unless its name has a slash; `command` has its arguments, too. What it writes
  // to its standard error goes to that file. The error is that it cannot be started.
  static Result<ChildProcess> start(std::span<const std::string> command, const std::filesystem::path& errors);
  // Starts a command of /bin/sh that does not outlive this process, however that ends and whether the command reads its
  // input or not: a watch in its group gets the group a SIGTERM then.
  static Result<ChildProcess> start_shell(const std::string& command, const std::filesystem::path& errors);

  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&& other) noexcept;
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess();  // end()

  // Writes a line to its standard input, the line's end added. Errors: it has ended, it reads nothing so long, a stop.
  Result<void> write_line(std::string_view line, const Patience& patience);
  // Returns its next line without the end. Errors: it has ended, it says nothing, a line is longer than `most_bytes`, a
  // stop. After any of them nothing more can be read.
  Result<std::string> read_line(std::size_t most_bytes, const Patience& patience);
  // Does the same for who looks in between: nothing if it said nothing so long, and more can be read then.
  Result<std::optional<std::string>> next_line(std::size_t most_bytes, const Patience& patience);

  // Until resume() the whole group stands still and takes no processor's time.
  void pause();
  void resume();
  // Tells it that nothing more is coming, and gives it so long to end by itself, then so long after a SIGTERM, so that
  // it can give back what it holds; then end().
  void finish(Seconds by_itself, Seconds when_told);
  // Ends the group at once. A second time does nothing.
  void end();

  std::size_t bytes_read() const { return bytes_read_; }  // of its output, ever
  bool ended();                                           // by itself or by end()
  pid_t id() const { return process_; }

 private:
  ChildProcess(pid_t process, int input, int output, int lifeline)
      : process_(process), input_(input), output_(output), lifeline_(lifeline) {}
  static Result<ChildProcess> spawn(std::span<const std::string> command, const std::filesystem::path& errors,
                                    bool watched);
  void close_pipes();
  Error gone();

  pid_t process_ = -1;  // -1: it has ended and was waited for
  int input_ = -1;      // what it reads
  int output_ = -1;     // what it writes
  int lifeline_ = -1;   // is closed by this process's end, whatever that is
  std::string unread_;  // what it wrote, not handed out yet
  std::size_t bytes_read_ = 0;
  int status_ = 0;  // once it ended, as waitpid() has it
};

}  // namespace iosx
