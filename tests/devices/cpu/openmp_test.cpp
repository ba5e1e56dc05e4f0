#include <dlfcn.h>
#include <gmock/gmock.h>

#include <atomic>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <memory>
#include <oneapi/dnnl/dnnl.hpp>
#include <utility>
#include <vector>

#include "core/devices/cpu/team.h"

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

using testing::Each;
using testing::ElementsAre;
using testing::Pointwise;

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

}  // namespace
}  // namespace iosx
