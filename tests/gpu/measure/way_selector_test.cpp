#include "gpu/measure/way_selector.h"

#include <sys/wait.h>
#include <unistd.h>

#include "tests/devices/measure/samples.h"
#include "tests/gpu/measure/measuring.h"
#include "tests/support/prelude.h"

namespace iosx::gpu {
namespace {

using iosx::test::Samples;
using test::Engine;
using test::EngineLibrary;
using test::FailingRuntime;
using test::Measuring;

ConvProblem problem(std::int64_t channels = 8) {
  ConvProblem p;
  p.channels = p.out_channels = channels;
  p.input = p.output = {4, 4};
  p.kernel = {3, 3};
  p.padding = p.padding_end = {1, 1};
  p.x = p.y = {channels, 16};
  p.bias = true;
  return p;
}

std::vector<std::string> names(const std::vector<Way>& ways) {
  return mapped<std::string>(ways, [](const Way& way) { return way.name(); });
}

// One program run: a device, a library and a selector.
struct Program {
  explicit Program(std::vector<Engine> engines, PlanStore& store, double noise = 0, std::int64_t memory = 1 << 20)
      : library(std::move(engines)),
        m(
            [this, noise](const Step& step) {
              const auto [time, fill] = library.cost(step);
              return std::pair(time * (1 + noise * (random.uniform() - 0.5)), fill);
            },
            Micros{25}, memory),
        runtime(m.runtime),
        timer(runtime, m.guard),
        selector(runtime, library, timer, store) {}

