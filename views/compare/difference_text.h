#pragma once

#include <QColor>
#include <QString>
#include <span>

#include "core/analysis/difference/finding.h"
#include "core/analysis/difference/stage_difference.h"
#include "views/style/theme.h"

namespace iosx {

// These say how differences are worded and coloured, the same in every view. Names are shown as plain text.

// These return finding_sentence() in the user's language: the claim, which says what is how much faster than what, what
// else there is to say (empty: nothing), and both.
QString finding_claim(std::span<const Subject> subjects, const Finding& finding);
QString finding_details(std::span<const Subject> subjects, const PartMatrix& matrix, const Finding& finding);
QString finding_words(std::span<const Subject> subjects, const PartMatrix& matrix, const Finding& finding);
QString delta_words(const Delta& delta);    // "+0.041", "−0.0003 ≈" inside the noise, "+0.04 ?"; in ms
QString verdict_words(const Delta& delta);  // "faster", "inside the noise (± 0.012 ms)", "too few samples to tell"
// Says what the rows of a stage difference do not say: "between stages +0.02 ms, …; the whole −1.09 ms".
QString rest_words(const StageDifference& difference);
// Says of each subject with lanes, one a line, by what it is faster than the fastest stages; empty where none
// is.
QString gain_words(std::span<const Subject> subjects);
// Says how the networks of A and B correspond, and what is missing, added or changed; empty where they are the same.
QString match_words(const Subject& a, const Subject& b, const GraphMatch& match);
QString origin_of(const Subject& subject);  // origin_words()

// Returns the colour on a scale that ends at ± `largest`: blue is faster, orange is slower, the canvas is none; grey
// what is inside the noise or not known.
QColor delta_fill(const Delta& delta, Millis largest, const Theme& theme);
QColor delta_ink(const Delta& delta, const Theme& theme);  // can be read on it

}  // namespace iosx
