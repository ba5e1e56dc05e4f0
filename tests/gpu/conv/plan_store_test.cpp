#include <sys/wait.h>
#include <unistd.h>

#include <stdexcept>

#include "gpu/ops/conv/cudnn_library.h"
#include "gpu/ops/conv/plan_store.h"
#include "tests/gpu/conv/descriptions.h"
#include "tests/support/prelude.h"

namespace iosx::gpu {
namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void write(const fs::path& file, const std::string& text) { std::ofstream(file, std::ios::binary) << text; }

class Store : public testing::Test {
 protected:
  void fill_file(const std::string& key) const {
    PlanStore store(folder_, key);
    fill(store);
  }
  void SetUp() override { fs::remove_all(folder_); }
  void TearDown() override { fs::remove_all(folder_); }

  static void fill(PlanStore& store) {
    store.set_ways("conv a", {{"fast", "plan\n\x01 1", Millis(0.1)}, {"slow", "", Millis(1.0 / 3)}});
    store.set_ranks("stage a", {0, 3, 1});
  }

  static void expect_filled(const PlanStore& store) {
    const auto* ways = must(store.ways("conv a"));
    ASSERT_EQ(ways->size(), 2U);
    EXPECT_EQ((*ways)[0].name, "fast");
    EXPECT_EQ((*ways)[0].plan, "plan\n\x01 1");
    EXPECT_EQ((*ways)[0].latency, Millis(0.1));
    EXPECT_EQ((*ways)[1].latency, Millis(1.0 / 3)) << "to the last bit";
    const auto* ranks = must(store.ranks("stage a"));
    EXPECT_EQ(*ranks, (std::vector<std::size_t>{0, 3, 1}));
  }

  static bool empty(const PlanStore& store) {
    return store.ways("conv a") == nullptr && store.ranks("stage a") == nullptr;
  }

  std::vector<fs::path> files() const {
    std::vector<fs::path> files;
    if (fs::exists(folder_)) {
      for (const auto& entry : fs::directory_iterator(folder_)) files.push_back(entry.path());
    }
    return files;
  }

  fs::path folder_ = fs::path(testing::TempDir()) /
                     (std::string("plan-store-") + testing::UnitTest::GetInstance()->current_test_info()->name());
};

TEST_F(Store, KnowsWhatItWasTold) {
  PlanStore store(std::nullopt, "key");
  EXPECT_TRUE(empty(store));
  fill(store);
  expect_filled(store);
  EXPECT_EQ(store.ways("conv b"), nullptr);
}

TEST_F(Store, RemembersBetweenRuns) {
  {
    PlanStore store(folder_ / "made" / "for it", "key");
    fill(store);
  }
  expect_filled(PlanStore(folder_ / "made" / "for it", "key"));
}

TEST_F(Store, ReplacesOnlyWhatChanged) {
  fill_file("key");
  {
    PlanStore store(folder_, "key");
    store.set_ways("conv b", {});
  }
  const PlanStore store(folder_, "key");
  expect_filled(store);
  ASSERT_NE(store.ways("conv b"), nullptr);
  EXPECT_TRUE(store.ways("conv b")->empty());
}

TEST_F(Store, WritesNothingWhereNothingChanged) {
  { const PlanStore store(folder_, "key"); }
  EXPECT_TRUE(files().empty());
}

TEST_F(Store, AnotherDeviceHasItsOwnFile) {
  fill_file("H200, cuDNN 9.19.0");
  EXPECT_TRUE(empty(PlanStore(folder_, "T4, cuDNN 9.19.0")));
  EXPECT_TRUE(empty(PlanStore(folder_, "H200, cuDNN 9.20.0")));
  expect_filled(PlanStore(folder_, "H200, cuDNN 9.19.0"));
}

// As where somebody copies caches between machines, or two keys have one hash.
TEST_F(Store, AnotherDevicesFileUnderItsOwnNameIsIgnored) {
  fill_file("H200");
  const fs::path first = files().at(0);
  const std::string text = read(first);
  {
    PlanStore store(folder_, "T4");
    store.set_ranks("stage b", {});
  }
  for (const fs::path& file : files()) write(file, text);
  EXPECT_TRUE(empty(PlanStore(folder_, "T4")));
  expect_filled(PlanStore(folder_, "H200"));
}

TEST_F(Store, ADamagedFileIsIgnoredAndReplaced) {
  fill_file("key");
  const fs::path file = files().at(0);
  const std::string text = read(file);
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string damaged = text;
    damaged[i] = static_cast<char>(damaged[i] ^ (1 << i % 8));
    write(file, damaged);
    ASSERT_TRUE(empty(PlanStore(folder_, "key"))) << "byte " << i;
    write(file, text.substr(0, i));
    ASSERT_TRUE(empty(PlanStore(folder_, "key"))) << "first " << i << " bytes";
  }
  fill_file("key");
  EXPECT_EQ(read(file), text);
}

