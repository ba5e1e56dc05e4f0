#include "core/devices/store/transfer.h"

#include "tests/support/prelude.h"
#include "tests/support/store_files.h"

namespace iosx::test {
namespace {

std::string exported(MeasurementStore& store, const MeasurementFilter& selection = {}) {
  std::string text;
  must(export_measurements(store, selection, [&](std::string_view lines) -> Result<void> {
    text += lines;
    return {};
  }));
  return text;
}

Result<Taken> imported(MeasurementStore& store, std::string_view text, const std::string& origin) {
  const auto sets = parse_measurements(text, origin);
  if (!sets) return tl::unexpected(sets.error());
  return import_measurements(store, *sets);
}

// One measurement, written by hand.
const std::string& example() {
  static const std::string text =
      R"({"format":"iosx-measurements","version":1}
{"define_set":7,"fingerprint":"A","batch":8,"precision":"tf32","origin":"measured","device":"gpu0","name":"G"}
{"define_method":3,"program":"0.1.0","warmup":2,"repeats":5,"max_repeats":100,"min_time_ms":2,"precision":0.02,"max_time_ms":200}
{"set":7,"method":3,"key":"0123456789abcdeffedcba9876543210","median_ms":0.5,"spread_ms":0.01,"samples":20,"clock_mhz":1980,"date":"2026-03-01T12:00:00Z"}
)";
  return text;
}

TEST(Transfer, ReadsTheDocumentedForm) {
  const Folder folder;
  auto store = open_store(folder / "m.db");
  EXPECT_EQ(must(imported(*store, example(), "x.jsonl")).taken, 1);
  const StageKey key{0x0123456789abcdefULL, 0xfedcba9876543210ULL};
  const auto found = store->find(some_set("A", 8, "tf32"), std::vector{key});
  EXPECT_EQ(words(found->at(0).value()),
            "0123456789abcdeffedcba9876543210 0.5±0.01 n=20 measured 1980 MHz 2026-03-01T12:00:00Z by 0.1.0 2/5/100 2 "
            "0.02 200");
  EXPECT_EQ(store->info()->sets[0].set.device_id, "gpu0");
}

TEST(Transfer, CarriesTheTermsOfADevice) {
  const Folder folder;
  auto store = open_store(folder / "a.db");
  MeasurementSet set = some_set();
  set.terms = DeviceTerms{{.fuse = true,
                           .fuse_sums = true,
                           .fuse_before = true,
                           .fuse_attention = true,
                           .fuse_excitation = true,
                           .free_slices = FreeSlices::kOneSample,
                           .free_columns = true,
                           .strided_products = true,
                           .input_channel_multiple = 8,
                           .cached_weights = 6553600},
                          {.first = {Millis{0.25}, Millis{0.5}}, .between = {{{Millis{0}, Millis{1}}, {}}}}};
  ASSERT_TRUE(store->append(set, some_measurements(0, 10)));
  auto other = open_store(folder / "b.db");
  ASSERT_TRUE(imported(*other, exported(*store), "a.jsonl"));
  EXPECT_EQ(other->info()->sets.at(0).set.terms, set.terms);
  EXPECT_EQ(open_store(folder / "b.db")->info()->sets.at(0).set.terms, set.terms);

  // What another store says of a device does not change what this one knows of it; the device itself does.
  MeasurementSet otherwise = set;
  otherwise.terms->lowering.fuse = false;
  ASSERT_TRUE(other->take_over(otherwise, some_measurements(0, 10)));
  EXPECT_EQ(other->info()->sets.at(0).set.terms, set.terms);
  ASSERT_TRUE(other->append(otherwise, some_measurement(1)));
  EXPECT_EQ(other->info()->sets.at(0).set.terms, otherwise.terms);
}

TEST(Transfer, TermsThatItDoesNotUnderstandAreNotKnown) {
  const auto known_with = [](const std::string& more, const std::string& gaps) {
    const Folder folder;
    auto store = open_store(folder / "m.db");
    std::string text = example();
    text.replace(text.find(R"("name":"G")"), 10,
                 R"("name":"G","terms":{"fuse":true,"concat_in_place":true,"free_slices":"never",)" + more +
                     R"("overhead_ms":)" + gaps + "}");
    EXPECT_TRUE(imported(*store, text, "x.jsonl"));
    return store->info()->sets.at(0).set.terms.has_value();
  };
  EXPECT_TRUE(known_with("", "[[0,0],[0,0],[0,0]]"));
  EXPECT_FALSE(known_with("", "[[0,-1],[0,0],[0,0]]"));
  EXPECT_TRUE(known_with(R"("input_channel_multiple":8,)", "[[0,0],[0,0],[0,0]]"));
  for (const char* multiple : {"0", "-8", "65", "4611686018427387904", "1e99", "\"8\""}) {
    EXPECT_FALSE(known_with(fmt::format(R"("input_channel_multiple":{},)", multiple), "[[0,0],[0,0],[0,0]]"))
        << multiple;
  }
  EXPECT_TRUE(known_with(R"("free_columns":true,)", "[[0,0],[0,0],[0,0]]"));
  EXPECT_FALSE(known_with(R"("free_columns":1,)", "[[0,0],[0,0],[0,0]]"));
  for (const char* fusion : {"fuse_sums", "fuse_before", "fuse_attention", "fuse_excitation"}) {
    EXPECT_TRUE(known_with(fmt::format(R"("{}":true,)", fusion), "[[0,0],[0,0],[0,0]]")) << fusion;
    EXPECT_FALSE(known_with(fmt::format(R"("{}":1,)", fusion), "[[0,0],[0,0],[0,0]]")) << fusion;
  }
  EXPECT_TRUE(known_with(R"("strided_products":true,)", "[[0,0],[0,0],[0,0]]"));
  EXPECT_FALSE(known_with(R"("strided_products":1,)", "[[0,0],[0,0],[0,0]]"));
  EXPECT_TRUE(known_with(R"("cached_weights":1000,)", "[[0,0],[0,0],[0,0]]"));
  for (const char* weights : {"-1", "\"8\"", "1e99"}) {
    EXPECT_FALSE(known_with(fmt::format(R"("cached_weights":{},)", weights), "[[0,0],[0,0],[0,0]]")) << weights;
  }
}

TEST(Transfer, GivesBackExactlyWhatWasExported) {
  const Folder folder;
  auto store = open_store(folder / "a.db");
  MeasurementSet simulated = some_set("simulated \"X\" é \\", 32, "f16");
  simulated.origin = Origin::kSimulated;
  ASSERT_TRUE(store->append(some_set(), some_measurements(0, 5100)));
  ASSERT_TRUE(store->append(simulated, some_measurements(0, 10)));
  const std::string text = exported(*store);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1 + 2 + 2 + 5110);
  auto other = open_store(folder / "b.db");
  const auto taken = must(imported(*other, text, "a.jsonl"));
  EXPECT_EQ(taken.taken, 5110);
  EXPECT_EQ(exported(*other), text);
  EXPECT_EQ(imported(*other, text, "a.jsonl")->taken, 0);
  const auto found = other->find(some_set(), some_keys(0, 5100));
  for (std::uint64_t i = 0; i < 5100; ++i) ASSERT_EQ(words(found->at(i).value()), words(some_measurement(i)));
  const std::string some = exported(*store, {.batch = 32});
  EXPECT_EQ(std::count(some.begin(), some.end(), '\n'), 1 + 1 + 2 + 10);
}

