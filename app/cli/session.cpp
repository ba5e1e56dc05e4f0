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
    : devices_(devices), stop_(std::move(stop)), progress_("iosx", std::cerr, isatty(STDERR_FILENO) == 1) {}

JobContext Session::job() {
  return JobContext{stop_, [this](const Progress& progress) { progress_.report(progress); }};
}

void Session::print(const std::string& text) {
  progress_.clear();
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
  progress_.clear();
  std::cerr << "iosx: " << one_line(text) << '\n';
}

int Session::finish(int exit_code) {
  progress_.clear();
  std::cout.flush();
  if (std::cout.good()) return exit_code;
  return fail(Error{"could not be written", "standard output", "is the disk full?"});
}

}  // namespace iosx::cli
