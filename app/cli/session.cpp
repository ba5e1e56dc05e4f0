#include "app/cli/session.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>
#include <utility>

namespace iosx::cli {

std::string one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return (c >= 0 && c < ' ') || c == '\x7f'; }, ' ');
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

Session::Session(const DeviceRegistry& devices, std::stop_token stop)
    : devices_(devices), stop_(std::move(stop)), terminal_(isatty(STDERR_FILENO) == 1) {}

JobContext Session::job() {
  JobContext job{stop_, {}};
  if (terminal_) job.progress = [this](const Progress& progress) { show(progress); };
  return job;
}

void Session::print(const std::string& text) {
  clear_progress();
  std::cout << text;
  if (!text.empty() && text.back() != '\n') std::cout << '\n';
}

void Session::print(const nlohmann::ordered_json& document) {
  // Names come from files and need not be UTF-8.
  print(document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

int Session::fail(const Error& error, int exit_code) {
  note(error.text());
  return exit_code;
}

void Session::note(const std::string& text) {
  clear_progress();
  std::cerr << "iosx: " << one_line(text) << '\n';
}

int Session::finish(int exit_code) {
  clear_progress();
  std::cout.flush();
  if (std::cout.good()) return exit_code;
  return fail(Error{"could not be written", "standard output", "is the disk full?"});
}

void Session::show(const Progress& progress) {
  using namespace std::chrono_literals;
  const auto now = std::chrono::steady_clock::now();
  if (progress_shown_ && now - last_shown_ < 100ms) return;
  last_shown_ = now;
  progress_shown_ = true;
  std::string text = one_line(progress.phase);
  if (progress.total > 0) text += fmt::format(": {} of {}", progress.done, progress.total);
  std::cerr << "\r\033[K" << text << std::flush;
}

void Session::clear_progress() {
  if (!progress_shown_) return;
  std::cerr << "\r\033[K" << std::flush;
  progress_shown_ = false;
}

}  // namespace iosx::cli