TEST(Transfer, CarriesWhatStagesAre) {
  const Folder folder;
  auto store = open_store(folder / "a.db");
  ASSERT_TRUE(store->append(some_set(), some_measurements(0, 10)));
  ASSERT_TRUE(store->append(some_set("B"), some_measurements(0, 10)));
  ASSERT_TRUE(store->describe(std::vector<DescribedStage>{{some_key(3), "a \"stage\""}, {some_key(4), "é\n"}}));
  const std::string text = exported(*store);
  auto other = open_store(folder / "b.db");
  ASSERT_TRUE(imported(*other, text, "a.jsonl"));
  EXPECT_EQ(exported(*other), text);
  std::vector<std::string> described;
  ASSERT_TRUE(other->visit_described(
      {}, [&](const MeasurementSet& set, const Measurement& measurement, const std::string& features) -> Result<void> {
        described.push_back(set.fingerprint + " " + features);
        EXPECT_TRUE(measurement.key == some_key(3) || measurement.key == some_key(4));
        return {};
      }));
  EXPECT_THAT(described, UnorderedElementsAre(some_set().fingerprint + " a \"stage\"", "B a \"stage\"",
                                              some_set().fingerprint + " é\n", "B é\n"));
}

struct Wrong {
  std::string from;
  std::string to;
  std::string error;
};

