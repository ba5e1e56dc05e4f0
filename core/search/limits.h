#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/model/schedule/schedule.h"
#include "core/search/options.h"

namespace iosx {

// Why a search never takes a stage.
enum class Limit {
  kR,
  kS,
  kEndingRule,
  kStrategy,
  kParts,  // it holds units of several parts, which are more than pieces of one
  kForm,   // a merge inside a group, or unconnected units in one group: never a stage of a search
};
std::string_view limit_name(Limit limit);  // "r", "s", "ending-rule", "strategy", "parts", "form"

struct Exclusion {
  Limit limit = Limit::kR;
  std::string text;  // "r = 3: a group of 4 units"
  // The same as numbers: the limit, and the stage's value; for kParts the first and the last part (from 0).
  // Both are 0 where they do not apply.
  std::size_t allowed = 0;
  std::size_t found = 0;
  friend bool operator==(const Exclusion&, const Exclusion&) = default;
};

// Returns all reasons why a search with these options cannot take the stage; empty where it may.
std::vector<Exclusion> exclusions(const Graph& graph, const Stage& stage, const SearchOptions& options);

// A stage of a schedule (from 0) that a search by itself cannot reach.
struct StageBeyond {
  std::size_t stage = 0;
  std::vector<Exclusion> why = {};
  friend bool operator==(const StageBeyond&, const StageBeyond&) = default;
};
// The graph has the parts of such a search.
std::vector<StageBeyond> beyond_search(const Graph& graph, const Schedule& schedule, const SearchOptions& options);

}  // namespace iosx
