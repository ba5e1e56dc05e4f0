#pragma once

#include <QString>
#include <vector>

#include "core/analysis/explain/changes.h"
#include "core/search/options.h"
#include "core/search/stage_candidates.h"

// Texts of core/analysis/explain in the window's language, from the same facts as in a terminal.
namespace iosx {

// Returns "split off [a b] first" or "join with stage 12, merging [a b]"; stages count from 1.
QString change_words(const Graph& graph, const Schedule& schedule, const Change& change);
QString why_words(const std::vector<Exclusion>& excluded);  // "r = 3: a group of 4 units"

}  // namespace iosx