TEST_F(Store, AFolderThatCannotBeWrittenIsNoError) {
  fs::create_directories(folder_);
  write(folder_ / "file", "a file where a folder should be");
  PlanStore store(folder_ / "file", "key");
  fill(store);
  store.save();
  expect_filled(store);
  EXPECT_EQ(files().size(), 1U);
}

TEST_F(Store, AReadOnlyFolderIsNoError) {
  if (geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  fs::create_directories(folder_);
  fs::permissions(folder_, fs::perms::owner_read | fs::perms::owner_exec);
  fill_file("key");
  EXPECT_TRUE(files().empty());
  fs::permissions(folder_, fs::perms::owner_all);
}

TEST_F(Store, OfTwoStoresTheLastOneWins) {
  {
    PlanStore first(folder_, "key");
    PlanStore second(folder_, "key");
    fill(first);
    second.set_ranks("stage b", {7});
    first.save();
    expect_filled(PlanStore(folder_, "key"));
  }  // the second is destroyed first, the first has nothing new to save
  const PlanStore store(folder_, "key");
  EXPECT_TRUE(empty(store));
  ASSERT_NE(store.ranks("stage b"), nullptr);
  EXPECT_EQ(files().size(), 1U) << "no temporary files stay";
}

TEST_F(Store, DropsTheSlowestWaysOfATooLargeFile) {
  {
    PlanStore store(folder_, "key");
    for (const char* problem : {"conv a", "conv b"}) {
      std::vector<PlanStore::Way> ways;
      for (int i = 0; i < 40; ++i) ways.push_back({std::to_string(i), std::string(1 << 20, 'x'), Millis(i)});
      store.set_ways(problem, std::move(ways));
    }
  }
  EXPECT_LE(fs::file_size(files().at(0)), std::uintmax_t{64} << 20);
  const PlanStore store(folder_, "key");
  ASSERT_NE(store.ways("conv b"), nullptr);
  EXPECT_GE(store.ways("conv b")->size(), 8U);
  EXPECT_EQ(store.ways("conv b")->at(0).name, "0");
}

TEST_F(Store, KeepsNoLatencyThatIsNoNumber) {
  {
    PlanStore store(folder_, "key");
    store.set_ways("conv a", {{"a", "", Millis(1)}, {"b", "", Millis(std::numeric_limits<double>::infinity())}});
  }
  EXPECT_EQ(PlanStore(folder_, "key").ways("conv a")->size(), 1U);
}

TEST(DefaultPlanFolder, FollowsTheCacheFolderOfTheUser) {
  const auto variable = [](const char* name) -> std::optional<std::string> {
    const char* value = std::getenv(name);
    return value == nullptr ? std::nullopt : std::optional<std::string>(value);
  };
  const auto restore = [](const char* name, const std::optional<std::string>& value) {
    if (value) {
      setenv(name, value->c_str(), 1);
    } else {
      unsetenv(name);
    }
  };
  const auto cache = variable("XDG_CACHE_HOME");
  const auto home = variable("HOME");
  setenv("XDG_CACHE_HOME", "/somewhere", 1);
  setenv("HOME", "/elsewhere", 1);
  EXPECT_EQ(default_plan_folder(), "/somewhere/ios-explorer/gpu");
  setenv("XDG_CACHE_HOME", "relative", 1);
  EXPECT_EQ(default_plan_folder(), "/elsewhere/.cache/ios-explorer/gpu");
  unsetenv("XDG_CACHE_HOME");
  unsetenv("HOME");
  EXPECT_EQ(default_plan_folder(), std::nullopt);
  restore("XDG_CACHE_HOME", cache);
  restore("HOME", home);
}

namespace fs = std::filesystem;

class TrialLogTest : public testing::Test {
 protected:
  void SetUp() override { fs::remove_all(folder_); }
  void TearDown() override { fs::remove_all(folder_); }

  // What a process does before it ends without a word.
  void in_a_process_that_ends(const std::function<void(TrialLog&)>& work) const {
    const pid_t child = fork();
    if (child == 0) {
      TrialLog log(folder_, "gpu");
      work(log);
      std::_Exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFEXITED(status));
  }
  std::size_t files() const {
    std::error_code error;
    std::size_t count = 0;
    for ([[maybe_unused]] const auto& entry : fs::directory_iterator(folder_, error)) ++count;
    return count;
  }

  const fs::path folder_ = fs::path(testing::TempDir()) / "trial_log_test";
};

TEST_F(TrialLogTest, KnowsWhatEndedAProcess) {
  in_a_process_that_ends([](TrialLog& log) {
    { const Trial harmless(&log, "a"); }
    log.begin("b");
  });
  in_a_process_that_ends([](TrialLog& log) { log.begin("c, with\ttabs"); });
  for (int process = 0; process < 3; ++process) {
    const TrialLog log(folder_, "gpu");
    EXPECT_FALSE(log.ended("a"));
    EXPECT_TRUE(log.ended("b"));
    EXPECT_TRUE(log.ended("c, with\ttabs"));
    EXPECT_EQ(log.known(), 2U);
    EXPECT_EQ(files(), 1U) << "the processes' own files are gone";
  }
  EXPECT_EQ(TrialLog(folder_, "another gpu").known(), 0U);
}

TEST_F(TrialLogTest, KnowsNothingOfTrialsThatAreOverOrUnderWay) {
  TrialLog first(folder_, "gpu");
  first.begin("a");
  {
    const TrialLog meanwhile(folder_, "gpu");
    EXPECT_EQ(meanwhile.known(), 0U) << "its process lives";
  }
  first.end();
  { const Trial over(&first, "b"); }
  const TrialLog later(folder_, "gpu");
  EXPECT_EQ(later.known(), 0U);
}

TEST_F(TrialLogTest, LeavesNoFileBehindWhereNothingHappened) {
  {
    TrialLog log(folder_, "gpu");
    const Trial trial(&log, "a");
  }
  EXPECT_EQ(files(), 0U);
}

// What is caught further out is that the GPU is lost.
TEST_F(TrialLogTest, CountsATrialThatAnExceptionPasses) {
  {
    TrialLog log(folder_, "gpu");
    try {
      const Trial trial(&log, "a");
      throw std::runtime_error("an illegal memory access");
    } catch (const std::runtime_error&) {
    }
  }
  EXPECT_TRUE(TrialLog(folder_, "gpu").ended("a"));
}

TEST_F(TrialLogTest, DoesNotWriteDownAgainWhatItLeavesOut) {
  in_a_process_that_ends([](TrialLog& log) { log.begin("a"); });
  TrialLog log(folder_, "gpu");
  const Trial trial(&log, "a");
  EXPECT_TRUE(trial.ended_a_process());
  EXPECT_EQ(files(), 1U);
}

TEST_F(TrialLogTest, IgnoresDamage) {
  in_a_process_that_ends([](TrialLog& log) { log.begin("a"); });
  for (const auto& entry : fs::directory_iterator(folder_)) std::ofstream(entry.path(), std::ios::app) << "more";
  EXPECT_EQ(TrialLog(folder_, "gpu").known(), 0U);
  in_a_process_that_ends([](TrialLog& log) { log.begin("b"); });
  EXPECT_TRUE(TrialLog(folder_, "gpu").ended("b"));
}

TEST_F(TrialLogTest, WithoutAFolderTriesEverything) {
  TrialLog log(std::nullopt, "gpu");
  const Trial trial(&log, "a");
  EXPECT_FALSE(trial.ended_a_process());
  const Trial nowhere(nullptr, "a");
  EXPECT_FALSE(nowhere.ended_a_process());
  std::ofstream(folder_) << "a file where the folder should be";
  TrialLog blocked(folder_, "gpu");
  const Trial still(&blocked, "a");
  EXPECT_FALSE(still.ended_a_process());
}

class Restore : public testing::Test {
 protected:
  ConvProblem problem_ = test::conv3x3(Math::kHalf);
  std::unique_ptr<CudnnLibrary> library_ = CudnnLibrary::described(test::h200());
};

TEST_F(Restore, PlansComeBackAsTheyWere) {
  for (ConvProblem problem : {problem_, test::transposed3x3(Math::kTf32)}) {
    problem.y.pitch = 768;
    const auto plans = library_->plans(problem);
    ASSERT_FALSE(plans.empty());
    for (const LibraryPlanPtr& plan : plans) {
      const LibraryPlanPtr restored = library_->restore(problem, plan->serialised());
      ASSERT_NE(restored, nullptr) << plan->name();
      EXPECT_EQ(restored->name(), plan->name());
      EXPECT_EQ(restored->workspace_bytes(), plan->workspace_bytes());
      EXPECT_EQ(restored->problem(), Problem(problem));
      EXPECT_EQ(restored->serialised(), plan->serialised());
    }
  }
}

TEST_F(Restore, AnotherRunOfTheProgramCanDoIt) {
  const LibraryPlanPtr plan = library_->plans(problem_).at(0);
  library_ = CudnnLibrary::described(test::h200());
  ASSERT_NE(library_->restore(problem_, plan->serialised()), nullptr);
}

TEST_F(Restore, PlansOutliveTheirLibrary) {
  const LibraryPlanPtr plan = library_->plans(problem_).at(0);
  library_.reset();
  EXPECT_FALSE(plan->serialised().empty());
}

TEST_F(Restore, NotForAnotherProblem) {
  ConvProblem other = problem_;
  other.y.pitch = 768;
  EXPECT_EQ(library_->restore(other, library_->plans(problem_).at(0)->serialised()), nullptr);
}

TEST_F(Restore, NotForAnotherGpu) {
  const auto a100 = CudnnLibrary::described(test::a100());
  EXPECT_EQ(a100->restore(problem_, library_->plans(problem_).at(0)->serialised()), nullptr);
}

TEST_F(Restore, NoDamagedText) {
  const std::string text = library_->plans(problem_).at(0)->serialised();
  ASSERT_GT(text.size(), 1000U);
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string damaged = text;
    damaged[i] = static_cast<char>(damaged[i] ^ (1 << i % 8));
    ASSERT_EQ(library_->restore(problem_, damaged), nullptr) << "byte " << i;
    ASSERT_EQ(library_->restore(problem_, text.substr(0, i)), nullptr) << "first " << i << " bytes";
  }
  for (const char* garbage : {"", "\n", "{}", "0123456789abcdef\n{}"}) {
    EXPECT_EQ(library_->restore(problem_, garbage), nullptr);
  }
}

TEST(SealedText, ComesBackOnlyForItsPurpose) {
  const std::string text = sealed("purpose", "a\ntext");
  EXPECT_EQ(unsealed("purpose", text), "a\ntext");
  EXPECT_EQ(unsealed("other", text), std::nullopt);
  EXPECT_EQ(unsealed("purpose", sealed("purpos", "e\na\ntext")), std::nullopt);
  EXPECT_EQ(unsealed("", sealed("", "")), "");
}

}  // namespace

}  // namespace iosx::gpu
