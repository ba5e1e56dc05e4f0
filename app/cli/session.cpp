#include "app/cli/session.h"

#include <fmt/format.h>
#include <unistd.h>

#include <iostream>
#include <nlohmann/json.hpp>

#include "core/base/printable.h"

namespace iosx::cli {

namespace {

// Messages of libraries may have several lines.
std::string on_one_line(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  return printable(text);
}

}  // namespace

Session::Session(DeviceRegistry& devices, Interrupts& interrupts)
    : devices_(devices), interrupts_(interrupts), progress_("iosx", std::cerr, isatty(STDERR_FILENO) == 1) {}

Interrupts::AtOnce Session::at_once(const char* work) {
  progress_.clear();
  return Interrupts::AtOnce(interrupts_, work);
}

JobContext Session::job() {
  return JobContext{interrupts_.token(), [this](const Progress& progress) { progress_.report(progress); }};
}

void Session::print(const std::string& text) {
  progress_.clear();
  std::cout << printable_lines(text);
  if (!text.empty() && text.back() != '\n') std::cout << '\n';
}

void Session::print_document(std::string_view text) {
  progress_.clear();
  std::cout << printable_document(text);
}

void Session::print(const nlohmann::ordered_json& document) {
  // Names come from files and need not be UTF-8.
  print_document(document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n');
}

int Session::fail(const Error& error, int exit_code) {
  note(error.text());
  return exit_code;
}

void Session::note(const std::string& text) {
  progress_.clear();
  std::cerr << "iosx: " << on_one_line(text) << '\n';
}

int Session::finish(const Exit& exit) {
  const int exit_code = exit ? *exit : fail(exit.error().error, exit.error().exit_code);
  progress_.clear();
  std::cout.flush();
  if (std::cout.good()) return exit_code;
  return fail(Error{message("could not be written"), "standard output", message("is the disk full?")});
}

}  // namespace iosx::cli
