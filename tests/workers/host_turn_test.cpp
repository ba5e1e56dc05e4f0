// Processes of one host measure in turn on one piece of hardware. Two objects in this process are to each other as two
// processes are: locks are of the open file.
#include "core/workers/host_turn.h"

#include "core/base/files.h"
#include "tests/support/fake_devices.h"
#include "tests/support/prelude.h"

namespace iosx {
namespace {

class HostTurnTest : public testing::Test {
 protected:
  HostTurn turn(std::vector<HardwarePart> parts) const {
    return must(HostTurn::open(folder_->path() / "turns", std::move(parts)));
  }
  static std::vector<HardwarePart> cores(const std::vector<int>& which) {
    return mapped<HardwarePart>(which, [](const int core) { return HardwarePart{"cores", core}; });
  }
  Result<ScratchFolder> folder_ = ScratchFolder::make();
};

TEST_F(HostTurnTest, OneAtATimeHasIt) {
  HostTurn first = turn({{"GPU-1", 0}});
  HostTurn second = turn({{"GPU-1", 0}});
  HostTurn elsewhere = turn({{"GPU-2", 0}});
  EXPECT_TRUE(first.try_take());
  EXPECT_FALSE(second.try_take());
  EXPECT_TRUE(elsewhere.try_take());
  first.give_back();
  EXPECT_TRUE(second.try_take());
  EXPECT_FALSE(first.try_take());
}

TEST_F(HostTurnTest, ItEndsWithWhoHasIt) {
  HostTurn second = turn({{"GPU-1", 0}});
  {
    HostTurn first = turn({{"GPU-1", 0}});
    EXPECT_TRUE(first.try_take());
    EXPECT_FALSE(second.try_take());
  }
  EXPECT_TRUE(second.try_take());
}

TEST_F(HostTurnTest, CoresExcludeWhereTheyAreTheSame) {
  HostTurn low = turn(cores({0, 1}));
  HostTurn high = turn(cores({2, 3}));
  HostTurn both = turn(cores({3, 1}));
  EXPECT_TRUE(low.try_take());
  EXPECT_TRUE(high.try_take());
  EXPECT_FALSE(both.try_take());
  low.give_back();
  EXPECT_FALSE(both.try_take());
  EXPECT_TRUE(low.try_take()) << "who did not get all has none";
  low.give_back();
  high.give_back();
  EXPECT_TRUE(both.try_take());
  EXPECT_FALSE(low.try_take());
  EXPECT_FALSE(high.try_take());
}

// Who had it gives it back and wants it again at once, over and over.
TEST_F(HostTurnTest, WhoWaitsComesBeforeWhoHadIt) {
  HostTurn greedy = turn(cores({0, 1}));
  ASSERT_TRUE(greedy.try_take());
  std::atomic<bool> served{false};
  const std::jthread waiting([&](const std::stop_token& stop) {
    HostTurn patient = turn(cores({1}));
    if (!patient.take(stop)) return;
    served = true;
    patient.give_back();
  });
  while (!served) {
    greedy.give_back();
    ASSERT_TRUE(greedy.take({}));
  }
}

TEST_F(HostTurnTest, AStopEndsTheWaitAndLeavesNothingTaken) {
  HostTurn first = turn(cores({1}));
  HostTurn second = turn(cores({0, 1}));
  ASSERT_TRUE(first.try_take());
  EXPECT_FALSE(second.take(stopped_token()));
  EXPECT_TRUE(turn(cores({0})).try_take());
  first.give_back();
  EXPECT_TRUE(second.try_take());
}

TEST_F(HostTurnTest, AFolderThatIsNoneOfOursIsAnError) {
  const std::filesystem::path file = folder_->path() / "file";
  std::ofstream(file) << "x";
  EXPECT_FALSE(HostTurn::open(file, {{"GPU-1", 0}}));
  std::filesystem::create_directory(folder_->path() / "there");
  std::filesystem::create_directory_symlink(folder_->path() / "there", folder_->path() / "link");
  EXPECT_FALSE(HostTurn::open(folder_->path() / "link", {{"GPU-1", 0}}));
}

class Placed final : public Device, public OnHardware {
 public:
  const DeviceInfo& info() const override { return fake_.info(); }
  std::string hardware() const override { return "GPU-1/a"; }

 private:
  Result<std::vector<Latency>> do_measure(std::span<const ExecutionPlan> plans, const TimingOptions& timing,
                                          const JobContext& job) override {
    return fake_.measure(plans, timing, job);
  }
  Result<std::unique_ptr<LoadedPlan>> do_load(ExecutionPlan plan, const LoadOptions& options,
                                              const JobContext& job) override {
    return fake_.load(std::move(plan), options, job);
  }

  test::FakeDevice fake_{Origin::kMeasured};
};

TEST(Hardware, IsThatWhichADeviceMeasuresOn) {
  const auto of_cores = hardware_of(test::FakeDevice(Origin::kMeasured));
  ASSERT_FALSE(of_cores.empty());
  for (const HardwarePart& part : of_cores) EXPECT_EQ(part.file, "cores");
  EXPECT_THAT(hardware_of(Placed()), ElementsAre(HardwarePart{"GPU-1_a", 0}));
  EXPECT_TRUE(hardware_of(test::FakeDevice(Origin::kSimulated)).empty());
}

}  // namespace
}  // namespace iosx
