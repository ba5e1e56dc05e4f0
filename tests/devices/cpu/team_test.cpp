#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include <ctime>
#include <oneapi/dnnl/dnnl.hpp>
#include <stdexcept>

#include "core/devices/cpu/cores.h"
#include "core/devices/cpu/team.h"
#include "tests/support/prelude.h"

extern "C" {
void GOMP_parallel(void (*function)(void*), void* data, unsigned threads, unsigned flags);
void GOMP_barrier();
int omp_get_max_threads();
int omp_get_num_threads();
int omp_get_thread_num();
int omp_in_parallel();
}

namespace iosx {
namespace {

using std::chrono_literals::operator""ms;
using std::chrono_literals::operator""us;

std::unique_ptr<TeamPool> make_pool(int cores, std::chrono::microseconds spin = 200us) {
  auto pool = TeamPool::create(cores, {.spin = spin, .pin = false});
  EXPECT_TRUE(pool.has_value());
  return *std::move(pool);
}

void run(TeamPool& pool, const std::vector<int>& sizes, FunctionRef<void(int)> body) { pool.run(sizes, body); }

// Returns once `all` threads have called it: never, unless they run at the same time.
void meet(std::atomic<int>& here, int all) {
  here.fetch_add(1);
  while (here.load() < all) std::this_thread::yield();
}

std::string error_of(FunctionRef<void()> call) {
  try {
    call();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "nothing thrown";
}

TEST(Team, OutsideIsATeamOfOne) {
  Team& team = Team::current();
  EXPECT_EQ(team.size(), 1);
  int calls = 0;
  team.parallel(4, [&](int i) {
    EXPECT_EQ(i, 0);
    EXPECT_EQ(Team::seat().threads, 1);
    EXPECT_FALSE(Team::seat().forked);
    Team::current().barrier();
    ++calls;
  });
  team.barrier();
  EXPECT_EQ(calls, 1);
}

class Partition : public testing::TestWithParam<std::vector<int>> {};

// Everything runs at the same time on different threads, whether or not there are as many processors.
TEST_P(Partition, EveryMemberOfEveryTeamRunsAtOnce) {
  const std::vector<int>& sizes = GetParam();
  const int cores = std::accumulate(sizes.begin(), sizes.end(), 0);
  const auto pool = make_pool(cores);
  EXPECT_EQ(pool->cores(), cores);
  std::atomic<int> masters = 0;
  std::atomic<int> members = 0;
  std::vector<std::vector<std::thread::id>> threads;
  threads.reserve(sizes.size());
  for (const int size : sizes) threads.emplace_back(size);
  run(*pool, sizes, [&](int t) {
    meet(masters, static_cast<int>(sizes.size()));
    EXPECT_EQ(Team::current().size(), sizes[t]);
    Team::current().parallel(0, [&](int i) {
      meet(members, cores);
      EXPECT_EQ(Team::seat().index, i);
      EXPECT_EQ(Team::seat().threads, sizes[t]);
      threads[t][i] = std::this_thread::get_id();
    });
  });
  EXPECT_EQ(threads[0][0], std::this_thread::get_id());
  EXPECT_EQ(Team::current().size(), 1);
  std::vector<std::thread::id> all;
  for (const auto& team : threads) all.insert(all.end(), team.begin(), team.end());
  std::sort(all.begin(), all.end());
  EXPECT_EQ(std::unique(all.begin(), all.end()), all.end());
}

INSTANTIATE_TEST_SUITE_P(Sizes, Partition,
                         testing::Values(std::vector{1}, std::vector{2}, std::vector{1, 1}, std::vector{1, 3},
                                         std::vector{3, 1}, std::vector{2, 2, 1}, std::vector{8}, std::vector{4, 4, 4},
                                         std::vector(17, 1)));

TEST(TeamPool, LeavesOutCores) {
  const auto pool = make_pool(4);
  std::vector<int> sum(2);
  run(*pool, {1, 2}, [&](int t) {
    std::atomic<int> calls = 0;
    Team::current().parallel(0, [&](int) { ++calls; });
    sum[t] = calls;
  });
  EXPECT_THAT(sum, ElementsAre(1, 2));
  run(*pool, {}, [](int) { FAIL() << "there is no team"; });
}

TEST(Team, FewerThreadsThanTheTeam) {
  const auto pool = make_pool(3);
  run(*pool, {3}, [](int) {
    for (const auto& [wanted, got] : {std::pair{0, 3}, {1, 1}, {2, 2}, {3, 3}, {9, 3}}) {
      std::atomic<int> calls = 0;
      Team::current().parallel(wanted, [&, threads = got](int) {
        EXPECT_EQ(Team::seat().threads, threads);
        EXPECT_EQ(Team::seat().forked, threads > 1);
        ++calls;
      });
      EXPECT_EQ(calls, got);
    }
    EXPECT_EQ(Team::current().forks(), 4U);
  });
}

TEST(Team, ARegionInARegionHasOneThread) {
  const auto pool = make_pool(2);
  run(*pool, {2}, [](int) {
    std::atomic<int> calls = 0;
    Team::current().parallel(2, [&](int i) {
      Team::current().parallel(2, [&](int inner) {
        EXPECT_EQ(inner, 0);
        EXPECT_EQ(Team::seat().threads, 1);
        Team::current().barrier();  // of this thread alone
        ++calls;
      });
      EXPECT_EQ(Team::seat().index, i);
      EXPECT_EQ(Team::seat().threads, 2);
      Team::current().barrier();
    });
    EXPECT_EQ(calls, 2);
    // A region of one thread takes nothing away.
    Team::current().parallel(1, [&](int) { Team::current().parallel(2, [&](int) { ++calls; }); });
    EXPECT_EQ(calls, 4);
  });
}

// Plain integers: the barrier alone orders what the threads do, for the thread sanitizer too.
TEST(Team, BarrierOrdersThreads) {
  for (const int size : {2, 3, 5}) {
    const auto pool = make_pool(size);
    run(*pool, {size}, [size](int) {
      std::vector<int> values(size);
      Team::current().parallel(size, [&](int i) {
        for (int round = 1; round <= 300; ++round) {
          values[i] = round;
          Team::current().barrier();
          EXPECT_THAT(values, Each(round));
          Team::current().barrier();
        }
      });
    });
  }
}

TEST(TeamPool, ThousandsOfChangesOfTeams) {
  const auto pool = make_pool(2);
  std::array<int, 2> counts{};  // plain: ordered by run() and parallel() alone
  for (int round = 0; round < 5000; ++round) {
    run(*pool, {2}, [&](int) {
      for (int i = 0; i < 3; ++i) Team::current().parallel(2, [&](int member) { ++counts[member]; });
    });
    run(*pool, {1, 1}, [&](int t) { Team::current().parallel(0, [&](int) { ++counts[t]; }); });
  }
  EXPECT_THAT(counts, Each(5000 * 4));
}

TEST(TeamPool, ThreadsThatNeverSpin) {
  const auto pool = make_pool(2, 0us);
  std::array<int, 2> counts{};
  for (int round = 0; round < 1000; ++round) {
    run(*pool, {2}, [&](int) { Team::current().parallel(2, [&](int member) { ++counts[member]; }); });
    run(*pool, {1, 1}, [&](int t) { ++counts[t]; });
  }
  EXPECT_THAT(counts, Each(2000));
}

double cpu_seconds() {
  timespec used{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec);
}

TEST(TeamPool, IdleThreadsSleepAndAreWoken) {
  const auto pool = make_pool(2, 100us);
  for (int round = 0; round < 3; ++round) {
    const double before = cpu_seconds();
    std::this_thread::sleep_for(100ms);
    EXPECT_LT(cpu_seconds() - before, 0.05);
    std::array<int, 2> calls{};
    run(*pool, {1, 1}, [&](int t) { ++calls[t]; });
    EXPECT_THAT(calls, Each(1));
    // The member sleeps while its master is busy, the master while its member is.
    run(*pool, {2}, [&](int) {
      for (const int slow : {0, 1}) {
        Team::current().parallel(2, [&](int i) {
          if (i == slow) std::this_thread::sleep_for(5ms);
          Team::current().barrier();
          if (i != slow) std::this_thread::sleep_for(5ms);
        });
        std::this_thread::sleep_for(5ms);
      }
    });
  }
}

TEST(TeamPool, ThrowsWhatTheLowestBodyThrew) {
  const auto pool = make_pool(4);
  for (int round = 0; round < 50; ++round) {
    EXPECT_EQ(error_of([&] {
                run(*pool, {1, 1, 2}, [](int t) {
                  if (t > 0) throw std::runtime_error("team " + std::to_string(t));
                });
              }),
              "team 1");
    EXPECT_EQ(error_of([&] { run(*pool, {2}, [](int) { throw std::runtime_error("master"); }); }), "master");
    EXPECT_EQ(Team::current().size(), 1);
  }
  int calls = 0;
  run(*pool, {4}, [&](int) { ++calls; });
  EXPECT_EQ(calls, 1);
}

TEST(Team, ThrowsWhatTheLowestMemberThrew) {
  const auto pool = make_pool(3);
  run(*pool, {3}, [](int) {
    for (int round = 0; round < 50; ++round) {
      for (const int first : {0, 1, 2}) {
        EXPECT_EQ(error_of([&] {
                    Team::current().parallel(3, [&](int i) {
                      if (i >= first) throw std::runtime_error("member " + std::to_string(i));
                    });
                  }),
                  "member " + std::to_string(first));
        EXPECT_EQ(Team::seat().threads, 1);
      }
    }
  });
}

TEST(Team, NobodyWaitsAtABarrierForOneThatThrew) {
  const auto pool = make_pool(3);
  run(*pool, {3}, [](int) {
    for (int round = 0; round < 100; ++round) {
      std::atomic<int> through = 0;
      EXPECT_EQ(error_of([&] {
                  Team::current().parallel(3, [&](int i) {
                    Team::current().barrier();
                    if (i == round % 3) throw std::runtime_error("gone");
                    Team::current().barrier();
                    Team::current().barrier();
                    ++through;
                  });
                }),
                "gone");
      EXPECT_EQ(through, 2);
    }
  });
}

TEST(CorePin, BindsAThreadForAWhile) {
  std::thread([] {
    const int before = available_cores();
    for (int core = 0; core < before; ++core) {
      const CorePin pin(core);
      ASSERT_TRUE(pin.pinned());
      EXPECT_EQ(available_cores(), 1);
    }
    EXPECT_FALSE(CorePin(before).pinned());
    EXPECT_FALSE(CorePin(-1).pinned());
    EXPECT_EQ(available_cores(), before);
  }).join();
}

TEST(TeamPool, PinsItsThreadsButNotTheCaller) {
  const int cores = available_cores();
  if (cores < 2) GTEST_SKIP() << "one processor";
  const auto pool = *TeamPool::create(cores, {.spin = 200us, .pin = true});
  std::vector<int> processors(static_cast<std::size_t>(cores));
  run(*pool, {cores}, [&](int) {
    Team::current().parallel(0, [&](int i) {
      EXPECT_EQ(available_cores(), i == 0 ? cores : 1);
      processors[i] = i == 0 ? -1 : sched_getcpu();
    });
  });
  std::sort(processors.begin(), processors.end());
  EXPECT_EQ(std::unique(processors.begin(), processors.end()), processors.end());
  const auto crowded = *TeamPool::create(cores + 1, {.spin = 200us, .pin = true});
  run(*crowded, {cores + 1},
      [&](int) { Team::current().parallel(0, [&](int) { EXPECT_EQ(available_cores(), cores); }); });
}

TEST(TeamPool, RefusesImpossibleSizes) {
  for (const int cores : {-1, 0, 1025}) {
    EXPECT_THAT(refused(TeamPool::create(cores)).text(), HasSubstr("use 1 to 1024"));
  }
}

TEST(TeamPool, ReportsThatThereAreNoThreads) {
  pthread_attr_t before;
  pthread_attr_t vast;
  ASSERT_EQ(pthread_getattr_default_np(&before), 0);
  ASSERT_EQ(pthread_getattr_default_np(&vast), 0);
  ASSERT_EQ(pthread_attr_setstacksize(&vast, std::size_t{1} << 47), 0);  // more than a process can address
  ASSERT_EQ(pthread_setattr_default_np(&vast), 0);
  const auto pool = TeamPool::create(3);
  ASSERT_EQ(pthread_setattr_default_np(&before), 0);
  ASSERT_FALSE(pool.has_value());
  EXPECT_THAT(pool.error().text(), HasSubstr("cannot start 2 threads"));
}

TEST(TeamPoolDeathTest, ChecksSizes) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto pool = make_pool(2);
  EXPECT_DEATH(run(*pool, {2, 1}, [](int) {}), "invariant broken");
  EXPECT_DEATH(run(*pool, {1}, [&](int) { run(*pool, {1}, [](int) {}); }), "invariant broken");
}

std::unique_ptr<TeamPool> make_pinned_pool(int cores) {
  auto pool = TeamPool::create(cores);
  EXPECT_TRUE(pool.has_value());
  return *std::move(pool);
}

void run_lanes(TeamPool& pool, const std::vector<int>& sizes, FunctionRef<void(int)> body) { pool.run(sizes, body); }

std::size_t threads_of_process() {
  const std::filesystem::directory_iterator threads("/proc/self/task");
  return static_cast<std::size_t>(std::distance(begin(threads), end(threads)));
}

// Notes what OpenMP says in each thread of a region.
struct Notes {
  struct Line {
    int calls = 0;
    int threads = 0;
    bool parallel = false;
  };
  std::vector<Line> lines{8};
  std::vector<int> after = std::vector<int>(8);  // calls of all, seen behind the barrier

