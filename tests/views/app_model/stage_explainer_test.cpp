#include "views/app_model/stage_explainer.h"

#include "tests/support/fake_devices.h"
#include "tests/support/graphs.h"
#include "tests/support/prelude.h"
#include "tests/views/app_model/wait.h"
#include "views/app_model/jobs.h"

namespace iosx {
namespace {

using test::wait_until;

// A diamond on the fake device, where every stage takes 1.1 ms whatever runs side by side in it.
class StageExplainerTest : public testing::Test {
 protected:
  void open(const char* device) {
    RunSettings settings = session_.settings();
    settings.device = device;
    settings.options.schedule_kinds.push_back(ScheduleKind::kOneByOne);
    session_.setSettings(settings);
    jobs_.open(QStringLiteral("diamond"));
    ASSERT_TRUE(wait_until([&] { return !jobs_.busy(); }));
    if (!session_.comparison()) jobs_.optimize();
    ASSERT_TRUE(wait_until([&] { return !jobs_.busy(); }));
    ASSERT_TRUE(session_.comparison());
  }
  void select(ScheduleKind schedule_kind, std::size_t stage) {
    selection_.select(stage_selection(*session_.comparison()->find(schedule_kind), stage));
  }
  // Null where it did not come.
  const StageExplanation* explained() {
    return wait_until([&] { return !explainer_.busy(); }) ? explainer_.current() : nullptr;
  }

  std::shared_ptr<test::ScriptedBehaviour> behaviour_ = std::make_shared<test::ScriptedBehaviour>();
  DeviceRegistry registry_ = test::scripted_registry(behaviour_);
  Session session_{registry_};
  Jobs jobs_{session_, [](const std::string&, const InputSizes&) -> Result<Document> {
               return Document{std::make_shared<const Graph>(test::diamond()), {}};
             }};
  SelectionModel selection_;
  StageExplainer explainer_{session_, jobs_, selection_};
};

TEST_F(StageExplainerTest, ExplainsTheSelectedStageOfASimulatedDevice) {
  open(registry_.entries().front()->info.id.c_str());
  EXPECT_EQ(explainer_.current(), nullptr);
  select(ScheduleKind::kOneByOne, 1);
  EXPECT_TRUE(explainer_.busy());
  EXPECT_EQ(explainer_.current(), nullptr);
  const StageExplanation* stage = must(explained());
  EXPECT_EQ(stage->stage, 1U);
  ASSERT_NE(stage->next_best(), nullptr);
  EXPECT_TRUE(stage->next_best()->is_better());  // b and c run side by side in the time of one
  EXPECT_EQ(stage->next_best()->basis, Basis::kSimulated);
}

TEST_F(StageExplainerTest, DropsWhatIsStale) {
  open(registry_.entries().front()->info.id.c_str());
  behaviour_->plan_millis = 5;
  select(ScheduleKind::kOneByOne, 0);
  select(ScheduleKind::kOneByOne, 2);
  const StageExplanation* stage = must(explained());
  EXPECT_EQ(stage->stage, 2U);
  select(ScheduleKind::kOneByOne, 1);
  selection_.clear();
  EXPECT_FALSE(explainer_.busy());
  QSignalSpy changes(&explainer_, &StageExplainer::changed);
  EXPECT_FALSE(changes.wait(300));  // of what was given up nothing comes
  EXPECT_EQ(explainer_.current(), nullptr);
}

TEST_F(StageExplainerTest, SaysWhatWentWrong) {
  open(registry_.entries().front()->info.id.c_str());
  behaviour_->broken = true;
  select(ScheduleKind::kOneByOne, 1);
  EXPECT_EQ(explained(), nullptr);
  EXPECT_FALSE(explainer_.error().isEmpty());
  behaviour_->broken = false;
  select(ScheduleKind::kOneByOne, 2);
  EXPECT_NE(explained(), nullptr);
  EXPECT_TRUE(explainer_.error().isEmpty());
}

TEST_F(StageExplainerTest, AClickMeasuresNothing) {
  open(registry_.entries().back()->info.id.c_str());
  ASSERT_EQ(session_.comparison()->device.origin, Origin::kMeasured);
  const int requests = behaviour_->requests;
  select(ScheduleKind::kOneByOne, 1);
  const StageExplanation* stage = must(explained());
  EXPECT_EQ(behaviour_->requests, requests);
  EXPECT_EQ(stage->cost.basis, Basis::kReused);
  // Greedy's stage of b and c is known to the comparison, a stage of c and d to nobody.
  bool any_predicted = false;
  bool joined_known = false;
  for (const Alternative& each : stage->alternatives) {
    any_predicted = any_predicted || each.basis == Basis::kPredicted;
    joined_known = joined_known || (each.change.kind == ChangeKind::kJoinAfter && each.basis == Basis::kReused);
  }
  EXPECT_TRUE(any_predicted);
  EXPECT_TRUE(joined_known);
}

TEST_F(StageExplainerTest, WaitsForTheEndOfAJobThatMeasures) {
  open(registry_.entries().back()->info.id.c_str());
  behaviour_->plan_millis = 20;
  jobs_.optimize();
  ASSERT_TRUE(jobs_.busy());
  bool early = false;
  QObject context;
  QObject::connect(&explainer_, &StageExplainer::changed, &context,
                   [&] { early = early || (!explainer_.busy() && jobs_.busy()); });
  select(ScheduleKind::kOneByOne, 1);
  EXPECT_TRUE(explainer_.busy());
  EXPECT_NE(explained(), nullptr);
  EXPECT_FALSE(early);
  EXPECT_FALSE(jobs_.busy());
}

}  // namespace
}  // namespace iosx
