#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/experiment/experiment.h"
#include "views/figures/figure.h"
#include "views/figures/paper.h"

namespace iosx {

// Returns the picture of any experiment.
std::unique_ptr<Figure> figure_of(const std::shared_ptr<const ExperimentResult>& result);

// Writes the table into the folder (experiment.txt, .csv, .json), and the picture in every format. Returns the paths.
// GUI thread, any platform.
Result<std::vector<std::string>> write_experiment_report(const std::shared_ptr<const ExperimentResult>& result,
                                                         const std::filesystem::path& folder,
                                                         const std::optional<PaperFormat>& paper = std::nullopt);

}  // namespace iosx
