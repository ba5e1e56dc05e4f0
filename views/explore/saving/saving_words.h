#pragma once

#include <QString>
#include <cstddef>

#include "views/app_model/shown_saving.h"

namespace iosx {

// Returns a schedule's saving in one sentence: "IOS-Flow saves 2.84 of 6.67 ms against Sequential (simulated)".
// Without steps it gives the reason and a remedy.
QString saving_sentence(const SavingFacts& saving);
QString step_label(const SavingFacts& saving, std::size_t step);  // a short name: "overhead" for the last
QString step_name(const SavingFacts& saving, std::size_t step);   // "mixed_7c", "stage 12", "between stages"
// Returns "mixed_7c saves 0.62 ms: 1.03 → 0.41 ms against Sequential (simulated)".
QString step_sentence(const SavingFacts& saving, std::size_t step);
int saving_decimals(const SavingSteps& steps);  // of its figures

}  // namespace iosx
