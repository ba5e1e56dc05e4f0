#pragma once

#include <QString>

#include "core/analysis/experiment/experiment.h"

// Texts of core/analysis/experiment/report.h in the window's language.
namespace iosx {

QString experiment_title(const ExperimentResult& result);  // "Pruning: Inception V3, simulated Tesla V100, batch 1"
QString explanation_words(const ExperimentResult& result);
QString marks_words(const ExperimentResult& result);  // the meaning of stars and other signs; empty without any
// Describes each engine and its settings, or why it has no time, a line each; empty without engines.
QString engines_words(const ExperimentResult& result);
QString level_words(const ExperimentResult& result, const std::string& level);  // of a factor, for a header

}  // namespace iosx
