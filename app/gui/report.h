#pragma once

#include <filesystem>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/compare/comparison.h"
#include "views/figures/paper.h"

namespace iosx {

// Makes the folder if it is missing; call it before a long search.
Result<void> make_report_folder(const std::filesystem::path& folder);

// Writes the files of write_comparison_files(), the page of html_report() as report.html and every figure in every
// format into the folder, as on the screen or for a paper. Returns the paths. Writes what a schedule's format cannot
// express to `notes`, one line each. GUI thread, any platform.
Result<std::vector<std::string>> write_report(const std::shared_ptr<const Comparison>& comparison,
                                              const std::filesystem::path& folder, std::ostream& notes,
                                              const std::optional<PaperFormat>& paper = std::nullopt);

}  // namespace iosx
