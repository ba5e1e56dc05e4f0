#include <gmock/gmock.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/analysis/experiment/experiment.h"
#include "core/analysis/experiment/report.h"
#include "core/base/scratch_folder.h"
#include "core/tables/render.h"
#include "tests/support/computing_device.h"
#include "tests/support/fake_device.h"
#include "tests/support/graphs.h"
#include "tests/support/made_up_engines.h"

namespace iosx {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::SizeIs;
using testing::StartsWith;

class FrameworksTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!test::has_python()) GTEST_SKIP() << "there is no python3";
    test::write_made_up_engines(folder_.path());
    // What the made-up engines compute has the shapes of the network's outputs.
    nlohmann::ordered_json shapes;
    Document document;
    document.graph = graph_;
    file_ = interface_of(document, 1);
    for (const FileTensor& output : file_.outputs) shapes[output.name] = output.shape();
    std::ofstream(folder_.path() / "outputs.json") << shapes;
    ::setenv("IOSX_MADE_UP_OUTPUTS", (folder_.path() / "outputs.json").c_str(), 1);
    device_.info_.threads = 2;
  }

  Result<ExperimentResult> run(const std::vector<std::string>& engines) {
    ExperimentOptions options;
    options.rivals = {.engines = test::made_up_engines(folder_.path(), engines), .file = file_, .profile = true};
    const ExperimentDevice one{&device_, {}};
    return run_experiment(ExperimentKind::kFrameworks, *graph_, {&one, 1}, options, {});
  }

  static const Trial* of(const ExperimentResult& result, const std::string& engine) {
    for (const Trial& trial : result.trials) {
      if (trial.levels.front() == engine) return &trial;
    }
    return nullptr;
  }
  static std::string problem(const ExperimentResult& result, const std::string& title) {
    for (const EngineTrial& engine : result.engines) {
      if (engine.info.title == title) return engine.problem.text();
    }
    return "not there";
  }

  const std::shared_ptr<const Graph> graph_ = std::make_shared<const Graph>(test::fork_join(3));
  ScratchFolder folder_ = ScratchFolder::make().value();
  test::ComputingDevice device_;
  FileInterface file_;
};

TEST_F(FrameworksTest, AreTimedAgainstOurFastest) {
  const auto result = run({"slow", "right"});
  ASSERT_TRUE(result) << result.error().text();
  EXPECT_TRUE(result->complete);
  EXPECT_FALSE(result->matrix());
  const Trial* const slow = of(*result, "Slow");
  const Trial* const right = of(*result, "Right");
  const Trial* const sequential = of(*result, "IOS Explorer, Sequential");
  ASSERT_TRUE(slow != nullptr && right != nullptr && sequential != nullptr);
  EXPECT_NEAR(result->value(*slow, "latency_ms").value(), 9.001, 0.01);
  EXPECT_NEAR(result->value(*slow, "ratio").value() / result->value(*right, "ratio").value(), 4.5, 0.01);
  EXPECT_LT(result->value(*right, "outputs_off_ppm").value(), 100);
  EXPECT_GT(result->value(*right, "prepared_in_seconds").value(), 0);
  EXPECT_FALSE(result->value(*sequential, "outputs_off_ppm").has_value());
  EXPECT_TRUE(sequential->schedule_kind.has_value());
  EXPECT_FALSE(slow->schedule_kind.has_value());
  EXPECT_FALSE(slow->best);
  EXPECT_FALSE(device_.timed.front().host_clock) << "schedules against one another";
  EXPECT_TRUE(device_.timed.back().host_clock) << "by the only clock that engines have";
  ASSERT_THAT(result->engines, SizeIs(2));
  EXPECT_EQ(result->engines[1].info.id, "right");
  EXPECT_EQ(result->engines[1].settings, "threads 2 on cpu in float32");
  ASSERT_THAT(result->engines[1].operators, SizeIs(2));
  EXPECT_EQ(result->engines[1].operators[0].name, "a");
}

