#pragma once

#include <sys/types.h>

#include <filesystem>
#include <span>
#include <stop_token>

#include "core/base/duration.h"
#include "core/base/result.h"

namespace iosx {

// How long to wait for another program. A stop request ends the wait early.
struct Patience {
  Seconds most{60};
  std::stop_token stop = {};
};

// Runs another program and exchanges lines of text with it. The program leads a process group of its own; ending it
// ends every process that it started. It is not thread-safe.
class ChildProcess {
 public:
  // Starts a program with its arguments. PATH is searched unless the program's name has a slash. Its standard error
  // goes to `errors`. Returns an error where the program cannot be started.
  static Result<ChildProcess> start(std::span<const std::string> command, const std::filesystem::path& errors);
  // Starts a command of /bin/sh that does not outlive this process, whatever ends this process and whether or not the
  // command reads its input: a watchdog in the group then sends the group a SIGTERM.
  static Result<ChildProcess> start_shell(const std::string& command, const std::filesystem::path& errors);

  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&& other) noexcept;
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess();  // calls end()

  // Writes a line and adds the line end. Errors: the program has ended, it does not read in time, a stop.
  Result<void> write_line(std::string_view line, const Patience& patience);
  // Returns the next line without its end. Errors: the program has ended, it sends nothing in time, a line is longer
  // than `most_bytes`, a stop. After an error nothing more can be read.
  Result<std::string> read_line(std::size_t most_bytes, const Patience& patience);
  // Does the same for polling: returns nothing where no line came in time, and reading can go on.
  Result<std::optional<std::string>> next_line(std::size_t most_bytes, const Patience& patience);

  // Stops the whole group until resume(); it uses no processor time meanwhile.
  void pause();
  void resume();
  // Closes the program's input, waits `by_itself` for it to end, sends SIGTERM and waits `when_told`, so that it can
  // release its resources; then calls end().
  void finish(Seconds by_itself, Seconds when_told);
  // Ends the group at once. A second call does nothing.
  void end();

  std::size_t bytes_read() const { return bytes_read_; }  // of its output, in total
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
  int input_ = -1;      // the program reads from it
  int output_ = -1;     // the program writes to it
  int lifeline_ = -1;   // closes when this process ends, for any reason
  std::string unread_;  // output that was received but not returned yet
  std::size_t bytes_read_ = 0;
  int status_ = 0;  // after its end, in the form of waitpid()
};

// The end of a program's output, which usually says why the program ended.

// Returns the last lines of a text as one printable line of about 300 bytes at most. Where the last line alone is
// longer, it returns the line's beginning.
std::string last_lines(const std::string& text);
// Returns the same for a file; an empty text where the file cannot be read.
std::string last_words(const std::filesystem::path& file);

}  // namespace iosx
