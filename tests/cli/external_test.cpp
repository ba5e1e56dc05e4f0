// What others recorded beside a comparison, and reports as a page.
#include <gmock/gmock.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/cli/process.h"

namespace iosx::test {
namespace {

using Json = nlohmann::ordered_json;
using testing::HasSubstr;

constexpr const char* kLayers = "operator,latency_us\nconcat,400\nsomething else,100\nconcat,440\nsomething else,100\n";

TEST(Beside, IsInTheTableAndInTheJson) {
  const TemporaryFolder folder;
  const std::string layers = folder.write("layers.csv", kLayers);
  const std::string programs = folder.write("programs.csv", "framework,ms\nTensorRT,0.25\nTVM,0.5\n");
  const std::vector<std::string> command{"compare",    "sample",           "--schedules", "sequential,ios-both",
                                         "--external", layers + "=ours=x", "--external",  programs};
  const Finished table = iosx(command);
  EXPECT_EQ(table.exit_code, 0) << table.err;
  EXPECT_THAT(table.out, HasSubstr("recorded elsewhere"));
  EXPECT_THAT(table.out, HasSubstr("TensorRT"));
  EXPECT_THAT(table.out, HasSubstr("recorded in programs.csv"));
  std::vector<std::string> with_json = command;
  with_json.emplace_back("--json");
  const Json json = iosx(with_json).json();
  ASSERT_EQ(json.at("beside").size(), 3U);
  const Json& own = json.at("beside")[0];
  EXPECT_EQ(own.at("label"), "ours=x");
  EXPECT_EQ(own.at("origin"), "recorded");
  EXPECT_EQ(own.at("latency_ms"), 0.52);
  EXPECT_EQ(own.at("samples"), 2);
  EXPECT_DOUBLE_EQ(own.at("matched_share").get<double>(), 0.42 / 0.52);
  const double sequential = json.at("schedules")[0].at("latency_ms");
  EXPECT_DOUBLE_EQ(json.at("beside")[1].at("speedup").get<double>(), sequential / 0.25);
}

TEST(Beside, WhatCannotBeReadIsSaidBeforeAnythingRuns) {
  const TemporaryFolder folder;
  const Finished run = iosx({"compare", "sample", "--external", folder.write("x.csv", "a,b,c\n")});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_EQ(run.out, "");
  EXPECT_EQ(run.error_lines(), 1U);
  EXPECT_THAT(run.err, HasSubstr("no rows with a name and a latency"));
  EXPECT_EQ(iosx({"compare", "sample", "--external", folder.file("none.csv")}).exit_code, 1);
  EXPECT_EQ(iosx({"compare", "sample", "--external-unit", "hours"}).exit_code, 2);
}

TEST(External, ListsWhatIsInAFileAndWhatMatched) {
  const TemporaryFolder folder;
  const std::string layers = folder.write("layers.csv", kLayers);
  const Finished alone = iosx({"external", layers});
  EXPECT_EQ(alone.exit_code, 0) << alone.err;
  EXPECT_THAT(alone.out, HasSubstr("layers: 0.520 ms"));
  const Finished matched = iosx({"external", layers, "sample"});
  EXPECT_THAT(matched.out, HasSubstr("80.8 % of the time of its 2 entries"));
  const Json json = iosx({"external", layers, "sample", "--json"}).json().at("runs")[0];
  EXPECT_EQ(json.at("entries")[0].at("match"), "order");  // the operator is sample.concat
  EXPECT_EQ(json.at("entries")[1].at("match"), "none");
  const std::string plain = folder.write("plain.csv", "concat,400\n");
  EXPECT_EQ(iosx({"external", plain, "--unit", "us", "--json"}).json().at("runs")[0].at("latency_ms"), 0.4);
  EXPECT_EQ(iosx({"external", folder.write("x.json", "{}")}).exit_code, 1);
}

TEST(ReportPage, OfAComparisonAndOfSavedRuns) {
  const TemporaryFolder folder;
  const std::string page = folder.file("page.html");
  const std::string saved = folder.file("a.iosrun");
  const Finished run = iosx({"compare", "sample", "--report", page, "--save", saved});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("page.html"));
  EXPECT_THAT(read(page), HasSubstr("<!DOCTYPE html>"));
  const std::string other = folder.file("b.iosrun");
  ASSERT_EQ(iosx({"compare", "sample", "--batch", "8", "--save", other}).exit_code, 0);
  const std::string both = folder.file("both.html");
  const Finished written = iosx({"report", saved, other, "-o", both});
  EXPECT_EQ(written.exit_code, 0) << written.err;
  EXPECT_THAT(read(both), HasSubstr("batch 8"));
  EXPECT_THAT(read(both), HasSubstr("recorded on"));
  const std::string alone = folder.file("alone.html");
  ASSERT_EQ(iosx({"report", saved, "-o", alone}).exit_code, 0);
  EXPECT_EQ(iosx({"report", saved, "-o", "-"}).out, read(alone));
}

TEST(ReportPage, WritesOverNothingThatItReads) {
  const TemporaryFolder folder;
  const std::string saved = folder.file("a.iosrun");
  ASSERT_EQ(iosx({"compare", "sample", "--save", saved}).exit_code, 0);
  const std::string before = read(saved);
  EXPECT_EQ(iosx({"report", saved, "-o", saved}).exit_code, 1);
  const std::string times = folder.write("times.csv", kLayers);
  EXPECT_EQ(iosx({"report", saved, "-o", times, "--external", times}).exit_code, 1);
  EXPECT_EQ(iosx({"compare", "sample", "--report", times, "--external", times}).exit_code, 1);
  EXPECT_EQ(read(saved), before);
  EXPECT_EQ(read(times), kLayers);
  EXPECT_EQ(iosx({"report", "-o", folder.file("x.html")}).exit_code, 2);
  EXPECT_EQ(iosx({"report", folder.file("none.iosrun"), "-o", folder.file("x.html")}).exit_code, 1);
  EXPECT_FALSE(std::filesystem::exists(folder.file("x.html")));
}

}  // namespace
}  // namespace iosx::test
