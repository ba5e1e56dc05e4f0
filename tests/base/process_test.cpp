#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <new>
#include <stdexcept>
#include <system_error>

#include "core/base/child_process.h"
#include "core/base/files.h"
#include "core/base/memory_limit.h"
#include "tests/support/prelude.h"

namespace iosx {
namespace {

constexpr std::size_t kMost = 1 << 20;

class ChildProcessTest : public testing::Test {
 protected:
  // Runs a script of the shell.
  ChildProcess shell(const std::string& script) {
    const std::vector<std::string> command{"sh", "-c", script};
    return must(ChildProcess::start(command, errors()));
  }
  std::filesystem::path errors() const { return folder_.path() / "errors.txt"; }
  static bool alive(pid_t process) { return ::kill(process, 0) == 0; }

  ScratchFolder folder_ = ScratchFolder::make().value();
};

TEST_F(ChildProcessTest, IsSpokenToInLines) {
  ChildProcess cat = shell("exec cat");
  ASSERT_TRUE(cat.write_line("one", {}));
  ASSERT_TRUE(cat.write_line("", {}));
  ASSERT_TRUE(cat.write_line(std::string(300'000, 'x'), {}));  // more than a pipe holds
  EXPECT_EQ(cat.read_line(kMost, {}).value(), "one");
  EXPECT_EQ(cat.read_line(kMost, {}).value(), "");
  EXPECT_EQ(cat.read_line(kMost, {}).value().size(), 300'000U);
  EXPECT_FALSE(cat.ended());
}

TEST_F(ChildProcessTest, ThatIsNotThereIsAnError) {
  const std::vector<std::string> command{"no-such-program-anywhere", "-x"};
  const Error error = refused(ChildProcess::start(command, errors()));
  EXPECT_EQ(error.where, "no-such-program-anywhere");
  EXPECT_THAT(error.what.text(), HasSubstr("cannot be started"));
}

TEST_F(ChildProcessTest, SaysHowItEnded) {
  ChildProcess child = shell("echo last; echo why >&2; exit 3");
  EXPECT_EQ(child.read_line(kMost, {}).value(), "last");
  EXPECT_EQ(child.read_line(kMost, {}).error().what.text(), "has ended with exit code 3");
  EXPECT_TRUE(child.ended());
  std::stringstream said;
  said << std::ifstream(errors()).rdbuf();
  EXPECT_EQ(said.str(), "why\n");

  ChildProcess killed = shell("kill -9 $$");
  EXPECT_THAT(killed.read_line(kMost, {}).error().what.text(), HasSubstr("was ended by a signal"));
  EXPECT_FALSE(killed.write_line("anybody?", {}));
}

TEST_F(ChildProcessTest, ThatSaysNothingIsNotWaitedForLonger) {
  ChildProcess silent = shell("exec sleep 60");
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_THAT(silent.read_line(kMost, {.most = Seconds(0.2)}).error().what.text(), HasSubstr("has not replied"));
  std::stop_source stop;
  std::jthread stops([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    stop.request_stop();
  });
  EXPECT_EQ(silent.read_line(kMost, {.most = Seconds(50), .stop = stop.get_token()}).error().what.text(), "stopped");
  // One that does not read takes what a pipe holds, and no more.
  EXPECT_THAT(silent.write_line(std::string(10'000'000, 'x'), {.most = Seconds(0.2)}).error().what.text(),
              HasSubstr("has not read"));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
}

TEST_F(ChildProcessTest, ALineWithoutEndIsRefused) {
  ChildProcess endless = shell("while :; do printf xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; done");
  EXPECT_THAT(endless.read_line(1000, {}).error().what.text(), HasSubstr("a line of more than 1000 bytes"));
  EXPECT_TRUE(endless.ended());
}

TEST_F(ChildProcessTest, TakesAllThatItStartedWithIt) {
  pid_t grandchild = 0;
  {
    ChildProcess child = shell("sleep 60 & echo $!; wait");
    grandchild = static_cast<pid_t>(std::stol(child.read_line(kMost, {}).value()));
    EXPECT_TRUE(alive(grandchild));
  }
  for (int look = 0; look < 200 && alive(grandchild); ++look)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  // It may be a zombie until init looks, where there is one: then it runs no more either.
  std::ifstream stat("/proc/" + std::to_string(grandchild) + "/stat");
  std::string line;
  std::getline(stat, line);
  EXPECT_TRUE(line.empty() || line.find(") Z ") != std::string::npos) << line;
}

// The time that a process has had of the processor stands still while it is paused.
// Forked, this process ends as one that is killed does: no destructor runs.
TEST_F(ChildProcessTest, AShellGoesWithThisProcessWhateverItsEnd) {
  const std::string file = (folder_.path() / "process").string();
  const pid_t parent = ::fork();
  if (parent == 0) {
    // It reads nothing, as a launcher that waits in a queue, and says goodbye.
    auto started = ChildProcess::start_shell("trap 'echo bye > " + file + ".bye; exit' TERM; echo $$ > " + file +
                                                 ".new; mv " + file + ".new " + file + "; while :; do sleep 0.01; done",
                                             errors());
    for (int i = 0; i < 2000 && !std::filesystem::exists(file); ++i) ::usleep(10'000);
    ::raise(SIGKILL);
  }
  ASSERT_GT(parent, 0);
  int status = 0;
  ASSERT_EQ(::waitpid(parent, &status, 0), parent);
  pid_t process = 0;
  std::ifstream(file) >> process;
  ASSERT_GT(process, 0);
  for (int i = 0; i < 2000 && !std::filesystem::exists(file + ".bye"); ++i) ::usleep(10'000);
  EXPECT_TRUE(std::filesystem::exists(file + ".bye"));
}

TEST_F(ChildProcessTest, AShellsWatchIsNobodysChild) {
  auto started = must(ChildProcess::start_shell("true & wait; echo waited", errors()));
  EXPECT_EQ(started.read_line(kMost, {}).value(), "waited");
}

TEST_F(ChildProcessTest, AShellsWatchHoldsNothingOpen) {
  auto started = must(ChildProcess::start_shell("read line; echo \"$line\"; exit 4", errors()));
  ASSERT_TRUE(started.write_line("one", {}));
  EXPECT_EQ(started.read_line(kMost, {}).value(), "one");
  EXPECT_EQ(started.bytes_read(), 4U);
  EXPECT_EQ(started.read_line(kMost, {}).error().what.text(), "has ended with exit code 4");
}

TEST_F(ChildProcessTest, StandsStillWhilePaused) {
  ChildProcess busy = shell("while read x; do i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; echo done; done");
  ASSERT_TRUE(busy.write_line("go", {}));
  EXPECT_EQ(busy.read_line(kMost, {}).value(), "done");
  busy.pause();
  ASSERT_TRUE(busy.write_line("go", {}));
  EXPECT_FALSE(busy.read_line(kMost, {.most = Seconds(1)}));
  busy.resume();
  EXPECT_EQ(busy.read_line(kMost, {}).value(), "done");
  busy.pause();
  busy.end();  // one that stands still ends as well
  EXPECT_TRUE(busy.ended());
}

TEST(ScratchFolder, GoesWithWhatIsInIt) {
  std::filesystem::path path;
  {
    const ScratchFolder folder = ScratchFolder::make().value();
    path = folder.path();
    std::ofstream(path / "file") << "x";
    std::filesystem::create_directory(path / "more");
    EXPECT_TRUE(std::filesystem::exists(path / "file"));
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

// Killed processes remove nothing; who starts next does, and leaves alone what another one uses.
TEST(ScratchFolder, OfAKilledProcessGoesWithTheNextStart) {
  const ScratchFolder place = ScratchFolder::make().value();
  const char* const before = std::getenv("TMPDIR");
  const std::string kept = before == nullptr ? std::string() : before;
  ::setenv("TMPDIR", place.path().c_str(), 1);
  const ScratchFolder used = ScratchFolder::make().value();
  std::ofstream(used.path() / "file") << "x";
  const pid_t killed = ::fork();
  if (killed == 0) {
    const auto left = ScratchFolder::make();
    if (left) std::ofstream(left->path() / "file") << "x";
    ::chmod(place.path().c_str(), S_IRWXU | S_ISGID);  // which the folders in it take over
    const auto more = ScratchFolder::make();
    ::raise(SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(killed, &status, 0), killed);
  std::filesystem::create_directory(place.path() / "iosx-scratch-mine");  // another name
  // What somebody else may read was not made for one process, and other hosts have locks of their own.
  const std::string name = used.path().filename().string();
  const auto another = place.path() / (name.substr(0, name.size() - 6) + "backup");
  std::filesystem::create_directory(another);
  std::filesystem::permissions(another, std::filesystem::perms(0755));
  const auto elsewhere = place.path() / "iosx-scratch-another.host-abcdef";
  std::filesystem::create_directory(elsewhere);
  std::filesystem::permissions(elsewhere, std::filesystem::perms(0700));
  const auto count = [&] {
    return std::distance(std::filesystem::directory_iterator(place.path()), std::filesystem::directory_iterator());
  };
  EXPECT_EQ(count(), 6);
  ScratchFolder::remove_abandoned();
  EXPECT_EQ(count(), 4);
  EXPECT_TRUE(std::filesystem::exists(used.path() / "file"));
  kept.empty() ? ::unsetenv("TMPDIR") : ::setenv("TMPDIR", kept.c_str(), 1);
}

double resident_megabytes() {
  std::FILE* const file = std::fopen("/proc/self/statm", "r");
  if (file == nullptr) return 0;
  long all = 0;
  long resident = 0;
  const int read = std::fscanf(file, "%ld %ld", &all, &resident);  // NOLINT(cert-err34-c): the kernel's own numbers
  std::fclose(file);
  return read == 2 ? static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE)) * 1e-6 : 0;
}

// Two hundred megabytes in blocks of 20 kB, of which every thousandth outlives the others.
std::vector<std::unique_ptr<char[]>> use_and_free() {
  std::vector<std::unique_ptr<char[]>> kept;
  std::vector<std::unique_ptr<char[]>> freed;
  for (int i = 0; i < 10000; ++i) {
    auto block = std::make_unique<char[]>(20000);
    (i % 1000 == 999 ? kept : freed).push_back(std::move(block));
  }
  return kept;
}

TEST(Memory, WhatAThreadFreedGoesBackToTheSystem) {
  if (test::kSanitized) GTEST_SKIP() << "the sanitizers have an allocator of their own";
  const double before = resident_megabytes();
  std::vector<std::unique_ptr<char[]>> kept;
  std::jthread([&] { kept = use_and_free(); }).join();
  give_back_memory();
  EXPECT_LT(resident_megabytes() - before, 20);
  EXPECT_EQ(kept.size(), 10U);
}

TEST(ProgramDeathTest, WithoutMemoryOrThreadsEndsWithALine) {
  const auto program = [](void (*work)()) {
    return run_to_its_end("program", [work] {
      work();
      return 0;
    });
  };
  EXPECT_EXIT(std::exit(program([] { throw std::bad_alloc(); })), testing::ExitedWithCode(1),
              "^program: there is not enough memory.*\n$");
  EXPECT_EXIT(std::exit(program(
                  [] { throw std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again)); })),
              testing::ExitedWithCode(1), "^program: no thread could be started.*\n$");
  EXPECT_EXIT(std::exit(program([] { throw std::runtime_error("a library\nsays"); })), testing::ExitedWithCode(1),
              "^program: a library\\\\nsays\n$");
  // Nobody is there to catch what another thread throws.
  EXPECT_EXIT(std::exit(program([] { std::thread([] { throw std::bad_alloc(); }).join(); })),
              testing::ExitedWithCode(1), "^program: there is not enough memory.*\n$");
  EXPECT_EXIT(end_where_threads_are_out("program"), testing::ExitedWithCode(1), "^program: no thread");
  EXPECT_EXIT(std::exit(program([] {})), testing::ExitedWithCode(0), "^$");
}

}  // namespace

}  // namespace iosx
