#pragma once

#include <QColor>
#include <QString>
#include <span>

#include "core/analysis/difference/part_matrix.h"
#include "core/analysis/difference/stage_difference.h"
#include "views/style/theme.h"

namespace iosx {

// The wording and colours of differences, the same in every view. Names are plain text.

// Return finding_sentence() in the user's language: the claim (how much faster one is than the other), the rest (may be
// empty), and both.
QString finding_claim(std::span<const Subject> subjects, const Finding& finding);
QString finding_details(std::span<const Subject> subjects, const PartMatrix& matrix, const Finding& finding);
QString finding_words(std::span<const Subject> subjects, const PartMatrix& matrix, const Finding& finding);
QString delta_words(const Delta& delta);    // "+0.041", "−0.0003 ≈" inside the noise, "+0.04 ?"; in ms
QString verdict_words(const Delta& delta);  // "faster", "inside the noise (± 0.012 ms)", "too few samples to tell"
// Returns the totals of a stage difference outside its rows: "between stages +0.02 ms, …; the whole −1.09 ms".
QString rest_words(const StageDifference& difference);
// Returns the gain of each subject with lanes over the fastest stages, one per line; empty without any.
QString gain_words(std::span<const Subject> subjects);
// Returns how the networks of A and B correspond, with missing, added or changed operators; empty where they are equal.
QString match_words(const Subject& a, const Subject& b, const GraphMatch& match);
QString origin_of(const Subject& subject);  // origin_words()

// Returns the colour on a scale that ends at ± `largest`: blue is faster, orange is slower, the canvas colour is
// none; grey is within the noise or unknown.
QColor delta_fill(const Delta& delta, Millis largest, const Theme& theme);
QColor delta_ink(const Delta& delta, const Theme& theme);  // readable on it

}  // namespace iosx
