// Several networks on one device, from the command line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "tests/cli/process.h"

namespace iosx::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(SeveralNetworks, AreComparedWithTheirOwnLatencies) {
  const TemporaryFolder folder;
  const Finished run =
      iosx({"compare", "sample+squeezenet", "--device", "h200", "--no-store", "--json", "-o", folder.file("out"),
            "--save", folder.file("both.iosrun"), "--report", folder.file("both.html")});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const auto json = run.json();
  ASSERT_EQ(json.at("networks").size(), 2U);
  std::map<std::string, double> takes;
  for (const auto& schedule : json.at("schedules")) {
    ASSERT_EQ(schedule.at("networks").size(), 2U);
    takes[schedule.at("id")] = schedule.at("latency_ms");
  }
  // Side by side gains, and lanes are never slower than that or than one after another.
  EXPECT_LT(takes.at("side-by-side"), takes.at("sequential"));
  EXPECT_LE(takes.at("ios-flow"), takes.at("side-by-side"));
  EXPECT_THAT(read(folder.path() / "out" / "networks.csv"), HasSubstr("alone,squeezenet,"));
  EXPECT_THAT(read(folder.path() / "out" / "comparison.txt"),
              AllOf(HasSubstr("own latency"), HasSubstr("side-by-side")));
  EXPECT_THAT(read(folder.path() / "both.html"), HasSubstr("squeezenet"));
  // A run that was saved says the same.
  const Finished shown = iosx({"show", folder.file("both.iosrun"), "--json"});
  ASSERT_EQ(shown.exit_code, 0) << shown.err;
  EXPECT_EQ(shown.json().at("networks"), json.at("networks"));
}

TEST(SeveralNetworks, ComputeOnTheProcessorWhatSequentialDoes) {
  const Finished run = iosx({"compare", "sample+sample", "--device", "cpu", "--no-store", "--verify", "--schedules",
                             "sequential,side-by-side", "--json"});
  if (run.exit_code == 2) GTEST_SKIP() << run.err;
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const auto json = run.json();
  for (const auto& schedule : json.at("schedules")) {
    EXPECT_TRUE(schedule.at("verification").at("passed")) << schedule.at("id");
    EXPECT_EQ(schedule.at("verification").at("outputs").size(), 2U);
  }
}

TEST(SeveralNetworks, AreRefusedInOneLine) {
  for (const auto& [graph, code, what] :
       {std::tuple("sample+", 2, "NETWORK+NETWORK"), std::tuple("+sample", 2, "NETWORK+NETWORK"),
        std::tuple("sample+inceptoin_v3", 2, "did you mean inception_v3"),
        std::tuple("sample+no/such.onnx", 1, "no/such.onnx")}) {
    const Finished run = iosx({"inspect", graph});
    EXPECT_EQ(run.exit_code, code) << graph;
    EXPECT_EQ(run.error_lines(), 1U) << run.err;
    EXPECT_THAT(run.err, HasSubstr(what));
  }
  const Finished one = iosx({"compare", "sample", "--schedules", "side-by-side"});
  EXPECT_NE(one.exit_code, 0);
  EXPECT_THAT(one.err, HasSubstr("several networks"));
}

TEST(SeveralNetworks, AreWhatEveryCommandTakes) {
  const TemporaryFolder folder;
  EXPECT_EQ(iosx({"inspect", "sample+sample"}).exit_code, 0);
  EXPECT_EQ(iosx({"count", "sample+sample"}).exit_code, 0);
  EXPECT_EQ(iosx({"convert", "sample+sample", "-o", folder.file("both.onnx")}).exit_code, 0);
  EXPECT_EQ(iosx({"inspect", folder.file("both.onnx")}).exit_code, 0);
  const Finished optimized = iosx({"optimize", "sample+sample", "--no-store", "-o", folder.file("both.schedule.json")});
  EXPECT_EQ(optimized.exit_code, 0) << optimized.err;
  // It names its networks, so it opens by itself.
  EXPECT_EQ(iosx({"inspect", folder.file("both.schedule.json")}).exit_code, 0);
}

}  // namespace
}  // namespace iosx::test
