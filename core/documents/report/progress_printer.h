#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <iosfwd>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>

#include "core/base/progress.h"

namespace iosx {

// Makes the text that shows a job's progress: on a terminal one changing line, elsewhere (a pipe, a file) a new line
// from time to time. The caller passes times since one fixed moment. A text may be empty; it is written unchanged.
class ProgressLines {
 public:
  // `program` begins lines outside a terminal.
  ProgressLines(std::string program, bool terminal) : program_(std::move(program)), terminal_(terminal) {}

  static constexpr Seconds kBetweenLines{10};

  // `columns` are the terminal's; a longer line is cut. 0: unknown.
  std::string report(const Progress& progress, Seconds now, std::size_t columns = 0);
  // Call it about once a second while no report comes.
  std::string tick(Seconds now, std::size_t columns = 0);
  // Removes the line, so that something else can be written.
  std::string clear();

 private:
  std::string text(Seconds now, std::size_t columns);

  std::string program_;
  bool terminal_;
  Progress progress_;
  TimeLeft time_left_;
  bool begun_ = false;
  bool shown_ = false;  // on a terminal: a line to remove is there
  Seconds first_{0};    // the first report
  Seconds last_{0};     // when something was last written
};

// Writes the progress of jobs to a stream, such as standard error. Any thread may call it; its own thread advances
// the times while a job is silent.
class ProgressPrinter {
 public:
  // `terminal`: the stream is one, as wide as standard error. The stream must outlive the printer.
  ProgressPrinter(std::string program, std::ostream& stream, bool terminal);
  ~ProgressPrinter();
  ProgressPrinter(const ProgressPrinter&) = delete;
  ProgressPrinter& operator=(const ProgressPrinter&) = delete;

  void report(const Progress& progress);
  // Call it before writing anything else to a terminal. The printer is silent until the next report.
  void clear();

 private:
  void write(const std::string& text);
  void keep_ticking(const std::stop_token& stop);
  Seconds now() const { return std::chrono::steady_clock::now() - begin_; }
  std::size_t columns() const;

  std::ostream& stream_;
  bool terminal_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::mutex mutex_;
  std::condition_variable_any ended_;
  ProgressLines lines_;  // guarded by mutex_, like the next ones
  bool quiet_ = true;    // nothing to tick for
  std::jthread ticker_;  // started by the first report; last: it ends first
};

}  // namespace iosx
