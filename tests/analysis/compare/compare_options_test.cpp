#include "core/analysis/compare/compare_options.h"

#include <gmock/gmock.h>

#include <set>

#include "core/analysis/compare/compare.h"
#include "tests/support/fake_device.h"
#include "tests/support/graphs.h"

namespace iosx {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(CompareOptions, HaveDefaultsWithinTheirBoundsAndNamesOfTheirOwn) {
  CompareOptions options;
  std::set<std::string> flags;
  std::set<std::string_view> keywords;
  for (const BoundOption& option : options_of(options, use::kAll)) {
    EXPECT_TRUE(allowed(option, option.get())) << option.info->id;
    EXPECT_TRUE(flags.insert(option.info->flag()).second) << option.info->id;
    EXPECT_TRUE(keywords.insert(option.info->keyword()).second) << option.info->id;
    EXPECT_FALSE(option.info->title.pattern.empty()) << option.info->id;
    EXPECT_FALSE(option.info->help.pattern.empty() || option.info->help.pattern.ends_with('.')) << option.info->id;
  }
  EXPECT_THAT(changed_options(options), IsEmpty());
}

// Whatever a client lets pass: what runs has the same bounds.
TEST(CompareOptions, AreRefusedBeyondTheSameBoundsWhereTheyRun) {
  const Graph graph = test::diamond();
  CompareOptions defaults;
  const std::vector<BoundOption> all = options_of(defaults, use::kAll);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].kind != OptionKind::kWhole && all[i].kind != OptionKind::kNumber) continue;
    CompareOptions options;
    options_of(options, use::kAll)[i].set(all[i].info->bounds.most * 2);
    test::FakeDevice device;
    const auto comparison = compare(graph, device, options, {});
    EXPECT_FALSE(comparison) << all[i].info->id;
  }
  CompareOptions options;
  options.memory_limit = -1;
  test::FakeDevice device;
  const auto comparison = compare(graph, device, options, {});
  ASSERT_FALSE(comparison);
  EXPECT_THAT(comparison.error().text(), HasSubstr("--memory-limit"));
}

TEST(CompareOptions, WhatDiffersFromTheDefaultIsTold) {
  CompareOptions options;
  options.search.effort = {.longer = true, .epsilon = 0.05, .budget = Seconds(3), .seed = 7};
  options.verify = true;
  options.memory_limit = 3'000'000;
  std::vector<std::string> told;
  for (const OptionChange& each : changed_options(options)) {
    told.push_back(each.info->flag() + ' ' + value_text(*each.info, each.is).text());
  }
  EXPECT_THAT(told, ElementsAre("--longer on", "--epsilon 0.05", "--budget 3 s", "--seed 7", "--verify on",
                                "--memory-limit 3 MB"));
}

TEST(CompareOptions, AnEffortOfALazySearchAsksForIt) {
  CompareOptions options;
  options.search.effort.budget = Seconds(1);
  ASSERT_TRUE(settle(options));
  EXPECT_EQ(options.search.method, SearchMethod::kLazy);
  options.search.method = SearchMethod::kExhaustive;
  const auto settled = settle(options);
  ASSERT_FALSE(settled);
  EXPECT_EQ(settled.error().text(),
            "--epsilon, --budget and --longer are for a lazy search, not for --search exhaustive");
}

TEST(CompareOptions, ALongerTimeTakesAsManyRunsAsItNeeds) {
  CompareOptions options;
  const auto set = [&](std::string_view id, const OptionValue& value) {
    for (const BoundOption& option : options_of(options, use::kAll)) {
      if (option.info->id == id) option.set(value);
    }
  };
  set("repeat", std::int64_t{3});
  EXPECT_EQ(options.timing.repeats, 3);
  EXPECT_EQ(options.timing.max_repeats, 3);
  set("min_time", 50.0);
  EXPECT_EQ(options.timing.min_time, Millis(50));
  EXPECT_EQ(options.timing.max_repeats, info_of(&TimingOptions::max_repeats).whole_bounds().most);
  set("max_repeats", std::int64_t{2});
  ASSERT_TRUE(settle(options));
  EXPECT_EQ(options.timing.max_repeats, 3) << "never less than the minimum";
}

}  // namespace
}  // namespace iosx
