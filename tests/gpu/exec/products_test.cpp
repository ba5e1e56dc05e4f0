// Matrix products as a library's problem: which of them fold into one batch, and how they are computed.

#include "core/model/graph/builder.h"
#include "core/model/schedule/baselines.h"
#include "gpu/exec/problem_of.h"
#include "gpu/exec/way.h"
#include "tests/gpu/exec/bench.h"
#include "tests/gpu/support/host_convolutions.h"
#include "tests/gpu/support/run_on_host.h"
#include "tests/support/prelude.h"

namespace iosx::gpu::test {
namespace {

TensorRef matrices(std::vector<float>& data, std::initializer_list<std::int64_t> dims,
                   std::initializer_list<std::int64_t> strides) {
  TensorRef made{.data = data.data(), .type = DataType::kFloat32, .rank = dims.size(), .dims = {}, .strides = {}};
  std::ranges::copy(dims, made.dims.begin());
  std::ranges::copy(strides, made.strides.begin());
  return made;
}

// Heads of attention as a linear layer writes them: one after another in each row.
TEST(Products, OfInterleavedHeadsAreOneBatch) {
  std::vector<float> q(2 * 5 * 12);
  std::vector<float> k(2 * 5 * 12);
  std::vector<float> y(2 * 3 * 5 * 5);
  const TensorRef a = matrices(q, {2, 3, 5, 4}, {60, 4, 12, 1});
  const TensorRef b = matrices(k, {2, 3, 4, 5}, {60, 4, 1, 12});
  const TensorRef out = matrices(y, {2, 3, 5, 5}, {75, 25, 5, 1});
  EXPECT_FALSE(product_of(a, b, out, Math::kTf32)) << "samples and heads have no common stride";

  const auto heads = [](const TensorRef& all) {
    TensorRef one = all;
    one.dims[0] = 1;
    return one;
  };
  const auto task = must(product_of(heads(a), heads(b), heads(out), Math::kTf32));
  EXPECT_EQ(task.problem, (MatMulProblem{.math = Math::kTf32,
                                         .batch = 3,
                                         .rows = 5,
                                         .depth = 4,
                                         .columns = 5,
                                         .a = {.batch = 4, .row = 12, .column = 1, .alignment = 16},
                                         .b = {.batch = 4, .row = 1, .column = 12, .alignment = 16},
                                         .y = {.batch = 25, .row = 5, .column = 1, .alignment = 4}}));
}

TEST(Products, AFactorRepeatsForTheWholeBatchOrNotAtAll) {
  std::vector<float> left(2 * 3 * 4 * 4);
  std::vector<float> right(4 * 8);
  std::vector<float> y(2 * 3 * 4 * 8);
  const TensorRef a = matrices(left, {2, 3, 4, 4}, {48, 16, 4, 1});
  const TensorRef out = matrices(y, {2, 3, 4, 8}, {96, 32, 8, 1});
  const auto task = must(product_of(a, matrices(right, {1, 4, 8}, {32, 8, 1}), out, Math::kStrict));
  EXPECT_EQ(task.problem.batch, 6);
  EXPECT_EQ(task.problem.b.batch, 0);
  EXPECT_EQ(task.problem.a.batch, 16);

  std::vector<float> of_samples(2 * 4 * 8);
  EXPECT_FALSE(product_of(a, matrices(of_samples, {2, 1, 4, 8}, {32, 32, 8, 1}), out, Math::kStrict));
  std::vector<float> none;
  EXPECT_FALSE(product_of(matrices(none, {0, 4, 4}, {16, 4, 1}), matrices(right, {1, 4, 8}, {32, 8, 1}),
                          matrices(none, {0, 4, 8}, {32, 8, 1}), Math::kStrict));
}

MatMulProblem small_product() {
  return {.math = Math::kTf32,
          .batch = 2,
          .rows = 3,
          .depth = 4,
          .columns = 5,
          .a = {.batch = 12, .row = 4},
          .b = {.batch = 20, .row = 5, .alignment = 4},
          .y = {.batch = 15, .row = 5, .alignment = 4}};
}

std::vector<std::string> way_names(KernelLibrary& library) {
  return mapped<std::string>(candidate_ways(small_product(), library), [](const Way& way) { return way.name(); });
}

TEST(Products, HaveTheLibrarysPlansAndOurKernel) {
  HostConvolutions all;
  EXPECT_THAT(way_names(all), ElementsAre("host engine 1", "host engine 2", "own matrix kernel"));
  HostConvolutions none({.products = false});
  EXPECT_THAT(way_names(none), ElementsAre("own matrix kernel"));
  for (const Way& way : candidate_ways(small_product(), all)) {
    const std::string plan = way.plan == nullptr ? std::string() : way.plan->serialised();
    EXPECT_EQ(must(restored_way(small_product(), way.name(), plan, all)).kind, way.kind);
    EXPECT_FALSE(restored_way(small_product(), "another", plan, all));
  }
  EXPECT_FALSE(restored_way(small_product(), "host engine 1", "damaged", all));
}

TEST(Products, AllWaysComputeTheSame) {
  HostConvolutions library;
  std::vector<float> left(2 * 3 * 4);
  std::vector<float> right(2 * 4 * 5);
  for (std::size_t i = 0; i < left.size(); ++i) left[i] = static_cast<float>(i % 7) - 3;
  for (std::size_t i = 0; i < right.size(); ++i) right[i] = static_cast<float>(i % 5) - 2;
  std::vector<std::vector<float>> results;
  for (const Way& way : candidate_ways(small_product(), library)) {
    std::vector<float>& y = results.emplace_back(2 * 3 * 5, NAN);
    const auto task = must(product_of(matrices(left, {2, 3, 4}, {12, 4, 1}), matrices(right, {2, 4, 5}, {20, 5, 1}),
                                      matrices(y, {2, 3, 5}, {15, 5, 1}), Math::kTf32));
    EXPECT_EQ(task.problem.rows, 3);
    std::vector<std::byte> scratch(static_cast<std::size_t>(scratch_bytes(way, task)));
    for (const Step& step : steps_of(way, task, scratch.data())) {
      if (const auto* call = std::get_if<KernelCall>(&step)) {
        run_on_host(*call);
      } else {
        const auto& plan = std::get<LibraryStep>(step);
        EXPECT_EQ(plan.operands.workspace != nullptr, plan.plan->workspace_bytes() > 0);
        compute(plan.plan->problem(), plan.operands);
      }
    }
    EXPECT_EQ(y, results.front()) << way.name();
  }
  EXPECT_EQ(results.front().at(0), -3 * -2 + -2 * -2 + -1 * -2 + 0 * -2) << "the first columns of b are -2";
}

// Heads of 8 features for 5 queries and 7 keys, which lie in turn in each row.
AttentionTask small_attention(std::vector<float>& q, std::vector<float>& k, std::vector<float>& v,
                              std::vector<float>& y) {
  q.resize(5 * 16);
  k.resize(7 * 16);
  v.resize(7 * 16);
  y.assign(5 * 16, NAN);
  for (auto* numbers : {&q, &k, &v}) {
    for (std::size_t i = 0; i < numbers->size(); ++i) (*numbers)[i] = static_cast<float>(i * 7 % 11) / 4 - 1;
  }
  return must(attention_of(matrices(q, {1, 2, 5, 8}, {80, 8, 16, 1}), matrices(k, {1, 2, 8, 7}, {112, 8, 1, 16}),
                           matrices(v, {1, 2, 7, 8}, {112, 8, 16, 1}), matrices(y, {1, 2, 5, 8}, {80, 8, 16, 1}), 0.5F,
                           Math::kTf32));
}

TEST(AttentionWays, AreTheLibrarysPlansAndSteps) {
  std::vector<float> q, k, v, y;
  const AttentionProblem problem = small_attention(q, k, v, y).problem;
  EXPECT_EQ(problem.scores.y, problem.context.a);
  EXPECT_EQ(problem.scores.y, (MatrixLayout{.batch = 40, .row = 8, .column = 1, .alignment = 16}))
      << "rows of 7 scores lie at 16 bytes";
  const auto names = [&](KernelLibrary& library) {
    return mapped<std::string>(candidate_ways(problem, library), [](const Way& way) { return way.name(); });
  };
  HostConvolutions all;
  EXPECT_THAT(names(all), ElementsAre("host engine 1", "host engine 2", "host engine 1; softmax; host engine 1"));
  HostConvolutions products({.attention = false});
  EXPECT_THAT(names(products), ElementsAre("host engine 1; softmax; host engine 1"));
  HostConvolutions none({.products = false, .attention = false});
  EXPECT_THAT(names(none), ElementsAre("own matrix kernel; softmax; own matrix kernel"));
  for (const Way& way : candidate_ways(problem, all)) {
    const std::string plan = way.plan == nullptr ? std::string() : way.plan->serialised();
    EXPECT_EQ(must(restored_way(problem, way.name(), plan, all)).name(), way.name());
    EXPECT_FALSE(restored_way(problem, "another", plan, all));
  }
  EXPECT_FALSE(restored_way(problem, "host engine 1; softmax; host engine 1", "", none)) << "it has other ways now";
}

TEST(AttentionWays, ComputeTheSame) {
  std::vector<float> q, k, v, y;
  const AttentionTask task = small_attention(q, k, v, y);
  HostConvolutions all;
  HostConvolutions none({.products = false, .attention = false});
  std::vector<Way> ways = candidate_ways(task.problem, all);
  for (Way& way : candidate_ways(task.problem, none)) ways.push_back(std::move(way));
  ASSERT_EQ(ways.size(), 4U);
  std::vector<float> first;
  for (const Way& way : ways) {
    std::ranges::fill(y, NAN);
    std::vector<std::byte> scratch(static_cast<std::size_t>(scratch_bytes(way, task)));
    for (const Step& step : steps_of(way, task, scratch.data())) {
      if (const auto* call = std::get_if<KernelCall>(&step)) {
        run_on_host(*call);
      } else {
        const auto& plan = std::get<LibraryStep>(step);
        compute(plan.plan->problem(), plan.operands);
      }
    }
    if (first.empty()) first = y;
    for (std::size_t i = 0; i < y.size(); ++i) EXPECT_NEAR(y[i], first[i], 1e-6) << way.name() << ", " << i;
  }
  EXPECT_GT(*std::ranges::max_element(first) - *std::ranges::min_element(first), 0.1F);
}

TEST(AttentionWays, ScaleBeforeFloat16RoundsTheScores) {
  HostConvolutions library({.attention = false});
  const auto name = [&](Math math, float scale) {
    std::vector<float> q, k, v, y;
    AttentionProblem problem = small_attention(q, k, v, y).problem;
    problem.scores.math = problem.context.math = math;
    problem.scale = scale;
    return candidate_ways(problem, library).front().name();
  };
  EXPECT_EQ(name(Math::kHalf, 0.5F), "own matrix kernel; softmax; host engine 1");
  EXPECT_EQ(name(Math::kHalf, 2), "host engine 1; softmax; host engine 1");
  EXPECT_EQ(name(Math::kBfloat16, 0.5F), "host engine 1; softmax; host engine 1");

  // The network's scores are below 65504; what the factors make smaller is not.
  GraphBuilder builder("test");
  const Value in = builder.input("in", {5, 64});
  const Value large = builder.add("large", Mul{}, {in, builder.constant("most", Tensor({1}, {100}))});
  builder.begin_unit("attention");
  const Value turned = builder.add("turned", Transpose{{1, 0}}, {large});
  const Value query = builder.add("query", Mul{}, {large, builder.constant("factor", Tensor({1}, {0.03125F}))});
  const Value scores = builder.add("scores", MatMul{}, {query, turned});
  builder.add("context", MatMul{}, {builder.add("softmax", Softmax{1}, {scores}), in});
  builder.end_unit();
  const Graph graph = std::move(builder).build().value();
  for (const bool products : {true, false}) {
    Bench bench(Math::kHalf, {}, {.products = products, .attention = false});
    expect_reference(bench, graph, one_by_one_schedule(graph), 2, tolerance_of(Math::kHalf));
  }
}

TEST(AttentionWays, NeedAxesThatFold) {
  std::vector<float> numbers(2 * 3 * 5 * 16);
  const auto heads = [&](std::int64_t samples) {
    return matrices(numbers, {samples, 3, 5, 8}, {samples == 1 ? 240 : 200, 8, 24, 1});
  };
  const auto keys = [&](std::int64_t samples) {
    return matrices(numbers, {samples, 3, 8, 5}, {samples == 1 ? 240 : 200, 8, 1, 24});
  };
  EXPECT_TRUE(attention_of(heads(1), keys(1), heads(1), heads(1), 1, Math::kHalf));
  EXPECT_FALSE(attention_of(heads(2), keys(2), heads(2), heads(2), 1, Math::kHalf));
}

}  // namespace
}  // namespace iosx::gpu::test
