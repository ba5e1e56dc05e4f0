// iosx diff: runs against one another.

#include "tests/cli/process.h"
#include "tests/support/prelude.h"

namespace iosx::test {
namespace {

TEST(Diff, OfOneNetworksSchedulesSaysWhoWinsAndWhere) {
  const Finished run = iosx_done({"diff", "squeezenet:sequential", "squeezenet:ios-both"});
  EXPECT_THAT(run.out, HasSubstr("IOS-Both is "));
  EXPECT_THAT(run.out, HasSubstr("× as fast as Sequential"));
  EXPECT_THAT(run.out, HasSubstr("simulated"));
  EXPECT_THAT(run.out, HasSubstr("between stages"));
  EXPECT_THAT(run.out, HasSubstr("stages of A"));
  EXPECT_THAT(run.out, AllOf(HasSubstr("  4 kernels instead of 6; fire2."), Not(HasSubstr("; split from"))));
  EXPECT_THAT(iosx({"diff", "inception_v3:greedy", "inception_v3:ios-both"}).out, HasSubstr("joined into"));
}

TEST(Diff, OfRunFilesOfTwoDevicesAddsUp) {
  const TemporaryFolder folder;
  const std::string a = folder.file("a.iosrun");
  const std::string b = folder.file("b.iosrun");
  iosx_done({"compare", "squeezenet", "--device", "tesla-v100", "--save", a});
  iosx_done({"compare", "squeezenet", "--device", "h200", "--save", b});
  const auto json = iosx_done({"diff", a + ":ios-both", b + ":ios-both", b + ":greedy", "--json"}).json();
  ASSERT_EQ(json.at("subjects").size(), 3U);
  EXPECT_THAT(json.at("subjects")[1].at("recorded").get<std::string>(), HasSubstr("recorded on "));
  for (std::size_t i = 0; i < 3; ++i) {
    double sum = json.at("between_stages_ms")[i].get<double>() + json.at("rest_ms")[i].get<double>();
    for (const auto& part : json.at("parts")) sum += part.at("cells")[i].at("latency_ms").get<double>();
    EXPECT_NEAR(sum, json.at("subjects")[i].at("latency_ms").get<double>(), 1e-9);
  }
  double sum = json.at("stages").at("between_stages_ms").get<double>() + json.at("stages").at("rest_ms").get<double>();
  for (const auto& row : json.at("stages").at("rows")) sum += row.at("delta_ms").get<double>();
  EXPECT_NEAR(sum, json.at("stages").at("delta_ms").get<double>(), 1e-9);
  EXPECT_TRUE(json.at("stages").at("identical").get<bool>());
}

TEST(Diff, OfARunFileAloneComparesAllItsSchedules) {
  const TemporaryFolder folder;
  const std::string file = folder.file("a.iosrun");
  iosx_done({"compare", "squeezenet", "--save", file});
  const Finished run = iosx_done({"diff", file, "--json"});
  EXPECT_EQ(run.json().at("subjects").size(), 7U);
  EXPECT_EQ(run.json().at("baseline"), 0);
}

TEST(Diff, OfTwoNetworksNamesWhatIsMissing) {
  const Finished run = iosx_done({"diff", "resnet18:sequential", "resnet34:sequential", "--json"});
  const auto stages = run.json().at("stages");
  EXPECT_FALSE(stages.at("identical").get<bool>());
  EXPECT_GT(stages.at("added").size(), stages.at("missing").size());
  EXPECT_THAT(run.json().at("sentence").get<std::string>(), HasSubstr("networks are not the same"));
}

TEST(Diff, TakesAScheduleFile) {
  const TemporaryFolder folder;
  const std::string file = folder.file("best.json");
  iosx_done({"optimize", "squeezenet", "-o", file});
  const Finished run = iosx_done({"diff", "squeezenet:greedy", "squeezenet:" + file});
  EXPECT_THAT(run.out, HasSubstr("× as fast as Greedy"));
}

// What is over the memory limit is the fastest nowhere.
TEST(Diff, NamesNothingOverTheMemoryLimit) {
  const TemporaryFolder folder;
  const std::string run = folder.file("limited.iosrun");
  const std::string page = folder.file("limited.html");
  const nlohmann::ordered_json compared =
      iosx_done({"compare", "sample", "--device", "h200", "--memory-limit", "3", "--save", run, "--json"}).json();
  iosx_done({"report", run, "-o", page});
  std::string sentence = json_of({"diff", run, "--json"}).at("sentence");
  std::string headline = read(page);
  std::size_t over = 0;
  const auto small = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  for (std::string* const text : {&sentence, &headline}) std::ranges::transform(*text, text->begin(), small);
  for (const auto& schedule : compared.at("schedules")) {
    if (!schedule.contains("over_limit")) continue;
    ++over;
    const std::string claim = schedule.at("id").get<std::string>() + " is ";
    EXPECT_THAT(sentence, Not(HasSubstr(claim)));
    EXPECT_THAT(headline, Not(HasSubstr(claim)));
  }
  EXPECT_GT(over, 0U);
}

TEST(Diff, SaysWhatIsWrong) {
  const TemporaryFolder folder;
  const std::string file = folder.file("a.iosrun");
  iosx_done({"compare", "squeezenet", "--schedules", "sequential", "--save", file});
  EXPECT_THAT(iosx_refused({"diff", file + ":sequential", file + ":nothing"}, 2),
              AllOf(HasSubstr("has no schedule 'nothing'"), HasSubstr("sequential")));
  EXPECT_EQ(iosx({"diff", "squeezenet:sequential"}).exit_code, 2);
  EXPECT_EQ(iosx({"diff", "no-such-network:greedy", "squeezenet:greedy"}).exit_code, 2);
}

}  // namespace
}  // namespace iosx::test
