// iosx store: what is kept from run to run, seen through the whole program.

#include "core/devices/store/measurement_store.h"
#include "tests/cli/process.h"
#include "tests/support/prelude.h"

namespace iosx::test {
namespace {

using Json = nlohmann::ordered_json;

// Ten measurements of one stage each, made on the given date.
void make_store(const std::string& file, const std::string& fingerprint, std::uint64_t first_key, Date date,
                const std::string& program = "0.1.0") {
  auto store = must(MeasurementStore::open(file));
  const MeasurementSet set{.fingerprint = fingerprint,
                           .batch = 8,
                           .precision = "f32",
                           .origin = Origin::kMeasured,
                           .device_id = "cpu",
                           .device_name = "Processor"};
  for (std::uint64_t i = 0; i < 10; ++i) {
    const Measurement measurement{
        .key = {1, first_key + i},
        .latency = {.value = Millis{0.5}, .spread = Millis{0.25}, .samples = 9, .origin = Origin::kMeasured},
        .date = date,
        .method = {.program = program}};
    ASSERT_TRUE(store->append(set, measurement));
  }
}

constexpr Date kLongAgo{std::chrono::seconds{1'500'000'000}};  // 2017-07-14T02:40:00Z

TEST(StoreCommand, InfoAndListSayWhatIsKept) {
  const TemporaryFolder folder;
  const std::string file = folder.file("m.db");
  make_store(file, "A", 0, kLongAgo);
  make_store(file, "B", 0, kLongAgo + std::chrono::days{1});
  const Json info = json_of({"store", "info", "--store", file, "--json"});
  EXPECT_EQ(info.at("file"), file);
  EXPECT_EQ(info.at("exists"), true);
  EXPECT_EQ(info.at("measurements"), 20);
  EXPECT_EQ(info.at("devices"), 2);
  EXPECT_EQ(info.at("sets"), 2);
  EXPECT_EQ(info.at("first"), "2017-07-14T02:40:00Z");
  EXPECT_EQ(info.at("last"), "2017-07-15T02:40:00Z");
  EXPECT_GT(info.at("bytes").get<int>(), 4096);
  const Json sets = json_of({"store", "list", "--store", file, "--json"}).at("sets");
  ASSERT_EQ(sets.size(), 2U);
  EXPECT_EQ(sets[1], Json::parse(R"({"device": "cpu", "name": "Processor", "origin": "measured", "fingerprint": "B",
      "batch": 8, "precision": "f32", "measurements": 10, "first": "2017-07-15T02:40:00Z",
      "last": "2017-07-15T02:40:00Z", "programs": ["0.1.0"]})"));
  EXPECT_THAT(iosx({"store", "info", "--store", file}).out, HasSubstr("measurements  20"));
  EXPECT_THAT(iosx({"store", "list", "--store", file}).out, HasSubstr("B (0.1.0)"));
}

// What was measured on a server, here a simulated device, is searched again where it is not.
TEST(Replay, SearchesWithoutTheDevice) {
  const TemporaryFolder folder;
  const std::string there = folder.file("there.db");
  const std::string here = folder.file("here.db");
  const Json measured = json_of({"compare", "sample", "--device", "tesla-k80", "--store", there, "--json"});
  iosx_done({"store", "export", "--store", there, "-o", folder.file("m.jsonl")});
  iosx_done({"store", "import", folder.file("m.jsonl"), "--store", here});

  const Finished run = iosx_done({"compare", "sample", "--replay", "--device", "tesla-k80", "--store", here, "--json"});
  EXPECT_THAT(run.err, HasSubstr("was not used"));
  const Json replayed = run.json();
  EXPECT_EQ(replayed.at("origin"), "simulated");  // what was simulated is never called anything else
  ASSERT_EQ(replayed.at("schedules").size() + 2, measured.at("schedules").size()) << "those without stages are missing";
  for (std::size_t i = 0; i < replayed.at("schedules").size(); ++i) {
    const Json& before = measured.at("schedules")[i];
    const Json& after = replayed.at("schedules")[i];
    EXPECT_EQ(after.at("id"), before.at("id"));
    EXPECT_EQ(after.at("stage_sum_ms"), before.at("stage_sum_ms"));
    EXPECT_EQ(after.at("stages"), before.at("stages"));
  }
  const std::string schedule = folder.file("s.json");
  iosx_done({"optimize", "sample", "--replay", "--device", "tesla-k80", "-r", "2", "--store", here, "-o", schedule});
  EXPECT_TRUE(std::filesystem::exists(schedule));

  EXPECT_THAT(iosx_refused({"compare", "squeezenet", "--replay", "--device", "tesla-k80", "--store", here}, 1),
              HasSubstr("never measured on tesla-k80"));
  EXPECT_EQ(iosx({"compare", "sample", "--replay", "--no-store"}).exit_code, 2);
  EXPECT_EQ(iosx({"compare", "sample", "--replay", "--save", "x.iosrun"}).exit_code, 2);
  EXPECT_EQ(iosx({"compare", "sample", "--replay", "--store", folder.file("none.db")}).exit_code, 1);
}

TEST(StoreCommand, WorksOnTheUsersStoreUnlessToldOtherwise) {
  const std::filesystem::path usual = data_folder() / "ios-explorer/measurements.db";
  std::filesystem::remove_all(usual.parent_path());  // what other tests of this process measured
  Json info = json_of({"store", "info", "--json"});
  EXPECT_EQ(info.at("file"), usual.string());
  EXPECT_EQ(info.at("exists"), false);
  EXPECT_EQ(info.at("measurements"), 0);
  EXPECT_TRUE(json_of({"store", "list", "--json"}).at("sets").empty());
  const Finished pruned = iosx({"store", "prune", "--device", "cpu", "--dry-run", "--json"});
  EXPECT_EQ(pruned.json().at("matching"), 0);
  EXPECT_EQ(pruned.exit_code, 1);
  EXPECT_EQ(iosx({"store", "export"}).exit_code, 1);
  EXPECT_FALSE(std::filesystem::exists(usual));  // looking makes none

  const TemporaryFolder folder;
  make_store(folder.file("other.db"), "A", 0, kLongAgo);
  EXPECT_EQ(json_of({"store", "merge", folder.file("other.db"), "--json"}).at("taken"), 10);
  info = json_of({"store", "info", "--json"});
  EXPECT_EQ(info.at("file"), usual.string());
  EXPECT_EQ(info.at("measurements"), 10);
}

TEST(StoreCommand, ExportIsTakenByImport) {
  const TemporaryFolder folder;
  make_store(folder.file("a.db"), "A", 0, kLongAgo);
  make_store(folder.file("a.db"), "B", 0, kLongAgo);
  const std::string text = folder.file("a.jsonl");
  const Json written = json_of({"store", "export", "--store", folder.file("a.db"), "-o", text, "--json"});
  EXPECT_EQ(written.at("measurements"), 20);
  EXPECT_EQ(iosx_done({"store", "export", "--store", folder.file("a.db")}).out, read(text));

  const Json taken = json_of({"store", "import", text, "--store", folder.file("b.db"), "--json"});
  EXPECT_EQ(taken.at("measurements"), 20);
  EXPECT_EQ(taken.at("taken"), 20);
  EXPECT_EQ(json_of({"store", "import", text, "--store", folder.file("b.db"), "--json"}).at("taken"), 0);
  EXPECT_EQ(iosx({"store", "export", "--store", folder.file("b.db")}).out, read(text));
  const Json of_one = json_of(
      {"store", "export", "--store", folder.file("a.db"), "--device", "B", "-o", folder.file("one.jsonl"), "--json"});
  EXPECT_EQ(of_one.at("measurements"), 10);
}

TEST(StoreCommand, MergeTakesWhatIsNewOrNewer) {
  const TemporaryFolder folder;
  make_store(folder.file("a.db"), "A", 0, kLongAgo);
  make_store(folder.file("b.db"), "A", 5, kLongAgo - std::chrono::days{1});
  make_store(folder.file("c.db"), "A", 0, kLongAgo + std::chrono::days{1});
  EXPECT_EQ(json_of({"store", "merge", folder.file("b.db"), "--store", folder.file("a.db"), "--json"}).at("taken"), 5);
  EXPECT_EQ(json_of({"store", "merge", folder.file("c.db"), "--store", folder.file("a.db"), "--json"}).at("taken"), 10);
  EXPECT_EQ(json_of({"store", "info", "--store", folder.file("a.db"), "--json"}).at("measurements"), 15);
  EXPECT_EQ(json_of({"store", "info", "--store", folder.file("b.db"), "--json"}).at("measurements"), 10);
}

TEST(StoreCommand, PruneRemovesWhatMatches) {
  const TemporaryFolder folder;
  const std::string file = folder.file("m.db");
  make_store(file, "A", 0, kLongAgo);
  make_store(file, "A", 10, date_now(), "0.2.0");
  make_store(file, "B", 0, date_now(), "0.2.0");
  const auto prune = [&](std::vector<std::string> which) {
    which.insert(which.begin(), {"store", "prune", "--store", file, "--json"});
    return json_of(which);
  };
  EXPECT_EQ(prune({"--older-than", "30", "--dry-run"}).at("matching"), 10);
  EXPECT_EQ(json_of({"store", "info", "--store", file, "--json"}).at("measurements"), 30);
  EXPECT_EQ(prune({"--older-than", "30"}).at("removed"), 10);
  EXPECT_EQ(prune({"--older-than", "30"}).at("removed"), 0);  // nothing is old
  for (const std::vector<std::string>& nothing :
       {std::vector<std::string>{"--program", "0.1.0"}, {"--device", "typo"}, {"--precision", "f64", "--batch", "8"}}) {
    std::vector<std::string> words{"store", "prune", "--store", file, "--json"};
    words.insert(words.end(), nothing.begin(), nothing.end());
    const Finished run = iosx(words);
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_EQ(run.json().at("removed"), 0);
    EXPECT_THAT(run.err, HasSubstr("m.db: has no measurements that match (iosx store list"));
  }
  EXPECT_EQ(prune({"--device", "B", "--batch", "8", "--precision", "f32"}).at("removed"), 10);
  EXPECT_EQ(prune({"--device", "cpu", "--program", "0.2.0"}).at("removed"), 10);
  EXPECT_THAT(iosx({"store", "list", "--store", file}).out, HasSubstr("contains no measurements"));
}

TEST(StoreCommand, TellsThatADamagedFileWasSetAside) {
  const TemporaryFolder folder;
  const std::string file = folder.file("m.db");
  make_store(folder.file("other.db"), "A", 0, kLongAgo);
  make_store(file, "B", 0, kLongAgo);
  folder.write("m.db", read(file).substr(0, 6000));
  const Finished merged = iosx_done({"store", "merge", folder.file("other.db"), "--store", file});
  EXPECT_EQ(merged.error_lines(), 1U) << merged.err;
  EXPECT_THAT(merged.err, StartsWith("iosx: " + file + " is damaged"));
  EXPECT_THAT(merged.err, HasSubstr(file + ".damaged-1"));
  EXPECT_TRUE(std::filesystem::exists(file + ".damaged-1"));
}

TEST(StoreCommand, ErrorsSayWhereAndWhat) {
  const TemporaryFolder folder;
  const std::string text = folder.write("text.json", "{}");
  const std::string sound = folder.file("sound.db");
  make_store(sound, "A", 0, kLongAgo);
  struct Wrong {
    std::vector<std::string> arguments;
    int exit_code;
    std::string said;
  };
  for (const Wrong& wrong : std::vector<Wrong>{
           {{"store"}, 2, "iosx store --help"},
           {{"store", "frob"}, 2, "iosx store --help"},
           {{"store", "prune"}, 2, "--older-than"},
           {{"store", "prune", "--older-than", "x"}, 2, "'x'"},
           {{"store", "prune", "--batch", "0"}, 2, "from 1 to"},
           {{"store", "info", "--store", ""}, 2, "--store: is empty"},
           {{"store", "import"}, 2, "iosx store import --help"},
           {{"store", "export", "--store", sound, "--json"}, 2, "--json"},
           {{"store", "info", "--store", folder.file("missing.db")}, 1, "missing.db: there is no such file"},
           {{"store", "list", "--store", text}, 1, "text.json: is not a measurement store"},
           {{"store", "import", folder.file("missing.jsonl")}, 1, "missing.jsonl"},
           {{"store", "import", text, "--store", sound},
            1,
            "text.json: line 1: does not start like exported measurements"},
           {{"store", "import", text, "--store", folder.file("new.db")},
            1,
            "text.json: line 1: does not start like exported measurements"},
           {{"store", "merge", folder.file("missing.db"), "--store", sound}, 1, "missing.db: there is no such file"},
           {{"store", "merge", text, "--store", sound}, 1, "text.json: is not a measurement store"},
           {{"store", "merge", sound, "--store", sound}, 1, "with itself"},
           {{"store", "prune", "--batch", "1", "--store", folder.file("missing.db")},
            1,
            "missing.db: there is no such file"},
           {{"store", "export", "--store", sound, "-o", sound}, 1, "is never overwritten"},
           {{"store", "export", "--store", sound, "--device", "typo"}, 1, "has no measurements that match"},
           {{"compare", "sample", "--device", "tesla-v100", "--save", sound}, 1, "is never overwritten"},
           {{"compare", sound, "--device", "tesla-v100"}, 1, "not a network"},
           {{"store", "export", "--store", sound, "-o", folder.file("no/x")}, 1, "folder"}}) {
    const Finished run = iosx(wrong.arguments);
    EXPECT_EQ(run.exit_code, wrong.exit_code) << run.err;
    EXPECT_EQ(run.out, "");
    EXPECT_EQ(run.error_lines(), 1U) << run.err;
    EXPECT_THAT(run.err, AllOf(StartsWith("iosx: "), HasSubstr(wrong.said)));
  }
}

// What a command reads is not replaced by what it writes.
TEST(Outputs, ReplaceNoInput) {
  const TemporaryFolder folder;
  const std::string network = folder.file("net.json");
  iosx_done({"optimize", "sample", "--device", "tesla-v100", "--format", "ios", "-o", network});
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"optimize", network, "--device", "tesla-v100", "-o", network},
           {"compare", network, "--device", "tesla-v100", "--save", network},
           {"convert", network, network},
           {"run", network, "--device", "tesla-v100", "--schedule", "greedy", "-o", network}}) {
    EXPECT_THAT(iosx_refused(arguments, 1), HasSubstr("would replace it"));
  }
  iosx_done({"inspect", network});
}

}  // namespace
}  // namespace iosx::test
