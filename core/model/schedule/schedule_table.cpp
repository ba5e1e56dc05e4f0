#include "core/model/schedule/schedule_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "core/base/check.h"
#include "core/base/file_stem.h"

namespace iosx {
namespace {

constexpr std::array kTable{
    RecipeRow{Recipe::kSequential, "sequential", "Sequential", ColorRole::kSequential},
    RecipeRow{Recipe::kGreedy, "greedy", "Greedy", ColorRole::kGreedy},
    RecipeRow{Recipe::kIosMerge, "ios-merge", "IOS-Merge", ColorRole::kMerge, StrategySet::kMerge, "merge"},
    RecipeRow{Recipe::kIosParallel, "ios-parallel", "IOS-Parallel", ColorRole::kParallel, StrategySet::kParallel,
              "parallel"},
    RecipeRow{Recipe::kIosBoth, "ios-both", "IOS-Both", ColorRole::kBoth, StrategySet::kBoth, "both"},
    RecipeRow{Recipe::kFile, "file", "From a file", ColorRole::kGiven},
    RecipeRow{Recipe::kByHand, "by-hand", "By hand", ColorRole::kGiven},
};

constexpr bool rows_stand_at_their_recipes() {
  for (std::size_t i = 0; i < kTable.size(); ++i) {
    if (kTable[i].recipe != static_cast<Recipe>(i)) return false;
  }
  return true;
}
static_assert(rows_stand_at_their_recipes());

// What ids of the schedule begin with.
std::string stem_of(const RecipeRow& row, std::string_view name) {
  return row.given() ? file_stem(name.empty() ? row.id : name) : std::string(row.id);
}

}  // namespace

std::span<const RecipeRow> schedule_table() { return kTable; }

const RecipeRow& row_of(Recipe recipe) { return kTable.at(static_cast<std::size_t>(recipe)); }

const RecipeRow& row_of(StrategySet strategies) {
  const auto* const row =
      std::ranges::find_if(kTable, [&](const RecipeRow& each) { return each.strategies == strategies; });
  IOS_CHECK(row != kTable.end());
  return *row;
}

std::vector<Recipe> made_recipes() { return recipes_within(StrategySet::kBoth); }

std::vector<Recipe> recipes_within(StrategySet strategies) {
  std::vector<Recipe> recipes;
  for (const RecipeRow& row : kTable) {
    const bool search = row.strategies && (strategies == StrategySet::kBoth || row.strategies == strategies);
    if (row.baseline() || search) recipes.push_back(row.recipe);
  }
  return recipes;
}

Result<Recipe> parse_recipe(std::string_view id) {
  std::vector<std::string_view> ids;
  for (const RecipeRow& row : kTable) {
    if (row.id == id) return row.recipe;
    ids.push_back(row.id);
  }
  return fail(fmt::format("unknown schedule '{}'", id), "schedules",
              fmt::format("choose from {}", fmt::join(ids, ", ")));
}

Result<StrategySet> parse_strategies(std::string_view word) {
  std::vector<std::string_view> words;
  for (const StrategySet strategies : kStrategySets) {
    words.push_back(row_of(strategies).strategy_word);
    if (words.back() == word) return strategies;
  }
  return fail(fmt::format("unknown strategy '{}'", word), "strategy",
              fmt::format("choose from {}", fmt::join(words, ", ")));
}

ScheduleId unused_id(Recipe recipe, std::string_view name, FunctionRef<bool(const ScheduleId&)> taken) {
  const std::string stem = stem_of(row_of(recipe), name);
  const auto usable = [&](const ScheduleId& id) {
    const auto owner = parse_recipe(id.text());
    return (!owner || *owner == recipe) && !taken(id);
  };
  ScheduleId id(stem);
  for (int n = 2; !usable(id); ++n) id = ScheduleId(fmt::format("{}-{}", stem, n));
  return id;
}

std::string schedule_title(Recipe recipe, std::string_view name, const ScheduleId& id) {
  const RecipeRow& row = row_of(recipe);
  std::string title(row.given() && !name.empty() ? name : row.title);
  const std::string stem = stem_of(row, name) + '-';
  if (id.text().starts_with(stem)) title += ' ' + id.text().substr(stem.size());
  return title;
}

}  // namespace iosx
