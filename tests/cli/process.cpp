#include "tests/cli/process.h"
#include "tests/support/prelude.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

namespace iosx::test {
namespace {

struct Pipe {
  int read_end = -1;
  int write_end = -1;
};

Pipe make_pipe() {
  std::array<int, 2> ends{};
  EXPECT_EQ(pipe(ends.data()), 0);
  return {ends[0], ends[1]};
}

Pipe make_terminal() {
  const int controller = posix_openpt(O_RDWR | O_NOCTTY);
  EXPECT_GE(controller, 0);
  EXPECT_EQ(grantpt(controller), 0);
  EXPECT_EQ(unlockpt(controller), 0);
  return {controller, open(ptsname(controller), O_RDWR | O_NOCTTY)};
}

pid_t start(const std::vector<std::string>& arguments, const Pipe& out, const Pipe& err) {
  std::vector<std::string> words{IOSX_PROGRAM};
  words.insert(words.end(), arguments.begin(), arguments.end());
  auto argv = mapped<char*>(words, [](std::string& word) { return word.data(); });
  argv.push_back(nullptr);
  const std::string data = data_folder().string();
  const pid_t child = ::fork();
  if (child != 0) return child;
  dup2(out.write_end, STDOUT_FILENO);
  dup2(err.write_end, STDERR_FILENO);
  for (const int end : {out.read_end, out.write_end, err.read_end, err.write_end}) close(end);
  setenv("XDG_DATA_HOME", data.c_str(), 1);
  setenv("XDG_CONFIG_HOME", data.c_str(), 1);  // no list of workers
  execv(argv[0], argv.data());
  _exit(127);
}

// Both streams until both are closed. A closed terminal reads as an error.
void read_both(int out, int err, Finished& finished) {
  std::array<pollfd, 2> ends{pollfd{out, POLLIN, 0}, pollfd{err, POLLIN, 0}};
  std::array<std::string*, 2> texts{&finished.out, &finished.err};
  std::array<char, 65536> buffer{};
  while (ends[0].fd >= 0 || ends[1].fd >= 0) {
    if (poll(ends.data(), ends.size(), -1) < 0) return;
    for (std::size_t i = 0; i < ends.size(); ++i) {
      if (ends[i].fd < 0 || ends[i].revents == 0) continue;
      const ssize_t count = ::read(ends[i].fd, buffer.data(), buffer.size());
      if (count > 0) {
        texts[i]->append(buffer.data(), static_cast<std::size_t>(count));
      } else {
        ends[i].fd = -1;
      }
    }
  }
}

Finished run(const std::vector<std::string>& arguments, const Pipe& err, std::chrono::milliseconds interrupt_after) {
  Finished finished;
  const Pipe out = make_pipe();
  const pid_t child = start(arguments, out, err);
  EXPECT_GT(child, 0);
  close(out.write_end);
  close(err.write_end);
  std::thread interrupter;
  if (interrupt_after.count() > 0) {
    interrupter = std::thread([&] {
      std::this_thread::sleep_for(interrupt_after);
      kill(child, SIGINT);  // not reaped yet: the process id is still the child's
    });
  }
  read_both(out.read_end, err.read_end, finished);
  if (interrupter.joinable()) interrupter.join();
  int status = 0;
  waitpid(child, &status, 0);
  close(out.read_end);
  close(err.read_end);
  if (WIFEXITED(status)) finished.exit_code = WEXITSTATUS(status);
  return finished;
}

// Takes the lines of progress on a pipe out of standard error.
void part_progress(Finished& finished) {
  std::istringstream lines(std::exchange(finished.err, {}));
  for (std::string line; std::getline(lines, line);) {
    const bool progress = line.starts_with("iosx: ") && line.find(" so far") != std::string::npos &&
                          line.find("best so far") == std::string::npos;  // which a note speaks of
    (progress ? finished.progress : finished.err) += line + (lines.eof() ? "" : "\n");
  }
}

std::vector<std::string> on_simulated(std::vector<std::string> arguments) {
  const auto has = [&](const char* word) { return std::ranges::find(arguments, word) != arguments.end(); };
  if (arguments.empty() || has("--device") || has("--help")) return arguments;
  const bool experiment = arguments[0] == "experiment" && arguments.size() > 1 && arguments[1] != "devices";
  if (!experiment && arguments[0] != "run" && arguments[0] != "compare" && arguments[0] != "optimize") return arguments;
  arguments.insert(arguments.end(), {"--device", "tesla-v100"});
  return arguments;
}

}  // namespace

std::filesystem::path data_folder() {
  static const TemporaryFolder folder;
  return folder.path();
}

nlohmann::ordered_json Finished::json() const {
  auto document = nlohmann::ordered_json::parse(out, nullptr, false);
  EXPECT_FALSE(document.is_discarded()) << "not one JSON document: " << out.substr(0, 2000) << "\nstderr: " << err;
  if (document.is_discarded()) return nullptr;
  return document;
}

std::size_t Finished::error_lines() const { return static_cast<std::size_t>(std::count(err.begin(), err.end(), '\n')); }

Finished iosx(const std::vector<std::string>& arguments, std::chrono::milliseconds interrupt_after) {
  Finished finished = run(on_simulated(arguments), make_pipe(), interrupt_after);
  part_progress(finished);
  return finished;
}

Finished iosx_as_given(const std::vector<std::string>& arguments) {
  Finished finished = run(arguments, make_pipe(), std::chrono::milliseconds{0});
  part_progress(finished);
  return finished;
}

Finished iosx_on_terminal(const std::vector<std::string>& arguments) {
  return run(on_simulated(arguments), make_terminal(), std::chrono::milliseconds{0});
}

Finished iosx_done(const std::vector<std::string>& arguments, const char* file, int line) {
  const testing::ScopedTrace trace(file, line, testing::PrintToString(arguments));
  Finished finished = iosx(arguments);
  if (finished.exit_code != 0) end_test(finished.err, file, line);
  return finished;
}

nlohmann::ordered_json json_of(const std::vector<std::string>& arguments, const char* file, int line) {
  const Finished finished = iosx_done(arguments, file, line);
  EXPECT_EQ(finished.err, "") << file << ':' << line;
  return finished.json();
}

std::string iosx_refused(const std::vector<std::string>& arguments, int exit_code, std::size_t lines, const char* file,
                         int line) {
  const testing::ScopedTrace trace(file, line, testing::PrintToString(arguments));
  const Finished finished = iosx(arguments);
  EXPECT_EQ(finished.exit_code, exit_code) << finished.err;
  if (lines > 0) {
    EXPECT_EQ(finished.error_lines(), lines) << finished.err;
  }
  return finished.err;
}

std::vector<std::string> briefly(std::vector<std::string> arguments) {
  for (const char* shorter : {"--repeat", "1", "--warmup", "0", "--min-time", "0"}) arguments.emplace_back(shorter);
  return arguments;
}

bool available(const std::string& id) {
  const auto list = json_of({"devices", "--json"}).at("devices");
  return std::ranges::any_of(list, [&](const auto& one) { return one.at("id") == id && one.at("available"); });
}

nlohmann::ordered_json conv_json(const std::string& name, const std::string& input, int channels) {
  using Json = nlohmann::ordered_json;
  return Json{{"type", "conv"},
              {"name", name},
              {"hint_name", name},
              {"inputs", Json::array({Json::array({Json::array({input, 0, channels})})})},
              {"out_channels", 8},
              {"kernel", {3, 3}},
              {"stride", {1, 1}},
              {"padding", {1, 1}},
              {"groups", 1},
              {"act", "relu"},
              {"output_shape", {8, 16, 16}}};
}

std::string npy_header(const std::string& type, const std::string& shape, const std::string& order) {
  std::string header = "{'descr': '" + type + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }";
  header.append((64 - (10 + header.size() + 1) % 64) % 64, ' ');
  header += '\n';
  std::string bytes("\x93NUMPY\x01\x00", 8);
  bytes += static_cast<char>(header.size() & 0xFF);
  bytes += static_cast<char>(header.size() >> 8);
  return bytes + header;
}