// An engine costs its row, whatever it does; and none has a time that computes something else.
TEST_F(FrameworksTest, ThatFailCostTheirRowOnly) {
  const auto result = run({"wrong", "absent", "refuses", "dies", "mumbles", "gpu-only", "quiet"});
  ASSERT_TRUE(result) << result.error().text();
  EXPECT_TRUE(result->complete);
  EXPECT_THAT(problem(*result, "Wrong"), HasSubstr("computes different results: "));
  EXPECT_EQ(problem(*result, "Absent"), "not installed: pip install made-up");
  EXPECT_EQ(problem(*result, "Refuses"), "cannot convert Gelu");
  EXPECT_EQ(problem(*result, "Dies"), "has ended with exit code 7");
  EXPECT_THAT(problem(*result, "Mumbles"), HasSubstr("sent an invalid reply"));
  EXPECT_EQ(problem(*result, "Gpu"), "does not run on computing");
  EXPECT_EQ(problem(*result, "Quiet"), "");
  for (const char* title : {"Wrong", "Absent", "Refuses", "Dies", "Mumbles", "Gpu"}) {
    const Trial* const trial = of(*result, title);
    ASSERT_NE(trial, nullptr) << title;
    EXPECT_FALSE(result->value(*trial, "latency_ms").has_value()) << title;
    EXPECT_FALSE(trial->best) << title;
  }
  EXPECT_TRUE(result->value(*of(*result, "Quiet"), "latency_ms").has_value());
  const std::string text = experiment_table_text(*result);
  EXPECT_THAT(text, HasSubstr("Absent: not installed: pip install made-up\n"));
  EXPECT_THAT(text, HasSubstr("Quiet, made-up 1.2: threads 2 on cpu in float32\n"));
  const auto json = experiment_json(*result);
  EXPECT_EQ(json["engines"].size(), 7U);
  EXPECT_EQ(json["engines"][1]["install"], "pip install made-up");
  EXPECT_EQ(json["engines"][1]["timed"], false);
}

TEST_F(FrameworksTest, ThatCannotRunAtAllEndItBeforeAnythingIsMeasured) {
  const auto result = run({"gpu-only", "absent"});
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().text(), HasSubstr("Gpu: does not run on computing"));
  EXPECT_TRUE(device_.loads.empty());
}

TEST_F(FrameworksTest, NeedADeviceThatComputes) {
  test::FakeDevice simulated;
  ExperimentOptions options;
  options.rivals = {.engines = test::made_up_engines(folder_.path(), {"right"}), .file = file_};
  const ExperimentDevice one{&simulated, {}};
  const auto result = run_experiment(ExperimentKind::kFrameworks, *graph_, {&one, 1}, options, {});
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().text(), HasSubstr("simulates times but computes no outputs"));
}

TEST_F(FrameworksTest, OfSeveralNetworksStandSideBySide) {
  auto first = run({"right", "slow", "refuses"});
  auto second = run({"right", "slow", "refuses"});
  ASSERT_TRUE(first && second);
  first->network = "one";
  second->network = "two";
  const double a = first->value(*of(*first, "Slow"), "ratio").value();
  const double b = second->value(*of(*second, "Slow"), "ratio").value();
  std::vector<ExperimentResult> both;
  both.push_back(std::move(*first));
  both.push_back(std::move(*second));
  const ExperimentResult all = side_by_side(std::move(both));
  EXPECT_TRUE(all.matrix());
  EXPECT_EQ(all.network, "one, two");
  EXPECT_THAT(all.levels(1), ElementsAre("one", "two"));
  const Trial* const slow = all.find("Slow", "two");
  ASSERT_NE(slow, nullptr);
  EXPECT_EQ(all.value(*slow, "ratio"), b);
  const auto means = engine_means(all);
  EXPECT_THAT(means, Contains(testing::AllOf(Field(&EngineMean::engine, "Slow"), Field(&EngineMean::networks, 2U),
                                             Field(&EngineMean::ratio, testing::DoubleNear(std::sqrt(a * b), 1e-9)))));
  for (const EngineMean& mean : means) EXPECT_NE(mean.engine, "Refuses");
  EXPECT_THAT(table_csv(trial_list(all)), HasSubstr("frameworks,\"one, two\",computing,1,Slow,two,"));
  EXPECT_THAT(experiment_table_text(all), HasSubstr("times ours [×]"));
  EXPECT_THAT(all.notices, Contains(testing::ResultOf([](const Message& notice) { return notice.text(); },
                                                      StartsWith("one, Refuses: cannot convert"))));
}

}  // namespace
}  // namespace iosx
