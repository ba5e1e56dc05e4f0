#include "views/app_model/postbox.h"

#include <gtest/gtest.h>

#include <QCoreApplication>
#include <memory>
#include <thread>
#include <vector>

#include "tests/views/app_model/wait.h"

namespace iosx {
namespace {

using test::wait_until;

TEST(Postbox, MakesCallsOnItsThreadInTheirOrder) {
  Postbox box;
  const auto here = std::this_thread::get_id();
  std::vector<int> made;
  std::jthread other([&box, &made, here] {
    for (int i = 0; i < 100; ++i) {
      box.post([&made, i, here] { made.push_back(std::this_thread::get_id() == here ? i : -1); });
    }
  });
  ASSERT_TRUE(wait_until([&made] { return made.size() == 100; }));
  for (int i = 0; i < 100; ++i) EXPECT_EQ(made[static_cast<std::size_t>(i)], i);
}

TEST(Postbox, MakesNoCallAtOnce) {
  Postbox box;
  bool made = false;
  box.post([&made] { made = true; });
  EXPECT_FALSE(made);
  QCoreApplication::processEvents();
  EXPECT_TRUE(made);
}

// Threads fill it while it is emptied, and each call has what it took along.
TEST(Postbox, TakesCallsOfSeveralThreads) {
  Postbox box;
  int sum = 0;
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&box, &sum] {
      for (int i = 0; i < 50; ++i) {
        box.post([&sum, value = std::make_shared<int>(i)] { sum += *value; });
      }
    });
  }
  ASSERT_TRUE(wait_until([&sum] { return sum == 4 * 49 * 50 / 2; }));
}

TEST(Postbox, ACallMayPostAndMayEndTheBox) {
  auto box = std::make_unique<Postbox>();
  bool ended = false;
  bool late = false;
  box->post([&] {
    box->post([&] {
      box->post([&late] { late = true; });
      box.reset();
      ended = true;
    });
  });
  ASSERT_TRUE(wait_until([&ended] { return ended; }));
  QCoreApplication::processEvents();
  EXPECT_FALSE(late);
}

}  // namespace
}  // namespace iosx
