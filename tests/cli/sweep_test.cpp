// iosx sweep: tables, documents, and what it refuses.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/cli/process.h"

namespace iosx::test {
namespace {

using Json = nlohmann::ordered_json;
using testing::HasSubstr;

double latency(const Json& point, const std::string& id) {
  for (const Json& each : point.at("schedules")) {
    if (each.at("id") == id) return each.at("latency_ms").get<double>();
  }
  throw std::runtime_error("no schedule " + id);
}

TEST(Sweep, IsWhatCompareSaysAtEachValue) {
  const Json sweep = iosx({"sweep", "sample", "--values", "1,8", "--json"}).json();
  EXPECT_EQ(sweep.at("parameter"), "batch");
  EXPECT_EQ(sweep.at("present"), 1);
  ASSERT_EQ(sweep.at("points").size(), 2U);
  const Json compared = iosx({"compare", "sample", "--batch", "8", "--json"}).json();
  for (const Json& each : compared.at("schedules")) {
    const std::string id = each.at("id");
    if (id == "ios-merge" || id == "ios-parallel" || id == "list" || id == "ios-flow") continue;
    EXPECT_DOUBLE_EQ(latency(sweep.at("points")[1], id), each.at("latency_ms").get<double>()) << id;
  }
}

TEST(Sweep, OfAnOperatorsSize) {
  const Finished table =
      iosx({"sweep", "sample", "--vary", "channels", "--operator", "sample.conv_a", "--values", "128,375"});
  EXPECT_EQ(table.exit_code, 0) << table.err;
  EXPECT_THAT(table.out, HasSubstr("latency in ms over output channels of sample.conv_a (simulated)"));
  EXPECT_THAT(table.out, HasSubstr("375 (now)"));
  const Json kernel = iosx({"sweep", "sample", "--vary", "kernel", "--operator", "sample.conv_a", "--json"}).json();
  const Json& points = kernel.at("points");
  EXPECT_LT(latency(points.front(), "sequential"), latency(points.back(), "sequential"));
}

TEST(Sweep, WhatCannotBeIsSaidInItsRow) {
  const Json json = iosx({"sweep", "inception_v3", "--vary", "input-size", "--values", "32,299", "--json"}).json();
  EXPECT_FALSE(json.at("points")[0].at("problem").is_null());
  EXPECT_TRUE(json.at("points")[1].at("problem").is_null());
  // Where nothing at all can be, the command has failed.
  const Finished none = iosx({"sweep", "inception_v3", "--vary", "input-size", "--values", "32", "--json"});
  EXPECT_EQ(none.exit_code, 1);
  EXPECT_FALSE(none.json().at("points")[0].at("problem").is_null());
  EXPECT_THAT(none.err, HasSubstr("sweep: no value could be run"));
}

TEST(Sweep, RefusesWhatNamesNothing) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> mistakes{
      {{"--vary", "colour"}, "choose one of batch, device"},
      {{"--vary", "kernel"}, "name the operator"},
      {{"--vary", "kernel", "--operator", "nobody"}, "no operator 'nobody'"},
      {{"--operator", "sample.conv_a"}, "does not apply to one operator"},
      {{"--values", "1,x"}, "'x' is not a valid value"},
      {{"--values", "0"}, "'0' is not a valid value"},
      {{"--values", "4,4"}, "'4' is given twice"},
      {{"--vary", "device", "--values", "nobody"}, "there is no device 'nobody'"},
      {{"--device", ""}, "--device: is empty"},
      {{"--schedules", "file"}, "for one graph only"},
  };
  for (const auto& [words, error] : mistakes) {
    std::vector<std::string> arguments{"sweep", "sample"};
    arguments.insert(arguments.end(), words.begin(), words.end());
    const Finished run = iosx(arguments);
    EXPECT_EQ(run.exit_code, 2) << error;
    EXPECT_THAT(run.err, HasSubstr(error));
  }
}

}  // namespace
}  // namespace iosx::test
