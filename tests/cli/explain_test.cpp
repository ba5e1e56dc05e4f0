// iosx explain: what it takes, what it refuses, and that a device that measures is asked only with --measure.

#include "tests/cli/process.h"
#include "tests/support/prelude.h"

namespace iosx::test {
namespace {

using Json = nlohmann::ordered_json;

TEST(Explain, TellsOfTheWholeScheduleAndOfAStage) {
  const Finished whole = iosx_done({"explain", "sample", "--schedule", "greedy"});
  EXPECT_THAT(whole.out, AllOf(HasSubstr("(simulated), 3 stages"), HasSubstr("critical path: "),
                               HasSubstr("something better is known at 3 of 3 stages")));
  // The schedule that the paper draws: a and b, then c beside d.
  const Finished stage = iosx_done({"explain", "sample", "--schedule", "greedy", "--stage", "1"});
  EXPECT_THAT(stage.out, HasSubstr("Better: move [sample.conv_c] to stage 2, -"));
  const Finished merging = iosx_done({"explain", "squeezenet", "--schedule", "greedy", "--stage", "3"});
  EXPECT_THAT(merging.out, HasSubstr("Better: merge [fire2.squeeze1x1 fire2.bypass], -"));
}

TEST(Explain, WhatLimitsExcludeIsSaid) {
  const Json json =
      iosx({"explain", "squeezenet", "--schedule", "greedy", "--stage", "3", "--strategy", "parallel", "--json"})
          .json();
  const Json& stage = json.at("explained")[0];
  EXPECT_EQ(json.at("search").at("strategy"), "parallel");
  EXPECT_EQ(stage.at("stage"), 3);
  const Json& best = stage.at("alternatives")[0];
  EXPECT_EQ(best.at("change"), "merge");
  EXPECT_EQ(best.at("excluded")[0].at("limit"), "strategy");
  EXPECT_LT(best.at("difference_ms"), 0);
}

TEST(Explain, TakesScheduleFilesRunFilesAndSearches) {
  const TemporaryFolder folder;
  const std::string file = folder.file("s.json");
  const std::string run = folder.file("s.iosrun");
  iosx_done({"optimize", "sample", "-o", file, "--strategy", "parallel"});
  iosx_done({"compare", "sample", "--save", run});
  const Json from_file = iosx({"explain", "sample", "--schedule", file, "--json"}).json();
  const Json from_run = iosx({"explain", "sample", "--schedule", run, "--json"}).json();
  const Json searched = iosx({"explain", "sample", "--schedule", "ios-both", "--json"}).json();
  for (const Json& json : {from_file, from_run, searched}) {
    EXPECT_NEAR(json.at("stage_sum_ms").get<double>(), searched.at("stage_sum_ms").get<double>(), 1e-9);
    for (const Json& stage : json.at("explained")) {
      for (const Json& each : stage.at("alternatives")) {
        EXPECT_TRUE(!each.at("better").get<bool>() || !each.at("excluded").empty()) << each.dump();
      }
    }
  }
  EXPECT_THAT(from_file.at("end_to_end").at("where").get<std::string>(), HasSubstr(file));
  EXPECT_THAT(from_run.at("end_to_end").at("where").get<std::string>(), HasSubstr("recorded on"));
  EXPECT_TRUE(searched.at("end_to_end").is_null());

  EXPECT_THAT(iosx_refused({"explain", "squeezenet", "--schedule", run}, 1),
              HasSubstr("the schedule is for the graph 'sample', not for 'squeezenet'"));
}

TEST(Explain, SearchesAsItIsTold) {
  const std::vector<std::string> explain{"explain", "sample", "--schedule", "ios-both", "--json"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), explain.begin(), explain.end());
    return iosx(more);
  };
  const Finished exhaustive = with({"--search", "exhaustive"});
  const Finished longer = with({"-r", "1", "--longer", "--epsilon", "0", "--budget", "60", "--seed", "2"});
  ASSERT_EQ(longer.exit_code, 0) << longer.err;
  // What the search went on to is what it may do.
  EXPECT_GT(longer.json().at("search").at("r"), 1);
  EXPECT_NEAR(exhaustive.json().at("stage_sum_ms").get<double>(), longer.json().at("stage_sum_ms").get<double>(), 1e-9);
  const Finished both = with({"--search", "exhaustive", "--longer"});
  EXPECT_EQ(both.exit_code, 2);
  EXPECT_THAT(both.err, HasSubstr("are for a lazy search"));
}

TEST(Explain, RefusesStagesThatThereAreNot) {
  EXPECT_THAT(iosx_refused({"explain", "sample", "--schedule", "greedy", "--stage", "0"}, 2),
              HasSubstr("'0' is not the number of a stage"));
  EXPECT_THAT(iosx_refused({"explain", "sample", "--schedule", "greedy", "--stage", "4"}, 2),
              HasSubstr("there is no stage 4 (give 1 to 3)"));
  EXPECT_THAT(iosx_refused({"explain", "sample"}, 2), HasSubstr("contains no schedule"));
}

TEST(Explain, MeasuresOnlyWhenTold) {
  if (!available("cpu")) GTEST_SKIP() << "no CPU device";
  const TemporaryFolder folder;
  const std::string store = folder.file("kept.db");
  const std::vector<std::string> ask{"explain", "sample",   "--schedule", "greedy",  "--stage", "2",     "--device",
                                     "cpu",     "--repeat", "1",          "--store", store,     "--json"};
  const auto basis_of = [](const Json& json) { return json.at("explained")[0].at("basis").get<std::string>(); };
  const Finished before = iosx(ask);
  EXPECT_EQ(basis_of(before.json()), "unknown");
  EXPECT_TRUE(before.json().at("explained")[0].at("cost_ms").is_null());
  EXPECT_THAT(before.err, HasSubstr("--measure measures them"));
  std::vector<std::string> measure = ask;
  measure.emplace_back("--measure");
  EXPECT_EQ(basis_of(iosx(measure).json()), "measured");
  const Json after = iosx(ask).json();
  EXPECT_EQ(basis_of(after), "reused");
  EXPECT_EQ(after.at("unknown_units"), 0);
  EXPECT_THAT(iosx_refused({"explain", "squeezenet", "--schedule", "ios-both", "--device", "cpu", "--store", store}, 1),
              HasSubstr("add --measure, or run iosx optimize first"));
}

}  // namespace
}  // namespace iosx::test
