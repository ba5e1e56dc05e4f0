#pragma once

#include <QString>
#include <functional>
#include <optional>

#include "core/base/result.h"

class QPainter;

namespace iosx {

inline constexpr double kPointsPerMm = 72 / 25.4;
// The smallest text of a figure for a paper, in points.
inline constexpr double kLeastTextPoints = 6;

// The width of a figure in a paper and the size of its text. Its height follows from the content.
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

// Reads "84mm", "3.3in", "single" or "double", in millimetres. The error lists the valid forms.
Result<double> parse_paper_width(const QString& text);
// Checks that all values are within the limits; the error names an invalid one.
Result<void> check(const PaperFormat& paper);

// Returns the size of the smallest text that `paint` draws, in the painter's own units and under all of its scales;
// none without text. Nothing is drawn on a surface. GUI thread only.
std::optional<double> smallest_text(const std::function<void(QPainter&)>& paint);

}  // namespace iosx
