// Several processes and a store; processes that are killed.
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <random>
#include <thread>

#include "core/devices/store/measurement_store.h"
#include "tests/support/store_files.h"

namespace iosx::test {
namespace {

using testing::IsEmpty;

// Appends one measurement after another, from `first` on, and writes each one's number to the pipe when it is stored.
[[noreturn]] void append_until_killed(const std::filesystem::path& file, std::uint64_t first, int acknowledge) {
  auto store = MeasurementStore::open(file);
  if (!store) _exit(1);
  for (std::uint64_t i = first;; ++i) {
    if (!(*store)->append(some_set(), some_measurement(i))) _exit(2);
    if (write(acknowledge, &i, sizeof i) != sizeof i) _exit(3);
  }
}

TEST(Processes, AKillLosesNothingThatWasAcknowledged) {
  const Folder folder;
  const auto file = folder / "m.db";
  std::mt19937 random(20260303);
  std::uint64_t stored = 0;  // measurements 0 … stored - 1 are there
  for (int round = 0; round < 20; ++round) {
    std::array<int, 2> ends{};
    ASSERT_EQ(pipe(ends.data()), 0);
    const pid_t child = fork();
    if (child == 0) {
      close(ends[0]);
      append_until_killed(file, stored, ends[1]);
    }
    close(ends[1]);
    // Some rounds end while the file is made or its log taken in, others somewhere in an append.
    const auto wait = std::chrono::microseconds{random() % (round % 4 == 0 ? 5'000 : 60'000)};
    std::this_thread::sleep_for(wait);
    kill(child, SIGKILL);
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status)) << "ended by itself: " << status;
    std::uint64_t acknowledged = stored;
    std::uint64_t number = 0;
    while (read(ends[0], &number, sizeof number) == sizeof number) acknowledged = number + 1;
    close(ends[0]);

    auto store = open_store(file);
    EXPECT_THAT(store->take_notices(), IsEmpty());
    const auto found = store->find(some_set(), some_keys(0, acknowledged + 2));
    ASSERT_TRUE(found.has_value()) << found.error().text();
    for (std::uint64_t i = 0; i < acknowledged; ++i) {
      ASSERT_TRUE(found->at(i).has_value()) << "round " << round << ": " << i << " of " << acknowledged;
      ASSERT_EQ(words(*found->at(i)), words(some_measurement(i)));
    }
    // The one in flight may be there or not; one after it cannot be.
    EXPECT_FALSE(found->at(acknowledged + 1).has_value());
    stored = acknowledged + (found->at(acknowledged) ? 1 : 0);
    EXPECT_EQ(rows_of(*store), static_cast<std::int64_t>(stored));
  }
  EXPECT_GT(stored, 20U);
}

// The file is made by all of them at once, too.
TEST(Processes, AppendAtOnceWithoutLosses) {
  const Folder folder;
  const auto file = folder / "new/m.db";
  constexpr std::uint64_t kProcesses = 4;
  constexpr std::uint64_t kEach = 60;
  std::vector<pid_t> children;
  for (std::uint64_t process = 0; process < kProcesses; ++process) {
    const pid_t child = fork();
    if (child == 0) {
      auto store = MeasurementStore::open(file);
      if (!store) _exit(1);
      const MeasurementSet own = some_set("of process " + std::to_string(process));
      for (std::uint64_t i = 0; i < kEach; ++i) {
        if (!(*store)->append(some_set(), some_measurement(process * kEach + i))) _exit(2);
        if (!(*store)->append(own, some_measurement(i))) _exit(3);
        const auto found = (*store)->find(some_set(), some_keys(process * kEach, process * kEach + i + 1));
        if (!found) _exit(4);
        for (const auto& one : *found) {
          if (!one) _exit(5);
        }
      }
      store->reset();
      _exit(0);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 0);
  }
  auto store = open_store(file);
  EXPECT_THAT(store->take_notices(), IsEmpty());
  EXPECT_EQ(rows_of(*store), static_cast<std::int64_t>(2 * kProcesses * kEach));
  EXPECT_EQ(store->info()->sets.size(), kProcesses + 1);
}

// All of them meet the damage at once: it is set aside once, and nobody's new measurements with it.
TEST(Processes, MeetDamageAtOnce) {
  for (int round = 0; round < 5; ++round) {
    const Folder folder;
    const auto file = folder / "m.db";
    ASSERT_TRUE(open_store(file)->append(some_set("old"), some_measurements(0, 200)));
    std::string bytes = read_file(file);
    bytes.replace(bytes.size() - 8192, 4096, std::string(4096, '\x7f'));
    write_file(file, bytes);
    std::vector<pid_t> children;
    for (std::uint64_t process = 0; process < 4; ++process) {
      const pid_t child = fork();
      if (child == 0) {
        auto store = MeasurementStore::open(file);
        if (!store) _exit(1);
        if (!(*store)->find(some_set("old"), some_keys(0, 200))) _exit(2);
        if (!(*store)->append(some_set(), some_measurement(process))) _exit(3);
        store->reset();
        _exit(0);
      }
      children.push_back(child);
    }
    for (const pid_t child : children) {
      int status = 0;
      waitpid(child, &status, 0);
      EXPECT_TRUE(WIFEXITED(status));
      EXPECT_EQ(WEXITSTATUS(status), 0);
    }
    EXPECT_TRUE(std::filesystem::exists(folder / "m.db.damaged-1"));
    EXPECT_FALSE(std::filesystem::exists(folder / "m.db.damaged-2"));
    const auto found = open_store(file)->find(some_set(), some_keys(0, 4));
    ASSERT_TRUE(found.has_value()) << found.error().text();
    for (const auto& one : *found) EXPECT_TRUE(one.has_value());
  }
}

}  // namespace
}  // namespace iosx::test
