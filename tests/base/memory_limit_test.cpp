#include "core/base/memory_limit.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <new>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <vector>

#include "tests/support/sanitized.h"

namespace iosx {
namespace {

double resident_megabytes() {
  std::FILE* const file = std::fopen("/proc/self/statm", "r");
  if (file == nullptr) return 0;
  long all = 0;
  long resident = 0;
  const int read = std::fscanf(file, "%ld %ld", &all, &resident);  // NOLINT(cert-err34-c): the kernel's own numbers
  std::fclose(file);
  return read == 2 ? static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE)) * 1e-6 : 0;
}

// Two hundred megabytes in blocks of 20 kB, of which every thousandth outlives the others.
std::vector<std::unique_ptr<char[]>> use_and_free() {
  std::vector<std::unique_ptr<char[]>> kept;
  std::vector<std::unique_ptr<char[]>> freed;
  for (int i = 0; i < 10000; ++i) {
    auto block = std::make_unique<char[]>(20000);
    (i % 1000 == 999 ? kept : freed).push_back(std::move(block));
  }
  return kept;
}

TEST(Memory, WhatAThreadFreedGoesBackToTheSystem) {
  if (test::kSanitized) GTEST_SKIP() << "the sanitizers have an allocator of their own";
  const double before = resident_megabytes();
  std::vector<std::unique_ptr<char[]>> kept;
  std::jthread([&] { kept = use_and_free(); }).join();
  give_back_memory();
  EXPECT_LT(resident_megabytes() - before, 20);
  EXPECT_EQ(kept.size(), 10U);
}

TEST(ProgramDeathTest, WithoutMemoryOrThreadsEndsWithALine) {
  const auto program = [](void (*work)()) {
    return run_to_its_end("program", [work] {
      work();
      return 0;
    });
  };
  EXPECT_EXIT(std::exit(program([] { throw std::bad_alloc(); })), testing::ExitedWithCode(1),
              "^program: there is not enough memory.*\n$");
  EXPECT_EXIT(std::exit(program(
                  [] { throw std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again)); })),
              testing::ExitedWithCode(1), "^program: no thread could be started.*\n$");
  EXPECT_EXIT(std::exit(program([] { throw std::runtime_error("a library\nsays"); })), testing::ExitedWithCode(1),
              "^program: a library\\\\nsays\n$");
  // Nobody is there to catch what another thread throws.
  EXPECT_EXIT(std::exit(program([] { std::thread([] { throw std::bad_alloc(); }).join(); })),
              testing::ExitedWithCode(1), "^program: there is not enough memory.*\n$");
  EXPECT_EXIT(end_where_threads_are_out("program"), testing::ExitedWithCode(1), "^program: no thread");
  EXPECT_EXIT(std::exit(program([] {})), testing::ExitedWithCode(0), "^$");
}

}  // namespace
}  // namespace iosx
