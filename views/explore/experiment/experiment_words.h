#pragma once

#include <QString>

#include "core/analysis/experiment/experiment.h"

// Texts of core/analysis/experiment/report.h in the window's language.
namespace iosx {

QString experiment_title(const ExperimentResult& result);  // "Pruning: Inception V3, simulated Tesla V100, batch 1"
QString explanation_words(const ExperimentResult& result);
QString marks_words(const ExperimentResult& result);  // what stars and other signs mean; empty without any
// Says of each engine what it is and was told, or why it has no time, a line each; empty without engines.
QString engines_words(const ExperimentResult& result);
QString level_words(const ExperimentResult& result, const std::string& level);  // of a factor, in a header

}  // namespace iosx