TEST(Transfer, OfAWrongLineNamesItAndTakesNothing) {
  const Folder folder;
  auto store = open_store(folder / "m.db");
  for (const Wrong& wrong :
       std::vector<Wrong>{{"iosx-measurements", "something", "line 1: does not start like exported"},
                          {"\"version\":1", "\"version\":2", "line 1: has version 2, but this program reads 1"},
                          {"\"version\":1", "\"version\":\"1\"", "line 1: lacks a value"},
                          {"\"batch\":8", "\"batch\":0", "line 2: a measurement has a batch size of 0"},
                          {"\"batch\":8", "\"batch\":true", "line 2: lacks a value"},
                          {"\"fingerprint\":\"A\"", "\"fingerprint\":\"\"", "line 2: "},
                          {"\"origin\":\"measured\"", "\"origin\":\"predicted\"", "line 2: the origin"},
                          {"\"warmup\":2,", "", "line 3: lacks a value"},
                          {"\"set\":7", "\"set\":8", "line 4: refers to something that no earlier line"},
                          {"\"method\":3", "\"method\":4", "line 4: refers to something that no earlier line"},
                          {"\"key\":\"0123", "\"key\":\"012", "line 4: the key"},
                          {"\"key\":\"0123", "\"key\":\"012g", "line 4: the key"},
                          {"\"median_ms\":0.5", "\"median_ms\":-0.5", "line 4: is not a valid measurement"},
                          {"\"median_ms\":0.5", "\"median_ms\":1e999", "line 4: is not a JSON object"},
                          {"\"samples\":20", "\"samples\":0", "line 4: is not a valid measurement"},
                          {"2026-03-01T", "2026-02-30T", "line 4: the date"},
                          {"\"date\"", "date", "line 4: is not a JSON object"},
                          {"\"date\"", "\"features\":7,\"date\"", "line 4: lacks a value"},
                          {"{\"set\":7", std::string(4'200'000, ' ') + "{\"set\":7", "line 4: has more than"},
                          {"{\"set\":7", std::string(60'000, '[') + "{\"set\":7", "line 4: is not a JSON object"}}) {
    std::string text = example();
    const std::size_t place = text.find(wrong.from);
    ASSERT_NE(place, std::string::npos) << wrong.from;
    text.replace(place, wrong.from.size(), wrong.to);
    const auto taken = imported(*store, text, "x.jsonl");
    ASSERT_FALSE(taken.has_value()) << wrong.to;
    EXPECT_THAT(taken.error().text(), HasSubstr("x.jsonl: " + wrong.error));
    EXPECT_FALSE(taken.error().remedy.empty());
    EXPECT_EQ(rows_of(*store), 0);
  }
  EXPECT_FALSE(imported(*store, "", "x.jsonl"));
  EXPECT_FALSE(imported(*store, "\n\n", "x.jsonl"));
}

TEST(Transfer, OfHostileBytesIsAnErrorOrRight) {
  const Folder folder;
  std::mt19937 random(20260304);
  auto store = open_store(folder / "m.db");
  for (int round = 0; round < 2000; ++round) {
    std::string text = example();
    for (std::uint32_t i = 0; i <= random() % 3; ++i) text[random() % text.size()] = static_cast<char>(random());
    const auto taken = imported(*store, text, "x.jsonl");
    EXPECT_TRUE(taken.has_value() || taken.error().where.find("x.jsonl: line ") == 0) << taken.error().text();
  }
  exported(*store);  // whatever was taken can be written again
}

TEST(Transfer, StopsWhereItCannotWrite) {
  const Folder folder;
  auto store = open_store(folder / "m.db");
  ASSERT_TRUE(store->append(some_set(), some_measurements(0, 10)));
  int lines = 0;
  EXPECT_EQ(refused(export_measurements(*store, {},
                                        [&](std::string_view) -> Result<void> {
                                          if (++lines == 3) return fail(message("the disk is full"));
                                          return {};
                                        }))
                .what,
            "the disk is full");
  EXPECT_EQ(lines, 3);
}

}  // namespace
}  // namespace iosx::test