  static void take(void* self) {
    auto& notes = *static_cast<Notes*>(self);
    const int i = omp_get_thread_num();
    Line& line = notes.lines.at(static_cast<std::size_t>(i));
    ++line.calls;
    line.threads = omp_get_num_threads();
    line.parallel = omp_in_parallel() != 0;
    GOMP_barrier();
    for (const Line& other : notes.lines) notes.after.at(static_cast<std::size_t>(i)) += other.calls;
  }
  int calls() const {
    int sum = 0;
    for (const Line& line : lines) sum += line.calls;
    return sum;
  }
};

TEST(OpenMp, IsOurs) {
  // What libdnnl finds: in this program, not in libgomp.
  for (const char* name : {"GOMP_parallel", "GOMP_barrier", "omp_get_max_threads", "omp_get_num_threads",
                           "omp_get_thread_num", "omp_in_parallel"}) {
    Dl_info found{};
    Dl_info own{};
    ASSERT_NE(dladdr(dlsym(RTLD_DEFAULT, name), &found), 0) << name;
    static const int here = 0;
    ASSERT_NE(dladdr(&here, &own), 0);
    EXPECT_EQ(found.dli_fbase, own.dli_fbase) << name << " is that of " << found.dli_fname;
  }
}

TEST(OpenMp, OneThreadOutsideOfTeams) {
  const std::size_t threads = threads_of_process();
  EXPECT_EQ(omp_get_max_threads(), 1);
  EXPECT_EQ(omp_get_num_threads(), 1);
  EXPECT_EQ(omp_get_thread_num(), 0);
  EXPECT_EQ(omp_in_parallel(), 0);
  GOMP_barrier();
  for (const unsigned wanted : {0U, 1U, 4U}) {
    Notes notes;
    GOMP_parallel(Notes::take, &notes, wanted, 0);
    EXPECT_EQ(notes.calls(), 1);
    EXPECT_EQ(notes.lines[0].threads, 1);
    EXPECT_FALSE(notes.lines[0].parallel);
  }
  EXPECT_EQ(threads_of_process(), threads);
}

TEST(OpenMp, RegionsHaveTheTeamsThreads) {
  const auto pool = make_pinned_pool(5);
  const std::vector<int> sizes{2, 3};
  run_lanes(*pool, sizes, [&](int t) {
    const int size = sizes[t];
    EXPECT_EQ(omp_get_max_threads(), size);
    EXPECT_EQ(omp_get_num_threads(), 1);
    EXPECT_EQ(omp_in_parallel(), 0);
    for (int wanted = 0; wanted <= size; ++wanted) {
      const int threads = wanted == 0 ? size : wanted;
      Notes notes;
      GOMP_parallel(Notes::take, &notes, static_cast<unsigned>(wanted), 0);
      EXPECT_EQ(notes.calls(), threads);
      for (int i = 0; i < threads; ++i) {
        EXPECT_EQ(notes.lines[i].calls, 1);
        EXPECT_EQ(notes.lines[i].threads, threads);
        EXPECT_EQ(notes.lines[i].parallel, threads > 1);
        EXPECT_EQ(notes.after[i], threads);
      }
    }
  });
  EXPECT_EQ(omp_get_max_threads(), 1);
}

TEST(OpenMp, ARegionInARegionHasOneThread) {
  const auto pool = make_pinned_pool(2);
  run_lanes(*pool, {2}, [](int) {
    Team::current().parallel(2, [](int i) {
      EXPECT_EQ(omp_get_thread_num(), i);
      Notes notes;
      GOMP_parallel(Notes::take, &notes, 2, 0);
      EXPECT_EQ(notes.calls(), 1);
      EXPECT_TRUE(notes.lines[0].parallel);
    });
  });
}

// A convolution large enough for several threads: 56 x 56 pixels, 64 channels, 3 x 3, as oneDNN makes it for the
// calling thread's team. Inputs are small integers, so that no order of summation rounds.
std::vector<float> convolve() {
  using dnnl::memory;
  using Tag = memory::format_tag;
  constexpr auto kFloat = memory::data_type::f32;
  const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(engine);
  const memory::desc image({1, 64, 56, 56}, kFloat, Tag::nhwc);
  const memory::desc plain({64, 64, 3, 3}, kFloat, Tag::oihw);
  const memory::desc any({64, 64, 3, 3}, kFloat, Tag::any);
  const dnnl::convolution_forward::primitive_desc convolution({dnnl::prop_kind::forward_inference,
                                                               dnnl::algorithm::convolution_direct,
                                                               image,
                                                               any,
                                                               image,
                                                               {1, 1},
                                                               {1, 1},
                                                               {1, 1}},
                                                              engine);
  std::vector<float> in(image.get_size() / sizeof(float));
  std::vector<float> filters(plain.get_size() / sizeof(float));
  std::vector<float> out(in.size(), NAN);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i * 7 % 11) - 5.0F;
  for (std::size_t i = 0; i < filters.size(); ++i) filters[i] = static_cast<float>(i * 5 % 13) - 6.0F;
  memory source(image, engine, in.data());
  memory weights(plain, engine, filters.data());
  memory prepared(convolution.weights_desc(), engine);
  memory target(image, engine, out.data());
  dnnl::reorder(weights, prepared).execute(stream, weights, prepared);
  dnnl::convolution_forward(convolution)
      .execute(stream, {{DNNL_ARG_SRC, source}, {DNNL_ARG_WEIGHTS, prepared}, {DNNL_ARG_DST, target}});
  stream.wait();
  return out;
}

TEST(OpenMp, OneDnnRunsOnTheCallersTeam) {
  const std::vector<float> alone = convolve();
  EXPECT_FALSE(std::isnan(alone.front()));
  const auto pool = make_pinned_pool(3);
  const std::size_t threads = threads_of_process();
  for (const std::vector<int>& sizes : {std::vector{1}, {2}, {3}, {1, 1}, {1, 2}, {1, 1, 1}}) {
    std::vector<std::vector<float>> results(sizes.size());
    std::vector<std::uint64_t> forks(sizes.size());
    run_lanes(*pool, sizes, [&](int t) {
      const std::uint64_t before = Team::current().forks();
      for (int i = 0; i < 3; ++i) results[t] = convolve();
      forks[t] = Team::current().forks() - before;
    });
    for (std::size_t t = 0; t < sizes.size(); ++t) {
      EXPECT_TRUE(results[t] == alone) << "team of " << sizes[t];
      EXPECT_EQ(forks[t] > 0, sizes[t] > 1) << "team of " << sizes[t];
    }
  }
  EXPECT_EQ(threads_of_process(), threads);  // libgomp would have started its own
}

TEST(OpenMpDeathTest, APrimitiveForMoreThreadsThanTheTeamHas) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto pool = make_pinned_pool(1);
  Notes notes;
  EXPECT_DEATH(run_lanes(*pool, {1}, [&](int) { GOMP_parallel(Notes::take, &notes, 2, 0); }), "invariant broken");
}

