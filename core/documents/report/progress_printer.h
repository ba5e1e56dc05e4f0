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
#include "core/base/time_left.h"

namespace iosx {

// Makes what to write where a job's progress is shown: on a terminal one line that changes, elsewhere (a pipe, a file)
// now and then a new line. Times are given, counted from one fixed moment. Every text may be empty; it is written as it
// is.
class ProgressLines {
 public:
  // `program` leads lines that are not on a terminal.
  ProgressLines(std::string program, bool terminal) : program_(std::move(program)), terminal_(terminal) {}

  static constexpr Seconds kBetweenLines{10};

  // `columns` are those of the terminal; a longer line is cut. They are 0 where they are not known.
  std::string report(const Progress& progress, Seconds now, std::size_t columns = 0);
  // Is to be asked about once a second, as time passes without a report.
  std::string tick(Seconds now, std::size_t columns = 0);
  // Takes the line away, so that something else can be written.
  std::string clear();

 private:
  std::string text(Seconds now, std::size_t columns);

  std::string program_;
  bool terminal_;
  Progress progress_;
  TimeLeft time_left_;
  bool begun_ = false;
  bool shown_ = false;  // on a terminal: there is a line to take away
  Seconds first_{0};    // the first report
  Seconds last_{0};     // when something was written last
};

// Writes the progress of jobs to a stream, standard error say. Any thread may call it; a thread of its own lets the
// times run on while a job is silent.
class ProgressPrinter {
 public:
  // `terminal` says that the stream is one, as wide as standard error says. The stream must outlive the printer.
  ProgressPrinter(std::string program, std::ostream& stream, bool terminal);
  ~ProgressPrinter();
  ProgressPrinter(const ProgressPrinter&) = delete;
  ProgressPrinter& operator=(const ProgressPrinter&) = delete;

  void report(const Progress& progress);
  // Is to be called before anything else is written to a terminal. The printer is silent until the next report.
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
  ProgressLines lines_;  // guarded by mutex_, as the next ones
  bool quiet_ = true;    // nothing to tick for
  std::jthread ticker_;  // started by the first report; last: it ends first
};

}  // namespace iosx