  Samples random{3};
  EngineLibrary library;
  Measuring m;
  FailingRuntime runtime;
  ReplayTimer timer;
  WaySelector selector;
};

const std::vector<Engine> kEngines{{"a", 30}, {"b", 12}, {"c", 25}, {"d", 10}, {"e", 14}, {"f", 200}};

TEST(WaySelector, KeepsTheFastestInOrder) {
  PlanStore store(std::nullopt, "gpu");
  Program program(kEngines, store, 0.1);
  EXPECT_THAT(names(program.selector.ways(problem())), ElementsAre("d", "b", "e"));  // c and a take twice as long
  EXPECT_EQ(program.selector.measured_problems(), 1);
  const auto* kept = must(store.ways(key_of(problem())));
  ASSERT_EQ(kept->size(), 3U);
  EXPECT_EQ(kept->front().name, "d");
  EXPECT_EQ(kept->front().plan, "1 d");
  EXPECT_NEAR(kept->front().latency.count(), 0.010, 0.0002);
}

TEST(WaySelector, KeepsNoMoreThanFour) {
  PlanStore store(std::nullopt, "gpu");
  Program program({{"a", 14}, {"b", 13}, {"c", 12}, {"d", 11}, {"e", 10}}, store);
  EXPECT_THAT(names(program.selector.ways(problem())), ElementsAre("e", "d", "c", "b"));
}

// For neighbours: "f" takes half of the workspace, "e" a little less; with shared memory told, "f" of that.
TEST(WaySelector, KeepsASmallOneBesides) {
  PlanStore store(std::nullopt, "gpu");
  const std::vector<Engine> by_workspace{{"a", 10, 0, 4096}, {"b", 11, 0, 4096}, {"c", 12, 0, 4096}, {"d", 13, 0, 4096},
                                         {"e", 14, 0, 3072}, {"f", 15, 0, 1024}, {"g", 16, 0, 0}};
  {
    Program program(by_workspace, store);
    EXPECT_THAT(names(program.selector.ways(problem())), ElementsAre("a", "b", "c", "d", "f"));
  }
  Program again(by_workspace, store);
  EXPECT_THAT(names(again.selector.ways(problem())), ElementsAre("a", "b", "c", "d", "f")) << "from the store";
  EXPECT_EQ(again.selector.measured_problems(), 0);
  PlanStore empty(std::nullopt, "gpu");
  Program by_shared({{"a", 10, 0, 0, 98304},
                     {"b", 11, 0, 0, 98304},
                     {"c", 12, 0, 0, 98304},
                     {"d", 13, 0, 0, 65536},
                     {"e", 14, 0, 0, 40960},
                     {"f", 15, 0, 0, 32768},
                     {"g", 16, 0, 4096, 1024}},
                    empty);
  EXPECT_THAT(names(by_shared.selector.ways(problem())), ElementsAre("a", "b", "c", "d", "f"));
}

// The first run of "b" ends the process; the next process leaves it out, and the one after that.
TEST(WaySelector, LeavesOutAWayThatEndedAProcess) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "way_selector_trials";
  std::filesystem::remove_all(folder);
  const pid_t child = fork();
  if (child == 0) {
    PlanStore store(std::nullopt, "gpu");
    TrialLog trials(folder, "gpu");
    Program program(kEngines, store);
    program.library.set_trials(&trials);
    program.library.fatal = "b";
    program.selector.ways(problem());
    std::_Exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  ASSERT_EQ(WEXITSTATUS(status), 7);
  for (int run = 0; run < 2; ++run) {
    PlanStore store(std::nullopt, "gpu");
    TrialLog trials(folder, "gpu");
    EXPECT_EQ(trials.known(), 1U);
    Program program(kEngines, store);
    program.library.set_trials(&trials);
    EXPECT_THAT(names(program.selector.ways(problem())), ElementsAre("d", "e"));
    EXPECT_THAT(names(program.selector.ways(problem(16))), ElementsAre("d", "b", "e")) << "another problem";
  }
  std::filesystem::remove_all(folder);
}

TEST(WaySelector, MeasuresAProblemOnce) {
  PlanStore store(std::nullopt, "gpu");
  Program program(kEngines, store);
  program.selector.ways(problem());
  const Micros then = program.m.runtime.now();
  program.selector.ways(problem());
  EXPECT_EQ(program.library.asked, 1);
  EXPECT_EQ(program.m.runtime.now(), then);
  program.selector.ways(problem(16));
  EXPECT_EQ(program.selector.measured_problems(), 2);
}

TEST(WaySelector, GivesAllMemoryBack) {
  PlanStore store(std::nullopt, "gpu");
  Program program(kEngines, store);
  const auto before = program.m.runtime.allocated_bytes();
  program.selector.ways(problem());
  EXPECT_EQ(program.m.runtime.allocated_bytes(), before);
}

TEST(WaySelector, TakesTheLeastMemoryWhereNoiseHidesTheDifference) {
  int taken = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    PlanStore store(std::nullopt, "gpu");
    Program noisy({{"a", 10, 0, 4096}, {"c", 10, 0, 1024}, {"b", 10.01, 0, 1024}, {"d", 15, 0, 0}}, store, 1);
    noisy.random = Samples(seed);
    taken += names(noisy.selector.ways(problem())).front() == "b" ? 1 : 0;
  }
  EXPECT_GE(taken, 17);  // but for some that noise makes look different
  PlanStore store(std::nullopt, "gpu");
  Program quiet({{"a", 10, 0, 4096}, {"b", 10.01, 0, 1024}}, store);
  EXPECT_EQ(names(quiet.selector.ways(problem())).front(), "a");
}

TEST(WaySelector, SpendsLittleOnASlowProblem) {
  PlanStore store(std::nullopt, "gpu");
  Program program({{"a", 20'000}, {"b", 15'000}, {"c", 500'000}}, store);
  const Micros then = program.m.runtime.now();
  EXPECT_THAT(names(program.selector.ways(problem())), ElementsAre("b", "a"));
  // Warm-up runs: 1 plain and 3 alone of each; the first and last of the rounds: 1 more of a and b.
  EXPECT_LT(program.m.runtime.now() - then, Millis{4 * 535 + 400});
}

TEST(WaySelector, AsksTheStoreBeforeTheLibrary) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "ios_way_selector_store";
  std::filesystem::remove_all(folder);
  std::vector<std::string> measured;
  {
    PlanStore store(folder, "gpu");
    Program program(kEngines, store);
    measured = names(program.selector.ways(problem()));
  }
  PlanStore store(folder, "gpu");
  Program program(kEngines, store);
  const Micros then = program.m.runtime.now();
  EXPECT_EQ(names(program.selector.ways(problem())), measured);
  EXPECT_EQ(program.library.asked, 0);
  EXPECT_EQ(program.selector.measured_problems(), 0);
  EXPECT_EQ(program.m.runtime.now(), then);

  PlanStore elsewhere(folder, "another gpu");
  Program moved(kEngines, elsewhere);
  EXPECT_EQ(names(moved.selector.ways(problem())), measured);
  EXPECT_EQ(moved.selector.measured_problems(), 1);
  std::filesystem::remove_all(folder);
}

TEST(WaySelector, MeasuresAnewWhatTheLibraryDoesNotTakeBack) {
  PlanStore store(std::nullopt, "gpu");
  Program(kEngines, store).selector.ways(problem());
  Program newer({{"a", 10}, {"b", 12}, {"d", 13}, {"e", 14}}, store);
  newer.library.mark = std::string("2");
  EXPECT_THAT(names(newer.selector.ways(problem())), ElementsAre("a", "b", "d", "e"));
  EXPECT_EQ(newer.selector.measured_problems(), 1);
  EXPECT_EQ(store.ways(key_of(problem()))->front().plan, "2 a");
}

TEST(WaySelector, LeavesOutWhatNeedsTooMuchMemory) {
  PlanStore store(std::nullopt, "gpu");
  Program program({{"a", 5, 0, 1 << 30}, {"b", 10}, {"c", 7, 0, 1 << 29}, {"d", 9, 0, 4096}}, store);
  EXPECT_THAT(names(program.selector.ways(problem())), ElementsAre("d", "b"));
}

TEST(WaySelector, FallsBackToTheLibrarysOrderWithoutMemoryForTheOperands) {
  PlanStore store(std::nullopt, "gpu");
  Program program(kEngines, store, 0, 16 << 10);
  EXPECT_THAT(names(program.selector.ways(problem(512))), ElementsAre("a", "b", "c", "d"));
  EXPECT_EQ(store.ways(key_of(problem(512))), nullptr);
}

TEST(WaySelector, LeavesOutWhatThrows) {
  for (const bool in_capture : {false, true}) {
    PlanStore store(std::nullopt, "gpu");
    Program program(kEngines, store);
    program.runtime.before_convolution = [&](const LibraryPlan& plan, const Operands&) {
      if (program.runtime.capturing != in_capture) return;
      if (plan.name() == "d") throw GpuError("not supported");
      if (plan.name() == "b") throw Unsupported(verbatim("no"));
      if (plan.name() == "c") throw OutOfMemory(verbatim("no"));
    };
    EXPECT_THAT(names(program.selector.ways(problem())), ElementsAre("e"));  // a takes more than twice as long
  }
}

TEST(WaySelector, PassesOnWhatMakesTheGpuUnusable) {
  PlanStore store(std::nullopt, "gpu");
  Program program(kEngines, store);
  program.runtime.before_convolution = [&](const LibraryPlan& plan, const Operands&) {
    program.runtime.broken = plan.name() == "b";
  };
  EXPECT_THROW(program.selector.ways(problem()), GpuError);
  EXPECT_EQ(store.ways(key_of(problem())), nullptr);
}

TEST(WaySelector, SaysWhatWentWrongIfNothingIsLeft) {
  PlanStore store(std::nullopt, "gpu");
  Program program(kEngines, store);
  program.runtime.before_convolution = [](const auto&, const auto&) { throw Unsupported(verbatim("nothing works")); };
  EXPECT_THROW(program.selector.ways(problem()), Unsupported);
  Program none({}, store);
  EXPECT_THROW(none.selector.ways(problem()), Unsupported);
}

TEST(WaySelector, StopsAndStoresNothing) {
  for (const int at : {0, 1, 7, 50, 80}) {
    PlanStore store(std::nullopt, "gpu");
    Program program(kEngines, store);
    std::stop_source stop;
    const JobContext job{stop.get_token(), {}};
    program.selector.set_job(&job);
    int launches = 0;
    if (at == 0) stop.request_stop();
    program.runtime.before_convolution = [&](const auto&, const auto&) {
      if (++launches == at) stop.request_stop();
    };
    EXPECT_THAT(names(program.selector.ways(problem())), ElementsAre("a", "b", "c", "d")) << at;
    EXPECT_EQ(store.ways(key_of(problem())), nullptr);
    program.selector.set_job(nullptr);
    EXPECT_EQ(names(program.selector.ways(problem())).front(), "d");  // the next job measures
  }
}

TEST(WaySelector, ReportsProgress) {
  PlanStore store(std::nullopt, "gpu");
  Program program(kEngines, store);
  std::vector<std::int64_t> done;
  const JobContext job{{}, [&](const Progress& progress) { done.push_back(progress.done); }};
  program.selector.set_job(&job);
  program.selector.ways(problem());
  program.selector.ways(problem());
  program.selector.ways(problem(16));
  EXPECT_THAT(done, ElementsAre(0, 1));
}

// Operands as the problem describes them, full of numbers.
TEST(WaySelector, TriesOnRandomNumbersWithTheProblemsLayout) {
  ConvProblem p = problem(6);
  p.x = {10, 8};
  p.y = {7, 4};
  p.z = {6, 16};
  p.residual = true;
  test::HostRuntime::Options options{.memory = 1 << 24};
  test::HostRuntime host(options);
  FailingRuntime runtime(host);
  ClockGuard::Options quick;
  quick.warm_up_min = quick.warm_up_max = std::chrono::milliseconds{0};
  ClockGuard guard(runtime, quick);
  ReplayTimer timer(runtime, guard);
  PlanStore store(std::nullopt, "gpu");
  EngineLibrary library({{"a"}, {"b"}});
  WaySelector selector(runtime, library, timer, store);
  int seen = 0;
  const auto numbers = [](const void* data, std::size_t count) {
    const auto* floats = static_cast<const float*>(data);
    std::set<float> different;
    for (std::size_t i = 0; i < count; ++i) {
      if (floats[i] != 0 && std::abs(floats[i]) <= 1) different.insert(floats[i]);
    }
    return different.size();
  };
  runtime.before_convolution = [&](const LibraryPlan& plan, const Operands& operands) {
    if (runtime.capturing || plan.problem() != Problem(p)) return;
    ++seen;
    runtime.synchronize(StreamId{0});
    EXPECT_GT(numbers(operands.x, 15 * 10 + 6), 140U);
    EXPECT_GT(numbers(operands.weights, 6 * 6 * 9), 300U);
    EXPECT_EQ(numbers(operands.bias, 6), 6U);
    EXPECT_GT(numbers(operands.residual, 15 * 6), 80U);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(operands.x) % 16, 8U);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(operands.y) % 16, 4U);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(operands.residual) % 16, 0U);
  };
  EXPECT_EQ(selector.ways(p).size(), 4U);  // of eight: with and without copies of x and y
  EXPECT_EQ(seen, 2);
}

}  // namespace
}  // namespace iosx::gpu
