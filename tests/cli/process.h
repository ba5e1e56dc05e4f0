#pragma once

#include "tests/support/prelude.h"

namespace iosx::test {

struct Finished {
  int exit_code = -1;  // -1: ended by a signal
  std::string out;
  std::string err;       // without the progress lines of a job of over ten seconds
  std::string progress;  // those lines: a slow computer has them where a fast one has none

  // Returns the one document on standard output; a test failure, and null, if it is not exactly one.
  nlohmann::ordered_json json() const;
  // Returns the number of lines on standard error.
  std::size_t error_lines() const;
};

// Returns the user's data folder of iosx ($XDG_DATA_HOME): empty when a test program starts, removed at its end.
std::filesystem::path data_folder();

// Runs iosx with these arguments to its end and captures both output streams (so standard error is not a terminal).
// interrupt_after > 0 then sends SIGINT. A command that runs schedules without a named device gets a simulated one,
// which is the same on every computer; iosx_as_given() leaves the choice to the program.
Finished iosx(const std::vector<std::string>& arguments,
              std::chrono::milliseconds interrupt_after = std::chrono::milliseconds{0});

Finished iosx_as_given(const std::vector<std::string>& arguments);

// Does the same for a command that has to end with 0; another exit code is a failure at the caller's line.
Finished iosx_done(const std::vector<std::string>& arguments, const char* file = __builtin_FILE(),
                   int line = __builtin_LINE());
// The one document of such a command, which says nothing else.
nlohmann::ordered_json json_of(const std::vector<std::string>& arguments, const char* file = __builtin_FILE(),
                               int line = __builtin_LINE());
// Returns what a command says on standard error that has to end with this exit code, in so many lines (0: any).
std::string iosx_refused(const std::vector<std::string>& arguments, int exit_code, std::size_t lines = 0,
                         const char* file = __builtin_FILE(), int line = __builtin_LINE());

// Adds to a command that it measures as little as it can.
std::vector<std::string> briefly(std::vector<std::string> arguments);
// Whether iosx has that device here.
bool available(const std::string& id);
// Returns a command's arguments with more of them.
std::vector<std::string> with(std::vector<std::string> arguments, const std::vector<std::string>& more);

// Runs iosx with a pseudo-terminal as standard error, where progress is shown.
Finished iosx_on_terminal(const std::vector<std::string>& arguments);

// A new empty folder, removed with its content at the end.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::filesystem::path path() const { return path_; }
  std::string file(const std::string& name) const { return (path_ / name).string(); }
  // Writes a file and returns its path.
  std::string write(const std::string& name, const std::string& text) const;

 private:
  std::filesystem::path path_;
};

std::string read(const std::filesystem::path& path);

// Returns the head of a NumPy file of version 1.0; its elements follow.
std::string npy_header(const std::string& type, const std::string& shape, const std::string& order = "False");
// Returns the elements of such a file of float32.
std::vector<float> floats_in(const std::string& bytes);

// A 3×3 convolution of 8 channels on 16×16 pixels, as the original writes it, that reads that many of a node.
nlohmann::ordered_json conv_json(const std::string& name, const std::string& input, int channels);

// Returns the JSON of a network of the original program: one convolution of this name, which is the network's too.
std::string network(const std::string& name);

}  // namespace iosx::test
