#pragma once

#include <filesystem>
#include <iosfwd>
#include <string>
#include <vector>

#include "core/compare/comparison.h"

namespace iosx {

// Writes everything that the window can export into the folder, which is made if it is missing: comparison.json,
// comparison.txt and stages.csv, each schedule in our JSON, the original's JSON and CSV, a Chrome trace of all, and
// every figure in every format. Returns the paths. What a schedule's format cannot hold is said on `notes`, one line
// each. GUI thread, any platform.
Result<std::vector<std::string>> write_report(std::shared_ptr<const Comparison> comparison,
                                              const std::filesystem::path& folder, std::ostream& notes);

}  // namespace iosx
