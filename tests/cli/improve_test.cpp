// iosx improve: what stays as it is, what is never worse, and what is refused.

#include "tests/cli/process.h"
#include "tests/support/prelude.h"

namespace iosx::test {
namespace {

using Json = nlohmann::ordered_json;

const Json& result(const Json& json, const std::string& id) {
  for (const Json& each : json.at("schedules")) {
    if (each.at("id") == id) return each;
  }
  throw std::runtime_error("no schedule " + id);
}

TEST(Improve, KeepsStagesAndIsNoWorse) {
  const TemporaryFolder folder;
  const std::string file = folder.file("improved.json");
  const Json greedy = [&] {
    iosx_done({"improve", "squeezenet", "--schedule", "greedy", "-o", file});
    return iosx({"improve", "squeezenet", "--schedule", "greedy", "--pin", "2,4-5", "-o", file, "--json"}).json();
  }();
  const Json& improved = greedy.at("improved");
  EXPECT_EQ(improved.at("pinned_stages"), 3);
  EXPECT_TRUE(improved.at("better").get<bool>());
  const Json& start = result(greedy, improved.at("start"));
  const Json& found = result(greedy, improved.at("found"));
  EXPECT_LT(found.at("stage_sum_ms").get<double>(), start.at("stage_sum_ms").get<double>());
  // From what was found with everything kept there is nothing to find.
  const std::string again = folder.file("again.json");
  const Finished same = iosx_done({"improve", "squeezenet", "--schedule", file, "--pin", "1-30", "-o", again});
  EXPECT_THAT(same.out, HasSubstr("30 of 30 stages pinned: no schedule is better than the start"));
}

TEST(Improve, SaysWhatNoSearchWouldHaveTried) {
  const TemporaryFolder folder;
  const std::string file = folder.file("improved.json");
  const Finished run =
      iosx_done({"improve", "squeezenet", "--schedule", "greedy", "-s", "1", "--pin", "4", "-o", file});
  EXPECT_THAT(run.out, HasSubstr("is none that a search by itself would try: s = 1: 2 groups"));
}

TEST(Start, IsOfferedToTheSearchAndSaidSo) {
  const TemporaryFolder folder;
  const std::string mine = folder.file("mine.json");
  iosx_done({"improve", "sample", "--schedule", "greedy", "-o", mine});
  const Finished text = iosx_done({"compare", "sample", "-s", "1", "--warm-start", mine});
  EXPECT_THAT(text.out, HasSubstr("ios-both: started from 'improved'"));
  EXPECT_THAT(text.out, HasSubstr("is none that a search by itself would try: s = 1: "));
  const Json json = iosx({"compare", "sample", "-s", "1", "--warm-start", mine, "--json"}).json();
  const Json& start = result(json, "ios-both").at("warm_start");
  EXPECT_EQ(start.at("schedule"), "improved");
  EXPECT_FALSE(start.at("better").get<bool>());
  EXPECT_EQ(start.at("beyond_search").at(0).at("why").at(0).at("limit"), "s");
  EXPECT_FALSE(result(json, "ios-parallel").contains("warm_start"));
  const std::string found = folder.file("found.json");
  const Finished optimized = iosx_done({"optimize", "sample", "-s", "1", "--warm-start", mine, "-o", found});
  EXPECT_THAT(optimized.out, HasSubstr("started from 'improved'"));
  EXPECT_NE(iosx({"compare", "squeezenet", "--warm-start", mine}).exit_code, 0) << "of another network";
}

TEST(Start, OfLanesIsOfTheirStagesAndSaidSo) {
  const TemporaryFolder folder;
  const std::string out = folder.file("out");
  iosx_done({"compare", "googlenet", "--device", "h200", "--schedules", "list", "-o", out});
  const std::string lanes = out + "/list.schedule.json";
  const Finished run = iosx_done({"compare", "googlenet", "--device", "h200", "--warm-start", lanes});
  EXPECT_THAT(run.err, HasSubstr(lanes + ": the search starts from the stages that chose its kernels"));
  EXPECT_THAT(run.out, HasSubstr("ios-both: started from 'list'"));
}

TEST(FinerUnits, AreAnOptionOfTheNetworkAndOfItsSchedules) {
  const TemporaryFolder folder;
  const Finished none = iosx_done({"optimize", "sample", "--finer-units", "-o", folder.file("sample.json")});
  EXPECT_THAT(none.err, HasSubstr("sample: --finer-units changes nothing: every unit begins with one operator"));

  const auto units = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"inspect", "nasnet_mobile", "--json"});
    return iosx(more).json().at("units").size();
  };
  EXPECT_EQ(units({"--finer-units"}) - units({}), 72U) << "sums of 16 cells, and paths that are joined";
  const std::string finer = folder.file("finer.json");
  iosx_done({"optimize", "nasnet_mobile", "--finer-units", "-r", "1", "-s", "2", "-o", finer});
  iosx_done({"run", "nasnet_mobile", "--finer-units", "--schedule", finer});
  const Finished coarse = iosx({"run", "nasnet_mobile", "--schedule", finer});
  EXPECT_NE(coarse.exit_code, 0);
  EXPECT_THAT(coarse.err, HasSubstr("it was made with finer units: open the graph with --finer-units"));
}

TEST(Improve, RefusesStagesThatAreNotThere) {
  const TemporaryFolder folder;
  const std::string file = folder.file("improved.json");
  for (const std::string keep : {"0", "99", "3-2", "a", "1,,2", "1-", "-", "", "1,"}) {
    const Finished run = iosx({"improve", "sample", "--schedule", "greedy", "--pin", keep, "-o", file});
    EXPECT_EQ(run.exit_code, 2) << keep;
    EXPECT_THAT(run.err, HasSubstr(keep.empty() ? "--pin: is empty" : "give stages from 1 to 3")) << keep;
  }
}

}  // namespace
}  // namespace iosx::test