namespace fs = std::filesystem;

// A folder that stands for the system's root.
class CoresTest : public testing::Test {
 protected:
  CoresTest() { fs::create_directories(root_); }
  ~CoresTest() override { fs::remove_all(root_); }
  CoresTest(const CoresTest&) = delete;
  CoresTest& operator=(const CoresTest&) = delete;

  void write(const std::string& file, const std::string& text) const {
    fs::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file) << text << '\n';
  }
  void siblings(int processor, const std::string& list) const {
    write("sys/devices/system/cpu/cpu" + std::to_string(processor) + "/topology/thread_siblings_list", list);
  }

  fs::path root_ = fs::temp_directory_path() / ("iosx_cores_" + std::to_string(getpid()));
};

TEST_F(CoresTest, OneThreadOfEachCoreComputes) {
  siblings(0, "0,4");
  siblings(1, "1,5");
  siblings(4, "0,4");
  siblings(5, "1,5");
  EXPECT_THAT(one_of_each_core({0, 1, 4, 5}, root_), ElementsAre(0, 1));
  EXPECT_THAT(one_of_each_core({1, 4, 5}, root_), ElementsAre(1, 4)) << "the first of its core that may be used";
  EXPECT_THAT(one_of_each_core({2, 3}, root_), ElementsAre(2, 3)) << "nothing is known of these";
}

