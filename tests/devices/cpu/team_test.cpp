#include "core/devices/cpu/team.h"

#include <gmock/gmock.h>
#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <ctime>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/devices/cpu/cores.h"

namespace iosx {
namespace {

using std::chrono_literals::operator""ms;
using std::chrono_literals::operator""us;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

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
    const auto pool = TeamPool::create(cores);
    ASSERT_FALSE(pool.has_value());
    EXPECT_THAT(pool.error().text(), HasSubstr("use 1 to 1024"));
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

}  // namespace
}  // namespace iosx
