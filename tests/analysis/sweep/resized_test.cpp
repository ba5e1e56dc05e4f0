#include "core/analysis/sweep/resized.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/model/graph/work.h"
#include "models/networks/networks.h"
#include "tests/support/graphs.h"

namespace iosx {
namespace {

using test::describe;
using ::testing::HasSubstr;

OperatorId op(const Graph& graph, const char* name) { return graph.find_operator(name).value(); }

TEST(Resized, TheSameSizeIsTheSameGraph) {
  const Graph graph = build_squeezenet();
  EXPECT_EQ(describe(with_input_size(graph, input_size(graph)).value()), describe(graph));
  for (const Operator& each : graph.operators()) {
    const OperatorId id = op(graph, each.name.c_str());
    if (const auto channels = channels_of(graph, id); channels > 0) {
      EXPECT_EQ(describe(with_channels(graph, id, channels).value()), describe(graph)) << each.name;
    }
    if (const auto kernel = kernel_of(graph, id); kernel > 0) {
      EXPECT_EQ(describe(with_kernel(graph, id, kernel).value()), describe(graph)) << each.name;
    }
  }
}

TEST(Resized, WhatReadsItFollows) {
  const Graph graph = test::sample();
  const Graph wide = with_channels(graph, op(graph, "a"), 400).value();
  EXPECT_EQ(wide.op(op(wide, "a")).output, (Shape{400, 15, 15}));
  EXPECT_EQ(wide.op(op(wide, "d")).inputs.front().channels(), 400);
  const Graph large = with_input_size(graph, 30).value();
  EXPECT_EQ(large.op(op(large, "concat")).output, (Shape{1875, 30, 30}));
  const Graph five = with_kernel(graph, op(graph, "a"), 5).value();
  EXPECT_EQ(five.op(op(five, "a")).output, graph.op(op(graph, "a")).output);
  EXPECT_EQ(five.op(op(five, "a")).as<Conv>()->padding, (Extent{2, 2}));
  const Graph even = with_kernel(graph, op(graph, "a"), 4).value();
  EXPECT_EQ(even.op(op(even, "a")).output, graph.op(op(graph, "a")).output);
  EXPECT_EQ(even.op(op(even, "a")).as<Conv>()->end_padding, (Extent{1, 1}));
}

TEST(Resized, ASideOfOneStaysOne) {
  const Graph graph = build_inception_v3();
  for (const Operator& each : graph.operators()) {
    const Conv* conv = each.as<Conv>();
    if (conv == nullptr || conv->kernel != Extent{1, 7}) continue;
    const Graph other = with_kernel(graph, op(graph, each.name.c_str()), 5).value();
    const Operator& made = other.op(op(other, each.name.c_str()));
    EXPECT_EQ(made.as<Conv>()->kernel, (Extent{1, 5}));
    EXPECT_EQ(made.output, each.output);
    return;
  }
  FAIL() << "no 1x7 convolution";
}

TEST(Resized, WhatCannotBeSaysWhy) {
  const Graph graph = test::diamond();  // d sums b and c
  const auto mismatch = with_channels(graph, op(graph, "b"), 12);
  ASSERT_FALSE(mismatch.has_value());
  EXPECT_THAT(mismatch.error().what, HasSubstr("d"));
  EXPECT_FALSE(with_channels(graph, op(graph, "b"), 0).has_value());
  EXPECT_FALSE(with_input_size(graph, -1).has_value());
  const auto no_kernel = with_kernel(graph, op(graph, "d"), 3);
  ASSERT_FALSE(no_kernel.has_value());
  EXPECT_THAT(no_kernel.error().what, HasSubstr("'d' has no kernel size that can be changed"));
  const auto small = with_input_size(build_inception_v3(), 32);
  ASSERT_FALSE(small.has_value());
  EXPECT_FALSE(small.error().what.empty());
}

TEST(Resized, TokensAreAnInputSizeToo) {
  const Graph graph = test::linear_layers();
  EXPECT_EQ(input_size(graph), 6);
}

}  // namespace
}  // namespace iosx