std::vector<float> floats_in(const std::string& bytes) {
  const std::size_t start = bytes.find('\n') + 1;
  std::vector<float> values((bytes.size() - start) / sizeof(float));
  std::memcpy(values.data(), bytes.data() + start, values.size() * sizeof(float));
  return values;
}

TemporaryFolder::TemporaryFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "iosx-test-XXXXXX").string();
  EXPECT_NE(mkdtemp(name.data()), nullptr);
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string TemporaryFolder::write(const std::string& name, const std::string& text) const {
  std::ofstream(path_ / name, std::ios::binary) << text;
  return file(name);
}

std::vector<std::string> with(std::vector<std::string> arguments, const std::vector<std::string>& more) {
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

std::string read(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  EXPECT_TRUE(stream.is_open()) << path;
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::string network(const std::string& name) {
  using Json = nlohmann::ordered_json;
  const Json input{{"type", "placeholder"}, {"name", "in"}, {"hint_name", "in"}, {"output_shape", {8, 16, 16}}};
  const Json conv = conv_json(name, "in", 8);
  const Json blocks = Json::array({{{"enter_name", "in"},
                                    {"enter_node", input},
                                    {"inner_nodes", Json::array()},
                                    {"exit_node", conv},
                                    {"stages", Json::array({Json::array({Json::array({name})})})}}});
  return Json{{"name", name}, {"input", input}, {"blocks", blocks}}.dump();
}

}  // namespace iosx::test
