#pragma once

#include <QString>
#include <cstdint>
#include <vector>

#include "core/compare/comparison.h"
#include "views/bridge/selection.h"
#include "views/text/attribute_properties.h"

namespace iosx {

// What there is to say about the selection: the network where it is empty, a unit with its operators, or a stage (or
// any other set of units) with totals. Work is for the whole batch. `comparison` may be null; it says in which stage
// of each schedule things stand.
std::vector<Property> describe(const Graph& graph, const Selection& selection, const Comparison* comparison,
                               std::int64_t batch);

// Errors, tolerance and verdict of every output.
std::vector<Property> describe_verification(const QString& schedule, const Verification& verification);
// One sentence with the verdict and the largest errors.
QString verification_sentence(const QString& schedule, const Verification& verification);

}  // namespace iosx