TEST_F(CoresTest, WithoutAControlGroupThereIsNoQuota) {
  EXPECT_EQ(cpu_quota(root_), 0);
  write("proc/self/cgroup", "0::/");
  write("sys/fs/cgroup/cpu.max", "max 100000");
  EXPECT_EQ(cpu_quota(root_), 0);
}

TEST_F(CoresTest, TheStrictestGroupCounts) {
  write("proc/self/cgroup", "0::/outer/inner");
  write("sys/fs/cgroup/outer/inner/cpu.max", "800000 100000");
  EXPECT_EQ(cpu_quota(root_), 8);
  write("sys/fs/cgroup/outer/cpu.max", "350000 100000");
  EXPECT_EQ(cpu_quota(root_), 3);
  write("sys/fs/cgroup/cpu.max", "50000 100000");
  EXPECT_EQ(cpu_quota(root_), 1) << "half a processor is one thread";
}

TEST_F(CoresTest, AContainerSeesItsOwnGroupAsTheRoot) {
  write("proc/self/cgroup", "0::/docker/4f1c");
  write("sys/fs/cgroup/cpu.max", "200000 100000");
  EXPECT_EQ(cpu_quota(root_), 2);
}

TEST_F(CoresTest, OlderGroupsHaveFilesOfTheirOwn) {
  write("proc/self/cgroup", "7:memory:/m\n4:cpu,cpuacct:/c");
  write("sys/fs/cgroup/cpu,cpuacct/c/cpu.cfs_quota_us", "250000");
  write("sys/fs/cgroup/cpu,cpuacct/c/cpu.cfs_period_us", "100000");
  EXPECT_EQ(cpu_quota(root_), 2);
  write("sys/fs/cgroup/cpu,cpuacct/c/cpu.cfs_quota_us", "-1");
  EXPECT_EQ(cpu_quota(root_), 0);
}

TEST_F(CoresTest, NonsenseIsNoQuota) {
  write("proc/self/cgroup", "nonsense\n0::");
  write("sys/fs/cgroup/cpu.max", "lots 0");
  EXPECT_EQ(cpu_quota(root_), 0);
}

TEST(Cores, ThereIsAlwaysOne) { EXPECT_FALSE(usable_cores().processors.empty()); }

}  // namespace

}  // namespace iosx
