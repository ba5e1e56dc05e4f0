#pragma once

#include <vector>

#include "core/search/lazy/lazy_part.h"

namespace iosx {

// Candidates that nobody measured and that would make the path cheaper, were they `hope` of what is expected: those of
// a path with two neighbouring stages joined, one split in two, or one unit moved to the stage beside it.
std::vector<LazyPart::Candidate> promising_changes(const LazyPart& part, const LazyPart::Path& path,
                                                   const InterStageOverhead& overhead, double hope);

}  // namespace iosx
