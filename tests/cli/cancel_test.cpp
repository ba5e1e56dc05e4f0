// Ctrl-C ends a job at once and keeps what it has.

#include "tests/cli/process.h"
#include "tests/support/prelude.h"

namespace iosx::test {
namespace {

using Json = nlohmann::ordered_json;
using namespace std::chrono_literals;

// A small first part and then one of eight chains of seven, which has 8^8 = 17 million states: too many for a search,
// so it is cut further first.
std::string endless_graph() {
  const Json input{{"type", "placeholder"}, {"name", "in"}, {"hint_name", "in"}, {"output_shape", {8, 16, 16}}};
  Json first_stages = Json::array({Json::array({Json::array({"first"})})});
  Json inner = Json::array();
  Json stages = Json::array();
  Json terms = Json::array();
  for (int chain = 0; chain < 8; ++chain) {
    std::string last = "first";
    for (int i = 0; i < 7; ++i) {
      const std::string name = fmt::format("c{}_{}", chain, i);
      inner.push_back(conv_json(name, last, 8));
      stages.push_back(Json::array({Json::array({name})}));
      last = name;
    }
    terms.push_back(Json::array({Json::array({last, 0, 8})}));
  }
  stages.push_back(Json::array({Json::array({"end"})}));
  const Json end{
      {"type", "identity"}, {"name", "end"}, {"hint_name", "end"}, {"inputs", terms}, {"output_shape", {64, 16, 16}}};
  const Json blocks = Json::array({{{"enter_name", "in"},
                                    {"enter_node", input},
                                    {"inner_nodes", Json::array()},
                                    {"exit_node", conv_json("first", "in", 8)},
                                    {"stages", first_stages}},
                                   {{"enter_name", "first"},
                                    {"enter_node", conv_json("first", "in", 8)},
                                    {"inner_nodes", inner},
                                    {"exit_node", end},
                                    {"stages", stages}}});
  return Json{{"name", "endless"}, {"input", input}, {"blocks", blocks}}.dump();
}

// Cutting the part until it can be searched is the long piece of this count.
TEST(Interrupt, EndsACountAndShowsThePartsCounted) {
  const TemporaryFolder folder;
  const std::string graph = folder.write("endless.json", endless_graph());
  for (const auto delay : {100ms, 700ms}) {
    const auto start = std::chrono::steady_clock::now();
    const Finished run = iosx({"count", graph, "-r", "0", "-s", "0", "--max-part-size", "64", "--json"}, delay);
    EXPECT_LT(std::chrono::steady_clock::now() - start, 4s);
    if (run.exit_code == -1) continue;  // before iosx had set up its handling
    const Json json = run.json();
    EXPECT_EQ(json.at("complete").get<bool>(), run.exit_code == 0) << delay.count();
    if (run.exit_code == 0) continue;  // done before
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_THAT(run.err, HasSubstr(fmt::format("cancelled after {} of ", json.at("parts").size())));
    EXPECT_EQ(run.error_lines(), 1U);
  }
}

// The signal may come before the search, inside it, or after the end; each must leave a whole document.
TEST(Interrupt, AtAnyTimeLeavesOneDocument) {
  for (const auto delay : {1ms, 15ms, 40ms, 80ms, 160ms}) {
    const Finished run = iosx({"compare", "nasnet", "--json"}, delay);
    if (run.exit_code == -1) continue;  // before iosx had set up its handling
    const Json json = run.json();
    EXPECT_EQ(json.at("complete").get<bool>(), run.exit_code == 0) << delay.count();
    ASSERT_GE(json.at("schedules").size(), 2U);
    for (const Json& schedule : json.at("schedules")) EXPECT_GT(schedule.at("latency_ms").get<double>(), 0);
  }
}

TEST(Interrupt, OfAnExperimentShowsTheTrialsThatWereFinished) {
  bool some = false;
  for (const auto delay : {200ms, 600ms, 1200ms, 2400ms, 4800ms}) {
    const Finished run = iosx({"experiment", "pruning", "nasnet", "--json"}, delay);
    if (run.exit_code == -1) continue;  // before iosx had set up its handling
    if (run.exit_code == 0) break;      // done before
    EXPECT_EQ(run.exit_code, 1) << run.err;
    if (run.out.empty()) {
      EXPECT_THAT(run.err, HasSubstr("stopped before anything was finished"));
      continue;
    }
    some = true;
    EXPECT_EQ(run.json().at("complete"), false);
    EXPECT_LT(run.json().at("trials").size(), 7U);
    EXPECT_THAT(run.err, HasSubstr("cancelled; the finished results are shown"));
  }
  if (!some) GTEST_SKIP() << "no signal came between the first trial and the last";
}

// Baselines that nobody asked for were still run, for as long as that took.
TEST(Interrupt, OfALargeBatchOnTheProcessorEndsSoon) {
  const auto start = std::chrono::steady_clock::now();
  const Finished run = iosx({"compare", "inception_v3", "--device", "cpu", "--batch", "64", "--no-store"}, 2s);
  if (run.exit_code == 2) GTEST_SKIP() << run.err;  // built without that device
  EXPECT_EQ(run.exit_code, 1) << run.err;
  EXPECT_THAT(run.err, HasSubstr("ancelled before"));
  EXPECT_LT(std::chrono::steady_clock::now() - start, 7s * every(10));
}

TEST(Interrupt, OfOptimizeWritesTheBestSoFar) {
  const TemporaryFolder folder;
  const std::string graph = folder.write("endless.json", endless_graph());
  const std::string file = folder.file("best.json");
  Finished run;
  for (const auto delay : {100ms, 400ms, 1600ms}) {
    run = iosx({"optimize", graph, "-r", "0", "-s", "0", "--max-part-size", "64", "-o", file, "--json"}, delay);
    if (run.exit_code != -1) break;  // otherwise it came before iosx had set up its handling
  }
  if (run.exit_code == 0) GTEST_SKIP() << "this machine was done before the signal";
  EXPECT_EQ(run.exit_code, 1) << run.err;
  EXPECT_THAT(run.err, HasSubstr(file));
  EXPECT_EQ(run.json().at("complete"), false);
  const Finished check = iosx_done({"run", graph, "--schedule", file, "--json"});
}

}  // namespace
}  // namespace iosx::test
