#pragma once

#include <QString>
#include <array>

#include "core/base/result.h"

namespace iosx {

inline constexpr double kPointsPerMm = 72 / 25.4;
// No figure for a paper has smaller text than this, in points.
inline constexpr double kLeastTextPoints = 6;

// Says how wide a figure is in a paper and how large its text is. Its height follows from what it shows.
struct PaperFormat {
  double width_mm = 84;
  double font_points = 8;  // of ordinary text; titles may be larger, marks smaller
  int png_dpi = 300;       // of pictures; drawings have none
  friend bool operator==(const PaperFormat&, const PaperFormat&) = default;
};

inline constexpr double kSingleColumnMm = 84;
inline constexpr double kDoubleColumnMm = 174;

struct PaperLimits {
  double least;
  double most;
};
inline constexpr PaperLimits kPaperWidthMm{30, 1000};
inline constexpr PaperLimits kPaperFontPoints{kLeastTextPoints, 24};
inline constexpr PaperLimits kPaperDpi{72, 1200};

// Reads "84mm", "3.3in", "single" or "double" and returns millimetres. The error says what there is.
Result<double> parse_paper_width(const QString& text);
// Checks that all values are within the limits; the error names the value that is not.
Result<void> check(const PaperFormat& paper);

}  // namespace iosx
