#include <sys/wait.h>
#include <unistd.h>

#include "core/devices/store/store_file.h"
#include "tests/support/prelude.h"
#include "tests/support/store_files.h"

namespace iosx::test {
namespace {

const auto make = write_database;

TEST(Form, OfANewerVersionIsRefusedAndTheFileUntouched) {
  for (const char* const change : {"PRAGMA user_version = 7; CREATE TABLE news(i)",
                                   "PRAGMA user_version = 2147483647; ALTER TABLE series ADD COLUMN more"}) {
    const Folder folder;
    const auto file = folder / "m.db";
    ASSERT_TRUE(open_store(file)->append(some_set(), some_measurement(1)));
    make(file, change);
    const std::string bytes = read_file(file);
    for (const auto access : {MeasurementStore::Access::kReadWrite, MeasurementStore::Access::kReadOnly}) {
      const auto opened = MeasurementStore::open(file, access);
      ASSERT_FALSE(opened.has_value()) << change;
      EXPECT_THAT(opened.error().text(), HasSubstr("was written by a newer version of this program (delete it to "
                                                   "measure again"));
    }
    EXPECT_EQ(read_file(file), bytes) << change;
    EXPECT_THAT(folder.names(), Not(Contains(HasSubstr("damaged")))) << change;
  }
}

// The header says one thing and the tables another, as after a flipped bit, or an older version made the file. Only
// reading it changes nothing and is an error.
TEST(Form, ThatCannotBeIsSetAsideWithOneLine) {
  const std::string older = "CREATE TRIGGER t AFTER UPDATE ON measurement BEGIN DELETE FROM measurement; END;";
  const std::string oldest = "DROP TABLE search;";
  for (const auto form : {"-1", "-2147483648", "0", "1", "2", "3", "4", "5", "7", "20", "1073741828", "2147483647"}) {
    for (const std::string& change : {std::string(), older, oldest, std::string("CREATE TABLE more(i);")}) {
      if (!change.empty() && std::stoll(form) > 6) continue;  // a newer version's
      SCOPED_TRACE(form + (": " + change));
      const Folder folder;
      const auto file = folder / "m.db";
      ASSERT_TRUE(open_store(file)->append(some_set(), some_measurement(1)));
      make(file, change + "PRAGMA user_version = " + form);
      const std::string bytes = read_file(file);
      EXPECT_THAT(refused(MeasurementStore::open(file, MeasurementStore::Access::kReadOnly)).text(),
                  HasSubstr("m.db: is damaged: "));
      EXPECT_EQ(read_file(file), bytes);
      auto store = must(open_store(file));
      EXPECT_THAT(store->take_notices(),
                  ElementsAre(AllOf(HasSubstr("m.db is damaged: "), HasSubstr("m.db.damaged-1"))));
      EXPECT_EQ(read_file(file.string() + ".damaged-1"), bytes);
      EXPECT_TRUE(store->append(some_set(), some_measurement(2)));
      EXPECT_EQ(rows_of(*store), 1);
    }
  }
}

// The first had no methods, neither said what stages are. Reading alone does not change them.
TEST(Form, OfAVersionBeforeGetsWhatIsMissing) {
  for (const char* const before :
       {"DROP TABLE stage; DROP TABLE choice; PRAGMA user_version = 4", "DROP TABLE stage; PRAGMA user_version = 5"}) {
    SCOPED_TRACE(before);
    const Folder folder;
    const auto file = folder / "m.db";
    ASSERT_TRUE(open_store(file)->append(some_set(), some_measurement(1)));
    make(file, before);
    const std::string bytes = read_file(file);
    const auto read = must(MeasurementStore::open(file, MeasurementStore::Access::kSnapshot));
    EXPECT_EQ(rows_of(*read), 1);
    EXPECT_TRUE(read->visit_described({}, [](const auto&, const auto&, const auto&) { return Result<void>(); }));
    EXPECT_EQ(read_file(file), bytes);
    auto store = must(open_store(file));
    EXPECT_THAT(store->take_notices(), ElementsAre());
    EXPECT_EQ(rows_of(*store), 1);
    EXPECT_EQ(store->keep_choice("a device", "its id", "a problem", "a method").value(), "a method");
    EXPECT_TRUE(store->describe(std::vector<DescribedStage>{{some_measurement(1).key, "a text"}}));
    EXPECT_EQ(store->info()->form, 6);
  }
}

TEST(Form, OfAnotherProgramsDatabaseIsRefusedAndTheFileUntouched) {
  const Folder folder;
  const auto file = folder / "m.db";
  make(file, "CREATE TABLE measurement(i); PRAGMA user_version = 1");
  const std::string bytes = read_file(file);
  EXPECT_THAT(MeasurementStore::open(file).error().what, HasSubstr("is not a measurement store"));
  EXPECT_EQ(read_file(file), bytes);
  EXPECT_THAT(folder.names(), ElementsAre("m.db"));
}

// Tables, triggers and views of somebody else's in a file that says that it is a store.
TEST(Form, OfAStoreWithExternalTablesSetsItAside) {
  for (const char* const external :
       {"CREATE TABLE more(i)", "CREATE TRIGGER t AFTER INSERT ON measurement BEGIN DELETE FROM measurement; END",
        "DROP TABLE measurement; CREATE VIEW measurement AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 "
        "FROM n) "
        "SELECT i AS series, i AS key FROM n"}) {
    const Folder folder;
    ASSERT_TRUE(open_store(folder / "m.db")->append(some_set(), some_measurement(1)));
    make(folder / "m.db", external);
    auto store = must(open_store(folder / "m.db"));
    EXPECT_THAT(store->take_notices(), ElementsAre(HasSubstr("m.db.damaged-1"))) << external;
  }
}

constexpr std::uint64_t kRows = 400;  // some dozen pages

const std::vector<MeasurementSet>& sets() {
  static const std::vector<MeasurementSet> both{some_set("A", 1), some_set("B", 32)};
  return both;
}

std::string sound_store(const Folder& folder) {
  const auto file = folder / "sound.db";
  {
    auto store = open_store(file);
    for (const MeasurementSet& set : sets()) EXPECT_TRUE(store->append(set, some_measurements(0, kRows)));
  }
  return read_file(file);
}

// What the store answers is right, or nothing. Returns how much it answers.
std::int64_t right_answers(MeasurementStore& store) {
  std::int64_t right = 0;
  for (const MeasurementSet& set : sets()) {
    const auto found = store.find(set, some_keys(0, kRows));
    EXPECT_TRUE(found.has_value()) << found.error().text();
    if (!found) continue;
    for (std::uint64_t i = 0; i < kRows; ++i) {
      if (!found->at(i)) continue;
      EXPECT_EQ(words(*found->at(i)), words(some_measurement(i)));
      ++right;
    }
  }
  return right;
}

std::vector<std::string> set_aside(const Folder& folder) {
  std::vector<std::string> names;
  for (const std::string& name : folder.names()) {
    const std::size_t place = name.find(".damaged-");
    if (place != std::string::npos && name.find('-', place + 9) == std::string::npos) names.push_back(name);
  }
  return names;
}

// Opens what the bytes are and works with it; what had to be set aside is told, still there, and a new one is begun.
// Returns how many measurements are still answered.
std::int64_t work_with(const std::string& bytes, const std::string& log = {}) {
  const Folder folder;
  write_file(folder / "m.db", bytes);
  if (!log.empty()) write_file(folder / "m.db-wal", log);
  auto store = open_store(folder / "m.db");
  if (store == nullptr) return -1;
  const std::int64_t right = right_answers(*store);
  EXPECT_TRUE(store->append(sets()[0], some_measurement(kRows)));
  EXPECT_TRUE(store->find(sets()[0], some_keys(kRows, kRows + 1))->at(0).has_value());
  EXPECT_TRUE(store->info().has_value());
  const auto notices = store->take_notices();
  EXPECT_EQ(set_aside(folder).size(), notices.size());
  for (const Message& notice : notices) EXPECT_THAT(notice, HasSubstr("and replaced by a new file"));
  if (!notices.empty()) {
    EXPECT_LE(rows_of(*store), 1);  // what was appended, unless the damage was met after that
    EXPECT_EQ(std::filesystem::file_size(folder / set_aside(folder).front()), bytes.size());
  }
  return right;
}

TEST(Damage, OfAnyByteNeverGivesAWrongAnswer) {
  const Folder folder;
  const std::string sound = sound_store(folder);
  ASSERT_EQ(work_with(sound), 2 * kRows);
  constexpr int kRounds = 120;
  std::mt19937 random(20260301);
  int noticed = 0;
  for (int round = 0; round < kRounds; ++round) {
    std::string bytes = sound;
    const int flips = 1 + static_cast<int>(random() % 3);
    std::string places;
    for (int i = 0; i < flips; ++i) {
      // Every third one where pages begin: their headers are a small part of the file and the larger part of the risk.
      std::size_t at = random() % bytes.size();
      if (random() % 3 == 0) at = at / 4096 * 4096 + random() % 16;
      bytes[at] = static_cast<char>(bytes[at] ^ static_cast<char>(1 + random() % 255));
      places += fmt::format(" {}", at);
    }
    SCOPED_TRACE(fmt::format("round {}, bytes{}", round, places));
    noticed += work_with(bytes) < std::int64_t{2 * kRows} ? 1 : 0;
    if (HasFailure()) return;
  }
  EXPECT_GT(noticed, kRounds / 2);  // the rest is room that no row uses
}

TEST(Damage, OfEveryByteOfTheHeaderIsSurvived) {
  const Folder folder;
  const std::string sound = sound_store(folder);
  for (std::size_t at = 0; at < 112; at += 3) {
    SCOPED_TRACE(at);
    std::string bytes = sound;
    bytes[at] = static_cast<char>(~bytes[at]);
    EXPECT_GE(work_with(bytes), 0);
  }
}

// By another program, or a disk: nothing of the first page tells any more whose file it was.
TEST(Damage, OfTheWholeFirstPageIsSurvived) {
  const Folder folder;
  std::string bytes = sound_store(folder);
  bytes.replace(0, 4096, std::string(4096, 'x'));
  EXPECT_GE(work_with(bytes), 0);
}

TEST(Damage, ByCuttingTheFileIsSurvived) {
  const Folder folder;
  const std::string sound = sound_store(folder);
  std::vector<std::size_t> sizes{0, 1, 15, 16, 50, 99, 100, 101, 4095, 4096, 4097, sound.size() - 1};
  for (std::size_t size = 8192; size < sound.size(); size += 12'288) sizes.push_back(size);
  for (const std::size_t size : sizes) {
    SCOPED_TRACE(size);
    EXPECT_GE(work_with(sound.substr(0, size)), 0);
  }
  EXPECT_EQ(work_with(std::string(sound.size(), '\0')), 0);  // what some file systems leave after a power cut
}

// A copy that ended too early: within its last page or before it.
TEST(Damage, ByAMissingEndIsNoticed) {
  const Folder folder;
  const auto whole = folder / "whole.db";
  ASSERT_TRUE(open_store(whole)->append(some_set(), some_measurements(0, 600)));
  const std::string bytes = read_file(whole);
  for (const std::size_t missing : {std::size_t{1}, std::size_t{500}, std::size_t{4096}, 2 * std::size_t{4096}}) {
    const auto file = folder / ("m" + std::to_string(missing) + ".db");
    write_file(file, bytes.substr(0, bytes.size() - missing));
    EXPECT_FALSE(MeasurementStore::open(file, MeasurementStore::Access::kReadOnly).has_value()) << missing;
    auto store = open_store(file);
    EXPECT_EQ(store->take_notices().size(), 1U) << missing;
    EXPECT_EQ(rows_of(*store), 0) << missing;
    EXPECT_EQ(read_file(file.string() + ".damaged-1"), bytes.substr(0, bytes.size() - missing)) << missing;
  }
}

// A process that is killed leaves its log beside the file.
TEST(Damage, OfTheLogLosesNothingOlder) {
  const Folder folder;
  const auto file = folder / "m.db";
  const std::string sound = sound_store(folder);
  write_file(file, sound);
  const pid_t child = fork();
  if (child == 0) {
    auto store = MeasurementStore::open(file);
    for (std::uint64_t i = kRows + 1; store && i < kRows + 40; ++i) {
      static_cast<void>((*store)->append(sets()[0], some_measurement(i)));
    }
    _exit(0);  // without closing
  }
  int status = 0;
  waitpid(child, &status, 0);
  const std::string bytes = read_file(file);
  const std::string log = read_file(file.string() + "-wal");
  ASSERT_GT(log.size(), 39U * 4096);
  ASSERT_EQ(work_with(bytes, log), 2 * kRows);
  std::mt19937 random(20260302);
  for (int round = 0; round < 40; ++round) {
    std::string damaged = log;
    if (round % 2 == 0) {
      damaged.resize(random() % damaged.size());
    } else {
      const std::size_t at = random() % damaged.size();
      damaged[at] = static_cast<char>(damaged[at] ^ 0x55);
    }
    SCOPED_TRACE(round);
    EXPECT_EQ(work_with(bytes, damaged), 2 * kRows);
    if (HasFailure()) return;
  }
}

// A process that is killed while it makes a store leaves a file that is shorter than its header says, and a journal by
// which that is taken back.
TEST(Damage, AStoreThatWasBeingMadeIsTakenBack) {
  const Folder folder;
  const auto file = folder / "m.db";
  const pid_t child = fork();
  if (child == 0) {
    auto database = sqlite::Database::open(file, sqlite::Mode::kCreate);
    if (database) {
      database->trust();
      static_cast<void>(database->execute(fmt::format(
          "PRAGMA cache_size = 2; PRAGMA application_id = {}; CREATE TABLE a (b); BEGIN; "
          "CREATE TABLE c AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) "
          "SELECT i, hex(randomblob(40)) FROM n",
          store::kApplicationId)));
    }
    _exit(0);  // without an end of the transaction
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_GT(read_file(file.string() + "-journal").size(), 0U);
  write_file(file, read_file(file).substr(0, 4096 + 100));
  EXPECT_EQ(store::look_at(file).value(), store::Kind::kStore);
}

void overwrite(const std::filesystem::path& file, std::size_t at, const std::string& bytes) {
  std::fstream stream(file, std::ios::binary | std::ios::in | std::ios::out);
  stream.seekp(static_cast<std::streamoff>(at));
  stream << bytes;
}

TEST(Damage, WhileTheStoreIsOpenIsSetAside) {
  const Folder folder;
  const auto file = folder / "m.db";
  const std::string sound = sound_store(folder);
  write_file(file, sound);
  auto first = open_store(file);
  auto second = open_store(file);
  overwrite(file, sound.size() / 2 / 4096 * 4096, std::string(4096, '\x7f'));  // one page in the middle
  EXPECT_LE(right_answers(*first), kRows);  // what was asked for before the damage was met
  EXPECT_THAT(first->take_notices(),
              ElementsAre(AllOf(HasSubstr("m.db is damaged"), HasSubstr("kept as"), HasSubstr("m.db.damaged-1"),
                                HasSubstr("and replaced by a new file"))));
  EXPECT_EQ(right_answers(*first), 0);
  // The other one still has the damaged file: it must not take the new one for it.
  EXPECT_TRUE(first->append(sets()[0], some_measurement(5000)));
  EXPECT_EQ(right_answers(*second), 0);
  EXPECT_TRUE(second->append(sets()[0], some_measurement(5001)));
  EXPECT_THAT(set_aside(folder), ElementsAre("m.db.damaged-1"));
  EXPECT_EQ(first->find(sets()[0], some_keys(5000, 5002))->at(1)->key, some_key(5001));
  second.reset();
  first.reset();
  EXPECT_EQ(rows_of(*open_store(file)), 2);
  EXPECT_EQ(read_file(folder / "m.db.damaged-1").size(), sound.size());
}

TEST(Damage, SetAsideNeverReplacesAnEarlierOne) {
  const Folder folder;
  const auto file = folder / "m.db";
  write_file(folder / "m.db.damaged-1", "an earlier one");
  write_file(file, sound_store(folder).substr(0, 5000));
  EXPECT_THAT(open_store(file)->take_notices(), ElementsAre(HasSubstr("m.db.damaged-2")));
  EXPECT_EQ(read_file(folder / "m.db.damaged-1"), "an earlier one");
}

TEST(Damage, OfAFileThatIsOnlyReadIsAnError) {
  const Folder folder;
  const auto file = folder / "m.db";
  const std::string sound = sound_store(folder);
  std::string bytes = sound;
  bytes.replace(sound.size() - 4096, 4096, std::string(4096, '\x7f'));
  write_file(file, bytes);
  auto store = open_store(folder / "other.db");
  EXPECT_THAT(store->merge(file).error().text(), HasSubstr("m.db: is damaged"));
  write_file(file, sound.substr(0, 50));
  EXPECT_THAT(store->merge(file).error().text(), HasSubstr("m.db: is damaged"));
  EXPECT_THAT(store->take_notices(), IsEmpty());
  EXPECT_THAT(folder.names(), Not(Contains(HasSubstr("damaged"))));
}

}  // namespace

}  // namespace iosx::test
