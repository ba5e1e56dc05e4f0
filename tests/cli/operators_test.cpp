// Operators measured, queried, learned from, and predicted, seen through the whole program.
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/cli/process.h"

namespace iosx::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class OperatorCommands : public testing::Test {
 protected:
  // Other tests list the devices that there are.
  ~OperatorCommands() override { std::filesystem::remove_all(data_folder() / "ios-explorer" / "predictors"); }
  std::string store() const { return folder_.file("m.db"); }
  // On a simulated device, so that it takes no time.
  void profile() {
    const Finished run = iosx(
        {"profile-operators", "squeezenet", "--device", "tesla-v100", "--store", store(), "--most", "90", "--json"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    const auto graph = run.json().at("graphs").at(0);
    EXPECT_EQ(graph.at("measured"), 90);
    EXPECT_GE(graph.at("alone").get<int>(), 20);
  }
  TemporaryFolder folder_;
};

TEST_F(OperatorCommands, FromNothingToAPrediction) {
  profile();
  const Finished found = iosx({"operators", "query", "kind=conv kernel=3 channels>=16", "--store", store()});
  EXPECT_EQ(found.exit_code, 0) << found.err;
  EXPECT_THAT(found.out, HasSubstr("conv 3x3"));
  const Finished csv = iosx({"operators", "query", "--csv", "-", "--store", store()});
  EXPECT_THAT(csv.out, StartsWith("device,origin,precision,stage,"));

  const Finished trained = iosx({"operators", "train", "mine", "--store", store()});
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  EXPECT_THAT(trained.out, HasSubstr("predicted:mine: learned from"));
  EXPECT_THAT(iosx({"operators", "judge", "mine", "squeezenet", "--store", store()}).out, HasSubstr("within 10 %"));
  EXPECT_THAT(iosx({"operators", "insight", "--store", store()}).out, HasSubstr("rank correlations"));
  // Its pairs are what the simulator says: to compare it with these would be no test of it.
  const Finished pairs = iosx({"operators", "pairs", "--store", store()});
  EXPECT_NE(pairs.exit_code, 0);
  EXPECT_THAT(pairs.err, HasSubstr("is simulated"));

  // What was measured elsewhere is learned from here.
  const std::string text = folder_.file("measured.jsonl");
  ASSERT_EQ(iosx({"store", "export", "--store", store(), "-o", text}).exit_code, 0);
  const std::string other = folder_.file("other.db");
  ASSERT_EQ(iosx({"store", "import", text, "--store", other}).exit_code, 0);
  EXPECT_EQ(iosx({"operators", "query", "--store", other}).out, iosx({"operators", "query", "--store", store()}).out);

  EXPECT_THAT(iosx({"devices"}).out, HasSubstr("predicted:mine"));
  const Finished compared = iosx({"compare", "squeezenet", "--device", "predicted:mine", "--json"});
  ASSERT_EQ(compared.exit_code, 0) << compared.err;
  EXPECT_EQ(compared.json().at("origin"), "predicted");
  const Finished beside = iosx({"compare", "squeezenet", "--device", "tesla-v100", "--predictor", "predicted:mine",
                                "--schedules", "sequential,ios-both"});
  ASSERT_EQ(beside.exit_code, 0) << beside.err;
  EXPECT_THAT(beside.out, HasSubstr("predicted-mine"));
}

TEST_F(OperatorCommands, MistakesAreOneLine) {
  const auto fails = [](const std::vector<std::string>& arguments, const char* says) {
    const Finished run = iosx(arguments);
    EXPECT_NE(run.exit_code, 0);
    EXPECT_THAT(run.err, HasSubstr(says));
    EXPECT_EQ(std::ranges::count(run.err, '\n'), 1) << run.err;
  };
  fails({"operators", "query", "--store", store()}, "there is no such file");
  profile();
  fails({"operators", "query", "colour=3", "--store", store()}, "is not a column");
  fails({"operators", "query", "--device", "cpu", "--store", store()}, "contains no operators of 'cpu'");
  fails({"operators", "train", "../up", "--store", store()}, "is not a predictor name");
  fails({"operators", "train", "x", "--card", "none", "--store", store()}, "is not a card");
  fails({"operators", "judge", "none", "--store", store()}, "none.json");
  fails({"profile-operators", "--device", "tesla-v100", "--store", store()}, "needs networks or a grid");
  fails({"profile-operators", "squeezenet", "--device", "tesla-v100"}, "without a store");
  fails({"compare", "sample", "--device", "tesla-v100", "--predictor", "tesla-k80"}, "makes no predictions");
  std::ofstream(folder_.file("t.csv")) << "device,latency_ms\na,1\n";
  fails({"operators", "import", folder_.file("t.csv"), "--store", store()}, "there is no column");
  std::ofstream(folder_.file("g.txt")) << "conv channels=8\n";
  fails({"profile-operators", "--grid", folder_.file("g.txt"), "--device", "tesla-v100", "--store", store()},
        "does not give 'filters'");
}

TEST_F(OperatorCommands, TablesOfOthersAreRecorded) {
  std::ofstream table(folder_.file("t.csv"));
  table << "source,device,precision,op,latency_us,rows,columns\n";
  for (int i = 1; i <= 40; ++i) table << "mine,My card,float32,relu," << 10 * i << ',' << 64 * i << ",64\n";
  table.close();
  const Finished imported = iosx({"operators", "import", folder_.file("t.csv"), "--store", store()});
  ASSERT_EQ(imported.exit_code, 0) << imported.err;
  EXPECT_THAT(imported.out, HasSubstr("My card (mine), f32: 40 operators"));
  const Finished trained = iosx({"operators", "train", "card", "--device", "My card", "--store", store()});
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  EXPECT_THAT(iosx({"compare", "sample", "--device", "predicted:card"}).out, HasSubstr("predicted"));
  EXPECT_THAT(iosx({"store", "list", "--store", store()}).out, HasSubstr("recorded"));
}

}  // namespace
}  // namespace iosx::test
