// Which captured node a launch is of, whatever order a profiler tells it in.

#include "gpu/profile/node_origins.h"

#include <gtest/gtest.h>

namespace iosx::gpu {
namespace {

constexpr GraphNode kCaptured{100};
constexpr GraphNode kClone{200};
constexpr GraphNode kCloneOfClone{300};

TEST(NodeOrigins, OfACloneIsWhatWasCaptured) {
  NodeOrigins nodes;
  nodes.made(1, kCaptured);
  nodes.cloned(2, kClone, kCaptured);
  nodes.cloned(3, kCloneOfClone, kClone);
  EXPECT_EQ(nodes.origin(1), kCaptured);
  EXPECT_EQ(nodes.origin(2), kCaptured);
  EXPECT_EQ(nodes.origin(3), kCaptured);
  EXPECT_EQ(nodes.origin(4), kNoNode);
}

TEST(NodeOrigins, AreNotLostWhereClonesAreCalledMadeAsWell) {
  for (const bool made_first : {false, true}) {
    for (const bool instantiation_is_told : {false, true}) {
      NodeOrigins nodes;
      nodes.made(1, kCaptured);
      nodes.set_instantiating(instantiation_is_told);
      if (made_first) nodes.made(2, kClone);
      nodes.cloned(2, kClone, kCaptured);
      if (!made_first) nodes.made(2, kClone);
      nodes.set_instantiating(false);
      EXPECT_EQ(nodes.origin(2), kCaptured) << made_first << instantiation_is_told;
    }
  }
}

TEST(NodeOrigins, WhatIsMadeWhileAGraphIsMadeReadyIsNoNodeOfOurs) {
  NodeOrigins nodes;
  nodes.set_instantiating(true);
  nodes.made(2, kClone);
  EXPECT_EQ(nodes.origin(2), kNoNode);
  nodes.set_instantiating(false);
  nodes.made(5, kCaptured);
  EXPECT_EQ(nodes.origin(5), kCaptured);
}

}  // namespace
}  // namespace iosx::gpu
