#include "core/devices/simulated/contention_model.h"
#include "tests/support/prelude.h"

namespace iosx::simulated {
namespace {

// Ten multiprocessors of 100 FLOPs a µs that one warp fills; 100 bytes a µs; nothing else costs anything.
Machine machine() { return Machine{.sms = 10, .flops_per_us = 1000, .dram_bytes_per_us = 100, .l2_bytes_per_us = 1e9}; }

// Blocks of 500 FLOPs, which one multiprocessor computes in 5 µs.
KernelLoad compute(int blocks, int blocks_per_sm = 1) {
  return KernelLoad{.blocks = blocks, .warps = 4, .blocks_per_sm = blocks_per_sm, .flops = 500};
}

KernelLoad traffic(int blocks, int warps, double bytes) {
  return KernelLoad{.blocks = blocks, .warps = warps, .dram_bytes = bytes};
}

std::vector<Launch> side_by_side(std::initializer_list<KernelLoad> loads) {
  std::vector<Launch> launches;
  for (const KernelLoad& load : loads) launches.push_back(Launch{load, launches.size()});
  return launches;
}

std::vector<Launch> chain(std::size_t count, const KernelLoad& load) { return {count, Launch{load, 0}}; }

double warp_area(const Simulation& simulation) {
  double area = 0;
  for (std::size_t i = 0; i + 1 < simulation.warps.size(); ++i) {
    area += simulation.warps[i].warps * (simulation.warps[i + 1].time - simulation.warps[i].time);
  }
  return area;
}

constexpr double kExact = 1e-6;

TEST(ContentionModel, OneKernel) {
  EXPECT_NEAR(solo_duration(machine(), compute(10)), 5, kExact);
  EXPECT_NEAR(solo_duration(machine(), compute(1)), 5, kExact);  // idle multiprocessors do not help
  KernelLoad half = compute(10);
  half.efficiency = 0.5;
  EXPECT_NEAR(solo_duration(machine(), half), 10, kExact);
}

TEST(ContentionModel, LastWaveCostsAWholeOne) {
  EXPECT_NEAR(solo_duration(machine(), compute(11)), 10, kExact);
  EXPECT_NEAR(solo_duration(machine(), compute(20)), 10, kExact);
  EXPECT_NEAR(solo_duration(machine(), compute(1000)), 500, kExact);
  EXPECT_NEAR(solo_duration(machine(), compute(1003)), 505, kExact);
}

// The worked example of contention_model.h.
TEST(ContentionModel, TwoBlocksShareOneMultiprocessor) {
  Machine one{.sms = 1, .flops_per_us = 100, .dram_bytes_per_us = 100, .half_issue_warps = 4, .start_us = 2};
  const KernelLoad load = compute(1, 2);
  EXPECT_NEAR(solo_duration(one, load), 10, kExact);
  const Simulation behind = simulate(one, std::vector<Launch>{{load, 0}, {load, 0}});
  EXPECT_NEAR(behind.spans[0].begin, 2, kExact);
  EXPECT_NEAR(behind.spans[1].begin, 14, kExact);
  EXPECT_NEAR(behind.end, 24, kExact);
  const Simulation beside = simulate(one, side_by_side({load, load}));
  EXPECT_NEAR(beside.spans[1].begin, 2, kExact);
  EXPECT_NEAR(beside.end, 17, kExact);
  KernelLoad reader = load;
  reader.dram_bytes = 1000;
  EXPECT_NEAR(solo_duration(one, reader), 10, kExact);
  EXPECT_NEAR(simulate(one, side_by_side({reader, reader})).end, 22, kExact);
}

TEST(ContentionModel, TwoKernelsThatFitRunSideBySide) {
  const auto simulation = simulate(machine(), side_by_side({compute(5), compute(5)}));
  EXPECT_NEAR(simulation.end, 5, kExact);
  EXPECT_NEAR(simulation.spans[1].begin, 0, kExact);
}

TEST(ContentionModel, TwoKernelsThatDoNotFitQueue) {
  const auto simulation = simulate(machine(), side_by_side({compute(10), compute(10)}));
  EXPECT_NEAR(simulation.spans[0].end, 5, kExact);
  EXPECT_NEAR(simulation.spans[1].begin, 5, kExact);
  EXPECT_NEAR(simulation.end, 10, kExact);
}

TEST(ContentionModel, PartOfASecondKernelFits) {
  // 6 + 4 blocks in the first wave, the other 3 in the second.
  const auto simulation = simulate(machine(), side_by_side({compute(6), compute(7)}));
  EXPECT_NEAR(simulation.spans[1].begin, 0, kExact);
  EXPECT_NEAR(simulation.spans[0].end, 5, kExact);
  EXPECT_NEAR(simulation.end, 10, kExact);
}

TEST(ContentionModel, SharingAMultiprocessorHidesLatency) {
  // One warp fills the issue slots: two kernels on the same multiprocessors halve one another.
  EXPECT_NEAR(simulate(machine(), side_by_side({compute(10, 2), compute(10, 2)})).end, 10, kExact);
  // Four warps fill half of them: alone 4 / (4 + 4), together 4 / (8 + 4) each.
  Machine latency = machine();
  latency.half_issue_warps = 4;
  EXPECT_NEAR(solo_duration(latency, compute(10, 2)), 10, kExact);
  EXPECT_NEAR(simulate(latency, side_by_side({compute(10, 2), compute(10, 2)})).end, 15, kExact);
}

TEST(ContentionModel, BandwidthIsSharedByWarps) {
  const KernelLoad thin = traffic(5, 1, 100);
  EXPECT_NEAR(solo_duration(machine(), thin), 5, kExact);
  EXPECT_NEAR(simulate(machine(), side_by_side({thin, thin})).end, 10, kExact);
  // Three quarters for the one with three times the warps: 500 bytes at 75 a µs; the other then has 500 - 500/3 left.
  const auto simulation = simulate(machine(), side_by_side({thin, traffic(5, 3, 100)}));
  EXPECT_NEAR(simulation.spans[1].end, 500 / 75.0, kExact);
  EXPECT_NEAR(simulation.end, 10, kExact);
}

TEST(ContentionModel, ComputeAndTrafficOverlap) {
  // The first asks for 20 of the 100 bytes a µs, less than its part: it is not slowed, the other has the other 80.
  KernelLoad busy = compute(5);
  busy.dram_bytes = 20;
  const auto simulation = simulate(machine(), side_by_side({busy, traffic(5, 4, 80)}));
  EXPECT_NEAR(simulation.spans[0].end, 5, kExact);
  EXPECT_NEAR(simulation.spans[1].end, 5, kExact);
}

TEST(ContentionModel, FewWarpsCannotFillTheMemory) {
  Machine latency = machine();
  latency.memory_latency_us = 0.5;
  KernelLoad load = traffic(1, 2, 25);
  load.bytes_in_flight = 5;  // 2 warps · 5 bytes every 0.5 µs
  EXPECT_NEAR(solo_duration(latency, load), 25 / 20.0, kExact);
}

// The worked example of solo_duration().
TEST(ContentionModel, FullWavesAndARest) { EXPECT_NEAR(solo_duration(machine(), compute(47, 2)), 25, kExact); }

TEST(ContentionModel, ABlockTakesItsFixedTimeAndItsChainWhateverElseItDoes) {
  KernelLoad load = compute(20, 2);  // two on a multiprocessor compute for 10 µs
  load.fixed_us = 3;
  EXPECT_NEAR(solo_duration(machine(), load), 3 + 10, kExact);
  load.epilogue_us = 0.5;
  EXPECT_NEAR(solo_duration(machine(), load), 3 + 2 * 0.5 + 10, kExact);
  load.chain_us = 8;
  EXPECT_NEAR(solo_duration(machine(), load), 3 + 2 * 0.5 + 10, kExact);
  load.chain_us = 12;
  EXPECT_NEAR(solo_duration(machine(), load), 3 + 2 * 0.5 + 12, kExact);
  load.dram_bytes = 100;  // 20 blocks · 100 bytes at 100 a µs hide all of that
  EXPECT_NEAR(solo_duration(machine(), load), 20, kExact);
}

// 11 blocks on ten multiprocessors that hold two each: one has two of them, and all take as long as it.
TEST(ContentionModel, TheFullestMultiprocessorSetsThePace) {
  EXPECT_NEAR(solo_duration(machine(), compute(11, 2)), 10, kExact);
  EXPECT_NEAR(simulate(machine(), side_by_side({compute(11, 2)})).end, 10, kExact);
}

TEST(ContentionModel, LaunchBoundChain) {
  Machine slow_host = machine();
  slow_host.launch_us = 8;
  slow_host.start_us = 1;
  const auto simulation = simulate(slow_host, chain(4, compute(10)));
  EXPECT_NEAR(simulation.end, 4 * 8 + 1 + 5, kExact);
  EXPECT_NEAR(simulation.spans[1].begin, 2 * 8 + 1, kExact);
}

TEST(ContentionModel, DeviceBoundChainHidesLaunches) {
  Machine fast_host = machine();
  fast_host.launch_us = 2;
  fast_host.start_us = 1;
  EXPECT_NEAR(simulate(fast_host, chain(4, compute(10))).end, 2 + 4 * (1 + 5), kExact);
}

TEST(ContentionModel, SynchronisationStopsTheHost) {
  Machine host = machine();
  host.launch_us = 2;
  host.start_us = 1;
  host.sync_us = 7;
  auto launches = chain(2, compute(10));
  launches[1].lane = 1;
  launches[1].synchronise = true;
  const auto simulation = simulate(host, launches);
  EXPECT_NEAR(simulation.spans[0].end, 8, kExact);
  EXPECT_NEAR(simulation.end, 8 + 7 + 2 + 1 + 5, kExact);
}

TEST(ContentionModel, CapturedLaunchesWaitForOneAnother) {
  Machine graph = machine();
  graph.start_us = 1;
  graph.replay_us = 2;
  std::vector<Launch> launches(4, Launch{compute(5)});
  launches[1].lane = 1;  // beside the first
  launches[2].lane = 1;
  launches[2].wait_us = 0.5;
  launches[2].waits = {0};
  launches[3].lane = 0;
  launches[3].wait_us = 0.5;
  launches[3].waits = {2};
  const auto simulation = simulate(graph, launches);
  EXPECT_NEAR(simulation.spans[0].begin, 2 + 1, kExact);
  EXPECT_NEAR(simulation.spans[1].begin, 2 + 1, kExact);
  EXPECT_NEAR(simulation.spans[2].begin, 8 + 1 + 0.5, kExact);
  EXPECT_NEAR(simulation.spans[3].begin, 14.5 + 1 + 0.5, kExact);
  EXPECT_NEAR(simulation.end, 21, kExact);
}

TEST(ContentionModel, RoomThatAppearsIsUsed) {
  // Five blocks hold half of the device for 50 µs; the other kernel then spreads over all of it:
  // 50 blocks in 50 µs, the other 950 in 95 waves.
  KernelLoad longer = compute(5);
  longer.flops = 5000;
  const auto simulation = simulate(machine(), side_by_side({longer, compute(1000)}), true);
  EXPECT_NEAR(simulation.spans[0].end, 50, kExact);
  EXPECT_NEAR(simulation.end, 50 + 95 * 5, kExact);
  EXPECT_NEAR(warp_area(simulation), 4 * (5 * 50 + 1000 * 5), 1e-3);
}

TEST(ContentionModel, ActiveWarpsOverTime) {
  const auto simulation = simulate(machine(), side_by_side({compute(10), compute(3)}), true);
  ASSERT_EQ(simulation.warps.size(), 3U);
  EXPECT_THAT(simulation.warps[0].warps, DoubleNear(40, kExact));
  EXPECT_THAT(simulation.warps[1].time, DoubleNear(5, kExact));
  EXPECT_THAT(simulation.warps[1].warps, DoubleNear(12, kExact));
  EXPECT_THAT(simulation.warps[2].time, DoubleNear(10, kExact));
  EXPECT_THAT(simulation.warps[2].warps, DoubleNear(0, kExact));
}

TEST(ContentionModel, NoLaunchesAndNoWork) {
  EXPECT_EQ(simulate(machine(), {}).end, 0);
  EXPECT_NEAR(solo_duration(machine(), KernelLoad{}), 0, 1e-6);
}

struct RandomLoads {
  std::mt19937 random;
  KernelLoad operator()() {
    KernelLoad load{.blocks = 1 + static_cast<int>(random() % (random() % 4 == 0 ? 3000 : 40)),
                    .warps = 1 << random() % 5,
                    .blocks_per_sm = 1 + static_cast<int>(random() % 8),
                    .parallelism = 0.25 * static_cast<double>(1 + random() % 4),
                    .flops = static_cast<double>(random() % 2000),
                    .dram_bytes = static_cast<double>(random() % 100),
                    .l2_bytes = static_cast<double>(random() % 300),
                    .bytes_in_flight = 512};
    return load;
  }
};

Machine real_machine() {
  Machine made = machine();
  made.half_issue_warps = 6;
  made.memory_latency_us = 0.4;
  made.l2_bytes_per_us = 300;
  made.launch_us = 3;
  made.start_us = 1;
  return made;
}

KernelLoad with_pipeline(std::mt19937& random, KernelLoad load) {
  load.fixed_us = static_cast<double>(random() % 5);
  load.epilogue_us = 0.1 * static_cast<double>(random() % 10);
  load.chain_us = static_cast<double>(random() % 40);
  if (random() % 2 == 0) load.bytes_in_flight = 0;
  return load;
}

TEST(ContentionModel, ClosedFormIsWhatIsSimulated) {
  RandomLoads next{std::mt19937(5)};
  std::mt19937 random(6);
  for (int i = 0; i < 2000; ++i) {
    const KernelLoad load = with_pipeline(random, next());
    const Simulation simulation = simulate(real_machine(), side_by_side({load}));
    const double simulated = simulation.spans[0].end - simulation.spans[0].begin;
    EXPECT_NEAR(solo_duration(real_machine(), load), simulated, 1e-9 * simulated + 1e-6) << i;
  }
}

// A kernel's own last, partly filled wave may fall better when others shift it: hence the 5 %.
TEST(ContentionModel, CompanyNeverSpeedsAKernelUp) {
  RandomLoads next{std::mt19937(7)};
  for (int i = 0; i < 300; ++i) {
    const std::vector<Launch> both = side_by_side({next(), next()});
    const Simulation together = simulate(real_machine(), both, true);
    for (std::size_t k = 0; k < both.size(); ++k) {
      const double alone = solo_duration(real_machine(), both[k].load);
      EXPECT_GE(together.spans[k].end - together.spans[k].begin, alone * 0.95) << i;
    }
    EXPECT_EQ(together.warps.back().warps, 0);
  }
}

TEST(ContentionModel, AnotherLaneNeverEndsTheStageEarlier) {
  RandomLoads next{std::mt19937(11)};
  for (int i = 0; i < 200; ++i) {
    std::vector<Launch> launches;
    double before = 0;
    for (std::size_t lane = 0; lane < 6; ++lane) {
      launches.push_back(Launch{next(), lane});
      const double now = simulate(real_machine(), launches).end;
      EXPECT_GE(now, before * (1 - 1e-6)) << i << ' ' << lane;
      before = now;
    }
  }
}

// The fullest multiprocessor sets a kernel's pace, and company may leave it an uneven number of places: hence the 5 %.
TEST(ContentionModel, SideBySideIsNotSlowerThanInOrder) {
  RandomLoads next{std::mt19937(13)};
  for (int i = 0; i < 300; ++i) {
    auto launches = side_by_side({next(), next(), next()});
    const double together = simulate(real_machine(), launches).end;
    for (Launch& launch : launches) launch.lane = 0;
    EXPECT_LE(together, simulate(real_machine(), launches).end * 1.05) << i;
  }
}

// Bandwidths and multiprocessors bound every run from below.
TEST(ContentionModel, WorkIsConserved) {
  RandomLoads next{std::mt19937(17)};
  for (int i = 0; i < 200; ++i) {
    const auto launches = side_by_side({next(), next(), next(), next()});
    double flops = 0;
    double bytes = 0;
    for (const Launch& launch : launches) {
      flops += launch.load.flops * launch.load.blocks;
      bytes += launch.load.dram_bytes * launch.load.blocks;
    }
    const double end = simulate(real_machine(), launches).end;
    EXPECT_GE(end, flops / real_machine().flops_per_us);
    EXPECT_GE(end, bytes / real_machine().dram_bytes_per_us);
  }
}

}  // namespace
}  // namespace iosx::simulated
