#include "core/documents/report/progress_printer.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <ostream>
#include <utility>

#include "core/base/text.h"

namespace iosx {
namespace {

constexpr Seconds kBetweenChanges{0.1};  // of the line on a terminal
constexpr std::chrono::seconds kTick{1};
constexpr const char* kTakeAway = "\r\033[K";

// Leaves at most that many bytes, without an incomplete character at the end.
void cut(std::string& text, std::size_t bytes) {
  if (text.size() <= bytes) return;
  text.resize(character_until(text, bytes));
}

}  // namespace

std::string ProgressLines::report(const Progress& progress, Seconds now, std::size_t columns) {
  if (!begun_) {
    begun_ = true;
    first_ = last_ = now;
  }
  progress_ = progress;
  time_left_.report(progress, now);
  const bool waits = terminal_ ? shown_ && now - last_ < kBetweenChanges : now - last_ < kBetweenLines;
  return waits ? std::string() : text(now, columns);
}

std::string ProgressLines::tick(Seconds now, std::size_t columns) {
  const bool due = terminal_ ? shown_ : begun_ && now - last_ >= kBetweenLines;
  return due ? text(now, columns) : std::string();
}

std::string ProgressLines::clear() { return std::exchange(shown_, false) ? kTakeAway : std::string(); }

std::string ProgressLines::text(Seconds now, std::size_t columns) {
  last_ = now;
  std::string what = printable(progress_.phase.text());
  std::string times;
  if (progress_.total > 0) times = fmt::format(": {} of {}", progress_.done, progress_.total);
  if (now - first_ >= Seconds(1)) times += fmt::format(", {} so far", elapsed_text(now - first_));
  if (const auto left = time_left_.left(now)) times += fmt::format(", {} left of this step", rough_time_text(*left));
  if (!terminal_) return fmt::format("{}: {}{}\n", program_, what, times);
  // The times are what people look for: what is too long loses its words.
  if (columns > 0) {
    const std::size_t room = columns - 1;  // writing into the last column breaks the line on some terminals
    cut(times, room);
    cut(what, room - times.size());
  }
  shown_ = true;
  return kTakeAway + what + times;
}

ProgressPrinter::ProgressPrinter(std::string program, std::ostream& stream, bool terminal)
    : stream_(stream), terminal_(terminal), lines_(std::move(program), terminal) {}

ProgressPrinter::~ProgressPrinter() {
  clear();
  ticker_.request_stop();
  ended_.notify_all();
}

void ProgressPrinter::report(const Progress& progress) {
  const std::lock_guard lock(mutex_);
  quiet_ = false;
  write(lines_.report(progress, now(), columns()));
  if (!ticker_.joinable()) ticker_ = std::jthread([this](const std::stop_token& stop) { keep_ticking(stop); });
}

void ProgressPrinter::clear() {
  const std::lock_guard lock(mutex_);
  quiet_ = true;
  write(lines_.clear());
}

void ProgressPrinter::keep_ticking(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    ended_.wait_for(lock, stop, kTick, [] { return false; });
    if (!stop.stop_requested() && !quiet_) write(lines_.tick(now(), columns()));
  }
}

void ProgressPrinter::write(const std::string& text) {
  if (!text.empty()) stream_ << text << std::flush;
}

std::size_t ProgressPrinter::columns() const {
  winsize size{};
  return terminal_ && ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

}  // namespace iosx
