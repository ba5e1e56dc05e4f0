#include "core/model/plan/plan_validity.h"
#include "core/model/schedule/baselines.h"
#include "tests/model/plan/symbolic.h"
#include "tests/support/graphs.h"
#include "tests/support/lower.h"
#include "tests/support/prelude.h"
#include "tests/support/random_plans.h"

namespace iosx {
namespace {

constexpr std::size_t kOfEachKind = 500;
constexpr std::int64_t kBytes = 4;

// A random plan, of every second seed without barriers.
ExecutionPlan random_plan(std::uint32_t seed) {
  std::mt19937 random(seed);
  const Graph graph = test::random_concat_graph(seed, 8 + seed % 24);
  ExecutionPlan staged =
      lower(graph, test::random_schedule(graph, random), 1, {.fuse = true, .concat_in_place = seed % 4 < 2});
  if (seed % 2 == 0) return staged;
  return on_lanes(staged, needs_of(staged), test::random_lanes(staged, 2 + seed % 7, random));
}

// Says of every kernel which ones have ended when it starts, by following lanes and waits back: without clocks.
std::vector<std::vector<bool>> ended_by_start(const ExecutionPlan& plan) {
  std::vector<std::vector<bool>> before(plan.kernels.size(), std::vector<bool>(plan.kernels.size(), false));
  const auto learn = [&](std::size_t kernel, std::size_t other) {
    before[kernel][other] = true;
    for (std::size_t k = 0; k < other; ++k) before[kernel][k] = before[kernel][k] || before[other][k];
  };
  for (std::size_t k = 0; k < plan.kernels.size(); ++k) {
    for (std::size_t other = k; other-- > 0;) {
      if (plan.kernels[other].lane != plan.kernels[k].lane) continue;
      learn(k, other);
      break;
    }
    for (const KernelId wait : plan.kernels[k].waits) learn(k, wait.index());
  }
  return before;
}

// Every wait is needed: without it two kernels touch the same channels at once or a stage has no barrier.
TEST(PlanFaults, ADroppedWaitIsFound) {
  std::size_t faults = 0;
  for (std::uint32_t seed = 0; faults < kOfEachKind; ++seed) {
    const ExecutionPlan plan = random_plan(seed);
    const auto valid = check_plan(plan);
    ASSERT_TRUE(valid) << "seed " << seed << ": " << valid.error().line();
    for (std::size_t k = 0; k < plan.kernels.size(); ++k) {
      for (std::size_t i = 0; i < plan.kernels[k].waits.size() && faults < kOfEachKind; ++i) {
        ExecutionPlan faulty = plan;
        faulty.kernels[k].waits.erase(faulty.kernels[k].waits.begin() + static_cast<std::ptrdiff_t>(i));
        EXPECT_FALSE(check_plan(faulty)) << "seed " << seed << ", kernel " << k << ", wait " << i;
        ++faults;
      }
    }
  }
}

// Buffers where the second is written although the first may still be read, and none is all through before the other.
std::vector<std::pair<std::size_t, std::size_t>> in_use_together(const ExecutionPlan& plan) {
  const auto before = ended_by_start(plan);
  std::vector<std::vector<std::size_t>> touch(plan.buffers.size());
  std::vector<std::vector<std::size_t>> read(plan.buffers.size());
  for (std::size_t k = 0; k < plan.kernels.size(); ++k) {
    for (const TensorView& view : plan.kernels[k].reads) {
      touch[view.buffer.index()].push_back(k);
      read[view.buffer.index()].push_back(k);
    }
    touch[plan.kernels[k].writes.buffer.index()].push_back(k);
  }
  std::vector<std::pair<std::size_t, std::size_t>> found;
  for (std::size_t a = 0; a < plan.buffers.size(); ++a) {
    for (std::size_t b = 0; b < plan.buffers.size(); ++b) {
      if (a == b || plan.buffers[a].constant || plan.buffers[b].external || touch[b].empty()) continue;
      const auto any = [](const auto& kernels, const auto& such) { return std::ranges::any_of(kernels, such); };
      const bool still_read = any(read[a], [&](std::size_t r) {
        return any(touch[b], [&](std::size_t t) { return r != t && !before[t][r]; });
      });
      const bool begins_first = any(touch[a], [&](std::size_t t) {
        return any(touch[b], [&](std::size_t u) { return u == t || !before[t][u]; });
      });
      if (still_read && begins_first) found.emplace_back(a, b);
    }
  }
  return found;
}

TEST(PlanFaults, ABufferThatIsReusedEarlyIsFound) {
  std::size_t faults = 0;
  for (std::uint32_t seed = 0; faults < kOfEachKind; ++seed) {
    std::mt19937 random(seed);
    const ExecutionPlan plan = random_plan(seed);
    const MemoryPlan memory = plan_memory(plan, kBytes);
    const auto valid = check_memory(plan, memory, kBytes);
    ASSERT_TRUE(valid) << "seed " << seed << ": " << valid.error().line();
    const auto together = in_use_together(plan);
    for (std::size_t i = 0; i < 10 && !together.empty() && faults < kOfEachKind; ++i) {
      const auto [still_read, early] = together[random() % together.size()];
      MemoryPlan faulty = memory;
      faulty.offsets[early] = memory.offsets[still_read];
      EXPECT_FALSE(check_memory(plan, faulty, kBytes))
          << "seed " << seed << ": buffer " << early << " over buffer " << still_read;
      ++faults;
    }
  }
}

TEST(PlanFaults, AreNamed) {
  ExecutionPlan plan;
  for (const char* name : {"in", "a", "b", "c"})
    plan.buffers.push_back(Buffer{.name = name, .shape = {1, 4, 4}, .source = {}});
  plan.buffers.front().external = true;
  plan.barrier_free = true;
  plan.kernels.resize(3);
  for (std::size_t k = 0; k < 3; ++k) {
    plan.kernels[k].reads = {{BufferId(k), 0, 1}};
    plan.kernels[k].writes = {BufferId(k + 1), 0, 1};
  }
  MemoryPlan memory = plan_memory(plan, kBytes);
  EXPECT_EQ(memory.offsets[3], memory.offsets[1]) << "a was read when c is written";
  memory.offsets[3] = memory.offsets[2];
  EXPECT_EQ(refused(check_memory(plan, memory, kBytes)).line(),
            "buffers[3]: shares bytes with buffer 2, which may be in use at the same time");
}

KernelId kernel_at(std::size_t index) { return KernelId(index); }

TEST(Needs, AreWritersOfWhatIsRead) {
  EXPECT_THAT(needs_of(test::four_kernels()),
              ElementsAre(IsEmpty(), ElementsAre(kernel_at(0)), IsEmpty(), ElementsAre(kernel_at(1), kernel_at(2))));
}

// A kernel that writes what others read comes after them, and stands for them.
TEST(Needs, AreReadersOfWhatIsWritten) {
  ExecutionPlan plan = test::four_kernels();
  plan.kernels[3].writes = plan.kernels[0].writes;  // which b reads
  EXPECT_THAT(needs_of(plan)[3], ElementsAre(kernel_at(0), kernel_at(1), kernel_at(2)));
}

// Of several writers side by side only those of the channels that are read.
TEST(Needs, AreOfTheSameChannels) {
  ExecutionPlan plan;
  plan.buffers.resize(2);
  plan.kernels.resize(5);
  for (std::size_t k = 0; k < 3; ++k)
    plan.kernels[k].writes = {BufferId(0), static_cast<std::int64_t>(4 * k), static_cast<std::int64_t>(4 * k) + 4};
  plan.kernels[3].reads = {{BufferId(0), 2, 6}};
  plan.kernels[3].writes = {BufferId(1), 0, 1};
  plan.kernels[4].writes = {BufferId(0), 5, 9};
  const auto needs = needs_of(plan);
  EXPECT_THAT(needs[3], ElementsAre(kernel_at(0), kernel_at(1)));
  EXPECT_THAT(needs[4], ElementsAre(kernel_at(1), kernel_at(2), kernel_at(3)));
}

// Random reads and writes of random channels: who comes before whom is the same as of all pairs that touch the same
// channels, one of them writing.
TEST(Needs, ImplyAllThatTouchTheSameChannels) {
  constexpr std::size_t kKernels = 40;
  using Before = std::vector<std::vector<bool>>;
  const auto close = [](Before& before) {
    for (std::size_t k = 0; k < kKernels; ++k) {
      for (std::size_t via = k; via-- > 0;) {
        for (std::size_t i = 0; before[k][via] && i < via; ++i) before[k][i] = before[k][i] || before[via][i];
      }
    }
  };
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    std::mt19937 random(seed);
    ExecutionPlan plan;
    plan.buffers.resize(3);
    const auto any = [&random] {
      const auto begin = static_cast<std::int64_t>(random() % 12);
      return TensorView{BufferId(random() % 3), begin, begin + 1 + static_cast<std::int64_t>(random() % 8)};
    };
    for (std::size_t k = 0; k < kKernels; ++k) {
      Kernel& kernel = plan.kernels.emplace_back();
      for (std::size_t i = 0; i < random() % 4; ++i) kernel.reads.push_back(any());
      kernel.writes = any();
    }
    const auto touch = [](const TensorView& a, const TensorView& b) {
      return a.buffer == b.buffer && a.begin < b.end && b.begin < a.end;
    };
    Before wanted(kKernels, std::vector<bool>(kKernels, false));
    Before found = wanted;
    const auto needs = needs_of(plan);
    for (std::size_t k = 0; k < kKernels; ++k) {
      for (std::size_t i = 0; i < k; ++i) {
        const Kernel& earlier = plan.kernels[i];
        const Kernel& later = plan.kernels[k];
        const auto with = [&](const TensorView& write) {
          return [&](const TensorView& read) { return touch(write, read); };
        };
        wanted[k][i] = touch(earlier.writes, later.writes) || std::ranges::any_of(later.reads, with(earlier.writes)) ||
                       std::ranges::any_of(earlier.reads, with(later.writes));
      }
      for (const KernelId need : needs[k]) found[k][need.index()] = true;
      EXPECT_TRUE(std::ranges::is_sorted(needs[k]));
    }
    for (std::size_t k = 0; k < kKernels; ++k) {
      for (const KernelId need : needs[k]) EXPECT_TRUE(wanted[k][need.index()]) << "nothing else is a need";
    }
    close(wanted);
    close(found);
    EXPECT_EQ(found, wanted) << "seed " << seed;
  }
}

// One writes, 20,000 read all of it, or each its own channel: it takes no more than so many times as one.
TEST(Needs, OfManyReadersAreFoundAtOnce) {
  constexpr std::int64_t kReaders = 20'000;
  for (const bool all : {true, false}) {
    ExecutionPlan plan;
    plan.buffers.resize(kReaders + 1);
    plan.kernels.resize(kReaders + 1);
    plan.kernels.front().writes = {BufferId(0), 0, kReaders};
    for (std::int64_t i = 0; i < kReaders; ++i) {
      const auto next = static_cast<std::size_t>(i) + 1;
      plan.kernels[next].reads = {{BufferId(0), all ? 0 : i, all ? kReaders : i + 1}};
      plan.kernels[next].writes = {BufferId(next), 0, 1};
    }
    const auto start = std::chrono::steady_clock::now();
    const auto needs = needs_of(plan);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    RecordProperty(all ? "milliseconds" : "milliseconds_of_slices", std::to_string(took.count() * 1000));
    EXPECT_THAT(needs.back(), ElementsAre(kernel_at(0)));
#ifdef NDEBUG
    EXPECT_LT(took.count(), 0.5);
#endif
  }
}

constexpr LowerOptions kOptions[] = {
    {},
    {.fuse = true, .fuse_sums = true, .fuse_before = true},
    {.concat_in_place = true},
    {.fuse = true, .concat_in_place = true},
    {.free_slices = FreeSlices::kAlways},
    {.fuse = true, .fuse_before = true, .concat_in_place = true, .free_slices = FreeSlices::kAlways},
    {.concat_in_place = true, .input_channel_multiple = 5}};
constexpr std::int64_t kElementBytes = 4;
constexpr std::int64_t kBatch = 2;

// What the random graphs and schedules made happen.
struct Tally {
  int merged = 0;
  int merged_into_place = 0;
  int concat_copies = 0;
  int merged_copies = 0;
  int fused_in_unit = 0;
  int fused_across_units = 0;
  int fused_before = 0;
  int without_kernel = 0;  // concatenations
  int empty_stages = 0;
  int fewer_lanes = 0;
};

void count(const Graph& graph, const Schedule& schedule, const ExecutionPlan& plan, Tally& tally) {
  int concats = 0;
  for (const Operator& op : graph.operators()) concats += op.as<Concat>() != nullptr ? 1 : 0;
  std::set<OperatorId> seen;
  for (const Kernel& kernel : plan.kernels) {
    const Operator& op = graph.op(kernel.operators.front());
    if (kernel.operators.size() > 1) {
      ++tally.merged;
      if (plan.buffers[kernel.writes.buffer.index()].shape != kernel.output) ++tally.merged_into_place;
    }
    if (std::holds_alternative<Identity>(kernel.attributes)) {
      ++(op.as<Concat>() != nullptr ? tally.concat_copies : tally.merged_copies);
    }
    if (!kernel.fused.empty()) ++(kernel.units.size() > 1 ? tally.fused_across_units : tally.fused_in_unit);
    tally.fused_before += kernel.before == Activation::kIdentity ? 0 : 1;
    if (op.as<Concat>() != nullptr && seen.insert(kernel.operators.front()).second) --concats;
  }
  tally.without_kernel += concats;
  for (std::size_t s = 0; s < plan.stages.size(); ++s) {
    const std::size_t lanes = plan.stages[s].lanes.size();
    if (lanes == 0) ++tally.empty_stages;
    if (lanes > 0 && lanes < schedule.stages[s].groups.size()) ++tally.fewer_lanes;
  }
}

bool overlap(const std::vector<std::size_t>& a, const std::vector<std::size_t>& b) {
  std::vector<std::size_t> both;
  std::ranges::set_intersection(a, b, std::back_inserter(both));
  return !both.empty();
}

// No kernel writes what a kernel of another lane of its stage reads or writes.
void expect_disjoint(const test::SymbolicMachine& machine, const ExecutionPlan& plan) {
  for (std::size_t i = 0; i < plan.kernels.size(); ++i) {
    for (std::size_t j = 0; j < plan.kernels.size(); ++j) {
      const Kernel& a = plan.kernels[i];
      const Kernel& b = plan.kernels[j];
      if (a.stage != b.stage || a.lane == b.lane) continue;
      const auto written = machine.cells(a.writes);
      EXPECT_FALSE(overlap(written, machine.cells(b.writes))) << a.name << " and " << b.name;
      for (const TensorView& view : b.reads) {
        EXPECT_FALSE(overlap(written, machine.cells(view))) << a.name << " and " << b.name;
      }
    }
  }
}

void check_structure(const Schedule& schedule, const ExecutionPlan& plan) {
  ASSERT_EQ(plan.stages.size(), schedule.stages.size());
  std::size_t next = 0;
  for (std::size_t s = 0; s < plan.stages.size(); ++s) {
    for (std::size_t lane = 0; lane < plan.stages[s].lanes.size(); ++lane) {
      EXPECT_FALSE(plan.stages[s].lanes[lane].empty());
      for (const KernelId id : plan.stages[s].lanes[lane]) {
        EXPECT_EQ(id.index(), next++);
        EXPECT_EQ(plan.kernel(id).stage, s);
        EXPECT_EQ(plan.kernel(id).lane, lane);
        EXPECT_EQ(plan.kernel(id).writes.end - plan.kernel(id).writes.begin, plan.kernel(id).output.channels());
      }
    }
  }
  EXPECT_EQ(next, plan.kernels.size());
}

// Any order that lanes and waits allow computes what the graph defines.
void check_orders(const Graph& graph, const ExecutionPlan& plan, std::mt19937& random) {
  const MemoryPlan memory = plan_memory(plan, kElementBytes);
  const auto defined = test::defined_symbols(graph);
  test::SymbolicMachine machine(graph, plan, memory);
  for (int turn = 0; turn < 3; ++turn) {
    if (turn == 0) {  // afterwards they must still be there
      for (std::size_t i = 0; i < plan.inputs.size(); ++i) {
        const auto& symbols = defined[graph.inputs()[i].index()];
        machine.fill({plan.inputs[i], 0, static_cast<std::int64_t>(symbols.size())}, symbols);
      }
    }
    machine.run(random);
    ASSERT_EQ(plan.outputs.size(), graph.outputs().size());
    for (std::size_t i = 0; i < plan.outputs.size(); ++i) {
      EXPECT_EQ(machine.read(plan.outputs[i].view), defined[graph.outputs()[i].index()]) << plan.outputs[i].name;
    }
  }
}

// What the operators that are done have made is in its place, and nothing else is.
void check_stage(const Graph& graph, const Stage& stage, const std::vector<bool>& done, const LowerOptions& options,
                 std::mt19937& random) {
  const ExecutionPlan plan = lower_stage(graph, stage, kBatch, options);
  const MemoryPlan memory = plan_memory(plan, kElementBytes);
  const auto defined = test::defined_symbols(graph);
  const TensorPlaces places(graph, kBatch, options);
  test::SymbolicMachine machine(graph, plan, memory);
  expect_disjoint(machine, plan);
  for (std::size_t b = 0; b < plan.buffers.size(); ++b) {
    if (!plan.buffers[b].external || plan.buffers[b].constant) continue;
    for (std::size_t i = 0; i < done.size(); ++i) {
      const Place place = places.of(OperatorId(i));
      if (!done[i] || places.region(place.region).owner != plan.buffers[b].source) continue;
      const std::int64_t channels = graph.operators()[i].output.channels();
      machine.fill({BufferId(b), place.begin, place.begin + channels}, defined[i]);
    }
  }
  machine.run(random);
}

void check_whole(const Graph& graph, const Schedule& schedule, const ExecutionPlan& plan, std::mt19937& random) {
  const MemoryPlan memory = plan_memory(plan, kElementBytes);
  check_structure(schedule, plan);
  expect_disjoint(test::SymbolicMachine(graph, plan, memory), plan);
  check_orders(graph, plan, random);
}

// The same kernels on lanes without barriers.
void check_barrier_free(const Graph& graph, const ExecutionPlan& staged, std::mt19937& random) {
  const auto needs = needs_of(staged);
  for (std::size_t lanes = 1; lanes < 6; lanes += 2) {
    const LaneSchedule launches = test::random_lanes(staged, lanes, random);
    ASSERT_TRUE(check_lanes(launches, needs));
    const ExecutionPlan plan = on_lanes(staged, needs, launches);
    must(check_plan(plan));
    EXPECT_LE(plan.lane_count(), lanes);
    check_orders(graph, plan, random);
  }
}

void check(const Graph& graph, const Schedule& schedule, std::mt19937& random, Tally& tally) {
  ASSERT_TRUE(check_legal(graph, schedule).has_value());
  for (const LowerOptions& options : kOptions) {
    SCOPED_TRACE(testing::Message() << "fuse " << options.fuse << ", in place " << options.concat_in_place);
    const ExecutionPlan plan = lower(graph, schedule, kBatch, options);
    count(graph, schedule, plan, tally);
    check_whole(graph, schedule, plan, random);
    check_barrier_free(graph, plan, random);
    auto done = mapped<bool>(graph.operators(), [](const Operator& op) { return op.is_source(); });
    for (const Stage& stage : schedule.stages) {
      check_stage(graph, stage, done, options, random);
      for (const UnitId unit : stage.units()) {
        for (const OperatorId op : graph.unit(unit).operators) done[op.index()] = true;
      }
    }
  }
}

TEST(PlanRaces, RandomGraphsAndSchedules) {
  Tally tally;
  for (std::uint64_t seed = 0; seed < 60; seed += test::every(8)) {
    SCOPED_TRACE(seed);
    std::mt19937 random(static_cast<std::uint32_t>(seed));
    const Graph graph = test::random_concat_graph(seed, 6 + seed % 30);
    check(graph, one_by_one_schedule(graph), random, tally);
    check(graph, greedy_schedule(graph, 1 + seed % 6), random, tally);
    for (int turn = 0; turn < 3; ++turn) check(graph, test::random_schedule(graph, random), random, tally);
    if (testing::Test::HasFailure()) return;
  }
  // Otherwise the generators are not worth their name.
  EXPECT_GT(tally.merged, 100 / test::every(10));
  EXPECT_GT(tally.merged_into_place, 20 / test::every(10));
  EXPECT_GT(tally.concat_copies, 100 / test::every(10));
  EXPECT_GT(tally.merged_copies, 20 / test::every(10));
  EXPECT_GT(tally.fused_in_unit, 50 / test::every(10));
  EXPECT_GT(tally.fused_across_units, 20 / test::every(10));
  EXPECT_GT(tally.fused_before, test::kSanitized ? -1 : 10);  // a tenth of the graphs may have none
  EXPECT_GT(tally.without_kernel, 100 / test::every(10));
  EXPECT_GT(tally.empty_stages, 20 / test::every(10));
  EXPECT_GT(tally.fewer_lanes, 20 / test::every(10));
}

TEST(PlanRaces, SequentialMemoryIsNoMoreThanAllBuffers) {
  for (std::uint64_t seed = 0; seed < 40; seed += test::every(8)) {
    const Graph graph = test::random_concat_graph(seed, 30);
    for (const LowerOptions& options : kOptions) {
      const ExecutionPlan plan = lower(graph, one_by_one_schedule(graph), kBatch, options);
      std::int64_t sum = 0;
      std::int64_t largest = 0;
      for (const Buffer& buffer : plan.buffers) {
        if (buffer.constant) continue;
        const std::int64_t bytes = (buffer.shape.elements() * kBatch * kElementBytes + 63) / 64 * 64;
        sum += bytes;
        largest = std::max(largest, bytes);
      }
      const std::int64_t peak = plan_memory(plan, kElementBytes).peak_bytes;
      EXPECT_LE(peak, sum) << seed;
      EXPECT_GE(peak, largest) << seed;
      if (!options.fuse && !options.concat_in_place) {
        EXPECT_LT(peak, sum) << "30 units, one at a time: something dies";
      }
    }
  }
}

}  // namespace

}  // namespace iosx
