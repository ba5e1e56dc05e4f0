#pragma once

#include <filesystem>
#include <iosfwd>
#include <string>
#include <vector>

#include "core/compare/comparison.h"

namespace iosx {

// Makes the folder if it is missing; worth asking before a long search.
Result<void> make_report_folder(const std::filesystem::path& folder);

// Writes everything that the window can export into the folder, which must exist: comparison.json,
// comparison.txt and stages.csv, each schedule in our JSON, the original's JSON and CSV, a Chrome trace of all, and
// every figure in every format. Returns the paths. What a schedule's format cannot hold is said on `notes`, one line
// each. GUI thread, any platform.
Result<std::vector<std::string>> write_report(std::shared_ptr<const Comparison> comparison,
                                              const std::filesystem::path& folder, std::ostream& notes);

}  // namespace iosx
