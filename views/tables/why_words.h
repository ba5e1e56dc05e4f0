#pragma once

#include <QString>
#include <vector>

#include "core/analysis/explain/changes.h"
#include "core/search/limits.h"
#include "core/search/options.h"

// What core/analysis/explain says in a terminal, in the window's language: from the same facts.
namespace iosx {

// "split off [a b] first", "join with stage 12, merging [a b]"; stages counted from 1.
QString change_words(const Graph& graph, const Schedule& schedule, const Change& change);
QString why_words(const std::vector<Exclusion>& excluded);  // "r = 3: a group of 4 units"

}  // namespace iosx
