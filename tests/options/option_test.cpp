#include "core/options/option.h"

#include "core/base/duration.h"
#include "tests/support/prelude.h"

namespace iosx {

enum class Colour { kRed, kBlue };
inline constexpr std::array<std::string_view, 2> kColourWords{"red", "blue"};

struct Inner {
  int runs = 5;
  int most = 100;
  friend bool operator==(const Inner&, const Inner&) = default;
};
template <>
inline constexpr auto kOptionTable<Inner> =
    std::tuple{option(&Inner::most, {.id = "most_runs",
                                     .title = Sentence{"Most"},
                                     .help = Sentence{"What it does"},
                                     .bounds = {1, 1000},
                                     .uses = use::kCompare | use::kRun}),
               option(&Inner::runs,
                      {.id = "runs",
                       .title = Sentence{"Runs"},
                       .help = Sentence{"What it does"},
                       .bounds = {1, 1000},
                       .uses = use::kCompare},
                      [](Inner& inner, int runs) { inner.runs = inner.most = runs; })};

struct Outer {
  bool loud = false;
  std::size_t limit = 3;
  std::int64_t bytes = 0;
  std::optional<double> gap = {};
  Millis time{2};
  Colour colour = Colour::kRed;
  std::string start = {};
  Inner inner = {};
  friend bool operator==(const Outer&, const Outer&) = default;
};
template <>
inline constexpr auto kOptionTable<Outer> = std::tuple{
    option(&Outer::loud,
           {.id = "loud", .title = Sentence{"Loud"}, .help = Sentence{"What it does"}, .uses = use::kCompare}),
    option(&Outer::limit, {.id = "r",
                           .title = Sentence{"Limit"},
                           .help = Sentence{"What it does"},
                           .bounds = {0, 64},
                           .zero = Sentence{"unlimited"},
                           .uses = use::kCompare}),
    option(&Outer::bytes, {.id = "memory_limit",
                           .title = Sentence{"Memory limit"},
                           .help = Sentence{"What it does"},
                           .bounds = {0.001, 1e9},
                           .unit = "MB",
                           .scale = 1e6,
                           .none = Sentence{"no limit"},
                           .uses = use::kCompare}),
    option(&Outer::gap, {.id = "gap",
                         .title = Sentence{"Gap"},
                         .help = Sentence{"What it does"},
                         .bounds = {0, 10},
                         .none = Sentence{"any"},
                         .uses = use::kCompare}),
    option(&Outer::time, {.id = "time",
                          .title = Sentence{"Time"},
                          .help = Sentence{"What it does"},
                          .bounds = {0, 100},
                          .unit = "ms",
                          .uses = use::kCompare}),
    option(&Outer::colour, {.id = "colour",
                            .title = Sentence{"Colour"},
                            .help = Sentence{"What it does"},
                            .words = kColourWords,
                            .uses = use::kCompare}),
    option(&Outer::start, {.id = "start",
                           .title = Sentence{"Start"},
                           .help = Sentence{"What it does"},
                           .none = Sentence{"none"},
                           .text = OptionKind::kSchedule,
                           .uses = use::kCompare}),
    member("inner", &Outer::inner)};

namespace {

BoundOption named(Outer& options, std::string_view id) {
  for (BoundOption& option : bind_options(options, use::kAll)) {
    if (option.info->id == id) return option;
  }
  return {};
}

std::string error_of(Outer& options, std::string_view id, std::string_view text) {
  const auto read = parse_option(named(options, id), text);
  return read ? std::string() : read.error().text();
}

// Sets an option as a user types it.
void type(Outer& options, std::string_view id, std::string_view text) {
  const BoundOption option = named(options, id);
  const auto value = must(parse_option(option, text));
  option.set(value);
}

TEST(Option, IsReadIntoItsMemberInItsUnit) {
  Outer options;
  type(options, "loud", "true");
  type(options, "r", "7");
  type(options, "memory_limit", "2.5");
  type(options, "gap", "0");
  type(options, "time", "0.5");
  type(options, "colour", "blue");
  EXPECT_TRUE(options.loud);
  EXPECT_EQ(options.limit, 7U);
  EXPECT_EQ(options.bytes, 2'500'000);
  EXPECT_EQ(options.gap, 0.0);
  EXPECT_EQ(options.time, Millis(0.5));
  EXPECT_EQ(options.colour, Colour::kBlue);
}

TEST(Option, OfAScheduleIsAText) {
  Outer options;
  EXPECT_EQ(named(options, "start").kind, OptionKind::kSchedule);
  type(options, "start", "mine.json");
  EXPECT_EQ(options.start, "mine.json");
  EXPECT_EQ(error_of(options, "start", ""), "--start: '' is not a text");
}

TEST(Option, OutOfBoundsSaysWhatWouldDo) {
  Outer options;
  EXPECT_EQ(error_of(options, "r", "-1"), "-r: '-1' is not a whole number from 0 to 64 (0 = unlimited)");
  for (const char* text : {"65", "two", "1.5", "010", "", "99999999999999999999", " 3"}) {
    EXPECT_THAT(error_of(options, "r", text), HasSubstr("from 0 to 64")) << text;
  }
  EXPECT_EQ(error_of(options, "memory_limit", "0"), "--memory-limit: '0' is not a number from 0.001 to 1e+09");
  EXPECT_EQ(error_of(options, "colour", "green"), "--colour: 'green' is not one of red, blue");
  EXPECT_EQ(options, Outer());
}

TEST(Option, OfAStructInsideIsOneOfTheWhole) {
  Outer options;
  type(options, "most_runs", "9");
  EXPECT_EQ(options.inner.most, 9);
  const auto of_run = mapped<std::string_view>(bind_options(options, use::kRun),
                                               [](const BoundOption& option) { return option.info->id; });
  EXPECT_THAT(of_run, ElementsAre("most_runs"));
}

TEST(Option, ThatSetsOthersTooComesBeforeThem) {
  Outer options;
  std::vector<std::string_view> ids;
  for (const BoundOption& option : bind_options(options.inner, use::kCompare)) {
    ids.push_back(option.info->id);
    option.set(std::int64_t{static_cast<std::int64_t>(ids.size()) * 10});
  }
  EXPECT_THAT(ids, ElementsAre("runs", "most_runs"));
  EXPECT_EQ(options.inner, (Inner{.runs = 10, .most = 20}));
}

TEST(Option, SaysItsValueForPeople) {
  Outer options{.loud = true, .limit = 0, .time = Millis(12)};
  const auto text = [&](std::string_view id) {
    const BoundOption option = named(options, id);
    return value_text(*option.info, option.get()).text();
  };
  EXPECT_EQ(text("loud"), "on");
  EXPECT_EQ(text("r"), "unlimited");
  EXPECT_EQ(text("memory_limit"), "no limit");
  EXPECT_EQ(text("gap"), "any");
  EXPECT_EQ(text("time"), "12 ms");
  EXPECT_EQ(text("colour"), "red");
  options.bytes = 2'500'000;
  options.gap = 0;
  EXPECT_EQ(text("memory_limit"), "2.5 MB");
  EXPECT_EQ(text("gap"), "0");
}

TEST(Option, ThatDiffersIsTold) {
  Outer before;
  Outer now{.limit = 4, .inner = {.most = 7}};
  std::vector<std::string> told;
  for (const OptionChange& each :
       changed_options(bind_options(before, use::kCompare), bind_options(now, use::kCompare))) {
    told.push_back(std::string(each.info->id) + ' ' + value_text(*each.info, each.was).text() + ' ' +
                   value_text(*each.info, each.is).text());
  }
  EXPECT_THAT(told, ElementsAre("r 3 4", "most_runs 100 7"));
}

TEST(Option, IsBroughtWithinItsBounds) {
  Outer options{.limit = 100, .gap = -3, .time = Millis(1e9), .inner = {.most = 0}};
  limit_to_bounds(bind_options(options, use::kAll));
  EXPECT_EQ(options.limit, 64U);
  EXPECT_EQ(options.gap, 0.0);
  EXPECT_EQ(options.time, Millis(100));
  EXPECT_EQ(options.inner.most, 1);
}

TEST(Option, HasAFlagAndAKeyword) {
  EXPECT_EQ(info_of(&Outer::limit).flag(), "-r");
  EXPECT_EQ(info_of(&Outer::bytes).flag(), "--memory-limit");
  EXPECT_EQ(info_of(&Outer::bytes).keyword(), "memory_limit");
}

}  // namespace
}  // namespace iosx
