#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/devices/measure/store_place.h"
#include "tests/support/prelude.h"
#include "tests/support/store_files.h"

namespace iosx::test {
namespace {

// Waits for the process, which has to end with 0.
void expect_done(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

// Threads call it too, so it ends no test.
std::optional<Measurement> find_one(MeasurementStore& store, const MeasurementSet& set, const StageKey& key) {
  const auto found = store.find(set, std::vector{key});
  EXPECT_TRUE(found.has_value());
  return found ? found->at(0) : std::nullopt;
}

TEST(Store, GivesBackWhatItWasGivenAndNothingElse) {
  const Folder folder;
  auto store = open_store(folder / "a/b/measurements.db");  // folders are made
  ASSERT_TRUE(store->append(some_set(), some_measurements(0, 500)));
  store = open_store(folder / "a/b/measurements.db");
  const auto found = must(store->find(some_set(), some_keys(250, 750)));
  ASSERT_EQ(found.size(), 500U);
  for (std::uint64_t i = 250; i < 750; ++i) {
    const auto& answer = found.at(i - 250);
    ASSERT_EQ(answer.has_value(), i < 500) << i;
    if (answer) {
      EXPECT_EQ(words(*answer), words(some_measurement(i)));
    }
  }
  EXPECT_THAT(store->take_notices(), IsEmpty());
}

TEST(Store, NeverAnswersForAnotherFingerprintBatchOrPrecision) {
  const Folder folder;
  auto store = open_store(folder / "m.db");
  ASSERT_TRUE(store->append(some_set("A", 1, "f32"), some_measurement(7)));
  EXPECT_TRUE(find_one(*store, some_set("A", 1, "f32"), some_key(7)).has_value());
  for (const auto& other : {some_set("B", 1, "f32"), some_set("A", 2, "f32"), some_set("A", 1, "f16"),
                            some_set("a", 1, "f32"), some_set("A ", 1, "f32"), some_set("A", 1, "f3")}) {
    EXPECT_FALSE(find_one(*store, other, some_key(7)).has_value())
        << other.fingerprint << other.batch << other.precision;
  }
  // The same stage on each of them is a measurement of its own.
  ASSERT_TRUE(store->append(some_set("A", 2, "f32"), some_measurement(8)));
  EXPECT_FALSE(find_one(*store, some_set("A", 2, "f32"), some_key(7)).has_value());
  EXPECT_FALSE(find_one(*store, some_set("A", 1, "f32"), some_key(8)).has_value());
}

TEST(Store, AnAppendReplacesATakeOverOnlyWhatIsOlder) {
  const Folder folder;
  auto store = open_store(folder / "m.db");
  Measurement first = some_measurement(1);
  Measurement older = first;
  older.date -= std::chrono::hours{1};
  older.latency.value = Millis{77};
  Measurement newer = first;
  newer.date += std::chrono::hours{1};
  newer.latency.value = Millis{99};

  ASSERT_TRUE(store->append(some_set(), first));
  auto taken = must(store->take_over(some_set(), std::vector{older, some_measurement(2)}));
  EXPECT_EQ(taken.seen, 2);
  EXPECT_EQ(taken.taken, 1);
  EXPECT_EQ(words(*find_one(*store, some_set(), first.key)), words(first));
  ASSERT_TRUE(store->take_over(some_set(), std::vector{newer}));
  EXPECT_EQ(words(*find_one(*store, some_set(), first.key)), words(newer));
  ASSERT_TRUE(store->append(some_set(), older));
  EXPECT_EQ(words(*find_one(*store, some_set(), first.key)), words(older));
  EXPECT_EQ(rows_of(*store), 2);
}

TEST(Store, SaysWhichSetsItHolds) {
  const Folder folder;
  auto store = open_store(folder / "m.db");
  ASSERT_TRUE(store->append(some_set("A", 8, "f32"), some_measurements(0, 10)));
  ASSERT_TRUE(store->append(some_set("A", 1, "tf32"), some_measurements(0, 4)));
  MeasurementSet simulated = some_set("simulated X", 1, "f32");
  simulated.origin = Origin::kSimulated;
  simulated.device_id = "tesla-v100";
  ASSERT_TRUE(store->append(simulated, some_measurement(0)));
  const auto info = must(store->info());
  EXPECT_EQ(info.measurements, 15);
  EXPECT_EQ(info.form, 6);
  EXPECT_GT(info.bytes, 4096U);
  std::vector<std::string> sets;
  for (const SetInfo& set : info.sets) {
    sets.push_back(fmt::format("{} {} {} {} {} {}..{}", set.set.device_id, set.set.batch, set.set.precision,
                               origin_name(set.set.origin), set.measurements, date_text(set.first),
                               date_text(set.last)));
  }
  EXPECT_THAT(sets, ElementsAre("cpu 1 tf32 measured 4 2026-02-25T06:13:20Z..2026-02-25T06:13:23Z",
                                "cpu 8 f32 measured 10 2026-02-25T06:13:20Z..2026-02-25T06:13:29Z",
                                "tesla-v100 1 f32 simulated 1 2026-02-25T06:13:20Z..2026-02-25T06:13:20Z"));
  EXPECT_THAT(info.sets[1].programs, ElementsAre("0.1.0", "0.2.0"));
  EXPECT_EQ(find_one(*store, simulated, some_key(0))->latency.origin, Origin::kSimulated);
}

TEST(Store, RefusesWhatNoDeviceMeasures) {
  const Folder folder;
  auto store = open_store(folder / "m.db");
  const auto is_refused = [&](const std::function<void(Measurement&)>& spoil) {
    std::vector<Measurement> measurements = some_measurements(0, 3);
    spoil(measurements[2]);
    const auto appended = store->append(some_set(), measurements);
    return !appended.has_value() && rows_of(*store) == 0;  // all or none
  };
  EXPECT_TRUE(is_refused([](Measurement& m) { m.latency.value = Millis{-1}; }));
  EXPECT_TRUE(is_refused([](Measurement& m) { m.latency.value = Millis{std::nan("")}; }));
  EXPECT_TRUE(is_refused([](Measurement& m) { m.latency.value = Millis{5e-324}; }));
  EXPECT_TRUE(is_refused([](Measurement& m) { m.latency.spread = Millis{std::numeric_limits<double>::infinity()}; }));
  EXPECT_TRUE(is_refused([](Measurement& m) { m.latency.samples = 0; }));
  EXPECT_TRUE(is_refused([](Measurement& m) { m.latency.clock_mhz = -5; }));
  EXPECT_TRUE(is_refused([](Measurement& m) { m.date = Date{std::chrono::seconds{-1}}; }));
  EXPECT_FALSE(store->append(some_set(""), some_measurement(0)));
  EXPECT_FALSE(store->append(some_set("A", 0), some_measurement(0)));
  EXPECT_FALSE(store->append(some_set("A", 1, ""), some_measurement(0)));
  MeasurementSet predicted = some_set();
  predicted.origin = Origin::kPredicted;
  EXPECT_FALSE(store->append(predicted, some_measurement(0)));
  EXPECT_TRUE(store->append(some_set(), some_measurement(0)));
  MeasurementSet simulated = some_set();
  simulated.origin = Origin::kSimulated;
  EXPECT_THAT(refused(store->append(simulated, some_measurement(1))).what,
              HasSubstr("a simulated and to a real device"));
  EXPECT_THAT(store->take_notices(), IsEmpty());  // the file is sound
}

TEST(Store, AMinusZeroIsAZero) {
  const Folder folder;
  auto store = open_store(folder / "m.db");
  Measurement measurement = some_measurement(0);
  measurement.latency.spread = Millis{-0.0};
  ASSERT_TRUE(store->append(some_set(), measurement));
  EXPECT_EQ(find_one(*store, some_set(), measurement.key)->latency.spread, Millis{0});
}

TEST(Store, RemembersSearchesOfASetUntilItIsPruned) {
  const Folder folder;
  const StageKey search = some_key(77);
  {
    auto store = open_store(folder / "m.db");
    ASSERT_TRUE(store->note_search(some_set("A"), search, 42));  // nothing was measured there: nothing to remember
    EXPECT_FALSE(store->noted_search(some_set("A"), search).value().has_value());
    ASSERT_TRUE(store->append(some_set("A"), some_measurement(1)));
    ASSERT_TRUE(store->note_search(some_set("A"), search, 42));
    ASSERT_TRUE(store->note_search(some_set("A"), search, 42));
  }
  auto store = open_store(folder / "m.db");
  EXPECT_EQ(store->noted_search(some_set("A"), search).value(), 42);
  EXPECT_FALSE(store->noted_search(some_set("A"), some_key(78)).value().has_value());
  EXPECT_FALSE(store->noted_search(some_set("A", 2), search).value().has_value());
  EXPECT_FALSE(store->noted_search(some_set("B"), search).value().has_value());
  EXPECT_EQ(rows_of(*store), 1);
  ASSERT_TRUE(store->prune({}));
  EXPECT_FALSE(store->noted_search(some_set("A"), search).value().has_value());
}

TEST(Store, KeepsTheFirstMethodUntilAllIsPruned) {
  const Folder folder;
  const auto first = open_store(folder / "m.db");
  const auto second = open_store(folder / "m.db");  // as another process would
  StoredMethods a(*first, "A of this kind", "A");
  StoredMethods b(*second, "A of this kind", "A");
  EXPECT_EQ(a.find("problem"), std::nullopt);
  EXPECT_EQ(a.keep("problem", "winograd"), "winograd");
  EXPECT_EQ(b.keep("problem", "plain"), "winograd");
  EXPECT_EQ(b.find("problem"), "winograd");
  EXPECT_EQ(StoredMethods(*first, "A of another kind", "A").find("problem"), std::nullopt);
  EXPECT_EQ(first->info()->methods, 1);
  ASSERT_TRUE(first->prune({.device = "B"}));
  ASSERT_TRUE(first->prune({.device = "A", .batch = 1}));
  EXPECT_EQ(b.find("problem"), "winograd");
  ASSERT_TRUE(first->prune({.device = "A"}));
  EXPECT_EQ(b.find("problem"), std::nullopt);
}

TEST(Store, PrunesByDeviceProgramAndAge) {
  const Folder folder;
  auto store = open_store(folder / "m.db");
  const auto fill = [&] {
    ASSERT_TRUE(store->append(some_set("A", 1), some_measurements(0, 100)));
    ASSERT_TRUE(store->append(some_set("B", 8), some_measurements(0, 100)));
  };
  const auto pruned = [&](const MeasurementFilter& selection) {
    const auto counted = store->count(selection);
    const auto removed = store->prune(selection);
    EXPECT_TRUE(removed.has_value()) << removed.error().text();
    EXPECT_EQ(*counted, *removed);
    EXPECT_EQ(*store->count(selection), 0);
    return *removed;
  };
  fill();
  EXPECT_EQ(pruned({.device = "B", .batch = 1}), 0);
  EXPECT_EQ(pruned({.device = "B"}), 100);
  EXPECT_EQ(store->info()->sets.size(), 1U);
  EXPECT_FALSE(find_one(*store, some_set("B", 8), some_key(3)).has_value());
  fill();
  EXPECT_EQ(pruned({.program = "0.2.0"}), 100);
  EXPECT_THAT(store->info()->sets[0].programs, ElementsAre("0.1.0"));
  fill();
  EXPECT_EQ(pruned({.before = some_measurement(30).date}), 60);
  EXPECT_EQ(pruned({.device = "cpu", .precision = "f32"}), 140);
  EXPECT_THAT(store->info()->sets, IsEmpty());
}

TEST(Store, GivesRoomBackWhenPruned) {
  const Folder folder;
  auto store = open_store(folder / "m.db");
  ASSERT_TRUE(store->append(some_set("A"), some_measurements(0, 20'000)));
  ASSERT_TRUE(store->append(some_set("B"), some_measurements(0, 10)));
  const auto before = store->info()->bytes;
  ASSERT_TRUE(store->prune({.device = "A"}));
  EXPECT_LT(store->info()->bytes, before / 4);
  EXPECT_EQ(rows_of(*store), 10);
}

TEST(Store, MergesAnotherFile) {
  const Folder folder;
  auto store = open_store(folder / "a.db");
  ASSERT_TRUE(store->append(some_set("A"), some_measurements(0, 100)));
  auto other = open_store(folder / "b.db");
  ASSERT_TRUE(other->append(some_set("A"), some_measurements(50, 150)));
  ASSERT_TRUE(other->append(some_set("B"), some_measurements(0, 12'000)));
  const auto taken = must(store->merge(folder / "b.db"));
  EXPECT_EQ(taken.seen, 12'100);
  EXPECT_EQ(taken.taken, 12'050);
  EXPECT_EQ(rows_of(*store), 12'150);
  EXPECT_EQ(words(*find_one(*store, some_set("B"), some_key(11'999))), words(some_measurement(11'999)));
  EXPECT_EQ(store->merge(folder / "b.db")->taken, 0);
  EXPECT_THAT(store->merge(folder / "a.db").error().what, HasSubstr("with itself"));
  EXPECT_THAT(store->merge(folder / "c.db").error().what, HasSubstr("no such file"));
  EXPECT_EQ(rows_of(*other), 12'100);
}

// It is somebody else's: not a byte of it changes, and nothing is left beside it.
TEST(Store, MergingLeavesTheOtherFileAlone) {
  const Folder folder;
  auto store = open_store(folder / "a.db");
  ASSERT_TRUE(open_store(folder / "b.db")->append(some_set(), some_measurement(1)));
  const std::string before = read_file(folder / "b.db");
  const auto time = std::filesystem::last_write_time(folder / "b.db");
  EXPECT_EQ(store->merge(folder / "b.db")->taken, 1);
  EXPECT_EQ(read_file(folder / "b.db"), before);
  EXPECT_EQ(std::filesystem::last_write_time(folder / "b.db"), time);
  EXPECT_THAT(folder.names(), Not(Contains(HasSubstr("b.db-"))));
}

TEST(Store, IsUsedByManyThreads) {
  const Folder folder;
  auto store = open_store(folder / "m.db");
  std::vector<std::thread> threads;
  for (std::uint64_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (std::uint64_t i = 0; i < 50; ++i) {
        EXPECT_TRUE(store->append(some_set(), some_measurement(100 * t + i)));
        EXPECT_TRUE(find_one(*store, some_set(), some_key(100 * t + i)).has_value());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(rows_of(*store), 200);
}

TEST(Store, WhenItsFileIsRemovedBeginsANewOne) {
  const Folder folder;
  auto store = open_store(folder / "m.db");
  ASSERT_TRUE(store->append(some_set(), some_measurement(1)));
  for (const std::string& name : folder.names()) std::filesystem::remove(folder / name);
  ASSERT_TRUE(store->append(some_set(), some_measurement(2)));
  EXPECT_THAT(store->take_notices(), ElementsAre(HasSubstr("was moved away")));
  EXPECT_TRUE(find_one(*open_store(folder / "m.db"), some_set(), some_key(2)).has_value());
}

TEST(Store, ForReadingChangesNothing) {
  const Folder folder;
  EXPECT_THAT(refused(MeasurementStore::open(folder / "m.db", MeasurementStore::Access::kReadOnly)).what,
              HasSubstr("no such file"));
  EXPECT_THAT(folder.names(), IsEmpty());
  ASSERT_TRUE(open_store(folder / "m.db")->append(some_set(), some_measurement(1)));
  const std::string bytes = read_file(folder / "m.db");
  {
    auto store = must(MeasurementStore::open(folder / "m.db", MeasurementStore::Access::kReadOnly));
    EXPECT_EQ(rows_of(*store), 1);
    EXPECT_THAT(refused(store->append(some_set(), some_measurement(2))).what, HasSubstr("is not writable"));
  }
  EXPECT_EQ(read_file(folder / "m.db"), bytes);
}

TEST(Store, LeavesWhatIsNotOursAsItIs) {
  const Folder folder;
  const auto file = folder / "m.db";
  std::filesystem::create_directory(folder / "folder");
  EXPECT_THAT(MeasurementStore::open(folder / "folder").error().what, HasSubstr("is a folder"));
  EXPECT_THAT(MeasurementStore::open("/dev/null").error().what, HasSubstr("not a regular file"));
  ASSERT_EQ(mkfifo((folder / "fifo").c_str(), 0600), 0);
  EXPECT_THAT(MeasurementStore::open(folder / "fifo").error().what, HasSubstr("not a regular file"));
  EXPECT_THAT(MeasurementStore::open("").error().text(), HasSubstr("empty file name"));
  for (const std::string& bytes : {std::string("{\"name\": \"a network\"}"), std::string(300'000, 'x'),
                                   std::string("SQLite format 3\0", 16) + std::string(4080, 'x')}) {
    write_file(file, bytes);
    EXPECT_THAT(refused(MeasurementStore::open(file)).text(),
                HasSubstr("is not a measurement store (choose another file"));
    EXPECT_EQ(read_file(file), bytes);
  }
}

// Runs it in a process of its own, as somebody who may not write everywhere; true if it returned true.
bool as_ordinary_user(const std::function<bool()>& body) {
  constexpr uid_t kNobody = 65534;
  const pid_t child = fork();
  if (child == 0) {
    if (geteuid() == 0 && setuid(kNobody) != 0) _exit(2);
    _exit(body() ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST(Store, InAReadOnlyFolderIsReadButNotWritten) {
  const Folder folder;
  ASSERT_TRUE(open_store(folder / "m.db")->append(some_set(), some_measurement(1)));
  std::filesystem::permissions(folder / "m.db", std::filesystem::perms(0444));
  std::filesystem::permissions(folder.path(), std::filesystem::perms(0555));
  EXPECT_TRUE(as_ordinary_user([&] {
    const auto opened = MeasurementStore::open(folder / "m.db");
    const auto made = MeasurementStore::open(folder / "new.db");
    const auto below = MeasurementStore::open(folder / "new/new.db");
    for (const auto* refused : {&opened, &made, &below}) {
      if (refused->has_value() || refused->error().remedy.empty()) return false;
      if (refused->error().where.find(folder.path().string()) != 0) return false;
    }
    auto store = MeasurementStore::open(folder / "m.db", MeasurementStore::Access::kReadOnly);
    return store.has_value() && (*store)->info()->measurements == 1;
  }));
}

// A limit of the file's size stands for the disk's: writes fail in the middle.
TEST(Store, WithoutRoomSaysSoAndKeepsWhatItHas) {
  const Folder folder;
  const auto file = folder / "m.db";
  ASSERT_TRUE(open_store(file)->append(some_set(), some_measurements(0, 100)));
  const pid_t child = fork();
  if (child == 0) {
    auto store = MeasurementStore::open(file);
    signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{100'000, 100'000};
    setrlimit(RLIMIT_FSIZE, &limit);
    const auto appended = (*store)->append(some_set(), some_measurements(100, 10'000));
    const bool told = !appended && appended.error().where == file.string() && !appended.error().remedy.empty();
    const auto found = (*store)->find(some_set(), some_keys(0, 100));
    const bool kept = found && std::ranges::all_of(*found, [](const auto& one) { return one.has_value(); });
    const bool small = (*store)->append(some_set(), some_measurement(200'000)).has_value();
    _exit((told ? 0 : 1) + (kept ? 0 : 2) + (small ? 0 : 4));
  }
  expect_done(child);
  EXPECT_EQ(rows_of(*open_store(file)), 101);
}

TEST(Dates, AreWrittenAndReadInOneForm) {
  EXPECT_EQ(date_text(Date{}), "1970-01-01T00:00:00Z");
  EXPECT_EQ(date_text(Date{std::chrono::seconds{951'827'696}}), "2000-02-29T12:34:56Z");
  EXPECT_EQ(parse_date("2000-02-29T12:34:56Z"), Date{std::chrono::seconds{951'827'696}});
  for (const char* wrong : {"", "2001-02-29T12:34:56Z", "2000-02-29", "2000-02-29T12:34:56", "2000-02-29T24:00:00Z",
                            "2000-02-29T12:34:60Z", "2000-2-29T12:34:56Z", "2000-02-29T12:34:56Zz", "yesterday"}) {
    EXPECT_EQ(parse_date(wrong), std::nullopt) << wrong;
  }
}

// Several processes and a store; processes that are killed.

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
    const auto found = must(store->find(some_set(), some_keys(0, acknowledged + 2)));
    for (std::uint64_t i = 0; i < acknowledged; ++i) {
      ASSERT_TRUE(found.at(i).has_value()) << "round " << round << ": " << i << " of " << acknowledged;
      ASSERT_EQ(words(*found.at(i)), words(some_measurement(i)));
    }
    // The one in flight may be there or not; one after it cannot be.
    EXPECT_FALSE(found.at(acknowledged + 1).has_value());
    stored = acknowledged + (found.at(acknowledged) ? 1 : 0);
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
  for (const pid_t child : children) expect_done(child);
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
    for (const pid_t child : children) expect_done(child);
    EXPECT_TRUE(std::filesystem::exists(folder / "m.db.damaged-1"));
    EXPECT_FALSE(std::filesystem::exists(folder / "m.db.damaged-2"));
    const auto found = must(open_store(file)->find(some_set(), some_keys(0, 4)));
    for (const auto& one : found) EXPECT_TRUE(one.has_value());
  }
}

}  // namespace

}  // namespace iosx::test
