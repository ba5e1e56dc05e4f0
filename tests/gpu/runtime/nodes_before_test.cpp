// Dependencies of graph nodes, from a query made up as the driver's is.
#include "gpu/runtime/nodes_before.h"
#include "tests/support/prelude.h"

namespace iosx::gpu {
namespace {

// Node n is the address n; says no more than there is room for, and how much that was.
struct Driver {
  std::size_t nodes = 0;
  mutable int queries = 0;

  void operator()(cudaGraphNode_t* to, cudaGraphEdgeData* edges, std::size_t* count) const {
    ++queries;
    ASSERT_NE(to, nullptr);
    ASSERT_NE(edges, nullptr) << "that may be a lossy query";
    for (std::size_t i = 0; i < *count; ++i) {
      // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast,performance-no-int-to-ptr): an identity
      to[i] = i < nodes ? reinterpret_cast<cudaGraphNode_t>(i + 1) : nullptr;
      edges[i] = {};
    }
    *count = std::min(*count, nodes);
  }
};

TEST(NodesBefore, AreAllOfThem) {
  for (const std::size_t count : {0U, 1U, 15U, 16U, 17U, 32U, 1000U}) {
    const Driver driver{.nodes = count};
    const auto nodes = nodes_before(driver);
    ASSERT_EQ(nodes.size(), count);
    for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(reinterpret_cast<std::uintptr_t>(nodes[i]), i + 1);
    EXPECT_EQ(driver.queries == 1, count < 16) << count;
  }
}

}  // namespace
}  // namespace iosx::gpu
